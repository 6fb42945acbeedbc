#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/quickstart.sh with a few epochs: it ends with the table, and a second run does nothing
# twice. Then the same for a graph from files, which change, lack something or need options. The first argument is the program.
set -euo pipefail

weft=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() { echo "FAILED: $*"; exit 1; }
quickstart() {
  "$root/scripts/quickstart.sh" --no-install --weft "$weft" --ranks 2 --epochs 5 "$@" \
    >"$folder/log" 2>&1 || { cat "$folder/log"; fail "quickstart $*"; }
}
# refuses WORDS ARGUMENTS...: ends with status 2 and these words.
refuses() {
  local words=$1 status=0
  shift
  "$root/scripts/quickstart.sh" --no-install --weft "$weft" "$@" >"$folder/log" 2>&1 || status=$?
  [ "$status" -eq 2 ] || { cat "$folder/log"; fail "status $status instead of 2: quickstart $*"; }
  says "$words"
}
says() { grep -qF -- "$1" "$folder/log" || { cat "$folder/log"; fail "'$1' is missing"; }; }

quickstart --work "$folder/first"
says "generating 20,000 vertices"
says "test accuracy"
says "halo bytes an epoch"
summary=$folder/first/run-2-5/summary.json
[ -s "$folder/first/run-2-5/predictions.csv" ] || fail "no predictions.csv"
before=$(stat -c %y "$summary" "$folder/first/dataset/dataset.json")

quickstart --work "$folder/first"
says "is there, used as it is"
says "nothing to do (--fresh trains again)"
says "test accuracy"
[ "$before" = "$(stat -c %y "$summary" "$folder/first/dataset/dataset.json")" ] ||
  fail "the second run wrote again"

quickstart --work "$folder/first" --fresh
[ "$before" != "$(stat -c %y "$summary" "$folder/first/dataset/dataset.json")" ] ||
  fail "--fresh trained nothing"

# A ring of 60 vertices; the class of a vertex is the half that it lies in.
mkdir "$folder/ring"
printf '%%%%MatrixMarket matrix coordinate real general\n60 2 60\n' >"$folder/ring/features.mtx"
for ((i = 0; i < 60; ++i)); do
  echo "$i $(((i + 1) % 60))" >>"$folder/ring/edges.txt"
  echo "$((i / 30))" >>"$folder/ring/labels.txt"
  echo "$((i % 3))" >>"$folder/ring/split.txt"
  echo "$((i + 1)) $((i / 30 + 1)) 1.5" >>"$folder/ring/features.mtx"
done
ring=$folder/ring work=$folder/ring-run
quickstart --data "$ring" --work "$work"
says "importing $ring"
says "test accuracy"
grep -q '"name": *"ring"' "$work/dataset/dataset.json" || fail "the dataset is not named by its folder"
quickstart --data "$ring" --work "$work"
says "is there, used as it is"
says "nothing to do (--fresh trains again)"
refuses "was made from something else" --work "$work"

# Other data of the same folder: imported and trained again, the old results are kept.
summary=$work/run-2-5/summary.json
before=$(cat "$summary")
echo "0 30" >>"$ring/edges.txt"
quickstart --data "$ring" --work "$work"
says "has changed"
says "the old dataset and its results are in $work/old-1"
says "importing $ring"
says "training: 2 ranks"
[ "$(cat "$work/old-1/run-2-5/summary.json")" = "$before" ] || fail "the old result is lost"
[ -s "$summary" ] || fail "nothing was trained on the changed data"
echo "a note" >"$ring/README"
quickstart --data "$ring" --work "$work"
says "is there, used as it is"
quickstart --data "$ring" --work "$work" --fresh
says "importing $ring"
[ -s "$work/old-2/run-2-5/summary.json" ] || fail "--fresh lost the result"
quickstart --data "$ring" --work "$work" -- --repeats keep-one
says "has changed"
quickstart --data "$ring" --work "$work" -- --repeats keep-one
says "is there, used as it is"

# Names as ids, labels by id.
mkdir "$folder/names"
sed -E 's/([0-9]+)/v\1/g' "$ring/edges.txt" >"$folder/names/edges.txt"
for ((i = 0; i < 60; ++i)); do echo "v$i half$((i / 30))"; done >"$folder/names/labels.txt"
cp "$ring/features.mtx" "$ring/split.txt" "$folder/names"
quickstart --data "$folder/names" --work "$folder/names-run" -- --ids string --labels-by id
says "test accuracy"

# What is missing is named before anything is made.
mv "$folder/names/split.txt" "$folder/assignment.txt"
refuses "has no split; expected one of: splits.txt" --data "$folder/names" --work "$folder/none"
quickstart --data "$folder/names" --work "$folder/names-run" \
  -- --ids string --labels-by id --split "$folder/assignment.txt"
says "has changed"
rm "$folder/names/labels.txt"
refuses "has no labels; expected one of: labels.txt" --data "$folder/names" --work "$folder/none"
rm "$folder/names/features.mtx"
refuses "has no features; expected one of: features.npz" --data "$folder/names" --work "$folder/none"
refuses "they need --data" --work "$folder/none" -- --ids string
[ ! -e "$folder/none" ] || fail "a refused start left a folder"
echo "quickstart.sh: all as expected"
