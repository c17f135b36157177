/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* zcdownload behind a queue: the next frame's copy is queued before this one's
 * is waited for, and nothing else is to be seen of that. */

#include "cudapanel.h"
#include "pixels.h"

#define N_FRAMES 4
#define WIDTH 33
#define HEIGHT 17

typedef struct
{
  GstHarness *h;
  GstPad *feed, *out; /* what the queue pushes on; what comes of it */
  gulong block;
  RefFrame frame[N_FRAMES];
  GString *seen;               /* b a buffer, e our event */
  guint64 downloads[N_FRAMES]; /* copies queued when each frame came */
  guint n_pushed;
} Fixture;

static GstPadProbeReturn
see (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Fixture *f = data;
  const SoftcudaPanel *panel = softcuda_panel ();
  SoftcudaCounters counters = { 0 };

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    if (panel)
      panel->get_counters (&counters);
    f->downloads[f->n_pushed++ % N_FRAMES] = counters.downloads;
    g_string_append_c (f->seen, 'b');
  } else if (GST_EVENT_TYPE (info->data) == GST_EVENT_CUSTOM_DOWNSTREAM) {
    g_string_append_c (f->seen, 'e');
  }
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
wait_there (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  return GST_PAD_PROBE_OK;
}

static void
hold_queue (Fixture *f)
{
  f->block = gst_pad_add_probe (f->feed, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM,
      wait_there, NULL, NULL);
}

static void
release_queue (Fixture *f)
{
  gst_pad_remove_probe (f->feed, f->block);
}

static void
push (Fixture *f, guint i)
{
  g_assert_cmpint (gst_harness_push (f->h, pixel_buffer (&f->frame[i], TRUE)),
      ==, GST_FLOW_OK);
}

static void
expect (Fixture *f, guint i)
{
  GstBuffer *buffer = gst_harness_pull (f->h);

  g_assert_nonnull (buffer);
  pixel_assert (&f->frame[i], buffer, "frame");
  gst_buffer_unref (buffer);
}

static void
set_up (Fixture *f, gconstpointer data)
{
  if (!have_device ())
    return;
  f->seen = g_string_new (NULL);
  for (guint i = 0; i < N_FRAMES; i++) {
    ref_frame_init (&f->frame[i], GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT,
        REF_TIGHT);
    ref_frame_fill_random (&f->frame[i], pixel_seed () + i);
  }
  f->h = chain_new ("zcupload ! queue ! zcdownload");
  f->feed = gst_element_get_static_pad (chain_find (f->h, "queue"), "src");
  f->out = gst_element_get_static_pad (chain_find (f->h, "zcdownload"), "src");
  gst_pad_add_probe (f->out,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, see, f,
      NULL);
  chain_set_size (f->h, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  if (!f->h)
    return;
  gst_object_unref (f->feed);
  gst_object_unref (f->out);
  gst_harness_teardown (f->h);
  for (guint i = 0; i < N_FRAMES; i++)
    ref_frame_clear (&f->frame[i]);
  g_string_free (f->seen, TRUE);
}

static void
test_order (Fixture *f, gconstpointer data)
{
  if (!f->h)
    return;
  hold_queue (f);
  for (guint i = 0; i < N_FRAMES; i++)
    push (f, i);
  release_queue (f);
  for (guint i = 0; i < N_FRAMES; i++)
    expect (f, i);
}

/* When a frame comes out the copy of the next one is queued. */
static void
test_queued_ahead (Fixture *f, gconstpointer data)
{
  guint64 each;

  if (!f->h || !cuda_test_panel ())
    return;
  cuda_test_panel ()->reset_counters ();
  test_order (f, data);
  each = f->downloads[N_FRAMES - 1] / N_FRAMES;
  g_assert_cmpuint (each, >=, 1);
  for (guint i = 0; i < N_FRAMES; i++)
    g_assert_cmpuint (f->downloads[i], ==, each * MIN (i + 2, N_FRAMES));
}

/* Nothing behind it: it does not wait for what may never come. */
static void
test_single (Fixture *f, gconstpointer data)
{
  if (!f->h)
    return;
  for (guint i = 0; i < N_FRAMES; i++) {
    push (f, i);
    expect (f, i);
  }
}

static void
test_event (Fixture *f, gconstpointer data)
{
  GstEvent *event;

  if (!f->h)
    return;
  event = gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
      gst_structure_new_empty ("between"));
  hold_queue (f);
  push (f, 0);
  push (f, 1);
  g_assert_true (gst_harness_push_event (f->h, event));
  push (f, 2);
  release_queue (f);
  for (guint i = 0; i < 3; i++)
    expect (f, i);
  g_assert_cmpstr (f->seen->str, ==, "bbeb");
}

static GstPadProbeReturn
drop_second (GstPad *pad, GstPadProbeInfo *info, gpointer n)
{
  return ++*(guint *) n == 2 ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

/* The next frame is lost on the way. */
static void
lose_next (Fixture *f)
{
  static guint n;

  n = 0;
  gst_pad_add_probe (f->feed, GST_PAD_PROBE_TYPE_BUFFER, drop_second, &n, NULL);
  hold_queue (f);
  push (f, 0);
  push (f, 1);
  release_queue (f);
  while (g_atomic_int_get (&n) < 2)
    g_usleep (100);
}

static void
test_eos (Fixture *f, gconstpointer data)
{
  if (!f->h)
    return;
  lose_next (f);
  g_assert_true (gst_harness_push_event (f->h, gst_event_new_eos ()));
  expect (f, 0);
}

static void
test_flush (Fixture *f, gconstpointer data)
{
  GstSegment segment;

  if (!f->h)
    return;
  lose_next (f);
  gst_harness_push_event (f->h, gst_event_new_flush_start ());
  gst_harness_push_event (f->h, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (f->h, gst_event_new_segment (&segment));
  push (f, 2);
  expect (f, 2);
}

/* Page-locked memory is all given back. */
static void
test_stop (Fixture *f, gconstpointer data)
{
  const SoftcudaPanel *panel;
  SoftcudaOutstanding alive;

  if (!f->h || !(panel = cuda_test_panel ()))
    return;
  lose_next (f);
  g_assert_cmpint (gst_element_set_state (f->h->element, GST_STATE_NULL), ==,
      GST_STATE_CHANGE_SUCCESS);
  g_assert_cmpuint (f->n_pushed, ==, 0);
  panel->get_outstanding (&alive);
  g_assert_cmpuint (alive.pinned_allocations, ==, 0);
}

static GstPadProbeReturn
offer_one (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstQuery *query = info->data;

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_pool (query, NULL, WIDTH * HEIGHT * 2, 1, 1);
  return GST_PAD_PROBE_HANDLED;
}

/* One buffer is all there is: the next frame's can't be had before this one is
 * pushed and comes back. */
static void
test_one_buffer (Fixture *f, gconstpointer data)
{
  if (!f->h)
    return;
  gst_pad_add_probe (f->h->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      offer_one, NULL, NULL);
  gst_harness_push_upstream_event (f->h, gst_event_new_reconfigure ());
  /* With this one all elements ask for pools again, through the queue. */
  push (f, 0);
  expect (f, 0);
  test_order (f, data);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

#define ADD(name, func)                                                        \
  g_test_add ("/lookahead/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("order", test_order);
  ADD ("queued-ahead", test_queued_ahead);
  ADD ("single", test_single);
  ADD ("event", test_event);
  ADD ("eos", test_eos);
  ADD ("flush", test_flush);
  ADD ("stop", test_stop);
  ADD ("one-buffer", test_one_buffer);
#undef ADD
  return g_test_run ();
}
