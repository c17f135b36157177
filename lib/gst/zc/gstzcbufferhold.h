/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: buffers of others whose pool would hand their memory out while we
 * still use it. As a rule the memory's stream waits for us, and that is enough
 * for those who come next; but memory without one is taken for idle. */

#include <gst/gst.h>

G_BEGIN_DECLS

/* @buffer, all of whose memories are CUDA memory, goes back to its pool only
 * when what is queued by then is done, if it needs that. Its references do not
 * change, so it stays writable. */
void zc_buffer_hold (GstBuffer *buffer);

G_END_DECLS
