#!/bin/bash
# SPDX-License-Identifier: MIT
# Jobs end, with the right status and all their output, however they end:
#   exit_test.sh PROGRAM MPIEXEC [FLAGS]
set -uo pipefail

readonly program=$1
shift
readonly launcher=("$@")
failures=0

# expect STATUS (or "failure" for any but 0 and a time-out) RANKS HOW ARGUMENT
expect() {
  local expected=$1 ranks=$2 output status
  shift 2
  output=$(timeout --signal=KILL 40 "${launcher[@]}" -n "$ranks" "$program" "$@" 2>&1)
  status=$?
  [[ $expected == failure && $status != 0 && $status -lt 124 ]] && return
  if [[ $status != "$expected" ]]; then
    echo "$ranks ranks, $*: status $status, expected $expected"$'\n'"$output"
    failures=$((failures + 1))
  elif [[ $1 == agreed && $(grep -c "came to the end" <<< "$output") != "$ranks" ]]; then
    echo "$ranks ranks, $*: output lost"$'\n'"$output"
    failures=$((failures + 1))
  fi
}

for ranks in 1 2 4; do
  expect 0 "$ranks" agreed 0
  expect 2 "$ranks" agreed 2
  expect 3 "$ranks" abort 3
done
expect failure 3 alone 1

# Shared memory goes with its last process, however that ends: 384 MiB of three ranks would show.
shared_kib() { awk '/^Shmem:/ { print $2 }' /proc/meminfo; }
shared_before=$(shared_kib)
expect failure 3 unread 1
expect failure 3 killed 1
tries=0
until (($(shared_kib) < shared_before + 192 * 1024)); do
  if ((++tries > 100)); then
    echo "shared memory: $shared_before KiB before, $(shared_kib) KiB after jobs that failed"
    failures=$((failures + 1))
    break
  fi
  sleep 0.1
done
if ls /dev/shm | grep -q weft; then
  echo "files of a job that failed: $(ls /dev/shm | grep weft)"
  failures=$((failures + 1))
fi

# A launcher that the library does not know leaves each process alone with rank 0 of 1.
output=$(MV2_COMM_WORLD_SIZE=2 timeout 40 "$program" agreed 0 2>&1)
status=$?
if [[ $status != 2 || $output != *"MV2_COMM_WORLD_SIZE=2"* ]]; then
  echo "foreign launcher: status $status, expected 2"$'\n'"$output"
  failures=$((failures + 1))
fi

# The way out over TCP, where MPI_Finalize of MPICH hangs in half of the runs.
export UCX_TLS=tcp
for _ in $(seq 5); do
  expect 0 4 agreed 0
  expect 2 4 agreed 2
done
exit $((failures > 0))
