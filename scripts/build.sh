#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Configures and builds one preset of CMakePresets.json into build/PRESET.
set -euo pipefail

usage() {
  cat <<'END'
Usage: scripts/build.sh [PRESET] [TARGET...]

  PRESET   release (default), debug, double or openmpi
  TARGET   what to build; default everything

Environment: WEFT_JOBS      compilations at a time (default: usable CPUs)
             WEFT_DATA_DIR  folder with the real datasets of the data tests; by default the
                            folder shared/data beside the repository, if it exists
END
}

case "${1:-}" in --help | -h) usage; exit 0 ;; esac
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=${1:-release}
[ "$#" -eq 0 ] || shift
case "$preset" in
  release | debug | double | openmpi) ;;
  *) echo "build: preset '$preset' is unknown; valid: release, debug, double, openmpi" >&2; exit 2 ;;
esac

# Objects are found again from another folder of the same source.
export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1
data_dir=${WEFT_DATA_DIR:-}
if [ -z "$data_dir" ] && [ -d "$root/../shared/data" ]; then
  data_dir=$(cd "$root/../shared/data" && pwd)
fi

cd "$root"
cmake --preset "$preset" -DWEFT_DATA_DIR="$data_dir"
targets=()
[ "$#" -eq 0 ] || targets=(--target "$@")
cmake --build --preset "$preset" --parallel "${WEFT_JOBS:-$(nproc)}" "${targets[@]}"
