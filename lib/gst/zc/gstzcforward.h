/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Types of gst/cuda, whose headers need cuda.h. Apart from all other headers:
 * for the introspection scanner these names belong to GstCuda-1.0, and it reads
 * no declaration of them here. */
typedef struct _GstCudaContext GstCudaContext;
