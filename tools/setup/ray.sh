#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
#
# Installs Ray with pip into .build/ray, for the test of examples/ray-files.py.
# Once; without it that test is skipped.
set -euo pipefail

top=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
folder=$top/.build/ray

[ ! -e "$folder" ] || exit 0
trap 'rm -rf "$folder.new"' EXIT

echo "ray: installing Ray in .build/ray with pip (80 MB)"
rm -rf "$folder.new"
python3 -m venv --system-site-packages "$folder.new"
"$folder.new/bin/python3" -m pip install --quiet --retries 1 --timeout 20 \
  --only-binary :all: ray tqdm
mv "$folder.new" "$folder"
