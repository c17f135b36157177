/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */
/*
 * The kernels as the host's compiler makes them, against the reference: every
 * element, orientation, size and memory layout, with canary around the planes.
 * It needs neither a GPU nor softcuda.
 */
#include <cstring>
#include <sys/mman.h>

#include "../softcuda/kernelshim.h"
#include "../../kernels/flip.cu"

#include "reference.h"

typedef void (*RunBlock) (const void *args, const unsigned grid[3],
    const unsigned block[3], const unsigned index[3], void *shared);

static const RunBlock kernels[] = {
#define ZC_FLIP_TWIN(id, name) sc_run_block<ZcFlipArgs, name>,
  ZC_FLIP_KERNELS (ZC_FLIP_TWIN)
#undef ZC_FLIP_TWIN
};

static const uint32_t kinds[] = { ZC_FLIP_1, ZC_FLIP_2, ZC_FLIP_3, ZC_FLIP_4,
  ZC_FLIP_6, ZC_FLIP_8, ZC_FLIP_YUYV, ZC_FLIP_UYVY };

static const struct
{
  gint width, height;
} sizes[] = {
  { 1, 1 },
  { 2, 2 },
  { 2, 3 },
  { 3, 5 },
  { 17, 31 },
  { 33, 70 },
  { 48, 18 },
  { 321, 241 },
  { 322, 242 },
};

static GRand *seeded;

typedef struct
{
  uint32_t kind;
  GstVideoOrientationMethod orientation;
} Case;

static void
describe (RefPlane *plane, uint32_t kind, gint width, gint height)
{
  plane->packing = kind == ZC_FLIP_YUYV ? REF_YUYV
      : kind == ZC_FLIP_UYVY            ? REF_UYVY
                                        : REF_PLAIN;
  plane->bytes = (gint) zc_flip_element_bytes (kind);
  plane->width = width;
  plane->height = height;
}

/* Maps of the eight, as a picture of w x h needs them */
static void
set_map (ZcFlipPlane *p, GstVideoOrientationMethod orientation, gint w, gint h)
{
  gboolean turn = ref_is_transposing (orientation);
  gboolean back_x = orientation == GST_VIDEO_ORIENTATION_HORIZ ||
      orientation == GST_VIDEO_ORIENTATION_180 ||
      orientation == GST_VIDEO_ORIENTATION_90L ||
      orientation == GST_VIDEO_ORIENTATION_UR_LL;
  gboolean back_y = orientation == GST_VIDEO_ORIENTATION_VERT ||
      orientation == GST_VIDEO_ORIENTATION_180 ||
      orientation == GST_VIDEO_ORIENTATION_90R ||
      orientation == GST_VIDEO_ORIENTATION_UR_LL;

  *(turn ? &p->b : &p->a) = back_x ? -1 : 1;
  *(turn ? &p->d : &p->e) = back_y ? -1 : 1;
  p->c = back_x ? w - 1 : 0;
  p->f = back_y ? h - 1 : 0;
}

static ZcFlipPlane
plane_args (const RefPlane *dst, const RefPlane *src, const Case *test)
{
  ZcFlipPlane p = {};

  p.kind = test->kind;
  p.src = (uint64_t) src->data;
  p.dst = (uint64_t) dst->data;
  p.src_stride = src->stride;
  p.dst_stride = dst->stride;
  p.width = dst->width;
  p.height = dst->height;
  set_map (&p, test->orientation, src->width, src->height);
  return p;
}

static void
launch (ZcFlipArgs *args)
{
  ZcFlipLaunch l = zc_flip_layout (args);
  const unsigned grid[3] = { l.blocks, 1, 1 };
  const unsigned block[3] = { ZC_FLIP_THREADS, 1, 1 };

  for (unsigned i = 0; i < l.blocks; i++) {
    const unsigned index[3] = { i, 0, 0 };

    kernels[l.kernel](args, grid, block, index, nullptr);
  }
}

static void
compare (const RefPlane *expected, const RefPlane *got, const Case *test,
    const gchar *layouts)
{
  gchar *message = ref_plane_compare (expected, got);

  if (message)
    g_error ("kind %u, %s, %dx%d, %s: %s", test->kind,
        ref_orientation_name (test->orientation), got->width, got->height,
        layouts, message);
}

