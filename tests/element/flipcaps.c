/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What zcflip makes of caps. cases.md 25, 26, 34, 60, 71. */

#include <string.h>

#include "pipeline.h"
#include "pixels.h"

#define CUDA "video/x-raw(memory:CUDAMemory)"

/* Whoever is before a flip gives the size that the filter after it asks for. */
typedef struct
{
  const gchar *name;
  const gchar *filter;
  gint low; /* of the source's height */
  gint high;
  const gchar *field;
} Filtered;

static const Filtered filtered[] = {
  { "one-side", "width=320", 320, 320, "height" },
  { "range", "width=[100,200]", 100, 200, "height" },
  { "list", "width={240,480}", 240, 480, "height" },
  { "other-side", "height=333", 333, 333, "width" },
  { "both", "width=120,height=160", 120, 120, "height" },
};

static void
test_filter (gconstpointer data)
{
  const Filtered *row = data;
  g_autofree gchar *launch =
      g_strdup_printf ("videotestsrc num-buffers=2 name=src ! zcupload ! "
                       "zcflip video-direction=90r ! zcdownload ! "
                       "video/x-raw,%s ! fakesink",
          row->filter);
  g_autoptr (GstCaps) caps = NULL;
  GstElement *pipeline;
  gint size;

  if (!have_device ())
    return;
  pipeline = pipeline_new (launch);
  pipeline_play (pipeline);
  caps = pipeline_caps (pipeline, "src", "src");
  g_assert_true (gst_structure_get_int (gst_caps_get_structure (caps, 0),
      row->field, &size));
  g_assert_cmpint (size, >=, row->low);
  g_assert_cmpint (size, <=, row->high);
  pipeline_free (pipeline);
}

/* The sink side of caps that a peer after the flip asks for. */
typedef struct
{
  const gchar *name;
  GstVideoOrientationMethod orientation;
  const gchar *downstream;
  const gchar *upstream;
} Turned;

static const Turned turned[] = {
  { "int", GST_VIDEO_ORIENTATION_90R, "format=NV12,width=320,height=240",
      "format=NV12,width=240,height=320" },
  { "range", GST_VIDEO_ORIENTATION_UL_LR, "format=NV12,width=[1,640]",
      "format=NV12,height=[1,640]" },
  { "list", GST_VIDEO_ORIENTATION_90L, "format=NV12,width={16,32},height=8",
      "format=NV12,height={16,32},width=8" },
  { "absent", GST_VIDEO_ORIENTATION_UR_LL, "format=NV12", "format=NV12" },
  { "par", GST_VIDEO_ORIENTATION_90R, "format=NV12,pixel-aspect-ratio=16/15",
      "format=NV12,pixel-aspect-ratio=15/16" },
  { "par-range", GST_VIDEO_ORIENTATION_90R,
      "format=NV12,pixel-aspect-ratio=[1/2,4/3]",
      "format=NV12,pixel-aspect-ratio=[3/4,2/1]" },
  { "par-list", GST_VIDEO_ORIENTATION_90R,
      "format=NV12,pixel-aspect-ratio={(fraction)1/1,(fraction)4/3}",
      "format=NV12,pixel-aspect-ratio={(fraction)1/1,(fraction)3/4}" },
  { "par-range-from-0", GST_VIDEO_ORIENTATION_90R,
      "format=NV12,pixel-aspect-ratio=[0/1,4/3]",
      "format=NV12,pixel-aspect-ratio=[3/4,2147483647/1]" },
  { "par-180", GST_VIDEO_ORIENTATION_180,
      "format=NV12,width=[1,640],pixel-aspect-ratio=16/15",
      "format=NV12,width=[1,640],pixel-aspect-ratio=16/15" },
  { "no-transpose", GST_VIDEO_ORIENTATION_90R, "format={NV12,Y42B,I422_10LE}",
      "format=NV12" },
  { "packed-422", GST_VIDEO_ORIENTATION_90R, "format=YUY2", "format=YUY2" },
  { "planar-422-180", GST_VIDEO_ORIENTATION_180, "format={NV12,Y42B}",
      "format={NV12,Y42B}" },
  { "interlaced", GST_VIDEO_ORIENTATION_VERT,
      "format=NV12,interlace-mode={progressive,interleaved}",
      "format=NV12,interlace-mode=progressive" },
  { "interlaced-horiz", GST_VIDEO_ORIENTATION_HORIZ,
      "format=NV12,interlace-mode={progressive,interleaved}",
      "format=NV12,interlace-mode={progressive,interleaved}" },
};

static GstCaps *
cuda_caps (const gchar *fields)
{
  g_autofree gchar *text = g_strdup_printf ("%s,%s", CUDA, fields);

  return gst_caps_from_string (text);
}

