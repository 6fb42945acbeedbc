#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/quickstart.sh with a few epochs: it ends with the table, and a second run does nothing
# twice. Then the same for a graph from files. The first argument is the program.
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
quickstart --data "$folder/ring" --work "$folder/ring-run"
says "importing $folder/ring"
says "test accuracy"
if "$root/scripts/quickstart.sh" --no-install --weft "$weft" --work "$folder/ring-run" \
  >"$folder/log" 2>&1; then
  fail "another source in the same folder was taken"
fi
says "was made from something else"
echo "quickstart.sh: all as expected"
