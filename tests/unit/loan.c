/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Frames lent to software that keeps them. What it does on streams of its own is
 * in tests/order. */

#include "cudapanel.h"
#include "frametest.h"
#include "lentframe.h"
#include "testrows.h"

static gboolean
fixture_init (LentFrame *self)
{
  return lent_frame_init (self, 0, GST_VIDEO_FORMAT_NV12, 64, 48);
}

static GstZcLoan *
lend (LentFrame *self, gboolean told)
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
  LentFrame self;

  if (!fixture_init (&self))
    return;
  lent_frame_map (&self, GST_MAP_READ);
  first = lend (&self, TRUE);
  second = lend (&self, FALSE);
  g_assert_true (first == second);
  gst_zc_loan_unref (first);
  gst_zc_loan_unref (second);
  lent_frame_unmap (&self);
  lent_frame_clear (&self);
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
  LentFrame self;

  if (!fixture_init (&self))
    return;
  lent_frame_map (&self, GST_MAP_READ);
  loan = lend (&self, FALSE);
  lent_frame_unmap (&self);
  again = self.buffer;
  gst_mini_object_weak_ref (GST_MINI_OBJECT_CAST (again), note_gone, &gone);
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (again), ==, 2);
  gst_buffer_unref (g_steal_pointer (&self.buffer));
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (again), ==, 1);
  gst_zc_loan_unref (loan);
  self.buffer = cuda_test_acquire (self.pool);
  g_assert_true (self.buffer == again);
  g_assert_false (gone);
  lent_frame_clear (&self);
  g_assert_true (gone);
}

typedef struct
{
  const gchar *name;
  gboolean told, late;
  guint n_events; /* for all of a context */
} Told;

static const Told borrowers[] = {
  { "told/in-time", TRUE, FALSE, 0 },
  { "told/late", TRUE, TRUE, 1 },
  { "untold/in-time", FALSE, FALSE, 1 },
  { "untold/late", FALSE, TRUE, 2 },
};

/* A borrower who stays on the frame's stream costs nothing. */
static void
test_told (gconstpointer data)
{
  const Told *told = data;
  const SoftcudaPanel *panel = cuda_test_panel ();
  guint64 before;
  GstZcLoan *loan;
  LentFrame self;

  if (!panel || !fixture_init (&self))
    return;
  before = panel->call_count ("cuCtxRecordEvent");
  lent_frame_map (&self, GST_MAP_READ);
  loan = lend (&self, told->told);
  if (!told->late)
    gst_zc_loan_unref (loan);
  lent_frame_unmap (&self);
  if (told->late)
    gst_zc_loan_unref (loan);
  g_assert_cmpuint (panel->call_count ("cuCtxRecordEvent") - before, ==,
      told->n_events);
  lent_frame_clear (&self);
}

/* Without that event the host waits, for a borrower on any stream. */
static void
test_old_driver (void)
{
  const SoftcudaPanel *panel = cuda_test_panel ();
  SoftcudaCounters before, after;
  LentFrame self;

  if (!panel || !fixture_init (&self))
    return;
  panel->fail ("cuCtxRecordEvent", 0, 801, 0);
  lent_frame_map (&self, GST_MAP_READ);
  gst_zc_loan_unref (lend (&self, FALSE));
  panel->get_counters (&before);
  lent_frame_unmap (&self);
  panel->get_counters (&after);
  panel->fail_clear ();
  g_assert_cmpuint (after.host_waits - before.host_waits, ==, 1);
  lent_frame_clear (&self);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/loan/not-mapped", test_not_mapped);
  g_test_add_func ("/loan/one-a-frame", test_one_a_frame);
  g_test_add_func ("/loan/keeps-buffer", test_keeps_buffer);
  CUDA_TEST_ADD_ROWS ("/loan", borrowers, test_told);
  g_test_add_func ("/loan/old-driver", test_old_driver);
  return g_test_run ();
}