/* What @from lets through @filter, that is upright where it was not. */
static void
check_transform (GstElement *flip, GstPadDirection direction, GstCaps *from,
    GstCaps *to)
{
  GstBaseTransformClass *klass = GST_BASE_TRANSFORM_GET_CLASS (flip);
  g_autoptr (GstCaps) result = NULL, filtered_result = NULL, held = NULL;

  /* A second reference: the function must not write into its argument. */
  held = gst_caps_ref (from);
  result =
      klass->transform_caps (GST_BASE_TRANSFORM (flip), direction, from, NULL);
  if (!gst_caps_is_equal (result, to))
    g_error ("%s, not %s", gst_caps_to_string (result),
        gst_caps_to_string (to));

  filtered_result =
      klass->transform_caps (GST_BASE_TRANSFORM (flip), direction, from, to);
  g_assert_true (gst_caps_is_subset (filtered_result, to));
}

static void
test_turned (gconstpointer data)
{
  const Turned *row = data;
  GstElement *flip = gst_element_factory_make ("zcflip", NULL);
  g_autoptr (GstCaps) downstream = cuda_caps (row->downstream);
  g_autoptr (GstCaps) upstream = cuda_caps (row->upstream);

  g_object_set (flip, "video-direction", row->orientation, NULL);
  check_transform (flip, GST_PAD_SRC, downstream, upstream);
  check_transform (flip, GST_PAD_SINK, downstream, upstream);
  gst_object_unref (flip);
}

/* Fields of a query may hold anything. */
static void
test_hostile (void)
{
  static const gchar *const hostile[] = { "format=(int)5",
    "format=NV12,interlace-mode=(int)1",
    "format=NV12,pixel-aspect-ratio=(int)2",
    "format=NV12,pixel-aspect-ratio=[-4/1,-1/2]" };
  GstElement *flip = gst_element_factory_make ("zcflip", NULL);
  g_autoptr (GstCaps) none = gst_caps_new_empty ();

  g_object_set (flip, "video-direction", GST_VIDEO_ORIENTATION_90R, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (hostile); i++) {
    g_autoptr (GstCaps) caps = cuda_caps (hostile[i]);

    check_transform (flip, GST_PAD_SINK, caps, none);
  }
  gst_object_unref (flip);
}

/* The inverse of a range at the end of what a fraction can say. */
static void
test_narrow_range (void)
{
  GstElement *flip = gst_element_factory_make ("zcflip", NULL);
  g_autoptr (GstCaps) caps =
      cuda_caps ("format=NV12,pixel-aspect-ratio=[-1/1,1/2147483647]");
  g_autoptr (GstCaps) turned_caps =
      cuda_caps ("format=NV12,pixel-aspect-ratio=2147483647/1");

  g_object_set (flip, "video-direction", GST_VIDEO_ORIENTATION_90R, NULL);
  check_transform (flip, GST_PAD_SINK, caps, turned_caps);
  gst_object_unref (flip);
}

/* The query on both pads, through the peers. */
static void
test_query (void)
{
  g_autoptr (GstCaps) asked = cuda_caps ("format=NV12,width=[10,20],height=7");
  g_autoptr (GstCaps) expected =
      cuda_caps ("format=NV12,width=7,height=[10,20]");
  g_autoptr (GstCaps) result = NULL;
  GstHarness *h;

  if (!have_device ())
    return;
  h = gst_harness_new ("zcflip");
  g_object_set (h->element, "video-direction", GST_VIDEO_ORIENTATION_90R, NULL);
  gst_harness_set_sink_caps (h, gst_caps_ref (asked));
  gst_harness_play (h);
  result = gst_pad_peer_query_caps (h->srcpad, NULL);
  if (gst_caps_is_empty (result) || !gst_caps_is_subset (result, expected))
    g_error ("%s", gst_caps_to_string (result));
  gst_harness_teardown (h);
}

/* Pictures that have no answer when turned, and what zcflip says of them */
typedef struct
{
  const gchar *name;
  GstVideoFormat format;
  const gchar *mode;
  GstVideoOrientationMethod orientation;
  const gchar *reason;
  const gchar *advice;
} Refused;

static const Refused refused[] = {
  { "Y42B", GST_VIDEO_FORMAT_Y42B, "progressive", GST_VIDEO_ORIENTATION_90R,
      "Y42B can't be turned", "videoconvert" },
  { "I422_10LE", GST_VIDEO_FORMAT_I422_10LE, "progressive",
      GST_VIDEO_ORIENTATION_UL_LR, "I422_10LE can't be turned",
      "videoconvert" },
  { "interlaced", GST_VIDEO_FORMAT_NV12, "interleaved",
      GST_VIDEO_ORIENTATION_90R, "Interlaced video (interleaved)",
      "deinterlace" },
  { "mixed", GST_VIDEO_FORMAT_NV12, "mixed", GST_VIDEO_ORIENTATION_VERT,
      "Interlaced video (mixed)", "deinterlace" },
};

