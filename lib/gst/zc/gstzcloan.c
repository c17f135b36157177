/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcloan-private.h"

#include "gstzcbufferhold.h"
#include "gstzcreservation.h"

struct _GstZcLoan
{
  gatomicrefcount refcount;
  GstBuffer *buffer;            /* owned */
  ZcContext *context;           /* owned; of the borrowers' streams */
  gint untold; /* atomic; somebody uses streams we don't know */
  gint closed; /* atomic; the frame is unmapped */
  gint late; /* atomic; somebody gave back after that */
};

G_DEFINE_BOXED_TYPE (GstZcLoan, gst_zc_loan, gst_zc_loan_ref, gst_zc_loan_unref)

/* Takes all that is queued in the context for a use of the buffer. */
static gboolean
mark_context (GstZcLoan *loan, GstMapFlags flags, GError **error)
{
  guint i;

  for (i = 0; i < gst_buffer_n_memory (loan->buffer); i++) {
    ZcReservation *reservation =
        zc_reservation_get (gst_buffer_peek_memory (loan->buffer, i), error);

    if (!reservation ||
        !zc_reservation_release_context (reservation, flags, loan->context,
            error))
      return FALSE;
  }
  zc_buffer_hold (loan->buffer);
  return TRUE;
}

static void
loan_free (GstZcLoan *loan)
{
  g_autoptr (GError) error = NULL;

  if (g_atomic_int_get (&loan->late) &&
      !mark_context (loan, GST_MAP_READ, &error))
    GST_WARNING ("A buffer was given back in an uncertain order: %s",
        error->message);
  gst_buffer_unref (loan->buffer);
  zc_context_unref (loan->context);
  g_free (loan);
}

static void
drop (GstZcLoan *loan)
{
  if (g_atomic_ref_count_dec (&loan->refcount))
    loan_free (loan);
}

static GstZcLoan *
loan_new (GstZcFrame *frame, GError **error)
{
  ZcContext *context =
      zc_context_get (gst_zc_stream_get_context (frame->stream), error);
  GstZcLoan *loan;

  if (!context)
    return NULL;
  loan = g_new0 (GstZcLoan, 1);
  g_atomic_ref_count_init (&loan->refcount);
  loan->buffer = gst_buffer_ref (frame->buffer);
  loan->context = context;
  return loan;
}

GstZcLoan *
gst_zc_frame_lend (GstZcFrame *frame, gboolean told, GError **error)
{
  g_return_val_if_fail (frame != NULL, NULL);

  if (!frame->buffer) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE,
        "A frame is lent that is not mapped; call gst_zc_frame_map() first");
    return NULL;
  }
  if (!frame->loan && !(frame->loan = loan_new (frame, error)))
    return NULL;
  if (!told)
    g_atomic_int_set (&frame->loan->untold, TRUE);
  return gst_zc_loan_ref (frame->loan);
}

GstZcLoan *
gst_zc_loan_ref (GstZcLoan *loan)
{
  g_atomic_ref_count_inc (&loan->refcount);
  return loan;
}

void
gst_zc_loan_unref (GstZcLoan *loan)
{
  if (!loan)
    return;
  if (g_atomic_int_get (&loan->closed))
    g_atomic_int_set (&loan->late, TRUE);
  drop (loan);
}

void
zc_loan_close (GstZcLoan *loan)
{
  g_atomic_int_set (&loan->closed, TRUE);
}

gboolean
zc_loan_end (GstZcLoan *loan, GstMapFlags flags, GError **error)
{
  gboolean ok =
      !g_atomic_int_get (&loan->untold) || mark_context (loan, flags, error);

  drop (loan);
  return ok;
}
