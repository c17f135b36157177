/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The two processes on either side of cudaipcsink and cudaipcsrc. Each is this
 * program again, with a word and its values behind it. They tell on stdout, one
 * line at a time, and end by themselves when something goes wrong. */
#pragma once

#include "pixels.h"

G_BEGIN_DECLS

/* --send ADDRESS MODE FORMAT CHAIN: frames of FORMAT through CHAIN into
 * cudaipcsink ipc-mode=MODE, until stdin ends. Says
 *   playing
 *   sent N, own N, copies N    buffers that reached the sink, those of a pool of
 *                              ours, copies that the driver was asked for
 *   error: TEXT
 *   skip: REASON */
#define IPC_SEND "--send"
gint ipc_send (gchar **values);

/* --receive ADDRESS IO-MODE FORMAT CHAIN N: frames of cudaipcsrc
 * io-mode=IO-MODE through CHAIN, which gives back what the sender had. Leaves
 * after N of them; 0: stays to the end. Says
 *   frame            after the first one
 *   right N          frames, each of them exact, and left
 *   eos, right N
 *   error: TEXT
 *   wrong
 *   last wrong       a frame after which no other came */
#define IPC_RECEIVE "--receive"
gint ipc_receive (gchar **values);

#define IPC_WIDTH 322
#define IPC_HEIGHT 242

/* Frame @number; it says its number itself. */
void ipc_frame (RefFrame *frame, GstVideoFormat format, guint number);
guint ipc_number (GstVideoFormat format, GstBuffer *buffer);

/* Says one line. */
void ipc_say (const gchar *format, ...) G_GNUC_PRINTF (1, 2);

/* Says "error: …" for each one on the bus; TRUE if there was one. */
gboolean ipc_says_error (GstElement *pipeline);

G_END_DECLS
