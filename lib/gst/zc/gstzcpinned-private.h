/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: what elements of ours need of page-locked memory beyond what
 * programs do. */

#include <gst/zc/gstzcpinned.h>

G_BEGIN_DECLS

/* From now on, where no more memory can be locked, @allocator gives plain
 * memory, which the driver copies more slowly. */
void zc_pinned_allocator_allow_plain (GstAllocator *allocator);

/* Bytes that are page-locked, those of idle blocks too. Any thread. */
gsize zc_pinned_allocator_get_bytes (GstAllocator *allocator);

/* A pool of video buffers, not configured. (transfer full) */
GstBufferPool *zc_host_pool_new (void);

G_END_DECLS
