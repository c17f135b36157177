/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A thread that launches small work on the null stream all the time, as
 * programs of CuPy or PyTorch do. */
#pragma once

#include <gst/zc/zc.h>

G_BEGIN_DECLS

typedef struct _NullStream NullStream;

NullStream *null_stream_start (GstCudaContext *context);
/* Takes NULL, too. */
void null_stream_stop (NullStream *self);

G_END_DECLS
