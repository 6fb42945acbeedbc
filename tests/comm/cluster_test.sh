#!/bin/bash
# SPDX-License-Identifier: MIT
# Halo exchange between emulated hosts: what the program counts crosses the network, and jobs end.
#   cluster_test.sh CLUSTER_EMULATION PROGRAM MPIEXEC
set -uo pipefail

readonly emulation=$1 program=$2
export MPIEXEC=$3

fail() {
  echo "$1"
  exit 1
}

trap '"$emulation" down' EXIT

start_hosts() {
  "$emulation" up "$1" "$2"
  local status=$?
  ((status == 0)) || { trap - EXIT; exit "$status"; }
}

sent() { "$emulation" bytes 1; }

# Every packet carries headers: 66 bytes of 1514. Segments larger than a packet carry fewer.
check_bytes() {
  local before output counted crossed
  before=$(sent)
  output=$(timeout --signal=KILL 60 "$emulation" run 1 "$program" 120) || fail "traffic: $output"
  crossed=$(($(sent) - before))
  counted=${output##*bytes_sent=}
  echo "counted $counted bytes, $crossed crossed the interface"
  ((counted >= 100000000)) || fail "expected at least 100 MB"
  ((crossed > counted * 95 / 100 && crossed < counted * 105 / 100)) || fail "more than 5 % apart"
}

check_endings() {
  local hosts=$1 run output
  for run in $(seq 20); do
    output=$(timeout --signal=KILL 30 "$emulation" run 1 "$program" 1 2>&1) ||
      fail "$hosts hosts, run $run of 20: status $?: $output"
  done
  echo "$hosts hosts: 20 of 20 jobs ended"
}

start_hosts 2 1gbit
check_bytes
check_endings 2
start_hosts 4 1gbit
check_endings 4
