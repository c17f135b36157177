/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A picture in device memory that somebody else owns, as a decoder or an array
 * library has it, and a count of how often it was given back. */
#pragma once

#include "cudatest.h"
#include "reference.h"

G_BEGIN_DECLS

/* Where its planes are. */
typedef struct
{
  const gchar *name;
  GstVideoFormat format;
  gint width, height;
  gsize offset[REF_MAX_PLANES]; /* from the start of the allocation */
  gint stride[REF_MAX_PLANES];
  gsize size;                   /* of an allocation */
  gboolean split;               /* an allocation a plane */
  guint n_memory;               /* that a buffer of it must have */
} ForeignLayout;

typedef struct
{
  const ForeignLayout *layout;
  GstCudaContext *context;      /* owned; where the memory was allocated */
  guint64 memory[REF_MAX_PLANES];
  guint64 late[REF_MAX_PLANES]; /* what will be copied there */
  guint n_memory;
  GstZcImage image;

  GMutex lock;
  GCond given_back;
  guint n_notify;
  GThread *notifier;            /* not owned; the thread of the last */
  GstZcStream *owner;           /* not owned; may be NULL */
  guint8 reused;                /* what is written on it in a notify */
} ForeignPicture;

/* NV12, 64x48, all in one allocation and in two. */
extern const ForeignLayout foreign_both[2];
#define foreign_one (foreign_both[0])
#define foreign_two (foreign_both[1])

/* All bytes are REF_CANARY. */
void foreign_picture_init (ForeignPicture *self, GstCudaContext *context,
    const ForeignLayout *layout);
/* Frees the memory: whoever wrapped it waits for the notify before. */
void foreign_picture_clear (ForeignPicture *self);
/* The same after the notify; fails if there is a second one, which would have
 * been counted by then. */
void foreign_picture_clear_told (ForeignPicture *self);

/* Random pixels for it, the same each time; ref_frame_clear(). */
void foreign_picture_new_frame (const ForeignPicture *self, RefFrame *frame);
/* On the device when these return. */
void foreign_picture_write (ForeignPicture *self, const RefFrame *frame);
void foreign_picture_write_value (ForeignPicture *self, guint8 value);
/* Queues the writing of @frame on @stream: nothing of it is there before. Once a
 * picture. */
void foreign_picture_queue_write (ForeignPicture *self, GstZcStream *stream,
    const RefFrame *frame);
/* Fails unless the planes hold @frame and all other bytes are canary. */
void foreign_picture_assert (ForeignPicture *self, const RefFrame *frame,
    guint8 canary);
/* Overwrites all bytes that are no pixels. */
void foreign_picture_write_canary (ForeignPicture *self, guint8 canary);

/* The owner's notify: counts. */
void foreign_picture_notify (gpointer self);
/* From now on the owner writes its next picture, all of it @value, as soon as it
 * may: in each notify, on @owner. */
void foreign_picture_reuse (ForeignPicture *self, GstZcStream *owner,
    guint8 value);
/* Fails unless it comes within seconds, @n times or once. */
void foreign_picture_wait_for_notifies (ForeignPicture *self, guint n);
void foreign_picture_wait_for_notify (ForeignPicture *self);

/* Wrapped with the notify; any error ends the test. */
GstBuffer *foreign_picture_wrap (ForeignPicture *self,
    const GstZcProducer *producer);
/* Fails unless @image can't be wrapped in @context, with @code and a message that
 * says @word. Counts anew: the caller waits for the notify. */
void foreign_picture_expect_refused (ForeignPicture *self,
    GstCudaContext *context, const GstZcImage *image,
    const GstZcProducer *producer, GstZcError code, const gchar *word);
void foreign_picture_info (const ForeignPicture *self, GstVideoInfo *info);

G_END_DECLS
