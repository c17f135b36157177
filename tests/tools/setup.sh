#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
#
# What ./zc makes of a machine: its system and its apt sources.
set -uo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tools/setup/machine.sh"
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
os_release=$folder/os-release
tests=0

# is NAME EXPECTED GOT
is () {
  tests=$((tests + 1))
  if [ "$2" = "$3" ]; then
    echo "ok $tests /setup/$1"
  else
    echo "not ok $tests /setup/$1"
    printf '# expected: %s\n# got:      %s\n' "$2" "$3"
  fi
}

# kind NAME EXPECTED OS-RELEASE
kind () {
  printf '%b' "$3" >"$os_release"
  # no pkg-config: what this machine has must not decide
  is "kind/$1" "$2" "$(pkg-config () { false; }; machine_kind)"
}

# source_of NAME EXPECTED SOURCES [SUITE]
source_of () {
  is "source/$1" "$2" \
    "$(printf '%b' "$3" | awk -v suite=bookworm -v wanted="${4:-trixie}" \
      -f "$setup/debian-source.awk")"
}

kind debian-12 root 'ID=debian\nVERSION_ID="12"\n'
kind debian-13 packages 'ID=debian\nVERSION_ID="13"\n'
kind debian-testing packages 'ID=debian\n'
kind debian-11 unknown 'ID=debian\nVERSION_ID="11"\n'
kind ubuntu-22.04 unknown 'ID=ubuntu\nVERSION_ID="22.04"\n'
kind ubuntu-24.04 packages 'ID=ubuntu\nVERSION_ID="24.04"\n'
kind ubuntu-25.10 packages 'ID=ubuntu\nVERSION_ID="25.10"\n'
kind other unknown 'ID=fedora\nVERSION_ID=41\n'

source_of one-line 'deb http://mirror.example/debian trixie main' \
  'deb http://mirror.example/debian bookworm main contrib\n'
source_of options 'deb [arch=amd64] http://mirror.example/debian trixie main' \
  'deb [arch=amd64] http://mirror.example/debian bookworm main\n'
source_of deb822 \
  'deb [signed-by=/k.gpg] http://mirror.example/debian trixie main' \
  'Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm bookworm-updates\nComponents: main\nSigned-By: /k.gpg\n'
source_of first-of-two 'deb http://one.example/debian trixie main' \
  'deb http://one.example/debian bookworm main\ndeb http://two.example/debian bookworm main\n'
source_of not-security 'deb http://mirror.example/debian trixie main' \
  'Types: deb\nURIs: http://mirror.example/debian-security\nSuites: bookworm-security\nComponents: main\n\n# a comment\ndeb http://mirror.example/debian bookworm main\n'
source_of not-disabled '' \
  'Enabled: no\nTypes: deb\nURIs: http://mirror.example/debian\nSuites: bookworm\nComponents: main\n'
source_of not-source-packages '' \
  'Types: deb-src\nURIs: http://mirror.example/debian\nSuites: bookworm\nComponents: main\n'
source_of testing 'deb http://mirror.example/debian testing main' \
  'deb http://mirror.example/debian bookworm main contrib\n' testing
source_of another-archive '' \
  'deb https://packages.example/apt tool-bookworm main\n'
echo "1..$tests"
