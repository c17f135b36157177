/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A pixel in a corner of a picture tells the picture's time: a turn takes it to
 * a corner. A picture that is old or was written over has another one. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Marks a picture of the host on its way over @pad. */
void soak_mark (GstPad *pad, GstBuffer *buffer);

/* TRUE if the mark is there. Of pictures on a device only a few are looked at,
 * since that waits for the device: each SOAK_MARK_EVERY by their number @n. */
gboolean soak_mark_is_there (GstPad *pad, GstBuffer *buffer, gint n);

#define SOAK_MARK_EVERY 32

G_END_DECLS
