/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Frames in device memory for other software: without padding where asked for,
 * and as arrays. cases.md 11, 41, 45, 57. */

#include <gst/app/gstappsink.h>
#include <gst/cuda/gstcudamemory.h>
#include <gst/cuda/gstcudautils.h>
#include <string.h>

#include "arrayreader.h"
#include "pipeline.h"
#include "pixels.h"
#include "softcuda-panel.h"

#define SINK " ! appsink name=sink sync=false"

/* Packed */

static void
assert_packed (GstBuffer *buffer)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstZcImage image;
  gsize size;

  g_assert_true (pixel_has_cuda (buffer));
  g_assert_true (gst_zc_image_init_packed (&image, meta->format, meta->width,
      meta->height, 0, 1, &size, NULL));
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, size);
  for (guint i = 0; i < image.n_planes; i++) {
    g_assert_cmpuint (meta->offset[i], ==, image.plane[i].data - 1);
    g_assert_cmpint (meta->stride[i], ==, image.plane[i].row_stride);
  }
}

static gboolean
is_padded (GstBuffer *buffer)
{
  return gst_buffer_get_video_meta (buffer)->stride[0] % 512 == 0;
}

/* What comes out of a pool is on the device; its bytes by a download. */
static void
assert_pixels (const RefFrame *expected, GstBuffer *buffer)
{
  GstHarness *h = chain_new ("zcdownload");
  g_autoptr (GstCaps) caps =
      pixel_caps (expected->format, expected->width, expected->height);
  g_autoptr (GstBuffer) host = NULL;

  gst_caps_set_features (caps, 0,
      gst_caps_features_new_single ("memory:CUDAMemory"));
  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  host = chain_run (h, gst_buffer_ref (buffer));
  pixel_assert (expected, host, "packed");
  gst_harness_teardown (h);
}

