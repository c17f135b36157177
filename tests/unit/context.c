/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Contexts and streams. */

#include <gst/cuda/gstcudacontext.h>
#include <gst/zc/gstzcstream-private.h>
#include <string.h>

#include "cudatest.h"

static void
test_one_wrapper_a_device (void)
{
  GstCudaContext *a = cuda_test_context (0);
  GstCudaContext *b;

  if (!a)
    return;
  b = gst_zc_context_new (0, NULL);
  g_assert_true (a == b);
  gst_object_unref (a);
  gst_object_unref (b);
}

/* What the process has at hand is the primary context (cases.md 57). */
static void
test_primary (void)
{
  GstCudaContext *context = cuda_test_context (0);
  GstCudaContext *private_one;

  if (!context)
    return;
  private_one = gst_cuda_context_new (0);
  g_assert_nonnull (private_one);
  g_assert_true (gst_zc_context_same (context, context));
  g_assert_false (gst_zc_context_same (context, private_one));
  gst_object_unref (private_one);
  gst_object_unref (context);
}

static void
test_wrong_device (void)
{
  g_autoptr (GError) error = NULL;
  GstCudaContext *context = cuda_test_context (0);

  if (!context)
    return;
  g_assert_null (gst_zc_context_new (999, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_WRONG_DEVICE);
  g_assert_nonnull (strstr (error->message, "999"));
  cuda_test_assert_none_pushed ();
  gst_object_unref (context);
}

/* A private context goes away with its last user. */
static void
test_private_context_freed (void)
{
  GstCudaContext *context = cuda_test_context (0);
  GstCudaContext *private_one;
  GstZcStream *stream;

  if (!context)
    return;
  private_one = gst_cuda_context_new (0);
  stream = gst_zc_stream_new (private_one, NULL);
  g_object_add_weak_pointer (G_OBJECT (private_one), (gpointer *) &private_one);
  gst_object_unref (private_one);
  g_assert_nonnull (private_one);
  gst_zc_stream_unref (stream);
  g_assert_null (private_one);
  gst_object_unref (context);
}

static void
test_streams_by_id (void)
{
  g_autoptr (GError) error = NULL;
  GstCudaContext *context = cuda_test_context (0);
  GstZcStream *own, *same, *legacy;

  if (!context)
    return;
  own = gst_zc_stream_new (context, &error);
  g_assert_no_error (error);
  same = gst_zc_stream_new_borrowed (context, gst_zc_stream_get_handle (own),
      &error);
  g_assert_no_error (error);
  legacy = gst_zc_stream_new_borrowed (context, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (zc_stream_key_equal (&own->key, &same->key));
  g_assert_false (zc_stream_key_equal (&own->key, &legacy->key));
  g_assert_true (gst_zc_stream_get_context (own) == context);
  gst_zc_stream_unref (same);
  gst_zc_stream_unref (own);
  gst_zc_stream_unref (legacy);
  gst_object_unref (context);
}

/* Recording again and again makes no event. */
static void
test_events_are_reused (void)
{
  GstCudaContext *context = cuda_test_context (0);
  g_autoptr (ZcContext) state = NULL;
  CUevent event, again;

  if (!context)
    return;
  state = zc_context_get (context, NULL);
  event = zc_context_take_event (state, NULL);
  g_assert_nonnull (event);
  zc_context_give_event (state, event);
  again = zc_context_take_event (state, NULL);
  g_assert_true (again == event);
  zc_context_give_event (state, again);
  gst_object_unref (context);
}

/* What a context is for the duration of a guard, others may have on top. */
static void
test_nested_guards (void)
{
  GstCudaContext *context = cuda_test_context (0);
  GstCudaContext *other;
  gpointer handle, foreign;

  if (!context)
    return;
  other = gst_cuda_context_new (0);
  handle = gst_cuda_context_get_handle (context);
  foreign = gst_cuda_context_get_handle (other);
  {
    g_auto (ZcContextGuard) outer = ZC_CONTEXT_GUARD_INIT;
    g_auto (ZcContextGuard) inner = ZC_CONTEXT_GUARD_INIT;

    g_assert_true (zc_context_guard_push (&outer, handle, NULL));
    g_assert_true (zc_context_guard_push (&inner, handle, NULL));
    g_assert_true (cuda_test_current () == handle);
    zc_context_guard_clear (&inner);
    g_assert_true (cuda_test_current () == handle);

    cuda_test_push (other);
    g_assert_true (zc_context_guard_push (&inner, handle, NULL));
    g_assert_true (cuda_test_current () == handle);
    zc_context_guard_clear (&inner);
    g_assert_true (cuda_test_current () == foreign);
    g_assert_true (zc_context_guard_is_held ());
    cuda_test_pop ();
    g_assert_true (zc_context_guard_push (&inner, foreign, NULL));
    g_assert_true (cuda_test_current () == foreign);
    zc_context_guard_clear (&inner);
    g_assert_true (zc_context_guard_push (&inner, handle, NULL));
    g_assert_true (cuda_test_current () == handle);
  }
  g_assert_null (cuda_test_current ());
  g_assert_false (zc_context_guard_is_held ());
  gst_object_unref (other);
  gst_object_unref (context);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/context/one-wrapper-a-device", test_one_wrapper_a_device);
  g_test_add_func ("/context/primary", test_primary);
  g_test_add_func ("/context/wrong-device", test_wrong_device);
  g_test_add_func ("/context/private-freed", test_private_context_freed);
  g_test_add_func ("/stream/by-id", test_streams_by_id);
  g_test_add_func ("/context/events-are-reused", test_events_are_reused);
  g_test_add_func ("/context/nested-guards", test_nested_guards);
  return g_test_run ();
}
