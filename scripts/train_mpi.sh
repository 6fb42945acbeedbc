#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Starts "weft train" (or another parallel command) on several ranks, here or on many hosts, after
# checking what would otherwise fail late or hang: the program, the launcher that belongs to its
# MPI library, the host file, and the number of parts against the number of ranks.
set -euo pipefail

usage() {
  cat <<'END'
Usage: scripts/train_mpi.sh CONFIG.toml --ranks N [options] [-- more arguments for weft]

  --ranks N        number of ranks = parts of the graph
  --hosts FILE     host file: a host a line, "node1" or "node1:2" (ranks there); default this host
  --out DIR        run folder (weft train --out)
  --command NAME   train (default), evaluate, predict or verify; CONFIG.toml is then what that
                   command takes first: evaluate and predict take a run folder
  --threads T      threads a rank (train.threads); default usable CPUs / ranks on the host
  --mpiexec PATH   launcher; default mpiexec.hydra (MPICH) or mpiexec.openmpi, as weft was built
  --weft PATH      the program; default build/release/bin/weft
  --dry-run        print the command and stop

Folders must be reachable under the same path on all hosts; or give each host its own part with
{rank} in partition.path. With MPICH the whole environment goes to all hosts, with Open MPI the
variables whose names begin with WEFT_, UCX_ or OMPI_. On a TCP network with one rank a host,
UCX_RNDV_THRESH=inf can double the speed of the exchange (comm/README.md says why).

  scripts/train_mpi.sh cora.toml --ranks 4
  scripts/train_mpi.sh big.toml --ranks 16 --hosts hosts.txt --out /scratch/run -- --set train.epochs=50
END
}

fail() { echo "train_mpi: $*" >&2; exit 2; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
config='' ranks='' hosts='' out='' mpiexec='' threads='' command=train dry_run=no
weft=$root/build/release/bin/weft
more=()
while [ "$#" -gt 0 ]; do
  case "$1" in
    --ranks | --hosts | --out | --mpiexec | --weft | --threads | --command)
      [ "$#" -ge 2 ] || fail "$1 needs a value"
      case "$1" in
        --ranks) ranks=$2 ;;
        --hosts) hosts=$2 ;;
        --out) out=$2 ;;
        --mpiexec) mpiexec=$2 ;;
        --weft) weft=$2 ;;
        --threads) threads=$2 ;;
        --command) command=$2 ;;
      esac
      shift ;;
    --dry-run) dry_run=yes ;;
    --help | -h) usage; exit 0 ;;
    --) shift; more=("$@"); break ;;
    -*) fail "option '$1' is unknown; see --help" ;;
    *) [ -z "$config" ] || fail "'$1' was not expected after '$config'; see --help"
       config=$1 ;;
  esac
  shift
done

case "$command" in
  train | evaluate | predict | verify) ;;
  *) fail "--command '$command' is unknown; valid: train, evaluate, predict, verify" ;;
esac
[ -n "$config" ] || fail "no configuration given; see --help"
[ -e "$config" ] || fail "'$config' not found"
[ -n "$ranks" ] || fail "--ranks N is missing; N is the number of parts"
[[ "$ranks" =~ ^[1-9][0-9]*$ ]] || fail "--ranks '$ranks' is no number of ranks; give 1 or more"
[ -x "$weft" ] || fail "program '$weft' not found; run scripts/build.sh, or name it with --weft"

# The library that the program was linked with decides which launcher can start it.
linked=$(ldd "$weft" 2>/dev/null || true)
family=
case "$linked" in
  *libmpich*) family=mpich ;;
  *libmpi.so* | *libmpi_cxx*) family=openmpi ;;
esac
if [ -z "$mpiexec" ]; then
  case "$family" in
    openmpi) candidates=(mpiexec.openmpi orterun) ;;
    *) candidates=(mpiexec.hydra mpiexec.mpich) ;;
  esac
  for candidate in "${candidates[@]}"; do
    if command -v "$candidate" >/dev/null; then mpiexec=$candidate; break; fi
  done
  [ -n "$mpiexec" ] || fail "no launcher found (${candidates[*]}); name it with --mpiexec"
fi
command -v "$mpiexec" >/dev/null || fail "launcher '$mpiexec' not found"
launcher=$("$mpiexec" --version 2>&1 || true)
case "$launcher" in
  *"Open MPI"* | *OpenRTE*) launcher_family=openmpi ;;
  *HYDRA*) launcher_family=mpich ;;
  *) launcher_family=$family ;;
esac
if [ -n "$family" ] && [ "$family" != "$launcher_family" ]; then
  fail "weft is linked with $family, but '$mpiexec' belongs to $launcher_family; every process" \
       "would believe to be rank 0 of 1. Name the right launcher with --mpiexec"
fi

if [ -n "$hosts" ]; then
  [ -r "$hosts" ] || fail "host file '$hosts' not found"
  grep -qvE '^[[:space:]]*(#|$)' "$hosts" || fail "host file '$hosts' names no host"
  # The launcher would wait for a host without an address for ever. A program named by
  # HYDRA_LAUNCHER_EXEC may know names of its own.
  if [ -z "${HYDRA_LAUNCHER_EXEC:-}" ]; then
    while read -r host _; do
      host=${host%%:*}
      host=${host##*@}
      case "$host" in '' | '#'*) continue ;; esac
      getent ahosts "$host" >/dev/null || fail "host '$host' of '$hosts' is unknown: it has no" \
        "address (getent ahosts $host); correct its name, or add it to /etc/hosts"
    done <"$hosts"
  fi
fi

# partition.json tells the number of parts; asked now, a wrong number costs no start.
if [ "$command" = train ]; then
  settings=$("$weft" train "$config" --print-config "${more[@]}") || exit "$?"
  path=$(sed -n '/^\[partition\]/,/^\[/s/^path = "\(.*\)"$/\1/p' <<<"$settings")
  manifest=${path//\{rank\}/0}/partition.json
  if [ -n "$path" ] && [ -r "$manifest" ]; then
    parts=$(grep -oE '"(num_)?parts"[[:space:]]*:[[:space:]]*[0-9]+' "$manifest" |
      grep -oE '[0-9]+$' | head -n 1)
    if [ -n "$parts" ] && [ "$parts" != "$ranks" ]; then
      fail "the partition '$path' has $parts parts, but --ranks is $ranks; they must be equal"
    fi
  fi
fi

# hydra hands the whole environment to all hosts, Open MPI what it is told to.
launch=("$mpiexec" -n "$ranks")
if [ "$launcher_family" = openmpi ]; then
  [ -z "$hosts" ] || launch+=(--hostfile "$hosts")
  launch+=(--bind-to none --oversubscribe)
  [ "$(id -u)" -ne 0 ] || launch+=(--allow-run-as-root)
  for variable in $(compgen -e | grep -E '^(WEFT|UCX|OMPI)_' || true); do
    launch+=(-x "$variable")
  done
else
  [ -z "$hosts" ] || launch+=(-f "$hosts")
  launch+=(-bind-to none)
fi

run=("$weft" "$command" "$config")
[ -z "$out" ] || run+=(--out "$out")
[ -z "$threads" ] || case "$command" in
  train | verify) run+=(--set "train.threads=$threads") ;;
  *) fail "--threads is for train and verify; $command takes the threads of its run" ;;
esac
run+=("${more[@]}")
printf 'train_mpi:' >&2
printf ' %q' "${launch[@]}" "${run[@]}" >&2
echo >&2
[ "$dry_run" = no ] || exit 0
exec "${launch[@]}" "${run[@]}"