static GstHarness *
chain_with_bus (const Refused *row, GstVideoOrientationMethod orientation,
    GstBus *bus)
{
  GstHarness *h = chain_new ("zcupload ! zcflip ! zcdownload");

  gst_element_set_bus (h->element, bus);
  g_object_set (chain_find (h, "zcflip"), "video-direction", orientation, NULL);
  gst_harness_set_src_caps (h,
      gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
          gst_video_format_to_string (row->format), "width", G_TYPE_INT, 8,
          "height", G_TYPE_INT, 4, "framerate", GST_TYPE_FRACTION, 30, 1,
          "interlace-mode", G_TYPE_STRING, row->mode, NULL));
  return h;
}

static GstFlowReturn
push_frame (GstHarness *h, const Refused *row)
{
  g_auto (RefFrame) frame = { 0 };

  ref_frame_init (&frame, row->format, 8, 4, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  return gst_harness_push (h, pixel_buffer (&frame, TRUE));
}

static GstMessage *
next_complaint (GstBus *bus, GError **error)
{
  GstMessage *message =
      gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);

  if (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, error, NULL);
  else if (message != NULL)
    gst_message_parse_warning (message, error, NULL);
  return message;
}

/* The flip says why and what to do, once; after that, GstBaseTransform may warn
 * that negotiation failed. */
static void
assert_explained (const Refused *row, GstBus *bus, GstMessageType type)
{
  g_autoptr (GError) why = NULL, other = NULL;
  g_autoptr (GstMessage) first = next_complaint (bus, &why);
  g_autoptr (GstMessage) second = next_complaint (bus, &other);

  g_assert_nonnull (first);
  g_assert_cmpint (GST_MESSAGE_TYPE (first), ==, type);
  g_assert_true (g_str_has_prefix (GST_OBJECT_NAME (GST_MESSAGE_SRC (first)),
      "zcflip"));
  g_test_message ("%s", why->message);
  g_assert_nonnull (strstr (why->message, row->reason));
  g_assert_nonnull (strstr (why->message, row->advice));
  if (second == NULL)
    return;
  g_assert_cmpint (GST_MESSAGE_TYPE (second), ==, GST_MESSAGE_WARNING);
  g_assert_null (strstr (other->message, row->reason));
}

/* cases.md 34: no wrong pixels but no negotiation. The source would only say
 * that it failed; its caps may be one offer of several, so this is a warning. */
static void
test_refused (gconstpointer data)
{
  const Refused *row = data;
  g_autoptr (GstBus) bus = NULL;
  GstHarness *h;

  if (!have_device ())
    return;
  bus = gst_bus_new ();
  h = chain_with_bus (row, row->orientation, bus);
  g_assert_cmpint (push_frame (h, row), ==, GST_FLOW_NOT_NEGOTIATED);
  assert_explained (row, bus, GST_MESSAGE_WARNING);
  gst_element_set_bus (h->element, NULL);
  gst_harness_teardown (h);
}

/* The direction changes while such frames flow. */
static void
test_refused_later (gconstpointer data)
{
  const Refused *row = data;
  g_autoptr (GstBus) bus = NULL;
  GstHarness *h;

  if (!have_device ())
    return;
  bus = gst_bus_new ();
  h = chain_with_bus (row, GST_VIDEO_ORIENTATION_HORIZ, bus);
  g_assert_cmpint (push_frame (h, row), ==, GST_FLOW_OK);
  g_object_set (chain_find (h, "zcflip"), "video-direction", row->orientation,
      NULL);
  g_assert_cmpint (push_frame (h, row), ==, GST_FLOW_NOT_NEGOTIATED);
  assert_explained (row, bus, GST_MESSAGE_ERROR);
  gst_element_set_bus (h->element, NULL);
  gst_harness_teardown (h);
}

/* In a whole pipeline, the source's error comes too. */
static void
test_refused_pipeline (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) flip = NULL;
  GstElement *pipeline;

  if (!have_device ())
    return;
  pipeline = pipeline_new ("videotestsrc num-buffers=2 ! "
                           "video/x-raw,format=Y42B ! zcupload ! "
                           "zcflip name=flip ! zcdownload ! fakesink");
  flip = gst_bin_get_by_name (GST_BIN (pipeline), "flip");
  g_object_set (flip, "video-direction", GST_VIDEO_ORIENTATION_90R, NULL);
  error = pipeline_play_error (pipeline);
  g_assert_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED);
  pipeline_free (pipeline);
}

