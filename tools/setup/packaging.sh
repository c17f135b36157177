# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
# shellcheck shell=bash
#
# Builds Debian packages from HEAD. Sourced by zc, which sets $top, the
# project's folder, and more.

# shellcheck disable=SC2154
deb=$top/.build/deb

need_debian_tools () {
  local -a missing
  mapfile -t missing < <(for name in debhelper dh-python lintian; do
    dpkg-query -W -f '${db:Status-Abbrev}' "$name" 2>/dev/null | grep -q ^ii ||
      echo "$name"
  done)
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing ${missing[*]}"
  as_root bash -c "$apt_install" apt "${missing[@]}" ||
    die "the packages need ${missing[*]}: install them"
}

zc_deb () {
  local source=$deb/gst-zc nvcc
  need_debian_tools
  build_kernels
  nvcc=$(find_nvcc)
  rm -rf "$deb"
  mkdir -p "$source"
  git -C "$top" archive HEAD | tar -x -C "$source"
  cp -r "$source/packaging/debian" "$source/debian"
  say "building the packages"
  export ZC_FATBIN=$main/$fatbin ZC_CUDA_INCLUDE=${nvcc%/bin/nvcc}/include
  (cd "$source" && quietly deb dpkg-buildpackage -us -uc -b \
    --build-profiles=pkg.gst-zc.ready-kernels)
  say "asking lintian"
  lintian --fail-on error "$deb"/*.changes || die "lintian found errors: above"
  say "built, with no error that lintian knows:"
  ls "$deb"/*.deb
}