static void
check_flip (const Case *test, gint width, gint height, RefLayout from,
    RefLayout to)
{
  gboolean turn = ref_is_transposing (test->orientation);
  gchar *layouts = g_strdup_printf ("%s to %s", ref_layout_name (from),
      ref_layout_name (to));
  RefPlane src, expected, got;
  ZcFlipArgs args = {};

  describe (&src, test->kind, width, height);
  describe (&expected, test->kind, turn ? height : width,
      turn ? width : height);
  got = expected;
  ref_plane_alloc (&src, from);
  ref_plane_alloc (&expected, to);
  ref_plane_alloc (&got, to);
  ref_plane_fill_random (&src, seeded);

  ref_plane_flip (&expected, &src, test->orientation);
  args.n_planes = 1;
  args.plane[0] = plane_args (&got, &src, test);
  launch (&args);
  compare (&expected, &got, test, layouts);

  ref_plane_clear (&src);
  ref_plane_clear (&expected);
  ref_plane_clear (&got);
  g_free (layouts);
}

/* Large pictures: each layout with the next one only. */
static bool
is_wanted (gint width, int from, int to)
{
  return width < 300 || to == (from + 1) % REF_N_LAYOUTS;
}

static void
test_kind (gconstpointer data)
{
  const Case *test = (const Case *) data;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    for (int from = 0; from < REF_N_LAYOUTS; from++) {
      for (int to = 0; to < REF_N_LAYOUTS; to++) {
        if (is_wanted (sizes[i].width, from, to))
          check_flip (test, sizes[i].width, sizes[i].height, (RefLayout) from,
              (RefLayout) to);
      }
    }
  }
}

/* Four planes of different elements and sizes share a launch. */
static void
test_planes (gconstpointer data)
{
  GstVideoOrientationMethod orientation =
      (GstVideoOrientationMethod) GPOINTER_TO_INT (data);
  gboolean turn = ref_is_transposing (orientation);
  RefPlane src[4], expected[4], got[4];
  ZcFlipArgs args = {};

  args.n_planes = 4;
  for (int i = 0; i < 4; i++) {
    Case test = { kinds[i], orientation };
    gint width = 300 >> i, height = 200 >> i;

    describe (&src[i], test.kind, width, height);
    describe (&expected[i], test.kind, turn ? height : width,
        turn ? width : height);
    got[i] = expected[i];
    ref_plane_alloc (&src[i], REF_PADDED);
    ref_plane_alloc (&expected[i], REF_PADDED);
    ref_plane_alloc (&got[i], REF_PADDED);
    ref_plane_fill_random (&src[i], seeded);
    ref_plane_flip (&expected[i], &src[i], orientation);
    args.plane[i] = plane_args (&got[i], &src[i], &test);
  }
  launch (&args);
  for (int i = 0; i < 4; i++) {
    Case test = { kinds[i], orientation };

    compare (&expected[i], &got[i], &test, "four planes");
    ref_plane_clear (&src[i]);
    ref_plane_clear (&expected[i]);
    ref_plane_clear (&got[i]);
  }
}

/* Nothing beside a tight plane is read: it stands alone in its memory, where
 * the address sanitizer watches. */
static void
test_bounds (void)
{
  const gint width = 37, height = 19;

  for (guint i = 0; i < G_N_ELEMENTS (kinds) * 8; i++) {
    Case test = { kinds[i / 8], (GstVideoOrientationMethod) (i % 8) };
    gboolean turn = ref_is_transposing (test.orientation);
    RefPlane src, dst;
    ZcFlipArgs args = {};

    describe (&src, test.kind, width, height);
    describe (&dst, test.kind, turn ? height : width, turn ? width : height);
    src.stride = (gssize) ref_plane_row_bytes (&src);
    src.data = (guint8 *) g_malloc0 (src.stride * src.height);
    ref_plane_alloc (&dst, REF_TIGHT);
    args.n_planes = 1;
    args.plane[0] = plane_args (&dst, &src, &test);
    launch (&args);
    for (gsize k = 0; k < ref_plane_row_bytes (&dst) * dst.height; k++)
      g_assert_cmpint (dst.data[k], ==, 0);
    ref_plane_clear (&dst);
    g_free (src.data);
  }
}

