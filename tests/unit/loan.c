/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Frames lent to software that keeps them. What it does on streams of its own is
 * in tests/order. */

#include "cudapanel.h"
#include "frametest.h"

typedef struct
{
  GstCudaContext *context;
  GstZcStream *stream;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstBuffer *buffer;
  GstZcFrame frame;
} Fixture;

static gboolean
fixture_init (Fixture *self)
{
  g_autoptr (GError) error = NULL;

  self->context = cuda_test_context (0);
  if (!self->context)
    return FALSE;
  self->stream = gst_zc_stream_new (self->context, &error);
  g_assert_no_error (error);
  self->pool = cuda_test_pool (self->context, GST_VIDEO_FORMAT_NV12, 64, 48,
      &self->info);
  self->buffer = cuda_test_acquire (self->pool);
  frame_test_map (&self->frame, self->buffer, &self->info, GST_MAP_WRITE,
      self->stream);
  cuda_test_fill (self->stream, &self->frame.image, 1);
  frame_test_unmap (&self->frame);
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  gst_clear_buffer (&self->buffer);
  gst_buffer_pool_set_active (self->pool, FALSE);
  gst_object_unref (self->pool);
  gst_zc_stream_unref (self->stream);
  gst_object_unref (self->context);
}

static GstZcLoan *
lend (Fixture *self, gboolean told)
{
  g_autoptr (GError) error = NULL;
  GstZcLoan *loan = gst_zc_frame_lend (&self->frame, told, &error);

  g_assert_no_error (error);
  return loan;
}

static void
test_not_mapped (void)
{
  g_autoptr (GError) error = NULL;
  GstZcFrame frame = { 0 };

  g_assert_null (gst_zc_frame_lend (&frame, FALSE, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE);
  gst_zc_loan_unref (NULL);
}

static void
test_one_a_frame (void)
{
  GstZcLoan *first, *second;
  Fixture self;

  if (!fixture_init (&self))
    return;
  frame_test_map (&self.frame, self.buffer, &self.info, GST_MAP_READ,
      self.stream);
  first = lend (&self, TRUE);
  second = lend (&self, FALSE);
  g_assert_true (first == second);
  gst_zc_loan_unref (first);
  gst_zc_loan_unref (second);
  frame_test_unmap (&self.frame);
  fixture_clear (&self);
}

static void
note_gone (gpointer data, GstMiniObject *buffer)
{
  *(gboolean *) data = TRUE;
}

/* The last of frame and borrowers lets go of the buffer. */
static void
test_keeps_buffer (void)
{
  gboolean gone = FALSE;
  GstZcLoan *loan;
  GstBuffer *again;
  Fixture self;

  if (!fixture_init (&self))
    return;
  frame_test_map (&self.frame, self.buffer, &self.info, GST_MAP_READ,
      self.stream);
  loan = lend (&self, FALSE);
  frame_test_unmap (&self.frame);
  again = self.buffer;
  gst_mini_object_weak_ref (GST_MINI_OBJECT_CAST (again), note_gone, &gone);
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (again), ==, 2);
  gst_buffer_unref (g_steal_pointer (&self.buffer));
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (again), ==, 1);
  gst_zc_loan_unref (loan);
  self.buffer = cuda_test_acquire (self.pool);
  g_assert_true (self.buffer == again);
  g_assert_false (gone);
  fixture_clear (&self);
  g_assert_true (gone);
}

typedef struct
{
  gboolean told, late;
  guint n_events; /* for all of a context */
} Told;

/* A borrower who stays on the frame's stream costs nothing. */
static void
test_told (gconstpointer data)
{
  const Told *told = data;
  const SoftcudaPanel *panel = cuda_test_panel ();
  guint64 before;
  GstZcLoan *loan;
  Fixture self;

  if (!panel || !fixture_init (&self))
    return;
  before = panel->call_count ("cuCtxRecordEvent");
  frame_test_map (&self.frame, self.buffer, &self.info, GST_MAP_READ,
      self.stream);
  loan = lend (&self, told->told);
  if (!told->late)
    gst_zc_loan_unref (loan);
  frame_test_unmap (&self.frame);
  if (told->late)
    gst_zc_loan_unref (loan);
  g_assert_cmpuint (panel->call_count ("cuCtxRecordEvent") - before, ==,
      told->n_events);
  fixture_clear (&self);
}

/* Without that event the host waits, for a borrower on any stream. */
static void
test_old_driver (void)
{
  const SoftcudaPanel *panel = cuda_test_panel ();
  SoftcudaCounters before, after;
  Fixture self;

  if (!panel || !fixture_init (&self))
    return;
  panel->fail ("cuCtxRecordEvent", 0, 801, 0);
  frame_test_map (&self.frame, self.buffer, &self.info, GST_MAP_READ,
      self.stream);
  gst_zc_loan_unref (lend (&self, FALSE));
  panel->get_counters (&before);
  frame_test_unmap (&self.frame);
  panel->get_counters (&after);
  panel->fail_clear ();
  g_assert_cmpuint (after.host_waits - before.host_waits, ==, 1);
  fixture_clear (&self);
}

int
main (int argc, char **argv)
{
  static const Told told_in_time = { TRUE, FALSE, 0 },
                    told_late = { TRUE, TRUE, 1 },
                    untold_in_time = { FALSE, FALSE, 1 },
                    untold_late = { FALSE, TRUE, 2 };

  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/loan/not-mapped", test_not_mapped);
  g_test_add_func ("/loan/one-a-frame", test_one_a_frame);
  g_test_add_func ("/loan/keeps-buffer", test_keeps_buffer);
  g_test_add_data_func ("/loan/told/in-time", &told_in_time, test_told);
  g_test_add_data_func ("/loan/told/late", &told_late, test_told);
  g_test_add_data_func ("/loan/untold/in-time", &untold_in_time, test_told);
  g_test_add_data_func ("/loan/untold/late", &untold_late, test_told);
  g_test_add_func ("/loan/old-driver", test_old_driver);
  return g_test_run ();
}
