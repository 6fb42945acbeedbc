#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds, and runs the tests. The last lines are ctest's summary; the
# exit status is not 0 if anything failed.
set -euo pipefail

usage() {
  cat <<'END'
Usage: scripts/test.sh [--preset NAME]... [--all] [--clang] [--no-install] [--keep-going]

  (nothing)       preset release, every test
  --preset NAME   release  every test
                  debug    unit and mpi tests under AddressSanitizer and UBSan, and those of
                           damaged and foreign files where WEFT_DATA_DIR's folder exists
                  double   kernels, layers and mpi tests with Real = double (equality at 1e-12)
                  openmpi  mpi and command tests against Open MPI
                  may be given several times; release comes last
  --all           format, script and structure checks, debug, double, openmpi, Clang, then release
  --clang         read every source of the release build with Clang, too
  --no-install    do not look for missing packages
  --keep-going    go on to the other presets after a failure

Environment: WEFT_DATA_DIR and WEFT_JOBS, see scripts/build.sh --help
END
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
presets=()
install=yes
checks=no
clang=no
keep_going=no
while [ "$#" -gt 0 ]; do
  case "$1" in
    --preset) presets+=("${2:?test: --preset needs a name}"); shift ;;
    --all) presets=(debug double openmpi release); checks=yes; clang=yes ;;
    --no-install) install=no ;;
    --clang) clang=yes; checks=yes ;;
    --keep-going) keep_going=yes ;;
    --help | -h) usage; exit 0 ;;
    *) echo "test: '$1' is unknown; valid: --preset, --all, --clang, --no-install, --keep-going" >&2
       exit 2 ;;
  esac
  shift
done
[ "${#presets[@]}" -gt 0 ] || presets=(release)
jobs=${WEFT_JOBS:-$(nproc)}
failures=()

has_preset() {
  local preset
  for preset in "${presets[@]}"; do [ "$preset" != "$1" ] || return 0; done
  return 1
}

# Runs one step under a heading with its duration; a failure ends the run, or is kept for its end.
step() {
  local name=$1 begin=$SECONDS status=0
  shift
  echo "==== $name"
  "$@" || status=$?
  echo "==== $name: status $status, $((SECONDS - begin)) s"
  if [ "$status" -ne 0 ]; then
    failures+=("$name")
    [ "$keep_going" = yes ] || { echo "test: '$name' failed" >&2; exit 1; }
  fi
}

install_packages() {
  local options=()
  has_preset openmpi && options+=(--openmpi)
  [ "$checks" = no ] || options+=(--dev)
  scripts/install_dependencies.sh "${options[@]}"
}

check_sources() {
  find graph kernels datasets partition comm layers trainer tests \
    \( -name '*.cpp' -o -name '*.hpp' \) -print0 | xargs -0 clang-format --dry-run -Werror &&
    find scripts .ci -type f \( -name '*.sh' -o -name '*.sbatch' -o -name run \) -print0 |
      xargs -0 shellcheck --severity=warning &&
    scripts/check_structure.py --require-ctags
}

ctest_of() {
  local preset=$1
  shift
  ctest --preset "$preset" --parallel "$jobs" "$@"
}

# The folder of scripts/build.sh's rule for WEFT_DATA_DIR exists.
has_data() { [ -d "${WEFT_DATA_DIR:-$root/../shared/data}" ]; }

# What the presets beside release build: they need not build what they do not run.
targets_of() {
  case "$1" in
    debug) echo graph_test kernels_test datasets_test partition_test trainer_test layers_test \
                weft_mpi_tests "$(! has_data || echo datasets_mutation_test datasets_data_test)" ;;
    double) echo layers_mpi_test trainer_mpi_test kernels_test ;;
    openmpi) echo comm_test layers_mpi_test trainer_mpi_test weft commands_test ;;
  esac
}

# MPI libraries keep memory until the process ends, so leaks are looked for in unit tests only.
test_debug() {
  ctest_of debug -R '^(graph|kernels|datasets|partition|trainer|layers)_test$' &&
    ASAN_OPTIONS=detect_leaks=0 ctest_of debug -R 'ranks[1-3]$' -LE 'slow|data' &&
    test_debug_files
}

# Damaged and foreign files; the real datasets are left to release. The program that the data tests
# run links MPI.
test_debug_files() {
  has_data || return 0
  ctest_of debug -R '^datasets_mutation_test$' &&
    GTEST_FILTER='-*RealSet*' ASAN_OPTIONS=detect_leaks=0 \
      ctest_of debug -R '^datasets_data_test$'
}

test_preset() {
  case "$1" in
    release) ctest_of release ;;
    debug) test_debug ;;
    double) ctest_of double -R '^(kernels_test|(layers|trainer)_mpi_test\.ranks.*)$' ;;
    # Not comm_exit: where a rank ends with an error, Open MPI ends the others, output and all.
    openmpi) ctest_of openmpi -R '^((comm|layers_mpi|trainer_mpi)_test\.ranks|commands_test$)' ;;
  esac
}

for preset in "${presets[@]}"; do
  case "$preset" in
    release | debug | double | openmpi) ;;
    *) echo "test: preset '$preset' is unknown; valid: release, debug, double, openmpi" >&2
       exit 2 ;;
  esac
done
[ "$install" = no ] || step "install" install_packages
[ "$checks" = no ] || step "check sources" check_sources
for preset in debug double openmpi release; do
  has_preset "$preset" || continue
  read -ra targets <<<"$(targets_of "$preset")"
  step "build $preset" scripts/build.sh "$preset" "${targets[@]}"
  [ "$preset" = release ] || step "test $preset" test_preset "$preset"
done
if [ "$clang" = yes ]; then step "check with clang" scripts/check_clang.py build/release; fi
if [ "${#failures[@]}" -gt 0 ]; then
  printf 'test: failed before the last step: %s\n' "${failures[*]}" >&2
fi
status=0
if has_preset release; then test_preset release || status=1; fi
[ "${#failures[@]}" -eq 0 ] || status=1
exit "$status"
