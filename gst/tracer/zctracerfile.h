/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The timeline, in Chrome's trace format, which Perfetto opens: a track for each
 * thread and for each CUDA stream. Written as it comes. Any thread; nothing is
 * done while no file is open. */

#pragma once

#include <gst/zc/gstzctrace.h>

G_BEGIN_DECLS

/* What a row shows. */
typedef struct
{
  const gchar *name;
  const gchar *category;
  gint64 start; /* ns, as gst_util_get_timestamp() */
  gint64 end;
} ZcSlice;

/* FALSE after it said on stderr why. */
gboolean zc_file_open (const gchar *path);
gboolean zc_file_is_open (void);
/* @summary is what zc_json_... made of it. */
void zc_file_close (const gchar *summary);

/* A frame in an element, on the calling thread. */
void zc_file_element (const gchar *name, gint64 start, gint64 end);
/* @element may be NULL. */
void zc_file_call (const GstZcTraceCall *call, const gchar *element,
    guint context, guint stream);
void zc_file_work (const GstZcTraceWork *work, guint context, guint stream);

G_END_DECLS
