/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What each fuzzer is: libFuzzer's two entry points, and values made of the bytes
 * that it gives. */
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Called by libFuzzer, or by the program that replays seeds. */
int LLVMFuzzerInitialize (int *argc, char ***argv);
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* Bytes from which values are taken; where none are left all values are 0. */
typedef struct
{
  const guint8 *data;
  gsize left;
} FuzzInput;

guint8 fuzz_u8 (FuzzInput *self);
guint64 fuzz_u64 (FuzzInput *self);
/* 0 to @n - 1. */
guint fuzz_below (FuzzInput *self, guint n);
/* TRUE once in @n. */
gboolean fuzz_chance (FuzzInput *self, guint n);
/* Mostly near @usual, sometimes at the edge of a type, sometimes anything. */
gint64 fuzz_near (FuzzInput *self, gint64 usual);
gint fuzz_near_int (FuzzInput *self, gint usual);
/* A width or height: mostly a few pixels. */
gint fuzz_size (FuzzInput *self);
/* Mostly one that is served. */
GstVideoFormat fuzz_format (FuzzInput *self);

/* What all fuzzers set up: GStreamer, where wrong use of it is fatal. */
void fuzz_init (int *argc, char ***argv);

/* Fails unless @condition. */
#define fuzz_assert(condition) g_assert_true (condition)

/* One error and one text, or none. */
void fuzz_check_error (gboolean ok, GError **error);

/* TRUE if @first to @first + @size - 1 lie in @start to @start + @room - 1, no
 * number running over. */
gboolean fuzz_lies_in (guint64 first, guint64 size, guint64 start,
    guint64 room);

G_END_DECLS
