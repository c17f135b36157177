/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */
/* In place of the images in a build without kernels */
#include "flipfatbin.h"

const unsigned char zc_flip_fatbin[] = { 0 };
const size_t zc_flip_fatbin_size = 0;
const char zc_flip_fatbin_architectures[] = "";
