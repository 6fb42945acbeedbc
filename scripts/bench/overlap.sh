#!/bin/bash
# SPDX-License-Identifier: MIT
# What the exchange between two hosts hides behind compute: two emulated hosts with a slow network
# between them, one rank of one thread on each. Needs root; ends with 77 and a reason where it
# cannot run, with 1 where the overlap misses its bound.
#
#   overlap.sh [--build DIR] [--rate RATE] [OPTIONS OF overlap_bench]
#
# DIR: build/release; RATE: 1gbit, 10gbit, ... or none. Options of the benchmark: --json FILE,
# --width N, --log2-vertices N, --degree N, --repetitions N, --quick.
set -euo pipefail

root=$(dirname "$(dirname "$(dirname "$(realpath "$0")")")")
readonly root
readonly emulation=$root/scripts/cluster_emulation.sh
build=$root/build/release
rate=1gbit

misused() {
  echo "overlap: $1; --help tells more" >&2
  exit 2
}

options=()
while (($# > 0)); do
  case $1 in
    --help | -h)
      sed -n '3,10s/^# \{0,1\}//p' "$0"
      exit 0
      ;;
    --build | --rate | --json | --width | --log2-vertices | --degree | --repetitions)
      (($# > 1)) || misused "$1 lacks its value"
      case $1 in
        --build) build=$(realpath "$2") ;;
        --rate) rate=$2 ;;
        --json) options+=(--json "$(realpath "$2")") ;;
        *) options+=("$1" "$2") ;;
      esac
      shift 2
      ;;
    --quick)
      options+=("$1")
      shift
      ;;
    *) misused "option '$1' is unknown" ;;
  esac
done

readonly program=$build/bin/overlap_bench
[[ -x $program ]] ||
  misused "$program is not built; run scripts/build.sh release, or name another with --build"
# Hosts of others are left alone where this cannot run.
[[ $(id -u) == 0 ]] || "$emulation" up 2 "$rate"
trap '"$emulation" down' EXIT
"$emulation" up 2 "$rate" || { status=$?; trap - EXIT; exit "$status"; }
# Over TCP, MPI may hang when it ends.
timeout --signal=KILL 600 "$emulation" run 1 "$program" --threads 1 --interface eth0 \
  ${options[@]+"${options[@]}"}