/* Rows 3 GiB apart: offsets do not fit 32 bits. Only touched pages are real. */
static void
test_far_rows (void)
{
  const gssize stride = (gssize) 3 << 30;
  const gsize size = (gsize) stride * 2 + 4096;
  void *memory = mmap (nullptr, size, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  if (memory == MAP_FAILED) {
    g_test_skip ("no address space");
    return;
  }
  for (guint i = 0; i < 8; i++) {
    Case test = { ZC_FLIP_4, (GstVideoOrientationMethod) i };
    RefPlane src, expected, got;
    ZcFlipArgs args = {};

    describe (&src, test.kind, 3, 3);
    expected = got = src;
    src.data = (guint8 *) memory;
    src.stride = stride;
    ref_plane_alloc (&expected, REF_PADDED);
    ref_plane_alloc (&got, REF_PADDED);
    ref_plane_fill_random (&src, seeded);
    ref_plane_flip (&expected, &src, test.orientation);
    args.n_planes = 1;
    args.plane[0] = plane_args (&got, &src, &test);
    launch (&args);
    compare (&expected, &got, &test, "far rows");
    ref_plane_clear (&expected);
    ref_plane_clear (&got);
  }
  munmap (memory, size);
}

/* The largest pictures stay within a launch's limits. */
static void
test_largest (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds) * 8; i++) {
    Case test = { kinds[i / 8], (GstVideoOrientationMethod) (i % 8) };
    RefPlane plane;
    ZcFlipArgs args = {};
    ZcFlipLaunch l;

    describe (&plane, test.kind, 32768, 32768);
    plane.data = (guint8 *) 4096;
    plane.stride = (gssize) ref_plane_row_bytes (&plane);
    args.n_planes = 4;
    for (int k = 0; k < 4; k++)
      args.plane[k] = plane_args (&plane, &plane, &test);
    l = zc_flip_layout (&args);
    g_assert_cmpuint (l.blocks, <, G_MAXINT32);
    g_assert_cmpuint (args.plane[3].first_block, ==, l.blocks / 4 * 3);
    g_assert_cmpuint (args.plane[0].src_high, ==, 4096 + plane.stride * 32768);
  }
}

/* Which kernel serves a picture of this width, its rows so far apart */
static ZcFlipKernel
kernel_of (uint32_t kind, GstVideoOrientationMethod orientation, gint width,
    uint64_t address, gssize stride)
{
  Case test = { kind, orientation };
  RefPlane plane;
  ZcFlipArgs args = {};

  describe (&plane, kind, width, width);
  plane.data = (guint8 *) address;
  plane.stride = stride;
  args.n_planes = 1;
  args.plane[0] = plane_args (&plane, &plane, &test);
  return zc_flip_layout (&args).kernel;
}

/* The quick kernel of usual pictures, and the one that serves any. */
static void
get_kernels (uint32_t kind, GstVideoOrientationMethod orientation,
    ZcFlipKernel *quick, ZcFlipKernel *any)
{
  if (orientation == GST_VIDEO_ORIENTATION_VERT) {
    *quick = *any = ZC_FLIP_KERNEL_COPY;
  } else if (orientation == GST_VIDEO_ORIENTATION_90R) {
    *quick = ZC_FLIP_KERNEL_TURN;
    *any = ZC_FLIP_KERNEL_TURN_WIDE;
  } else {
    *quick = kind == ZC_FLIP_3 || kind == ZC_FLIP_6
        ? ZC_FLIP_KERNEL_MIRROR_THIRDS
        : ZC_FLIP_KERNEL_MIRROR;
    /* a byte is aligned anywhere */
    *any = kind == ZC_FLIP_1 ? *quick : ZC_FLIP_KERNEL_MIRROR_WIDE;
  }
}

static void
test_choice (gconstpointer data)
{
  GstVideoOrientationMethod o =
      (GstVideoOrientationMethod) GPOINTER_TO_INT (data);
  ZcFlipKernel quick, any;

  for (uint32_t kind : kinds) {
    get_kernels (kind, o, &quick, &any);
    g_assert_cmpint (kernel_of (kind, o, 1920, 512, 15360), ==, quick);
    g_assert_cmpint (kernel_of (kind, o, 1920, 513, 15360), ==, any);
    g_assert_cmpint (kernel_of (kind, o, 1920, 512, 15361), ==, any);
  }
}

/* Rows that are no whole blocks, or no whole macropixels */
static void
test_choice_of_odd_widths (void)
{
  const GstVideoOrientationMethod o = GST_VIDEO_ORIENTATION_180;

  g_assert_cmpint (kernel_of (ZC_FLIP_3, o, 1366, 512, 4608), ==,
      ZC_FLIP_KERNEL_MIRROR_WIDE);
  g_assert_cmpint (kernel_of (ZC_FLIP_YUYV, o, 1919, 512, 4096), ==,
      ZC_FLIP_KERNEL_MIRROR_WIDE);
  g_assert_cmpint (kernel_of (ZC_FLIP_3, GST_VIDEO_ORIENTATION_90R, 1366, 512,
                       4608),
      ==, ZC_FLIP_KERNEL_TURN);
}

