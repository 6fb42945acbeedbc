#!/bin/bash
# SPDX-License-Identifier: MIT
# Hosts of a cluster on one machine: a network namespace each, joined by a bridge with limited rate.
# MPI sees separate hosts and talks TCP. Needs root; ends with 77 and a reason where it cannot run.
#
#   cluster_emulation.sh up HOSTS [RATE]           RATE: 1gbit (default), 10gbit, ... or none
#   cluster_emulation.sh run RANKS_PER_HOST PROGRAM [ARGUMENTS]
#   cluster_emulation.sh bytes HOST                bytes that host number HOST has sent
#   cluster_emulation.sh down
#
# MPIEXEC names the launcher (default mpiexec.hydra). hydra calls this script in place of ssh, too:
#   cluster_emulation.sh -x HOST COMMAND
set -euo pipefail

readonly switch=weftsw
readonly prefix=wefth

skip() {
  echo "cluster emulation: $1; skipped" >&2
  exit 77
}

misused() {
  echo "cluster emulation: $1; --help tells more" >&2
  exit 2
}

hosts() { ip netns list | awk '{print $1}' | grep -E "^${prefix}[0-9]+\$" | sort -V || true; }

check_machine() {
  [[ $(id -u) == 0 ]] || skip "needs root (this is user $(id -un))"
  local tool
  for tool in ip tc unshare; do
    command -v "$tool" > /dev/null || skip "$tool is not installed (packages iproute2, util-linux)"
  done
  ip netns add "$prefix-probe" 2> /dev/null || skip "the kernel allows no network namespaces"
  local reason=""
  ip -n "$prefix-probe" link add probe0 type veth peer name probe1 2> /dev/null || reason="no veth devices"
  ip -n "$prefix-probe" link add probe2 type bridge 2> /dev/null || reason="no bridges"
  ip netns exec "$prefix-probe" true 2> /dev/null || reason="no mounts for namespaces"
  ip netns del "$prefix-probe"
  [[ -z $reason ]] || skip "the kernel allows $reason"
}

# Messages below the burst pass at the speed of the virtual link.
limit_rate() {
  local namespace=$1 device=$2 rate=$3
  case $rate in
    none) return ;;
    1gbit) set -- 256kb 4mb ;;
    *) set -- 2mb 8mb ;;
  esac
  tc -n "$namespace" qdisc add dev "$device" root tbf rate "$rate" burst "$1" limit "$2"
}

add_host() {
  local number=$1 num_hosts=$2 rate=$3 name=$prefix$1 other
  ip netns add "$name"
  mkdir -p "/etc/netns/$name" # "ip netns exec" mounts this over /etc/hosts
  {
    echo "127.0.0.1 localhost"
    for other in $(seq "$num_hosts"); do echo "10.77.0.$other $prefix$other"; done
  } > "/etc/netns/$name/hosts"
  ip link add eth0 netns "$name" type veth peer name "port$number" netns "$switch"
  ip -n "$switch" link set "port$number" master bridge0 up
  ip -n "$name" link set lo up
  ip -n "$name" addr add "10.77.0.$number/24" dev eth0
  ip -n "$name" link set eth0 up
  # bbr without the fq queue, which few machines have, loses throughput.
  ip netns exec "$name" sysctl -qw net.ipv4.tcp_congestion_control=reno || true
  limit_rate "$name" eth0 "$rate"
  limit_rate "$switch" "port$number" "$rate"
}

up() {
  local num_hosts=${1:-} rate=${2:-1gbit} number
  [[ $num_hosts =~ ^[1-9][0-9]*$ ]] || misused "up: '$num_hosts' hosts, expected a number"
  check_machine
  down
  ip netns add "$switch"
  ip -n "$switch" link set lo up
  ip -n "$switch" link add bridge0 type bridge
  ip -n "$switch" link set bridge0 up
  for number in $(seq "$num_hosts"); do add_host "$number" "$num_hosts" "$rate"; done
}

down() {
  local name
  for name in $(hosts); do
    ip netns del "$name"
    rm -rf "/etc/netns/$name"
  done
  ip netns list | grep -q "^$switch\b" && ip netns del "$switch"
  return 0
}

# Without an IPC namespace of its own, UCX would take shared memory between "hosts". Rendezvous over
# TCP often halves the speed of an exchange: an answer waits behind data (comm/README.md).
run() {
  local per_host=${1:-} names transports=tcp,self rendezvous=${UCX_RNDV_THRESH:-inf}
  [[ $per_host =~ ^[1-9][0-9]*$ && $# -gt 1 ]] ||
    misused "run: '$*', expected ranks per host and a program"
  shift
  mapfile -t names < <(hosts)
  ((${#names[@]} > 0)) || misused "run: there are no hosts; 'up HOSTS' makes them"
  if ((per_host > 1)); then
    transports=tcp,self,posix,sysv,cma
    rendezvous=${UCX_RNDV_THRESH:-auto}
  fi
  exec ip netns exec "${names[0]}" unshare --uts --ipc sh -c 'hostname "$0"; exec "$@"' \
    "${names[0]}" "${MPIEXEC:-mpiexec.hydra}" -launcher ssh -launcher-exec "$(realpath "$0")" \
    -iface eth0 -hosts "$(IFS=,; echo "${names[*]}")" -ppn "$per_host" \
    -n $((per_host * ${#names[@]})) \
    -genv UCX_TLS "$transports" -genv UCX_NET_DEVICES eth0 \
    -genv UCX_RNDV_THRESH "$rendezvous" "$@"
}

as_remote_shell() {
  while [[ ${1:-} == -* ]]; do
    case $1 in
      -l | -p | -o) shift 2 ;;
      *) shift ;;
    esac
  done
  local name=$1
  shift
  exec ip netns exec "$name" unshare --uts --ipc sh -c "hostname $name; exec $*"
}

usage() { sed -n '3,12s/^# \{0,1\}//p' "$0"; }

case ${1:-} in
  --help | -h) usage ;;
  up) up "${@:2}" ;;
  down) check_machine && down ;;
  run) run "${@:2}" ;;
  bytes) ip netns exec "$prefix$2" cat /sys/class/net/eth0/statistics/tx_bytes ;;
  -*) as_remote_shell "$@" ;;
  *) misused "'${1:-}' is unknown; valid: up, run, bytes, down" ;;
esac
