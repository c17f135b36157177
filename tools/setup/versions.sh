# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
# shellcheck shell=bash
#
# Builds with other versions of what the project needs, without warnings: the
# headers of CUDA, the oldest and the newest of each major version, and the
# oldest Meson. Sourced by zc, which sets $top, the project's folder, and more.

# shellcheck disable=SC2154
versions=$top/.build/versions

# Where pip puts what is fetched; Debian's own takes no packages.
versions_pip () {
  [ -x "$versions/venv/bin/pip" ] || python3 -m venv "$versions/venv"
  quietly versions-pip "$versions/venv/bin/pip" "$@"
}

# Prints the wheel that has cuda.h of a version.
cuda_wheel () {
  case $1 in
    12.*) echo "nvidia-cuda-runtime-cu12==$1.*" ;;
    *) echo "nvidia-cuda-runtime==$1.*" ;;
  esac
}

# Prints the folder with cuda.h of a version.
cuda_include () {
  find "$versions/cuda-$1" -name cuda.h -printf '%h' -quit 2>/dev/null
}

cuda_fetch () {
  local folder=$versions/cuda-$1
  [ -z "$(cuda_include "$1")" ] || return 0
  say "fetching the headers of CUDA $1 with pip"
  rm -rf "$folder"
  versions_pip download --no-deps --only-binary :all: --dest "$folder" \
    "$(cuda_wheel "$1")"
  python3 -m zipfile -e "$folder"/*.whl "$folder"
  rm "$folder"/*.whl
  [ -n "$(cuda_include "$1")" ] || die "the wheel of CUDA $1 has no cuda.h"
}

# All that includes cuda.h is built.
version_cuda () {
  cuda_fetch "$1"
  build=$top/.build/versions/build-cuda-$1
  options=(-Dcuda-include="$(cuda_include "$1")" -Dintrospection=disabled)
  targets=(gstzc-1.0 gstzc gst-zc-info tests/softcuda/cuda:shared_library)
  build
}

# Prints the version of Meson that meson.build says is enough.
oldest_meson () {
  sed -n "s/^ *meson_version : '>= *\([0-9.]*\)'.*/\1/p" "$top/meson.build"
}

# All is configured, and what is installed is built and tried.
version_meson () {
  versions_pip install "meson==$(oldest_meson).*"
  # not the Python beside it, which has no PyGObject
  mkdir -p "$versions/bin"
  ln -sf ../venv/bin/meson "$versions/bin/"
  export PATH=$versions/bin:$PATH
  build=$top/.build/versions/build-meson-$(oldest_meson)
  targets=(gstzc-1.0 gstzc gst-zc-info tests/softcuda/cuda:shared_library)
  build
  quietly versions-meson meson test -C "$build" --suite api
}

zc_versions () {
  local name
  [ $# -gt 0 ] || set -- cuda-12.0 cuda-12.9 cuda-13.0 cuda-13.5 meson
  for name; do
    case $name in
      cuda-[1-9]*) (version_cuda "${name#cuda-}") ;;
      meson) (version_meson) ;;
      *) die "there is no version '$name': cuda-MAJOR.MINOR or meson" ;;
    esac || die "$name failed: what it says is above"
    say "built without a warning: ${name/meson/Meson $(oldest_meson)}"
  done
}
