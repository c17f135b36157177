/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Host memory of all kinds: each takes the fastest way that there is for it,
 * every sample arrives, whatever the driver refuses, and all is given back. */

#include "cudapanel.h"
#include "cudatest.h"
#include "paddedpool.h"
#include "pixels.h"

#define ERROR_OUT_OF_MEMORY 2
#define ERROR_NOT_SUPPORTED 801
#define WIDTH 322
#define HEIGHT 241
#define N_BUFFERS 3
#define N_FRAMES 24
#define PATIENCE (10 * G_USEC_PER_SEC)
#define CUDA_CAPS                                                              \
  "video/x-raw(memory:CUDAMemory),format=NV12,width=322,height=241,"           \
  "framerate=30/1"

typedef enum
{
  POOL, /* what zcupload offers */
  RECYCLED, /* a plain pool of somebody else's */
  PARTS, /* the same, but each frame is a new part of its memory */
  NEW, /* memory that was never seen before */
  STILL, /* one buffer, again and again */
  LOCKED, /* new memory objects, of bytes that others page-locked */
  MIXED, /* the first plane page-locked, the second one not */
  N_KINDS
} Kind;

static const gchar *const names[] = { "pool", "recycled", "parts", "new",
  "still", "locked", "mixed" };

typedef struct
{
  Kind kind;
  GstVideoInfo info;
  GstBufferPool *pool;
  GstAllocator *pinned;
  GstBuffer *still;
  RefFrame still_frame;
} Source;

static GstBufferPool *
new_pool (const GstVideoInfo *info, GstAllocator *allocator)
{
  GstBufferPool *pool = gst_video_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);

  gst_buffer_pool_config_set_params (config, caps, info->size, N_BUFFERS,
      N_BUFFERS);
  if (allocator != NULL)
    gst_buffer_pool_config_set_allocator (config, allocator, NULL);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  return pool;
}

