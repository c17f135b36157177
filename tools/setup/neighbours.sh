#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
#
# Fetches, with pip, libraries that the tests in tests/interop wrap buffers for
# and no distribution has, into .build/neighbours. Once; without them those
# tests are skipped.
set -euo pipefail

top=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
folder=$top/.build/neighbours
wanted=$folder/libnvcv_types.so
wheel='cvcuda-cu13==0.19.0'

[ ! -e "$wanted" ] || exit 0
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

echo "neighbours: fetching the wheel of $wheel with pip (128 MB) for its" \
  "libnvcv_types"
python3 -m venv "$temporary/venv"
"$temporary/venv/bin/pip" download --quiet --no-deps --retries 1 --timeout 20 \
  --only-binary :all: --dest "$temporary" "$wheel"
python3 -m zipfile -e "$temporary"/*.whl "$temporary"
mkdir -p "$folder"
mv "$temporary"/*.libs/libnvcv_types-*.so.* "$wanted"