/* Fields stay fields: identity and left-right let interlaced video pass. */
static void
test_interlaced (gconstpointer data)
{
  const Refused row = { "interlaced", GST_VIDEO_FORMAT_NV12, "interleaved" };
  GstVideoOrientationMethod orientation = GPOINTER_TO_INT (data);
  g_auto (RefFrame) frame = { 0 }, expected = { 0 };
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GstBus) bus = NULL;
  GstHarness *h;
  GstBuffer *out;

  if (!have_device ())
    return;
  bus = gst_bus_new ();
  h = chain_with_bus (&row, orientation, bus);
  ref_frame_init (&frame, row.format, 8, 4, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  ref_frame_init_turned (&expected, &frame, orientation, REF_TIGHT);
  ref_frame_flip (&expected, &frame, orientation);
  out = pixel_buffer (&frame, TRUE);
  GST_BUFFER_FLAG_SET (out, GST_VIDEO_BUFFER_FLAG_INTERLACED);
  GST_BUFFER_FLAG_SET (out, GST_VIDEO_BUFFER_FLAG_TFF);
  out = chain_run (h, out);
  pixel_assert (&expected, out, ref_orientation_name (orientation));
  g_assert_true (GST_BUFFER_FLAG_IS_SET (out, GST_VIDEO_BUFFER_FLAG_TFF));
  caps = gst_pad_get_current_caps (h->sinkpad);
  g_assert_cmpstr (gst_structure_get_string (gst_caps_get_structure (caps, 0),
                       "interlace-mode"),
      ==, "interleaved");
  g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
  gst_buffer_unref (out);
  gst_element_set_bus (h->element, NULL);
  gst_harness_teardown (h);
}

static const gchar rest[] =
    "framerate=30000/1001,colorimetry=2:3:7:1,"
    "chroma-site=v-cosited,multiview-mode=mono,"
    "mastering-display-info=(string)13250:34500:7500:3000:34000:16000:15635:"
    "16450:10000000:1,content-light-level=(string)1000:400";

static GstCaps *
rich_caps (const gchar *size)
{
  g_autofree gchar *text =
      g_strdup_printf ("video/x-raw,format=P010_10LE,%s,%s", size, rest);

  return gst_caps_from_string (text);
}

/* cases.md 60: all but size and aspect is none of our business. */
static void
test_fields (void)
{
  g_autoptr (GstCaps) in =
      rich_caps ("width=32,height=16,pixel-aspect-ratio=16/15");
  g_autoptr (GstCaps) expected =
      rich_caps ("width=16,height=32,pixel-aspect-ratio=15/16");
  g_autoptr (GstCaps) out = NULL;
  g_auto (RefFrame) frame = { 0 };
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcflip video-direction=ur-ll ! zcdownload");
  gst_harness_set_src_caps (h, gst_caps_ref (in));
  ref_frame_init (&frame, GST_VIDEO_FORMAT_P010_10LE, 32, 16, REF_TIGHT);
  gst_buffer_unref (chain_run (h, pixel_buffer (&frame, TRUE)));
  out = gst_pad_get_current_caps (h->sinkpad);
  if (!gst_caps_is_equal (out, expected))
    g_error ("%s", gst_caps_to_string (out));
  gst_harness_teardown (h);
}

static void
add_rows (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (filtered); i++) {
    g_autofree gchar *path =
        g_strconcat ("/flip-caps/filter/", filtered[i].name, NULL);

    g_test_add_data_func (path, &filtered[i], test_filter);
  }
  for (guint i = 0; i < G_N_ELEMENTS (turned); i++) {
    g_autofree gchar *path =
        g_strconcat ("/flip-caps/turned/", turned[i].name, NULL);

    g_test_add_data_func (path, &turned[i], test_turned);
  }
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autofree gchar *path =
        g_strconcat ("/flip-caps/refused/", refused[i].name, NULL);
    g_autofree gchar *later =
        g_strconcat ("/flip-caps/refused-later/", refused[i].name, NULL);

    g_test_add_data_func (path, &refused[i], test_refused);
    g_test_add_data_func (later, &refused[i], test_refused_later);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  add_rows ();
  g_test_add_func ("/flip-caps/query", test_query);
  g_test_add_func ("/flip-caps/hostile", test_hostile);
  g_test_add_func ("/flip-caps/narrow-range", test_narrow_range);
  g_test_add_func ("/flip-caps/refused/pipeline", test_refused_pipeline);
  g_test_add_data_func ("/flip-caps/interlaced/identity",
      GINT_TO_POINTER (GST_VIDEO_ORIENTATION_IDENTITY), test_interlaced);
  g_test_add_data_func ("/flip-caps/interlaced/horiz",
      GINT_TO_POINTER (GST_VIDEO_ORIENTATION_HORIZ), test_interlaced);
  g_test_add_func ("/flip-caps/fields", test_fields);
  return g_test_run ();
}
