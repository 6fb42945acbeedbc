#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what Weft needs to be built and run, from the system's packages, and only what is
# missing: a second run does nothing. For Debian 12.
set -euo pipefail

usage() {
  cat <<'END'
Usage: scripts/install_dependencies.sh [--openmpi] [--dev] [--list] [--anyway]

  --openmpi  Open MPI too, for the preset "openmpi" (MPICH is always installed)
  --dev      what the checks use: Clang 16, clang-tidy, clang-format, ctags, shellcheck; iproute2 for
             the tests over emulated hosts
  --list     print the names of the packages and stop
  --anyway   go on although the system is not Debian 12

As root, or with sudo. Packages that are there already are left alone.
END
}

packages=(g++ cmake ninja-build pkgconf ccache python3
  libtbb-dev libfmt-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev
  zlib1g-dev libzstd-dev libxxhash-dev libmetis-dev mpich libmpich-dev libgtest-dev)
openmpi_packages=(openmpi-bin libopenmpi-dev)
dev_packages=(clang-16 clang-tidy clang-format universal-ctags shellcheck git iproute2)

list_only=no
anyway=no
for argument in "$@"; do
  case "$argument" in
    --openmpi) packages+=("${openmpi_packages[@]}") ;;
    --dev) packages+=("${dev_packages[@]}") ;;
    --list) list_only=yes ;;
    --anyway) anyway=yes ;;
    --help | -h) usage; exit 0 ;;
    *) echo "install_dependencies: '$argument' is unknown; valid: --openmpi, --dev, --list," \
         "--anyway" >&2; exit 2 ;;
  esac
done

if [ "$list_only" = yes ]; then
  printf '%s\n' "${packages[@]}"
  exit 0
fi

# Name and version of the system, "unknown" where the file that tells is missing.
system_id=unknown
system_version=
if [ -r /etc/os-release ]; then
  system_id=$(. /etc/os-release && echo "${ID:-unknown}")
  system_version=$(. /etc/os-release && echo "${VERSION_ID:-}")
fi

refuse_system() {
  echo "install_dependencies: this is $system_id $system_version; Weft is tested on Debian 12" >&2
  if [ "$system_id" = ubuntu ]; then
    echo "  Ubuntu is untested. The MPICH package of 24.04 is broken (ranks do not find each" >&2
    echo "  other): use Open MPI there (--openmpi --anyway, then scripts/build.sh openmpi)." >&2
  fi
  echo "  Needed, by their names on Debian 12: ${packages[*]}" >&2
  echo "  Install these yourself; or, where apt-get knows the names, run again with --anyway." >&2
  exit 2
}

if [ "$anyway" = no ] && { [ "$system_id" != debian ] || [ "$system_version" != 12 ]; }; then
  refuse_system
fi
if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "install_dependencies: apt-get not found; install by hand: ${packages[*]}" >&2
  exit 2
fi

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null | head -c 9)" = installed ]
}

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if [ "${#missing[@]}" -eq 0 ]; then
  echo "install_dependencies: all ${#packages[@]} packages are there, nothing to do"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "install_dependencies: not root, and sudo is missing; as root, run:" >&2
    echo "  apt-get update && apt-get install ${missing[*]}" >&2
    exit 2
  fi
  as_root=(sudo)
fi
echo "install_dependencies: installing ${missing[*]}"
"${as_root[@]}" apt-get -o Acquire::Retries=3 update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get -o Acquire::Retries=3 install -q -y --no-install-recommends "${missing[@]}"
