# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
# shellcheck shell=bash
#
# Brings a machine to the point where the project can be built. Sourced by zc,
# which sets $top, the project's folder.
#
# Where the distribution has GStreamer 1.24 its packages are installed. On
# Debian 12 a Debian 13 root is made in .root and everything runs inside it.
# Any Debian can have a root of Debian testing beside it, in .root-testing, to
# try the next GStreamer.

# shellcheck disable=SC2154
setup=$top/tools/setup
root=$top/.root
root_suite=trixie
root_name='Debian 13'
os_release=/etc/os-release
# shellcheck disable=SC2016
apt_install='apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "$@" >/dev/null'

say () {
  printf '%s\n' "zc: $*" >&2
}

die () {
  say "$*"
  exit 1
}

as_root () {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "this needs root and there is no sudo: run ./zc as root"
  fi
}

packages () {
  grep -v -e '^#' -e '^$' "$setup/packages.txt"
}

# Prints the packages of the list that are not installed. An argument names
# the root to look at.
missing_packages () {
  local database=${1:-}/var/lib/dpkg
  comm -23 <(packages | sort) <(dpkg-query --admindir="$database" -W \
    -f '${db:Status-Abbrev}${Package}\n' 2>/dev/null | sed -n 's/^ii //p' |
    sort -u)
}

# One of: packages, root, ready (the tools are there, whatever the system),
# unknown.
machine_kind () {
  local ID='' VERSION_ID=''
  # shellcheck disable=SC1090
  [ ! -r "$os_release" ] || . "$os_release"
  case $ID in
    debian) newer_than 12 "${VERSION_ID:-99}" && echo packages && return
      [ "$VERSION_ID" != 12 ] || { echo root && return; } ;;
    ubuntu) newer_than 24.03 "$VERSION_ID" && echo packages && return ;;
  esac
  if pkg-config --atleast-version=1.24 gstreamer-cuda-1.0 2>/dev/null &&
      command -v meson >/dev/null; then
    echo ready
  else
    echo unknown
  fi
}

newer_than () {
  [ "$1" != "$2" ] && [ "$(printf '%s\n' "$1" "$2" | sort -V | tail -n 1)" = "$2" ]
}

install_packages () {
  local -a missing
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing ${#missing[@]} packages with apt-get (as root): ${missing[*]}"
  as_root bash -c "$apt_install" apt "${missing[@]}" ||
    die "apt-get could not install them: what it says is above"
}

# What follows is about the root of Debian testing.
choose_testing () {
  root=$top/.root-testing root_suite=testing root_name='Debian testing'
}

# Prints one line of sources.list for the root, made from this machine's own
# entry: the same server, another suite.
root_source () {
  local suite
  # shellcheck disable=SC1090
  suite=$(. "$os_release" && echo "$VERSION_CODENAME")
  find /etc/apt \( -name '*.list' -o -name '*.sources' \) -exec \
    awk -v suite="$suite" -v wanted="$root_suite" -f "$setup/debian-source.awk" {} +
}

# The machine's proxy and date settings also hold for the root's downloads.
apt_options () {
  apt-config dump | grep -E '^Acquire::([a-z:]*proxy|https?|Check-|Retries)' ||
    true
}

make_root () {
  local source options new=$root.new
  source=$(root_source)
  [ -n "$source" ] || die "found no Debian archive in this machine's apt" \
    "sources; add one to /etc/apt/sources.list"
  say "making a $root_name root in ${root##*/} (as root; some minutes, 2.5 GB)"
  command -v mmdebstrap >/dev/null ||
    as_root bash -c "$apt_install" apt mmdebstrap ||
    die "apt-get could not install mmdebstrap: what it says is above"
  options=$(mktemp)
  apt_options >"$options"
  as_root rm -rf "$new"
  as_root mmdebstrap --mode=root --variant=apt --aptopt="$options" \
    --include="$(packages | paste -sd,)" "$root_suite" "$new" "$source" ||
    die "mmdebstrap could not make ${root##*/}: what it says is above"
  as_root mv "$new" "$root"
  rm "$options"
}

update_root () {
  local -a missing
  mapfile -t missing < <(missing_packages "$root")
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing in ${root##*/}: ${missing[*]}"
  in_root 0:0 bash -c "$apt_install" apt "${missing[@]}" ||
    die "apt-get could not install them in ${root##*/}: what it says is above"
}

ensure_root () {
  [ "$(id -u)" = 0 ] || say "entering ${root##*/} needs root: sudo may ask for it"
  as_root unshare -m true || die "mounts are not allowed here (a container?);" \
    "run this on a machine or in a privileged container"
  [ -d "$root" ] || make_root
  update_root
}

# The variables that go into the root: who downloads, and what is tested.
environment () {
  env -0 | grep -zE \
    '^(HOME|TERM|USER|CI|TMPDIR)=|^(PIP|SSL|REQUESTS|GST|SOFTCUDA|CUDA|ZC|MESON|ASAN|UBSAN|TSAN|G)_[A-Z_]*=|_proxy=|_PROXY='
}

# in_root USER COMMAND...
in_root () {
  local user=$1 path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  local -a variables
  shift
  mapfile -d '' -t variables < <(environment)
  as_root env "${variables[@]}" unshare -m bash "$setup/enter-root.sh" \
    "$root" "$user" "$PWD" env -i "${variables[@]}" LC_ALL=C.UTF-8 \
    PATH="$path" ZC_INSIDE=1 "$@"
}

# Prints the nvcc to use. Without one, NVIDIA's wheels go into .venv.
find_nvcc () {
  local nvcc
  for nvcc in "$(command -v nvcc)" /usr/local/cuda/bin/nvcc; do
    [ ! -x "$nvcc" ] || { echo "$nvcc" && return; }
  done
  nvcc=$(wheel_nvcc)
  [ -n "$nvcc" ] || { install_nvcc && nvcc=$(wheel_nvcc); }
  [ -n "$nvcc" ] || die "the wheels brought no nvcc; install a CUDA toolkit >= 12"
  echo "$nvcc"
}

wheel_nvcc () {
  find "$top/.venv" -path '*/nvidia/*/bin/nvcc' -print -quit 2>/dev/null
}

install_nvcc () {
  say "there is no nvcc: installing NVIDIA's wheels of CUDA 13.0 in .venv with pip"
  python3 -m venv "$top/.venv"
  # the PTX of a newer toolkit does not load on a driver of CUDA 13.0
  "$top/.venv/bin/pip" install --quiet 'nvidia-cuda-nvcc==13.0.*' \
    'nvidia-nvvm==13.0.*' 'nvidia-cuda-crt==13.0.*' \
    'nvidia-cuda-runtime==13.0.*' >&2 ||
    die "pip could not install them: what it says is above"
}