static void
source_init (Source *self, Kind kind)
{
  GstCudaContext *context = gst_zc_context_new (0, NULL);

  *self = (Source) { .kind = kind };
  gst_video_info_set_format (&self->info, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  self->pinned = gst_zc_pinned_allocator_new (context);
  gst_object_unref (context);
  if (kind != NEW && kind != MIXED && kind != LOCKED)
    self->pool = new_pool (&self->info, kind == POOL ? self->pinned : NULL);
}

static void
source_clear (Source *self)
{
  gst_clear_buffer (&self->still);
  ref_frame_clear (&self->still_frame);
  if (self->pool != NULL)
    gst_buffer_pool_set_active (self->pool, FALSE);
  gst_clear_object (&self->pool);
  gst_clear_object (&self->pinned);
}

static void
copy_rows (guint8 *to, gsize to_stride, const RefPlane *from)
{
  for (gint y = 0; y < from->height; y++)
    memcpy (to + y * to_stride, from->data + y * from->stride,
        ref_plane_row_bytes (from));
}

static void
fill (GstBuffer *buffer, const RefFrame *frame, const GstVideoInfo *info)
{
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (guint i = 0; i < 2; i++)
    copy_rows (map.data + info->offset[i], info->stride[i], &frame->plane[i]);
  gst_buffer_unmap (buffer, &map);
}

static GstBuffer *
acquire (Source *self, const RefFrame *frame)
{
  GstBuffer *buffer;

  g_assert_cmpint (gst_buffer_pool_acquire_buffer (self->pool, &buffer, NULL),
      ==, GST_FLOW_OK);
  fill (buffer, frame, &self->info);
  return buffer;
}

/* A buffer of a part of the pool's memory, which goes back with it. */
static GstBuffer *
part_of (GstBuffer *whole)
{
  GstBuffer *part = gst_buffer_new ();

  gst_buffer_append_memory (part,
      gst_memory_share (gst_buffer_peek_memory (whole, 0), 0, -1));
  gst_buffer_add_parent_buffer_meta (part, whole);
  gst_buffer_unref (whole);
  return part;
}

static GstBuffer *
mixed (Source *self, const RefFrame *frame)
{
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_append_memory (buffer,
      gst_allocator_alloc (self->pinned, self->info.offset[1], NULL));
  gst_buffer_append_memory (buffer,
      gst_allocator_alloc (NULL, self->info.size - self->info.offset[1], NULL));
  for (guint i = 0; i < 2; i++) {
    GstMapInfo map;

    g_assert_true (gst_memory_map (gst_buffer_peek_memory (buffer, i), &map,
        GST_MAP_WRITE));
    copy_rows (map.data, self->info.stride[i], &frame->plane[i]);
    gst_memory_unmap (map.memory, &map);
  }
  return buffer;
}

static GstBuffer *
locked (Source *self, const RefFrame *frame)
{
  GstCudaContext *context = gst_zc_context_new (0, NULL);
  gpointer bytes = cuda_test_alloc_pinned (context, self->info.size);
  GstBuffer *buffer = gst_buffer_new_wrapped_full (0, bytes, self->info.size, 0,
      self->info.size, bytes, cuda_test_free_pinned);

  fill (buffer, frame, &self->info);
  gst_object_unref (context);
  return buffer;
}

static GstBuffer *
take_still (Source *self, RefFrame *frame)
{
  if (self->still == NULL) {
    self->still_frame = *frame;
    *frame = (RefFrame) { 0 };
    self->still = acquire (self, &self->still_frame);
  }
  ref_frame_clear (frame);
  ref_frame_init (frame, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT, REF_TIGHT);
  for (guint i = 0; i < 2; i++)
    copy_rows (frame->plane[i].data, frame->plane[i].stride,
        &self->still_frame.plane[i]);
  return gst_buffer_ref (self->still);
}

/* The next buffer, and what is in it. */
static GstBuffer *
source_next (Source *self, RefFrame *frame)
{
  ref_frame_init (frame, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT, REF_TIGHT);
  ref_frame_fill_random (frame, pixel_seed ());
  switch (self->kind) {
    case NEW:
      return pixel_buffer_default (frame);
    case MIXED:
      return mixed (self, frame);
    case LOCKED:
      return locked (self, frame);
    case STILL:
      return take_still (self, frame);
    case PARTS:
      return part_of (acquire (self, frame));
    default:
      return acquire (self, frame);
  }
}

static guint64
get_stat (GstHarness *h, const gchar *factory, const gchar *name)
{
  GstStructure *stats;
  guint64 value;

  g_object_get (chain_find (h, factory), "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint64 (stats, name, &value));
  gst_structure_free (stats);
  return value;
}

static GstHarness *
new_chain (const gchar *chain)
{
  GstHarness *h = chain_new (chain);

  chain_set_size (h, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  return h;
}

static void
run_frame (GstHarness *h, Source *source)
{
  g_auto (RefFrame) frame = { 0 };
  GstBuffer *in = source_next (source, &frame), *out = chain_run (h, in);

  pixel_assert (&frame, out, names[source->kind]);
  gst_buffer_unref (out);
}

/* The worker needs a moment. */
static void
run_until_registered (GstHarness *h, Source *source, const gchar *factory,
    gsize bytes)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;

  while (get_stat (h, factory, "registered-bytes") < bytes) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    run_frame (h, source);
    g_usleep (200);
  }
}

static void
assert_nothing_locked (const SoftcudaPanel *panel)
{
  SoftcudaOutstanding alive;

  panel->get_outstanding (&alive);
  g_assert_cmpuint (alive.registrations, ==, 0);
  g_assert_cmpuint (alive.pinned_bytes, ==, 0);
}

/* What a source of that kind is counted as once it is known. */
static const gchar *
expected_route (Kind kind)
{
  switch (kind) {
    case POOL:
    case LOCKED:
      return "pinned";
    case NEW:
    case MIXED:
      return "staged";
    default:
      return "registered";
  }
}

static gsize
expected_bytes (Kind kind, const Source *source)
{
  gsize n = kind == STILL ? 1 : N_BUFFERS;

  return g_str_equal (expected_route (kind), "registered")
      ? n * source->info.size
      : 0;
}

/* Everything is returned at READY, with the source's memory still there. */
static void
test_route (gconstpointer data)
{
  Kind kind = GPOINTER_TO_UINT (data);
  const SoftcudaPanel *panel;
  Source source;
  GstHarness *h;
  guint64 before;

  if (!have_device () || !(panel = cuda_test_panel ()))
    return;
  h = new_chain ("zcupload ! zcdownload");
  source_init (&source, kind);
  run_until_registered (h, &source, "zcupload", expected_bytes (kind, &source));
  before = get_stat (h, "zcupload", expected_route (kind));
  for (guint i = 0; i < N_FRAMES; i++)
    run_frame (h, &source);
  g_assert_cmpuint (get_stat (h, "zcupload", expected_route (kind)) - before,
      ==, N_FRAMES);
  g_assert_cmpuint (get_stat (h, "zcupload", "pageable"), ==, 0);
  g_assert_cmpuint (get_stat (h, "zcdownload", "pinned-bytes"), >,
      source.info.size);
  g_assert_cmpuint (get_stat (h, "zcupload", "ring-bytes") > 0, ==,
      kind != POOL && kind != LOCKED);

  gst_element_set_state (h->element, GST_STATE_READY);
  g_assert_cmpuint (get_stat (h, "zcupload", "registered-bytes"), ==, 0);
  g_assert_cmpuint (get_stat (h, "zcupload", "ring-bytes"), ==, 0);
  source_clear (&source);
  gst_harness_teardown (h);
  assert_nothing_locked (panel);
}

/* Many pictures under way while the GPU is late: no source is read after it was
 * given back, which is when the next picture is written to it. */
static void
test_late (gconstpointer data)
{
  Kind kind = GPOINTER_TO_UINT (data);
  GstHarness *up, *down;
  Source source;

  if (!have_device ())
    return;
  up = new_chain ("zcupload");
  down = chain_new ("zcdownload");
  gst_harness_set_src_caps (down, gst_caps_from_string (CUDA_CAPS));
  source_init (&source, kind);
  for (guint round = 0; round < 6; round++) {
    RefFrame frames[12] = { 0 };
    GstBuffer *buffers[12];

    for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
      buffers[i] = chain_run (up, source_next (&source, &frames[i]));
    for (guint i = 0; i < G_N_ELEMENTS (buffers); i++) {
      GstBuffer *out = chain_run (down, buffers[i]);

      pixel_assert (&frames[i], out, names[kind]);
      gst_buffer_unref (out);
      ref_frame_clear (&frames[i]);
    }
  }
  source_clear (&source);
  gst_harness_teardown (up);
  gst_harness_teardown (down);
}

static void
run_frames (GstHarness *h, Source *source)
{
  for (guint i = 0; i < N_FRAMES; i++)
    run_frame (h, source);
}

static void
finish (const SoftcudaPanel *panel, GstHarness *h, Source *source)
{
  panel->fail_clear ();
  source_clear (source);
  gst_harness_teardown (h);
  assert_nothing_locked (panel);
}

/* A system that registers nothing, one that has no page-locked memory to give,
 * and an element that may have none. */
static void
test_refused (gconstpointer data)
{
  Kind kind = GPOINTER_TO_UINT (data);
  const SoftcudaPanel *panel;
  Source source;
  GstHarness *h;

  if (!have_device () || !(panel = cuda_test_panel ()))
    return;
  h = new_chain ("zcupload ! zcdownload");
  source_init (&source, kind);
  panel->fail ("cuMemHostRegister_v2", 0, ERROR_NOT_SUPPORTED, 0);
  run_frames (h, &source);
  g_assert_cmpuint (get_stat (h, "zcupload", "staged"), ==,
      kind == POOL || kind == LOCKED ? 0 : N_FRAMES);
  finish (panel, h, &source);
}

static void
test_no_ring (gconstpointer data)
{
  Kind kind = GPOINTER_TO_UINT (data);
  const SoftcudaPanel *panel;
  Source source;
  GstHarness *h;

  if (!have_device () || !(panel = cuda_test_panel ()))
    return;
  h = new_chain ("zcupload ! zcdownload");
  source_init (&source, POOL);
  run_frame (h, &source); /* zcdownload has its buffers */
  source_clear (&source);
  source_init (&source, kind);
  panel->fail ("cuMemHostRegister_v2", 0, ERROR_NOT_SUPPORTED, 0);
  panel->fail ("cuMemHostAlloc", 0, ERROR_OUT_OF_MEMORY, 0);
  run_frames (h, &source);
  g_assert_cmpuint (get_stat (h, "zcupload", "pageable"), ==, N_FRAMES);
  g_assert_cmpuint (get_stat (h, "zcupload", "ring-bytes"), ==, 0);
  finish (panel, h, &source);
}

/* Neither here nor there: slow, and right. */
static void
test_no_locked (gconstpointer data)
{
  Kind kind = GPOINTER_TO_UINT (data);
  const SoftcudaPanel *panel;
  Source source;
  GstHarness *h;

  if (!have_device () || !(panel = cuda_test_panel ()))
    return;
  panel->fail ("cuMemHostRegister_v2", 0, ERROR_NOT_SUPPORTED, 0);
  panel->fail ("cuMemHostAlloc", 0, ERROR_OUT_OF_MEMORY, 0);
  h = new_chain ("zcupload ! zcflip ! zcdownload");
  source_init (&source, kind);
  run_frames (h, &source);
  finish (panel, h, &source);
}

static void
test_none (gconstpointer data)
{
  Kind kind = GPOINTER_TO_UINT (data);
  SoftcudaCounters before, after;
  const SoftcudaPanel *panel;
  Source source;
  GstHarness *h;

  if (!have_device () || !(panel = cuda_test_panel ()))
    return;
  h = new_chain ("zcupload max-pinned-bytes=0 ! zcdownload");
  source_init (&source, kind);
  panel->get_counters (&before);
  for (guint i = 0; i < N_FRAMES; i++)
    run_frame (h, &source);
  panel->get_counters (&after);
  g_assert_cmpuint (after.registrations, ==, before.registrations);
  g_assert_cmpuint (get_stat (h, "zcupload", "pageable"), ==, N_FRAMES);
  g_assert_cmpuint (get_stat (h, "zcupload", "ring-bytes"), ==, 0);
  source_clear (&source);
  gst_harness_teardown (h);
}

/* The limit is one of bytes: some of the buffers are registered, the others
 * take another way. */
static void
test_limit (void)
{
  Source source;
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_chain ("zcupload max-pinned-bytes=250000 ! zcdownload");
  source_init (&source, RECYCLED);
  g_assert_cmpuint (N_BUFFERS * source.info.size, >, 250000);
  run_until_registered (h, &source, "zcupload", 2 * source.info.size);
  for (guint i = 0; i < N_FRAMES; i++)
    run_frame (h, &source);
  /* Memory has a few bytes more than was asked for. */
  g_assert_cmpuint (get_stat (h, "zcupload", "registered-bytes"), <, 250000);
  g_assert_cmpuint (get_stat (h, "zcupload", "ring-bytes"), <=, 62500);
  source_clear (&source);
  gst_harness_teardown (h);
}

/* Each copy fails once, at first sight and later: the frame is refused with an
 * error, no buffer is kept, and the next one arrives. */
static void
test_copy_fails (gconstpointer data)
{
  Kind kind = GPOINTER_TO_UINT (data);
  const SoftcudaPanel *panel;
  GstBus *bus;
  Source source;
  GstHarness *h;

  if (!have_device () || !(panel = cuda_test_panel ()))
    return;
  h = new_chain ("zcupload ! zcdownload");
  bus = gst_bus_new ();
  gst_element_set_bus (h->element, bus);
  source_init (&source, kind);
  for (guint round = 0; round < 5; round++) {
    for (guint nth = 1; nth <= 6; nth++) {
      g_auto (RefFrame) frame = { 0 };
      GstBuffer *in = source_next (&source, &frame);
      GstFlowReturn flow;

      panel->fail ("cuMemcpy2DAsync_v2", nth, 1, 0);
      flow = gst_harness_push (h, in);
      panel->fail_clear ();
      if (flow == GST_FLOW_OK)
        gst_buffer_unref (gst_harness_pull (h));
      else
        g_assert_cmpint (flow, ==, GST_FLOW_ERROR);
      g_assert_true (nth > 1 || flow != GST_FLOW_OK);
      run_frame (h, &source);
    }
  }
  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  source_clear (&source);
  gst_harness_teardown (h);
  assert_nothing_locked (panel);
}

typedef struct
{
  GstBufferPool *pool;
} Offer;

static GstPadProbeReturn
answer (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);
  Offer *offer = data;

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_pool (query, offer->pool, 2 * WIDTH * HEIGHT, 2, 0);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return GST_PAD_PROBE_HANDLED;
}

