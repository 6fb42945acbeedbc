#!/bin/bash
# SPDX-License-Identifier: MIT
# scripts/train_mpi.sh over emulated hosts: the weights are those of one rank, what the reports count
# crosses the network, and jobs end, every time.
#   cluster_train_test.sh CLUSTER_EMULATION TRAIN_MPI WEFT
set -uo pipefail

readonly emulation=$1 train_mpi=$2 weft=$3
folder=$(mktemp -d)
here=$(dirname "$(realpath "$0")")

clean_up() {
  "$emulation" down > /dev/null 2>&1
  rm -rf "$folder"
}
trap clean_up EXIT

fail() {
  echo "FAILED: $1"
  exit 1
}

start_hosts() {
  local number
  "$emulation" up "$1" 1gbit
  local status=$?
  ((status == 0)) || exit "$status"
  for number in $(seq "$1"); do echo "wefth$number:1"; done > "$folder/hosts.txt"
}

# Plain SGD: Adam divides by the size of a gradient, so it blows rounding up where one is near 0.
# hydra reads its launcher and interface from the environment, and hands all of it to the ranks.
train() {
  local ranks=$1 run=$2
  shift 2
  HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC=$emulation HYDRA_IFACE=eth0 \
    UCX_TLS=tcp,self UCX_NET_DEVICES=eth0 UCX_RNDV_THRESH=inf \
    timeout --signal=KILL 120 ip netns exec wefth1 unshare --uts --ipc \
    sh -c 'hostname wefth1; exec "$@"' wefth1 \
    "$train_mpi" "$folder/run.toml" --ranks "$ranks" --hosts "$folder/hosts.txt" \
    --weft "$weft" --out "$folder/$run" --threads 1 -- "$@" > "$folder/$run.log" 2>&1
}

sent_by() {
  local total=0 number
  for number in $(seq "$1"); do total=$((total + $("$emulation" bytes "$number"))); done
  echo "$total"
}

check_weights_and_bytes() {
  local hosts=$1 before crossed counted
  before=$(sent_by "$hosts")
  train "$hosts" "wide$hosts" --set train.epochs=12 ||
    fail "$hosts hosts: $(tail -n 5 "$folder/wide$hosts.log")"
  crossed=$(($(sent_by "$hosts") - before))
  counted=$(python3 "$here/compare_runs.py" bytes "$folder/wide$hosts")
  echo "$hosts hosts: counted $counted bytes, $crossed crossed the interfaces"
  ((counted >= 100000000)) || fail "expected at least 100 MB"
  ((crossed > counted * 95 / 100 && crossed < counted * 105 / 100)) || fail "more than 5 % apart"
  python3 "$here/compare_runs.py" weights "$folder/wide1" "$folder/wide$hosts" ||
    fail "$hosts hosts: other weights than one rank"
}

check_endings() {
  local hosts=$1 run
  for run in $(seq 20); do
    train "$hosts" "short$hosts.$run" --set train.epochs=1 --set model.hidden=4 ||
      fail "$hosts hosts, run $run of 20: $(tail -n 5 "$folder/short$hosts.$run.log")"
  done
  echo "$hosts hosts: 20 of 20 jobs ended"
}

start_hosts 2
"$weft" generate communities --nodes 20000 --out "$folder/data" > /dev/null || fail "no dataset"
cat > "$folder/run.toml" << 'END'
[dataset]
path = "data"
[model]
type = "gcn"
hidden = 256
layers = 3
[optimizer]
name = "sgd"
lr = 0.5
[train]
eval_every = 12
END
timeout 120 "$weft" train "$folder/run.toml" --set train.epochs=12 --out "$folder/wide1" \
  > "$folder/wide1.log" 2>&1 || fail "one rank: $(tail -n 5 "$folder/wide1.log")"
check_weights_and_bytes 2
check_endings 2
start_hosts 4
check_weights_and_bytes 4
check_endings 4
