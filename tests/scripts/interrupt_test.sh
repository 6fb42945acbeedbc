#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program that is interrupted while it writes leaves nothing behind, and ends by the signal.
#   interrupt_test.sh WEFT
set -euo pipefail
weft=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

interrupt() {
  local signal=$1 expected=$2 pid status=0 waited=0
  # Large enough that it is still at work when its temporary folder is seen.
  "$weft" generate communities --nodes 400000 --features 128 --out data >log 2>&1 &
  pid=$!
  until compgen -G '.data.*.tmp' >/dev/null; do
    kill -0 "$pid" 2>/dev/null || { echo "FAILED: it ended by itself:"; cat log; exit 1; }
    waited=$((waited + 1))
    [ "$waited" -lt 6000 ] || { echo "FAILED: no temporary folder appeared"; exit 1; }
    sleep 0.01
  done
  kill -s "$signal" "$pid"
  wait "$pid" || status=$?
  [ "$status" -eq "$expected" ] || { echo "FAILED: $signal: status $status, expected $expected"; exit 1; }
  [ ! -e data ] || { echo "FAILED: $signal: the dataset is there"; exit 1; }
  if compgen -G '.data.*' >/dev/null; then
    echo "FAILED: $signal left:" .data.*
    exit 1
  fi
}

# A training run that is asked to stop saves, says how to go on, and goes on.
stop_training() {
  local pid status=0 waited=0
  "$weft" generate karate --out club >log 2>&1
  printf '[dataset]\npath = "club"\n[train]\nepochs = 100000000\neval_every = 1000\n' >club.toml
  "$weft" train club.toml --out run >log 2>&1 &
  pid=$!
  until [ -s run/metrics.jsonl ]; do
    kill -0 "$pid" 2>/dev/null || { echo "FAILED: training ended by itself:"; cat log; exit 1; }
    waited=$((waited + 1))
    [ "$waited" -lt 6000 ] || { echo "FAILED: no epoch was done"; exit 1; }
    sleep 0.01
  done
  kill -TERM "$pid"
  wait "$pid" || status=$?
  [ "$status" -eq 1 ] || { echo "FAILED: stopped training: status $status"; cat log; exit 1; }
  grep -q "stopped by a signal after epoch .* go on with --resume" log ||
    { echo "FAILED: nothing said:"; tail -n 3 log; exit 1; }
  local last
  last=$(tail -n 1 run/metrics.jsonl | sed 's/^{"epoch":\([0-9]*\),.*/\1/')
  "$weft" train club.toml --out run --resume --set train.epochs=$((last + 2)) >log 2>&1 ||
    { echo "FAILED: it does not go on:"; cat log; exit 1; }
  [ "$(wc -l <run/metrics.jsonl)" -eq $((last + 2)) ] ||
    { echo "FAILED: $(wc -l <run/metrics.jsonl) epochs of $((last + 2))"; exit 1; }
}

stop_training
interrupt TERM 143
interrupt HUP 129
echo "interrupted_program: as expected"