/* All buffers of downstream's pool, however many it has. */
static void
run_until_all_registered (GstHarness *h, Source *source)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;
  guint64 before = 0, now = 0;

  for (guint n = 0; n<N_FRAMES; n = now> before ? n + 1 : 0) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    before = now;
    run_frame (h, source);
    g_usleep (200);
    now = get_stat (h, "zcdownload", "registered");
  }
}

/* A display's pool: its buffers are registered when they come again, and
 * nothing but pixels is written to them. */
static void
test_down (void)
{
  Offer offer = { 0 };
  const SoftcudaPanel *panel;
  Source source;
  guint64 before;
  GstHarness *h;

  if (!have_device () || !(panel = cuda_test_panel ()))
    return;
  offer.pool = padded_pool_new ();
  h = chain_new ("zcupload ! zcdownload");
  gst_pad_add_probe (h->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, answer,
      &offer, NULL);
  chain_set_size (h, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  source_init (&source, POOL);
  run_until_all_registered (h, &source);
  before = get_stat (h, "zcdownload", "registered");
  for (guint i = 0; i < N_FRAMES; i++) {
    g_auto (RefFrame) frame = { 0 };
    GstBuffer *out = chain_run (h, source_next (&source, &frame));

    g_assert_true (out->pool == offer.pool);
    pixel_assert (&frame, out, "display");
    padded_pool_check (out);
    gst_buffer_unref (out);
  }
  g_assert_cmpuint (get_stat (h, "zcdownload", "registered") - before, ==,
      N_FRAMES);
  g_assert_cmpuint (get_stat (h, "zcdownload", "pinned"), ==, 0);
  gst_element_set_state (h->element, GST_STATE_READY);
  g_assert_cmpuint (get_stat (h, "zcdownload", "registered-bytes"), ==, 0);
  source_clear (&source);
  gst_harness_teardown (h);
  gst_object_unref (offer.pool);
  assert_nothing_locked (panel);
}

/* Larger pictures get a larger ring, and smaller ones do not. */
static void
test_sizes (void)
{
  static const gint sizes[][2] = { { 64, 48 }, { 640, 480 }, { 320, 240 },
    { 1280, 720 }, { 2, 2 } };
  guint64 bytes, before = 0;
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcdownload");
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    chain_set_size (h, GST_VIDEO_FORMAT_NV12, sizes[i][0], sizes[i][1]);
    for (guint n = 0; n < 3; n++) {
      g_auto (RefFrame) frame = { 0 };
      GstBuffer *out;

      ref_frame_init (&frame, GST_VIDEO_FORMAT_NV12, sizes[i][0], sizes[i][1],
          REF_TIGHT);
      ref_frame_fill_random (&frame, pixel_seed ());
      out = chain_run (h, pixel_buffer_default (&frame));
      pixel_assert (&frame, out, "size");
      gst_buffer_unref (out);
    }
    bytes = get_stat (h, "zcupload", "ring-bytes");
    g_assert_cmpuint (bytes, >=, before);
    g_assert_cmpuint (bytes, >=, sizes[i][0] * sizes[i][1] * 3);
    before = bytes;
  }
  g_assert_cmpuint (get_stat (h, "zcupload", "staged"), ==,
      3 * G_N_ELEMENTS (sizes));
  gst_harness_teardown (h);
}

static void
add (const gchar *what, Kind kind, GTestDataFunc func)
{
  g_autofree gchar *path =
      g_strdup_printf ("/host-memory/%s/%s", what, names[kind]);

  g_test_add_data_func (path, GUINT_TO_POINTER (kind), func);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  for (Kind kind = 0; kind < N_KINDS; kind++) {
    add ("route", kind, test_route);
    add ("late", kind, test_late);
    add ("refused", kind, test_refused);
    add ("copy-fails", kind, test_copy_fails);
  }
  for (Kind kind = POOL + 1; kind < LOCKED; kind++) {
    add ("no-ring", kind, test_no_ring);
    add ("no-locked", kind, test_no_locked);
    add ("none", kind, test_none);
  }
  g_test_add_func ("/host-memory/limit", test_limit);
  g_test_add_func ("/host-memory/down", test_down);
  g_test_add_func ("/host-memory/sizes", test_sizes);
  return g_test_run ();
}
