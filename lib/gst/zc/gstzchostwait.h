/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: the CPU waits for what is queued on a stream, the one wait that is
 * allowed where host memory is handed on. */

#include <gst/zc/gstzcstream-private.h>

G_BEGIN_DECLS

typedef struct
{
  ZcContext *context;           /* owned */
  CUevent event;                /* to be given back, or NULL */
} ZcHostWait;

/* Marks what is queued on @stream now; what comes later is not waited for.
 * Whatever it returns, one of the others has to follow. */
gboolean zc_host_wait_begin (ZcHostWait *self, const ZcStreamKey *stream,
    GError **error);

void zc_host_wait_clear (ZcHostWait *self);

/* Waits and clears. @usual_us is what such a wait has taken of late, kept by the caller
 * and 0 at first, or NULL; atomic. */
gboolean zc_host_wait_end (ZcHostWait *self, gint *usual_us, GError **error);

G_END_DECLS
