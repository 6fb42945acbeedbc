#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From nothing to a trained model in one command: packages, build, data, partition, training on
# several ranks of this machine, and a table of what came out. Every step is done once: a second
# run finds the results of the first and says so, unless the data have changed.
set -euo pipefail

usage() {
  cat <<'END'
Usage: scripts/quickstart.sh [--data DIR [--directed]] [--ranks K] [--epochs E] [--work DIR]
                             [--fresh] [--no-install] [--weft PATH] [-- more for weft import]

  --data DIR    train on your own graph: a folder with
                  edges.txt     a line an edge: two vertices (.csv, .tsv, .mtx, .gz too)
                  features.npy  or .npz (scipy), .mtx: a row a vertex
                  labels.txt    a class a line, -1 = unknown
                  split.txt     a line a vertex: 0 train, 1 validation, 2 test, -1 none
                without it a graph of 20,000 vertices in communities is generated
  --directed    with --data: a line is an arc; otherwise its reverse is added
  --ranks K     parts and MPI ranks (default 4)
  --epochs E    passes over the graph (default 100)
  --work DIR    where everything is put (default runs/quickstart, or runs/NAME of the data)
  --fresh       train again although there is a result; with --data import again, too
  --no-install  do not look for missing packages
  --weft PATH   use this program instead of building it
  -- OPTIONS    with --data: for weft import, as --ids string (ids are names) or --labels-by id
                (lines "id class"); weft import --help lists them

Where the data have changed since the last time, or the options of their import, they are imported
again, and what was made of the old ones is kept in the folder old-1, old-2, ... of --work.
END
}

fail() { echo "quickstart: $*" >&2; exit 2; }
say() { echo "== $*"; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
data='' ranks=4 epochs=100 work='' fresh=no install=yes weft='' direction=--undirected
import_options=()
while [ "$#" -gt 0 ]; do
  case "$1" in
    --data | --ranks | --epochs | --work | --weft)
      [ "$#" -ge 2 ] || fail "$1 needs a value"
      case "$1" in
        --data) data=$2 ;;
        --ranks) ranks=$2 ;;
        --epochs) epochs=$2 ;;
        --work) work=$2 ;;
        --weft) weft=$2 ;;
      esac
      shift ;;
    --directed) direction=--directed ;;
    --fresh) fresh=yes ;;
    --no-install) install=no ;;
    --help | -h) usage; exit 0 ;;
    --) shift; import_options=("$@"); break ;;
    *) fail "'$1' is unknown; see --help" ;;
  esac
  shift
done
[[ "$ranks" =~ ^[1-9][0-9]*$ ]] || fail "--ranks '$ranks' is no number of ranks"
[[ "$epochs" =~ ^[1-9][0-9]*$ ]] || fail "--epochs '$epochs' is no number of epochs"

# True where the option is among those for weft import.
gives() {
  local option
  for option in "${import_options[@]}"; do
    case "$option" in "$1" | "$1"=*) return 0 ;; esac
  done
  return 1
}

# require WHAT OPTION NAMES...: one of the names lies in the folder, or the option names the file.
require() {
  local what=$1 option=$2 name
  shift 2
  ! gives "$option" || return 0
  for name in "$@"; do
    [ ! -f "$data/$name" ] || return 0
  done
  fail "'$data' has no $what; expected one of: $*${option:+ (or -- $option FILE)}"
}

if [ -n "$data" ]; then
  [ -d "$data" ] || fail "--data '$data' is no folder"
  data=$(cd "$data" && pwd)
  require edges '' edges.{txt,csv,tsv,mtx}{,.gz,.zst}
  require features --features features.{npz,npy,mtx.gz,mtx}
  require labels --labels labels.txt{,.gz,.zst} labels.npy
  require split --split {splits,split}.txt{,.gz,.zst} splits.npy
elif [ "${#import_options[@]}" -gt 0 ]; then
  fail "options behind -- are for weft import; they need --data"
fi
[ -n "$work" ] || work=$root/runs/$(basename "${data:-quickstart}")
mkdir -p "$work"
work=$(cd "$work" && pwd)
if [ -n "$weft" ]; then
  [ -x "$weft" ] || fail "--weft '$weft' is no program"
  weft=$(realpath "$weft")
fi
dataset=$work/dataset
config=$work/config-$ranks-$epochs.toml
run=$work/run-$ranks-$epochs

