/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: one READ map of a host memory for all who hold it at a time.
 * GStreamer counts the maps of a memory in eight bits, and a still picture that
 * is uploaded again and again has more copies under way than that. */

#include <gst/gst.h>

G_BEGIN_DECLS

/* FALSE if somebody writes @memory. Any thread. */
gboolean zc_held_map (GstMemory *memory, GstMapInfo *map);
/* Once for each zc_held_map(), while @memory is still referenced. */
void zc_held_unmap (GstMemory *memory);

G_END_DECLS
