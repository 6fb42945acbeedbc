#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Slurm script with a stand-in for srun that prints what it was told to start: what a first
# start, a requeue before and after the first checkpoint, and one after the end hand to weft.
#   train_slurm_test.sh TRAIN_SLURM WEFT
set -euo pipefail
script=$(realpath "$1")
weft=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir bin
printf '#!/bin/sh\necho "srun: $*"\n' >bin/srun
chmod +x bin/srun
export PATH=$folder/bin:$PATH WEFT=$weft SLURM_JOB_ID=1 SLURM_NTASKS=4 SLURM_CPUS_PER_TASK=2
echo '' >job.toml

start() { "$script" job.toml "$@" 2>&1; }
expect() {
  local what=$1 pattern=$2 output=$3
  grep -qE -- "$pattern" <<<"$output" && return
  echo "FAILED: $what: expected /$pattern/ in: $output" >&2
  exit 1
}
refuse() {
  local what=$1 pattern=$2 output=$3
  if grep -qE -- "$pattern" <<<"$output"; then
    echo "FAILED: $what: did not expect /$pattern/ in: $output" >&2
    exit 1
  fi
}

first=$(start --out=run)
expect "first start" "srun: --mpi=pmi[2x] .*--cpus-per-task=2 .*weft train job.toml --out=run$" "$first"

mkdir -p run/checkpoints runs/job/checkpoints
touch run/run.json runs/job/run.json
refuse "a new job" "--resume|--overwrite" "$(start --out run)"
export SLURM_RESTART_COUNT=1
expect "requeued before a checkpoint" "--overwrite$" "$(start --out run)"
expect "the default run folder" "--overwrite$" "$(start)"
touch run/checkpoints/last.safetensors
expect "requeued after a checkpoint" "--resume$" "$(start --out run)"
expect "the other spelling" "--resume$" "$(start --out=run)"
touch run/summary.json
refuse "requeued after the end" "srun:" "$(start --out run)"
WEFT_COMMAND=evaluate
export WEFT_COMMAND
expect "another command" "weft evaluate job.toml --out run$" "$(start --out run)"
unset SLURM_JOB_ID
expect "outside a job" "not inside a Slurm job" "$(start || true)"
echo "train_slurm: as expected"