# Where the data come from, and with --data what tells that they have changed: the options, and
# sizes and times of the files.
describe_source() {
  echo "${data:-generated}"
  [ -n "$data" ] || return 0
  echo "options $direction ${import_options[*]}"
  find "$data" -maxdepth 1 -type f -regex '.*/\(edges\|features\|labels\|splits?\|node_ids\|original_ids\)[._].*' \
    -printf '%f %s %T@\n' | LC_ALL=C sort
  local option
  for option in "${import_options[@]}"; do
    option=${option#--*=}
    [ ! -f "$option" ] || stat -c '%n %s %.Y' "$option"
  done
}

# Moves the dataset and its runs to a folder of their own.
keep_old() {
  local number=1 run
  while [ -e "$work/old-$number" ]; do number=$((number + 1)); done
  mkdir "$work/old-$number"
  for run in "$work"/run-* "$work/sage"; do
    [ ! -e "$run" ] || mv "$run" "$work/old-$number/"
  done
  mv "$dataset" "$work/old-$number/" # last: without it the next start begins anew
  say "data: the old dataset and its results are in $work/old-$number"
}

get_data() {
  local source recorded
  source=$(describe_source)
  recorded=$(cat "$work/source.txt" 2>/dev/null || true)
  if [ -e "$dataset/dataset.json" ]; then
    [ "${recorded%%$'\n'*}" = "${data:-generated}" ] ||
      fail "'$dataset' was made from something else; give another --work"
    if [ "$recorded" = "$source" ] && { [ "$fresh" = no ] || [ -z "$data" ]; }; then
      say "data: $dataset is there, used as it is"
      return
    fi
    [ "$recorded" = "$source" ] || say "data: $data, or an option of its import, has changed"
    keep_old
  fi
  echo "$source" >"$work/source.txt"  # first: an import that is cut off leaves no dataset
  if [ -n "$data" ]; then
    say "data: importing $data"
    gives --name || import_options+=(--name "$(basename "$data")")
    "$weft" import "$data" "$direction" --out "$dataset" "${import_options[@]}"
  else
    say "data: generating 20,000 vertices in communities"
    "$weft" generate communities --nodes 20000 --out "$dataset"
  fi
}

write_config() {
  cat >"$config" <<END
# Written by scripts/quickstart.sh; change it and run it again with
#   mpiexec.hydra -n $ranks $weft train $config --out NEW_FOLDER
[dataset]
path = "dataset"
feature_scaling = "row_l2"

[model]
type = "gcn"
hidden = 64
layers = 2
dropout = 0.5

[optimizer]
name = "adam"
lr = 0.01
weight_decay = [5e-4, 0.0]

[train]
epochs = $epochs
seed = 1

[output]
predictions = true
END
}

train() {
  if [ -e "$run/summary.json" ] && [ "$fresh" = no ]; then
    say "training: $run has a result, nothing to do (--fresh trains again)"
    return
  fi
  say "training: $ranks ranks on this machine"
  [ -e "$config" ] || write_config
  local overwrite=()
  [ ! -e "$run" ] || overwrite=(-- --overwrite)
  "$root/scripts/train_mpi.sh" "$config" --ranks "$ranks" --weft "$weft" --out "$run" \
    "${overwrite[@]}"
}

# Value of a key of summary.json, which has one key a line.
value() { sed -n "s/^ *\"$1\": *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$run/summary.json"; }
percent() { [ "$1" = null ] && echo "-" || awk -v share="$1" 'BEGIN { printf "%.1f %%", 100 * share }'; }
milliseconds() { awk -v seconds="$1" 'BEGIN { printf "%.1f ms", 1000 * seconds }'; }
mebibytes() { awk -v bytes="$1" 'BEGIN { printf "%.2f MiB", bytes / 1048576 }'; }

show() {
  cat <<END

test accuracy        $(percent "$(value test_metric)") at epoch $(value best_epoch) of $(value epochs), the best by validation
validation accuracy  $(percent "$(value val_metric)")
time an epoch        $(milliseconds "$(value epoch_seconds_median)") (median, slowest of $(value ranks) ranks)
halo bytes an epoch  $(mebibytes "$(value bytes_sent_per_epoch)") between all ranks
memory of a rank     $(mebibytes "$(value peak_rss_bytes)") at most

dataset              $dataset
partition            $dataset/partitions
configuration        $config
result               $run/summary.json, metrics.jsonl, report.html
predictions          $run/predictions.csv (your ids), predictions.npy (dataset order)

Try next
  $weft info $run
  scripts/train_mpi.sh $config --ranks $ranks --out $work/sage -- --set model.type=sage
  mpiexec.hydra -n $ranks $weft verify $config        # the same numbers as one process?
  scripts/quickstart.sh --data YOUR_FOLDER            # your own graph
END
}

if [ "$install" = yes ]; then
  say "packages"
  "$root/scripts/install_dependencies.sh"
fi
if [ -z "$weft" ]; then
  say "build (log in $work/build.log)"
  weft=$root/build/release/bin/weft
  # A build takes minutes: what the log shows of its progress goes to the terminal, now and then.
  "$root/scripts/build.sh" release weft 2>&1 | tee "$work/build.log" |
    awk '/^\[[0-9]+\/[0-9]+\]/ { if (++n % 10 == 0) { print "   " $1; fflush() } }' >&2 ||
    { tail -n 40 "$work/build.log" >&2; fail "the build failed; see $work/build.log"; }
  tail -n 1 "$work/build.log"
fi
get_data
say "partition: $ranks parts"
"$weft" partition "$dataset" --parts "$ranks"
train
show
