/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: neighbours who capture a stream into a graph. Some calls of ours
 * would break that: potentially unsafe ones from a thread whose mode is not
 * relaxed, what uses the legacy stream while a blocking one is captured, and
 * what is about all streams of the context. */

#include <gst/zc/gstzcstream-private.h>

G_BEGIN_DECLS

typedef enum
{
  ZC_CAPTURE_NONE, /* that could be seen */
  ZC_CAPTURE_DECLARED, /* by gst_zc_context_begin_capture () */
  ZC_CAPTURE_BLOCKING /* of a blocking stream: not even the legacy one is free */
} ZcCapture;

/* Breaks none. What a non-blocking stream does, no call tells that does not. */
ZcCapture zc_capture_ask (ZcContext *context);

/* Between the two no capture is declared: what zc_capture_ask() says, holds. */
void zc_capture_lock (ZcContext *context);
void zc_capture_unlock (ZcContext *context);

/* FALSE for the legacy stream while a call that uses it would break a capture,
 * and for a stream that is itself captured: its work runs when the graph does,
 * which no event tells of. */
gboolean zc_capture_check_stream (const ZcStreamKey *stream, GError **error);
/* The same, for the legacy stream alone; nothing to ask for another one. */
gboolean zc_capture_check_legacy (const ZcStreamKey *stream, GError **error);

/* An event for all streams of @context has broken a capture that could not be
 * seen: says so, once. */
void zc_capture_note_broken (ZcContext *context);

/* Sets the thread's capture mode to relaxed for a scope, where calls are made
 * for us that do not:
 *
 *   g_auto (ZcRelaxed) relaxed = zc_relaxed_begin ();
 */
typedef struct
{
  gboolean changed;
  CUstreamCaptureMode mode; /* that the thread had */
} ZcRelaxed;

ZcRelaxed zc_relaxed_begin (void);
void zc_relaxed_clear (ZcRelaxed *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ZcRelaxed, zc_relaxed_clear)

G_END_DECLS
