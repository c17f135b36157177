/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */
/* The flip kernels' images, as embedded. */
#ifndef ZC_FLIP_FATBIN_H
#define ZC_FLIP_FATBIN_H

#include <stddef.h>

/* For cuModuleLoadData(); all zero and size 0 in a build without kernels */
extern const unsigned char zc_flip_fatbin[];
extern const size_t zc_flip_fatbin_size; /* bytes */

/* What is in it, for messages: "sm_75 sm_80 ... compute_75", or "" */
extern const char zc_flip_fatbin_architectures[];

#endif
