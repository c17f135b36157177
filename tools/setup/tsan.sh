# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
# shellcheck shell=bash
#
# Builds GLib and GStreamer core with ThreadSanitizer, which otherwise knows
# nothing of their locks and calls what these order a race. Sourced by zc,
# which sets $top, the project's folder.

# shellcheck disable=SC2154
tsan=$top/.build/tsan-root
tsan_prefix=$tsan/prefix
tsan_reports=$tsan/report
tsan_meson=(--prefix="$tsan_prefix" --libdir=lib --wrap-mode=nodownload
  --auto-features=disabled --debug --optimization=1 -Db_sanitize=thread
  -Db_lundef=false)

# Prints the folder of PACKAGE's source.
tsan_source () {
  find "$tsan" -maxdepth 1 -type d -name "$1-*" -print -quit
}

# tsan_apt COMMAND...: apt-get with the machine's sources, for source packages;
# all it keeps is in a folder of ours, so that it needs no root
tsan_apt () {
  local apt=$tsan/apt
  apt-get -o Dir::Etc::SourceList="$apt/sources.list" \
    -o Dir::Etc::SourceParts="$apt/sources.list.d" \
    -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" "$@"
}

tsan_apt_folders () {
  local apt=$tsan/apt
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" \
    "$apt/sources.list.d"
  : >"$apt/sources.list"
  find /etc/apt -maxdepth 2 \( -name '*.list' -o -name '*.sources' \) \
    -exec cp -t "$apt/sources.list.d" {} +
  find "$apt/sources.list.d" -type f -exec sed -i -E \
    -e 's/^deb[ \t]/deb-src /' -e 's/^(Types:).*/\1 deb-src/' {} +
}

# tsan_fetch PACKAGE
tsan_fetch () {
  [ -z "$(tsan_source "$1")" ] || return 0
  say "fetching the source package $1"
  tsan_apt_folders
  (cd "$tsan" && quietly tsan-update tsan_apt update &&
    quietly tsan-fetch tsan_apt source --only-source "$1") ||
    die "no source of $1: unpack the source of the version that is installed" \
      "as ${tsan#"$top/"}/$1-VERSION and run this again"
}

# tsan_install PACKAGE [OPTIONS OF meson setup]
tsan_install () {
  local package=$1 folder=$tsan/build-$1
  shift
  [ ! -f "$folder/installed" ] || return 0
  tsan_fetch "$package"
  say "building $package with ThreadSanitizer (some minutes)"
  [ -f "$folder/build.ninja" ] || quietly tsan-configure \
    meson setup "$folder" "$(tsan_source "$package")" "${tsan_meson[@]}" "$@"
  quietly tsan-build meson install -C "$folder"
  touch "$folder/installed"
}

# Plugins that the tests use, without core's own, which are in the prefix.
tsan_link_plugins () {
  local folder name
  folder=$(PKG_CONFIG_PATH='' pkg-config --variable=pluginsdir gstreamer-1.0)
  mkdir -p "$tsan_prefix/plugins"
  for name in videotestsrc videofilter videoconvertscale app debug nvcodec; do
    ln -sf "$folder/libgst$name.so" "$tsan_prefix/plugins/"
  done
}

tsan_prepare () {
  # plain pthread mutexes: their holders are named in reports
  tsan_install glib2.0 -Dtests=false -Dforce_posix_threads=true
  export PKG_CONFIG_PATH=$tsan_prefix/lib/pkgconfig
  tsan_install gstreamer1.0 -Dcheck=enabled -Dtools=enabled
  tsan_link_plugins
}

# What loads these libraries and tells of all races.
tsan_export () {
  export GST_REGISTRY_FORK=no
  export GST_PLUGIN_SYSTEM_PATH_1_0=$tsan_prefix/lib/gstreamer-1.0
  GST_PLUGIN_SYSTEM_PATH_1_0+=:$tsan_prefix/plugins
  export LD_LIBRARY_PATH=$tsan_prefix/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export TSAN_OPTIONS="halt_on_error=0 exitcode=66 log_path=$tsan_reports
    suppressions=$top/tests/tsan.supp ${TSAN_OPTIONS:-}"
}

# Prints what was found, the same place once, and one line that counts.
tsan_count () {
  local found
  found=$(find "$tsan" -maxdepth 1 -name "${tsan_reports##*/}.*" -exec \
    sed -n 's/^SUMMARY: ThreadSanitizer: //p' {} + | sort | uniq -c)
  if [ -n "$found" ]; then
    echo "$found"
    say "ThreadSanitizer reported $(awk '{ n += $1 } END { print n }' \
      <<<"$found"), at $(wc -l <<<"$found") places: $tsan_reports.*"
    return 1
  fi
  say "ThreadSanitizer reported nothing"
}
