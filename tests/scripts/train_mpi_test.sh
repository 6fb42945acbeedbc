#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/train_mpi.sh: what it refuses before anything is started, and the command that it would
# start. The program is a stand-in that answers --print-config.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

cat >"$folder/weft" <<END
#!/usr/bin/env bash
printf '[dataset]\npath = "/data"\n\n[partition]\npath = "$folder/parts"\n\n[model]\n'
END
chmod +x "$folder/weft"
mkdir "$folder/parts"
echo '{ "num_parts": 4 }' >"$folder/parts/partition.json"
touch "$folder/run.toml" "$folder/empty.txt"
printf '# two hosts\nlocalhost:2\n\n  127.0.0.1 # here, too\n' >"$folder/hosts.txt"
printf 'localhost\nno-such-host.invalid:2\n' >"$folder/unknown.txt"

# expect STATUS WORDS ARGUMENTS...: runs the script and compares its status and what it says.
expect() {
  local status=$1 words=$2 output actual=0
  shift 2
  output=$("$root/scripts/train_mpi.sh" --weft "$folder/weft" "$@" 2>&1) || actual=$?
  if [ "$actual" -ne "$status" ] || [[ "$output" != *"$words"* ]]; then
    echo "FAILED: train_mpi.sh $*: status $actual, expected $status with '$words' in: $output"
    failures=$((failures + 1))
  fi
}

expect 0 "Usage: scripts/train_mpi.sh" --help
expect 2 "no configuration given"
expect 2 "'$folder/gone.toml' not found" "$folder/gone.toml" --ranks 4
expect 2 "--ranks N is missing" "$folder/run.toml"
expect 2 "--ranks 'x' is no number" "$folder/run.toml" --ranks x
expect 2 "--ranks '0' is no number" "$folder/run.toml" --ranks 0
expect 2 "--ranks needs a value" "$folder/run.toml" --ranks
expect 2 "option '--rank' is unknown" "$folder/run.toml" --rank 4
expect 2 "program '$folder/gone' not found" "$folder/run.toml" --ranks 4 --weft "$folder/gone"
expect 2 "launcher '$folder/gone' not found" "$folder/run.toml" --ranks 4 --mpiexec "$folder/gone"
expect 2 "host file '$folder/gone' not found" "$folder/run.toml" --ranks 4 --hosts "$folder/gone"
expect 2 "names no host" "$folder/run.toml" --ranks 4 --hosts "$folder/empty.txt"
expect 2 "host 'no-such-host.invalid' of '$folder/unknown.txt' is unknown" \
  "$folder/run.toml" --ranks 4 --hosts "$folder/unknown.txt"
expect 2 "has 4 parts, but --ranks is 3" "$folder/run.toml" --ranks 3
expect 2 "--command 'tran' is unknown" "$folder/run.toml" --ranks 4 --command tran
expect 2 "--threads is for train and verify" "$folder" --ranks 4 --command predict --threads 2
expect 0 "-n 4 " "$folder/run.toml" --ranks 4 --dry-run
expect 0 "$folder/hosts.txt" "$folder/run.toml" --ranks 4 --hosts "$folder/hosts.txt" --dry-run
HYDRA_LAUNCHER_EXEC=/bin/true expect 0 "$folder/unknown.txt" \
  "$folder/run.toml" --ranks 4 --hosts "$folder/unknown.txt" --dry-run
expect 0 "weft train $folder/run.toml --out $folder/run --set train.threads=2 --resume" \
  "$folder/run.toml" --ranks 4 --out "$folder/run" --threads 2 --dry-run -- --resume

[ "$failures" -eq 0 ] && echo "train_mpi.sh: all as expected"
exit "$failures"