/* Adds a lane's access to the words that its phase wants of each bank. */
static void
touch_bank (gint wanted[32], int word)
{
  gint *bank = &wanted[word % 32];

  if (*bank != word)
    g_assert_cmpint (*bank, ==, -1);
  *bank = word;
}

/* Shared memory serves a warp at once, 8-byte accesses by half warps, 16-byte
 * ones by quarters, if no bank is wanted for two words. */
template <int KIND>
static void
check_banks_of_load (void)
{
  typedef Turn<KIND, true> T;
  constexpr int words = T::COLUMN_WORDS == 3 ? 1 : T::COLUMN_WORDS;
  constexpr unsigned lanes = 32 / words;

  for (unsigned first = 0; first < ZC_FLIP_THREADS; first += lanes) {
    for (int column = 0; column < T::COLUMNS; column++) {
      for (int k = 0; k < T::COLUMN_WORDS; k += words) {
        gint wanted[32];

        memset (wanted, -1, sizeof (wanted));
        for (threadIdx.x = first; threadIdx.x < first + lanes; threadIdx.x++) {
          int word = T::place (T::cell_x (0) * T::COLUMNS + column,
              T::cell_y (0) * T::COLUMN_WORDS + k);

          for (int w = 0; w < words; w++)
            touch_bank (wanted, word + w);
        }
      }
    }
  }
}

template <int KIND>
static void
check_banks_of_store (void)
{
  typedef Turn<KIND, true> T;

  for (int first = 0; first < T::HEIGHT * T::ROW_CHUNKS; first += 8) {
    gint wanted[32];

    memset (wanted, -1, sizeof (wanted));
    for (int n = first; n < first + 8; n++) {
      int word = T::place (n / T::ROW_CHUNKS, n % T::ROW_CHUNKS * 4);

      g_assert_cmpint (word % 4, ==, 0);
      for (int w = 0; w < 4; w++)
        touch_bank (wanted, word + w);
    }
  }
}

template <int KIND>
static void
check_banks (void)
{
  check_banks_of_load<KIND> ();
  check_banks_of_store<KIND> ();
}

static void
test_banks (void)
{
  check_banks<ZC_FLIP_1> ();
  check_banks<ZC_FLIP_2> ();
  check_banks<ZC_FLIP_3> ();
  check_banks<ZC_FLIP_4> ();
  check_banks<ZC_FLIP_6> ();
  check_banks<ZC_FLIP_8> ();
  check_banks<ZC_FLIP_422> ();
}

static void
add_tests (void)
{
  static Case cases[G_N_ELEMENTS (kinds) * 8];
  Case *test = cases;

  for (int o = GST_VIDEO_ORIENTATION_IDENTITY; o <= GST_VIDEO_ORIENTATION_UR_LL;
      o++) {
    const gchar *name = ref_orientation_name ((GstVideoOrientationMethod) o);

    for (guint k = 0; k < G_N_ELEMENTS (kinds); k++, test++) {
      gchar *path = g_strdup_printf ("/flip-kernel/%u/%s", kinds[k], name);

      *test = Case{ kinds[k], (GstVideoOrientationMethod) o };
      g_test_add_data_func (path, test, test_kind);
      g_free (path);
    }
    gchar *path = g_strdup_printf ("/flip-kernel/planes/%s", name);

    g_test_add_data_func (path, GINT_TO_POINTER (o), test_planes);
    g_free (path);
  }
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, nullptr);
  seeded = g_rand_new_with_seed (3);
  g_test_message ("seed 3");
  g_test_add_func ("/flip-kernel/bounds", test_bounds);
  g_test_add_func ("/flip-kernel/far-rows", test_far_rows);
  g_test_add_func ("/flip-kernel/largest", test_largest);
  g_test_add_data_func ("/flip-kernel/choice/vert",
      GINT_TO_POINTER (GST_VIDEO_ORIENTATION_VERT), test_choice);
  g_test_add_data_func ("/flip-kernel/choice/180",
      GINT_TO_POINTER (GST_VIDEO_ORIENTATION_180), test_choice);
  g_test_add_data_func ("/flip-kernel/choice/90r",
      GINT_TO_POINTER (GST_VIDEO_ORIENTATION_90R), test_choice);
  g_test_add_func ("/flip-kernel/choice/odd-widths", test_choice_of_odd_widths);
  g_test_add_func ("/flip-kernel/banks", test_banks);
  add_tests ();
  result = g_test_run ();
  g_rand_free (seeded);
  return result;
}
