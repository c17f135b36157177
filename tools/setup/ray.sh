#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
#
# Installs Ray with pip into .build/ray, for the test of examples/ray-files.py.
# Once; without it that test is skipped.
set -euo pipefail

top=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
folder=$top/.build/ray

[ ! -e "$folder/installed" ] || exit 0
rm -rf "$folder"
# Its scripts know the folder that they were installed in: it can't be moved.
trap '[ -e "$folder/installed" ] || rm -rf "$folder"' EXIT

echo "ray: installing Ray in .build/ray with pip (80 MB)"
python3 -m venv --system-site-packages "$folder"
"$folder/bin/python3" -m pip install --quiet --retries 1 --timeout 20 \
  --only-binary :all: ray tqdm
touch "$folder/installed"