static void
check_chain (const gchar *chain, GstVideoFormat format,
    GstVideoOrientationMethod orientation)
{
  g_auto (RefFrame) frame = { 0 };
  g_auto (RefFrame) expected = { 0 };
  g_autoptr (GstBuffer) out = NULL;
  GstHarness *h = chain_new (chain);

  ref_frame_init (&frame, format, 33, 17, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  ref_frame_init_turned (&expected, &frame, orientation, REF_TIGHT);
  ref_frame_flip (&expected, &frame, orientation);
  chain_set_size (h, format, 33, 17);
  out = chain_run (h, pixel_buffer (&frame, TRUE));
  assert_packed (out);
  assert_pixels (&expected, out);
  gst_harness_teardown (h);
}

static void
test_packed_upload (gconstpointer format)
{
  if (have_device ())
    check_chain ("zcupload packed=true", GPOINTER_TO_INT (format),
        GST_VIDEO_ORIENTATION_IDENTITY);
}

static void
test_packed_flip (gconstpointer format)
{
  if (have_device ())
    check_chain ("zcupload ! zcflip packed=true video-direction=180",
        GPOINTER_TO_INT (format), GST_VIDEO_ORIENTATION_180);
}

/* Identity: where what comes in has padding. */
static void
test_packed_identity (gconstpointer format)
{
  /* Without the pool that zcflip offers. */
  if (have_device ())
    check_chain ("zcupload ! identity drop-allocation=true ! "
                 "zcflip packed=true",
        GPOINTER_TO_INT (format), GST_VIDEO_ORIENTATION_IDENTITY);
}

/* No pass of its own where the element before can write to memory like that. */
static void
test_packed_no_pass (void)
{
  const SoftcudaPanel *panel = softcuda_panel ();
  SoftcudaCounters counters;

  if (!have_device ())
    return;
  if (!panel) {
    g_test_skip ("needs the control panel of softcuda");
    return;
  }
  panel->reset_counters ();
  check_chain ("zcupload ! zcflip packed=true", GST_VIDEO_FORMAT_NV12,
      GST_VIDEO_ORIENTATION_IDENTITY);
  panel->get_counters (&counters);
  g_assert_cmpuint (counters.launches, ==, 0);
  g_assert_cmpuint (counters.device_copies, ==, 0);
}

static GstPadProbeReturn
check_packed (GstPad *pad, GstPadProbeInfo *info, gpointer n_buffers)
{
  assert_packed (GST_PAD_PROBE_INFO_BUFFER (info));
  ++*(guint *) n_buffers;
  return GST_PAD_PROBE_OK;
}

/* The pool of an element behind, which knows padded frames alone. */
static void
test_packed_foreign_pool (void)
{
  GstElement *pipeline, *upload;
  guint n_buffers = 0;
  GstPad *pad;

  if (!have_device ())
    return;
  if (!gst_registry_check_feature_version (gst_registry_get (), "cudadownload",
          0, 0, 0)) {
    g_test_skip ("nvcodec is not installed");
    return;
  }
  pipeline = pipeline_new (
      "videotestsrc num-buffers=2 ! video/x-raw,format=NV12,width=322,"
      "height=242 ! zcupload name=up packed=true ! cudadownload ! "
      "video/x-raw ! fakesink");
  upload = gst_bin_get_by_name (GST_BIN (pipeline), "up");
  pad = gst_element_get_static_pad (upload, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, check_packed, &n_buffers,
      NULL);
  pipeline_play (pipeline);
  g_assert_cmpuint (n_buffers, ==, 2);
  gst_object_unref (pad);
  gst_object_unref (upload);
  pipeline_free (pipeline);
}

/* Nobody asked: frames have the driver's pitch. */
static void
test_not_packed (void)
{
  g_auto (RefFrame) frame = { 0 };
  g_autoptr (GstBuffer) out = NULL;
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcflip video-direction=180");
  ref_frame_init (&frame, GST_VIDEO_FORMAT_NV12, 33, 17, REF_TIGHT);
  chain_set_size (h, GST_VIDEO_FORMAT_NV12, 33, 17);
  out = chain_run (h, pixel_buffer (&frame, TRUE));
  g_assert_true (is_padded (out));
  gst_harness_teardown (h);
}

/* Arrays */

static GstZcArray *
array_of (GstBuffer *buffer, gint plane)
{
  g_autoptr (GError) error = NULL;
  GstZcArrayMeta *meta = gst_zc_buffer_get_array_meta (buffer);
  GstZcArray *array;

  g_assert_nonnull (meta);
  array = gst_zc_array_meta_get_array (meta, plane, GST_MAP_READ, &error);
  g_assert_no_error (error);
  return array;
}

/* The first buffer that gets to a sink called "sink". */
static GstSample *
first_sample (GstElement *pipeline)
{
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstSample *sample;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  sample = gst_app_sink_pull_sample (GST_APP_SINK (sink));
  g_assert_nonnull (sample);
  return sample;
}

static void
assert_array_pixels (const RefFrame *frame, GstBuffer *buffer)
{
  for (guint i = 0; i < frame->n_planes; i++) {
    g_autoptr (GstZcArray) array = array_of (buffer, i);
    g_autofree guint8 *bytes = array_reader_bytes (array);
    const RefPlane *plane = &frame->plane[i];
    gsize row_bytes = ref_plane_row_bytes (plane);

    g_assert_cmpint (array->shape[0], ==, plane->height);
    g_assert_cmpint (array->shape[1] * array->strides[1], ==, row_bytes);
    for (gint row = 0; row < plane->height; row++)
      g_assert_cmpmem (bytes + row * row_bytes, row_bytes,
          plane->data + row * plane->stride, row_bytes);
  }
}

static void
check_array (const gchar *chain, GstVideoFormat format, gint width, gint height,
    GstVideoOrientationMethod orientation)
{
  g_auto (RefFrame) frame = { 0 };
  g_auto (RefFrame) expected = { 0 };
  g_autoptr (GstBuffer) out = NULL;
  GstHarness *h = chain_new (chain);

  ref_frame_init (&frame, format, width, height, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  ref_frame_init_turned (&expected, &frame, orientation, REF_TIGHT);
  ref_frame_flip (&expected, &frame, orientation);
  chain_set_size (h, format, width, height);
  out = chain_run (h, pixel_buffer (&frame, TRUE));
  assert_array_pixels (&expected, out);
  gst_harness_teardown (h);
}

static void
test_array_upload (gconstpointer format)
{
  if (have_device ())
    check_array ("zcupload", GPOINTER_TO_INT (format), 33, 17,
        GST_VIDEO_ORIENTATION_IDENTITY);
}

static void
test_array_flip (gconstpointer format)
{
  if (have_device ())
    check_array ("zcupload ! zcflip video-direction=180 array-sync=host",
        GPOINTER_TO_INT (format), 33, 17, GST_VIDEO_ORIENTATION_180);
}

/* cases.md 41: a consumer sees the padding, or there is none. */
static void
test_strides (gconstpointer packed)
{
  gboolean is_packed = GPOINTER_TO_INT (packed);
  g_autofree gchar *chain = g_strdup_printf ("zcupload packed=%d", is_packed);
  g_auto (RefFrame) frame = { 0 };
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (GstZcArray) array = NULL;
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new (chain);
  ref_frame_init (&frame, GST_VIDEO_FORMAT_RGBA, 1366, 768, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  chain_set_size (h, GST_VIDEO_FORMAT_RGBA, 1366, 768);
  out = chain_run (h, pixel_buffer (&frame, TRUE));
  array = array_of (out, 0);
  g_assert_cmpint (array->strides[0], ==,
      is_packed ? 1366 * 4 : gst_buffer_get_video_meta (out)->stride[0]);
  g_assert_cmpint (array->strides[1], ==, 4);
  g_assert_cmpint (array->strides[2], ==, 1);
  assert_array_pixels (&frame, out);
  gst_harness_teardown (h);
}

/* NV12 as one array. */
static void
test_stacked (gconstpointer packed)
{
  g_autofree gchar *chain =
      g_strdup_printf ("zcupload packed=%d", GPOINTER_TO_INT (packed));
  g_auto (RefFrame) frame = { 0 };
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (GstZcArray) array = NULL;
  g_autofree guint8 *bytes = NULL;
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new (chain);
  ref_frame_init (&frame, GST_VIDEO_FORMAT_NV12, 322, 242, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  chain_set_size (h, GST_VIDEO_FORMAT_NV12, 322, 242);
  out = chain_run (h, pixel_buffer (&frame, TRUE));
  array = array_of (out, GST_ZC_ARRAY_STACKED);
  g_assert_cmpint (array->shape[0], ==, 363);
  bytes = array_reader_bytes (array);
  for (gint row = 0; row < 363; row++) {
    const RefPlane *plane = &frame.plane[row < 242 ? 0 : 1];

    g_assert_cmpmem (bytes + 322 * row, 322,
        plane->data + plane->stride * (row < 242 ? row : row - 242), 322);
  }
  gst_harness_teardown (h);
}

/* Behind elements that share buffers, copy them, or know nothing of metas. */
static void
test_kept (gconstpointer middle)
{
  g_autofree gchar *launch =
      g_strdup_printf ("videotestsrc num-buffers=3 ! "
                       "video/x-raw,format=NV12,width=64,height=48 "
                       "! zcupload ! %s" SINK,
          (const gchar *) middle);
  g_autoptr (GstSample) sample = NULL;
  g_autoptr (GstZcArray) array = NULL;
  GstElement *pipeline;

  if (!have_device ())
    return;
  pipeline = pipeline_new (launch);
  sample = first_sample (pipeline);
  array = array_of (gst_sample_get_buffer (sample), 1);
  g_assert_cmpint (array->shape[0], ==, 24);
  g_clear_pointer (&sample, gst_sample_unref);
  pipeline_free (pipeline);
}

/* What comes back to the CPU has none. */
static void
test_host_memory (void)
{
  g_auto (RefFrame) frame = { 0 };
  g_autoptr (GstBuffer) out = NULL;
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcdownload");
  ref_frame_init (&frame, GST_VIDEO_FORMAT_NV12, 64, 48, REF_TIGHT);
  chain_set_size (h, GST_VIDEO_FORMAT_NV12, 64, 48);
  out = chain_run (h, pixel_buffer (&frame, TRUE));
  g_assert_null (gst_zc_buffer_get_array_meta (out));
  gst_harness_teardown (h);
}

/* A pipeline in a context that others do not live in, as nvcodec's are. */
static GstElement *
pipeline_in_private_context (const gchar *launch)
{
  GstElement *pipeline = pipeline_new (launch);
  GstCudaContext *private = gst_cuda_context_new (0);
  GstContext *context = gst_context_new_cuda_context (private);

  gst_element_set_context (pipeline, context);
  gst_context_unref (context);
  gst_object_unref (private);
  return pipeline;
}

/* cases.md 57: the array is for who lives in the primary one. */
static void
test_private_context (gconstpointer launch)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstSample) sample = NULL;
  g_autoptr (GstZcArray) array = NULL;
  g_autofree guint8 *bytes = NULL;
  GstCudaContext *primary, *of_memory;
  GstElement *pipeline;

  if (!have_device ())
    return;
  if (strstr (launch, "cudaupload") &&
      !gst_registry_check_feature_version (gst_registry_get (), "cudaupload", 0,
          0, 0)) {
    g_test_skip ("nvcodec is not installed");
    return;
  }
  pipeline = pipeline_in_private_context (launch);
  sample = first_sample (pipeline);
  array = array_of (gst_sample_get_buffer (sample), 0);
  primary = gst_zc_context_new (0, &error);
  of_memory =
      ((GstCudaMemory *) gst_buffer_peek_memory (gst_sample_get_buffer (sample),
           0))
          ->context;
  g_assert_false (gst_zc_context_same (of_memory, primary));
  g_assert_true (gst_zc_context_same (gst_zc_stream_get_context (array->stream),
      primary));
  bytes = array_reader_bytes (array);
  for (gint i = 0; i < 64 * 48 * 4; i++)
    g_assert_cmphex (bytes[i], ==, 0xff);
  gst_object_unref (primary);
  g_clear_pointer (&array, gst_zc_array_free);
  g_clear_pointer (&sample, gst_sample_unref);
  pipeline_free (pipeline);
}

#define WHITE                                                                  \
  "videotestsrc num-buffers=3 pattern=white ! video/x-raw,format=RGBA,"        \
  "width=64,height=48 ! "

/* Memory-tagged metas that downstream asks for are no business of upstream. */
static void
test_query (void)
{
  GstHarness *h;
  GstQuery *query;
  g_autoptr (GstCaps) caps = NULL;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcflip video-direction=180");
  gst_harness_add_propose_allocation_meta (h, GST_ZC_ARRAY_META_API_TYPE, NULL);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  chain_set_size (h, GST_VIDEO_FORMAT_NV12, 64, 48);
  gst_buffer_unref (chain_run (h,
      gst_buffer_new_allocate (NULL, 64 * 72, NULL)));
  caps = pixel_caps (GST_VIDEO_FORMAT_NV12, 64, 48);
  query = gst_query_new_allocation (caps, FALSE);
  g_assert_true (gst_pad_peer_query (h->srcpad, query));
  g_assert_false (gst_query_find_allocation_meta (query,
      GST_ZC_ARRAY_META_API_TYPE, NULL));
  gst_query_unref (query);
  gst_harness_teardown (h);
}

/* Colours, by the number of the channel: cases.md 45 */

static const gchar *const patterns[] = { "red", "green", "blue" };

static guint
sample_at (const guint8 *bytes, guint index, gint channel_bytes)
{
  return channel_bytes == 2 ? bytes[2 * index] | bytes[2 * index + 1] << 8
                            : bytes[index];
}

/* Which channel of its plane component @c is. GStreamer counts bytes, but for
 * P010 and its like samples. */
static guint
channel_of (const GstVideoFormatInfo *info, guint c, const GstZcArray *array)
{
  guint offset = GST_VIDEO_FORMAT_INFO_POFFSET (info, c);

  if (array->shape[2] == 2)
    return offset > 0;
  return offset / (guint) array->strides[2];
}

/* Component @c of the first pixel, in all bits that it has. */
static guint
component (GstBuffer *buffer, const GstVideoFormatInfo *info, guint c,
    gint *depth)
{
  g_autoptr (GstZcArray) array =
      array_of (buffer, GST_VIDEO_FORMAT_INFO_PLANE (info, c));
  g_autofree guint8 *bytes = array_reader_bytes (array);
  guint channel = channel_of (info, c, array);

  g_assert_cmpuint (channel, <, array->shape[2]);
  *depth = array->depth;
  return sample_at (bytes, channel, array->strides[2]) >> array->shift;
}

/* Red, green and blue as the definition has them. */
static void
check_rgb (GstBuffer *buffer, const GstVideoFormatInfo *info, guint pattern)
{
  for (guint c = 0; c < 3; c++) {
    gint depth;
    guint value = component (buffer, info, c, &depth);

    g_assert_cmpuint (value, ==, c == pattern ? (1u << depth) - 1 : 0);
  }
}

/* The same in BT.601, which small pictures have. */
static void
check_yuv (GstBuffer *buffer, const GstVideoFormatInfo *info, guint pattern)
{
  static const gint expected[][3] = { { 81, 90, 240 }, { 145, 54, 34 },
    { 41, 240, 110 } };

  for (guint c = 0; c < 3; c++) {
    gint depth;
    gint value = component (buffer, info, c, &depth);

    g_assert_cmpint (ABS ((value >> (depth - 8)) - expected[pattern][c]), <=,
        2);
  }
}

static void
check_word (GstBuffer *buffer, GstVideoFormat format, guint pattern)
{
  g_autoptr (GstZcArray) array = array_of (buffer, 0);
  g_autofree guint8 *bytes = array_reader_bytes (array);
  guint place = format == GST_VIDEO_FORMAT_RGB10A2_LE ? pattern : 2 - pattern;
  guint32 word;

  memcpy (&word, bytes, 4);
  g_assert_cmphex (word & 0x3fffffff, ==, 0x3ffu << (10 * place));
}

static void
check_colour (GstVideoFormat format, guint pattern)
{
  const GstVideoFormatInfo *info = gst_video_format_get_info (format);
  g_autofree gchar *launch =
      g_strdup_printf ("videotestsrc num-buffers=1 pattern=%s ! videoconvert ! "
                       "video/x-raw,format=%s,width=64,height=48 ! "
                       "zcupload" SINK,
          patterns[pattern], gst_video_format_to_string (format));
  GstElement *pipeline = pipeline_new (launch);
  g_autoptr (GstSample) sample = first_sample (pipeline);
  GstBuffer *buffer = gst_sample_get_buffer (sample);

  if (gst_zc_format_get (format)->flags & GST_ZC_FORMAT_BITFIELD)
    check_word (buffer, format, pattern);
  else if (GST_VIDEO_FORMAT_INFO_IS_RGB (info))
    check_rgb (buffer, info, pattern);
  else
    check_yuv (buffer, info, pattern);
  g_clear_pointer (&sample, gst_sample_unref);
  pipeline_free (pipeline);
}

static void
test_colours (gconstpointer format)
{
  if (!have_device ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    check_colour (GPOINTER_TO_INT (format), i);
}

static void
add_formats (const gchar *name, GTestDataFunc test)
{
  guint n_formats;
  const GstVideoFormat *formats = gst_zc_format_list (&n_formats);

  for (guint i = 0; i < n_formats; i++) {
    g_autofree gchar *path = g_strdup_printf ("/output/%s/%s", name,
        gst_video_format_to_string (formats[i]));

    g_test_add_data_func (path, GINT_TO_POINTER (formats[i]), test);
  }
}

static void
add_kept (const gchar *name, const gchar *middle)
{
  g_autofree gchar *path = g_strdup_printf ("/output/array/kept/%s", name);

  g_test_add_data_func (path, middle, test_kept);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

  add_formats ("packed/upload", test_packed_upload);
  add_formats ("packed/flip", test_packed_flip);
  add_formats ("packed/identity", test_packed_identity);
  g_test_add_func ("/output/packed/no-pass", test_packed_no_pass);
  g_test_add_func ("/output/packed/foreign-pool", test_packed_foreign_pool);
  g_test_add_func ("/output/packed/not-asked-for", test_not_packed);
  add_formats ("array/upload", test_array_upload);
  add_formats ("array/flip", test_array_flip);
  g_test_add_data_func ("/output/array/strides/padded", GINT_TO_POINTER (FALSE),
      test_strides);
  g_test_add_data_func ("/output/array/strides/packed", GINT_TO_POINTER (TRUE),
      test_strides);
  g_test_add_data_func ("/output/array/stacked/padded", GINT_TO_POINTER (FALSE),
      test_stacked);
  g_test_add_data_func ("/output/array/stacked/packed", GINT_TO_POINTER (TRUE),
      test_stacked);
  add_kept ("queue", "queue");
  add_kept ("tee", "tee name=t ! queue ! fakesink async=false t. ! queue");
  add_kept ("passthrough", "zcflip ! zcupload");
  add_kept ("identity", "identity");
  add_kept ("writable", "identity sleep-time=1 single-segment=true");
  g_test_add_func ("/output/array/host-memory", test_host_memory);
  g_test_add_data_func ("/output/array/private-context/upload",
      WHITE "zcupload" SINK, test_private_context);
  g_test_add_data_func ("/output/array/private-context/flip",
      WHITE "cudaupload ! video/x-raw(memory:CUDAMemory) ! "
            "zcflip video-direction=180" SINK,
      test_private_context);
  g_test_add_func ("/output/array/query", test_query);
  add_formats ("colours", test_colours);
  return g_test_run ();
}
