#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
#
# enter-root.sh ROOT USER DIR COMMAND [ARGUMENT...]
# Runs COMMAND in ROOT with this machine's folders at the same paths. Needs to
# be root and in a mount namespace of its own (unshare -m). USER is uid:gid.
set -euo pipefail
root=$1 user=$2 dir=$3
shift 3

bind_folder () {
  mkdir -p "$root$1"
  mount --rbind "$1" "$root$1"
}

bind_file () {
  local real
  real=$(readlink -f "$1") && [ -f "$real" ] || return 0
  mkdir -p "$root$(dirname "$1")"
  # a dangling link of the root would lead the mount outside of it
  [ ! -L "$root$1" ] || rm "$root$1"
  [ -e "$root$1" ] || : >"$root$1"
  mount --bind "$real" "$root$1"
}

# Everything of this machine that is not its operating system.
bind_own_folders () {
  local path
  for path in /*; do
    if [ ! -d "$path" ] || [ -L "$path" ]; then
      continue
    fi
    case ${path#/} in
      bin|boot|etc|lib*|lost+found|run|sbin|usr|var) ;;
      *) bind_folder "$path" ;;
    esac
  done
}

# The project may be in a folder of the operating system, as /var/lib/ci is.
bind_inner_folders () {
  local path
  for path in /var/tmp "$(dirname "$root")"; do
    [ "$path" -ef "$root$path" ] || bind_folder "$path"
  done
}

# What the demo writes is to be found outside of the root too.
check_outdir () {
  local path=$1
  while [ ! -d "$path" ]; do
    path=$(dirname "$path")
  done
  [ "$path" -ef "$root$path" ] && return
  echo "zc: $1 is in a folder of the operating system, which .root/ has of its" \
    "own; name another OUTDIR: ./zc demo FILE OUTDIR" >&2
  exit 1
}

# Names, certificates and pip's settings; FILE of the demo in a system folder.
bind_settings () {
  local path
  for path in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/xdg/pip/pip.conf \
      /etc/ssl/certs/ca-certificates.crt "${PIP_CONFIG_FILE:-}" \
      "${PIP_CERT:-}" "${SSL_CERT_FILE:-}" "${REQUESTS_CA_BUNDLE:-}" \
      "${ZC_FILE:-}"; do
    [ -z "$path" ] || [ "$path" -ef "$root$path" ] || bind_file "$path"
  done
}

bind_toolkit () {
  local cuda
  cuda=$(readlink -f /usr/local/cuda) && [ -x "$cuda/bin/nvcc" ] || return 0
  mkdir -p "$root/usr/local/cuda"
  mount --bind "$cuda" "$root/usr/local/cuda"
}

# The driver's user-space libraries belong to the machine's kernel module.
bind_driver () {
  local library
  mkdir -p "$root/run/nvidia-driver"
  mount -t tmpfs tmpfs "$root/run/nvidia-driver"
  ldconfig -p | awk '/lib(cuda|nvcuvid|nvidia-[a-z0-9-]+)\.so/ && /x86-64|AArch64/ {
    print $NF }' | while read -r library; do
    cp -L "$library" "$root/run/nvidia-driver/"
  done
}

bind_own_folders
bind_inner_folders
bind_settings
bind_toolkit
[ ! -e /dev/nvidiactl ] || bind_driver
[ -z "${ZC_OUTDIR:-}" ] || check_outdir "$ZC_OUTDIR"
[ -d "$root$dir" ] || dir=/
# shellcheck disable=SC2016
exec chroot --userspec="$user" "$root" \
  /bin/bash -c 'cd "$1" && shift && exec "$@"' enter-root "$dir" "$@"
