/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Memory of others that comes again: registered at third sight, as long as it
 * is there, and not an address longer. */

#include <cuda.h>
#include <gst/allocators/gstfdmemory.h>
#include <gst/zc/gstzcregistration.h>
#include <unistd.h>

#include "cudapanel.h"
#include "cudatest.h"

#define SIZE 10000
#define MUCH ((gsize) 256 << 20)
#define PATIENCE (10 * G_USEC_PER_SEC)

typedef struct
{
  GstCudaContext *wrapper;
  ZcContext *context;
  ZcRegistrar *registrar;
  const SoftcudaPanel *panel;
} Fixture;

static void
setup (Fixture *f, gconstpointer data)
{
  f->wrapper = cuda_test_context (0);
  if (f->wrapper == NULL || !(f->panel = cuda_test_panel ()))
    return;
  f->context = zc_context_get (f->wrapper, NULL);
  f->registrar = zc_registrar_new (f->context, MUCH);
}

static guint
count_alive (Fixture *f)
{
  SoftcudaOutstanding alive;

  f->panel->get_outstanding (&alive);
  return alive.registrations;
}

static void
teardown (Fixture *f, gconstpointer data)
{
  if (f->context != NULL) {
    zc_registrar_free (f->registrar);
    g_assert_cmpuint (count_alive (f), ==, 0);
    zc_context_unref (f->context);
  }
  gst_clear_object (&f->wrapper);
}

static gboolean
look (ZcRegistrar *registrar, GstMemory *memory)
{
  ZcSight sight;
  GstMapInfo map;

  g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ));
  sight = zc_registrar_look (registrar, &map);
  gst_memory_unmap (memory, &map);
  return sight == ZC_SIGHT_REGISTERED;
}

/* The worker has done what it was asked for. */
static void
wait_for_bytes (ZcRegistrar *registrar, gsize bytes)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;

  while (zc_registrar_get_bytes (registrar) != bytes) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    g_usleep (100);
  }
}

static void
look_often (ZcRegistrar *registrar, GstMemory *memory, guint n)
{
  for (guint i = 0; i < n; i++)
    look (registrar, memory);
}

static GstMemory *
alloc (void)
{
  return gst_allocator_alloc (NULL, SIZE, NULL);
}

static void
test_third_sight (Fixture *f, gconstpointer data)
{
  GstMemory *memory;

  if (f->context == NULL)
    return;
  memory = alloc ();
  g_assert_false (look (f->registrar, memory));
  g_assert_false (look (f->registrar, memory));
  g_usleep (2000);
  g_assert_cmpuint (count_alive (f), ==, 0);
  look (f->registrar, memory);
  wait_for_bytes (f->registrar, memory->maxsize);
  g_assert_true (look (f->registrar, memory));
  g_assert_cmpuint (count_alive (f), ==, 1);

  gst_memory_unref (memory);
  g_assert_cmpuint (count_alive (f), ==, 0);
  g_assert_cmpuint (zc_registrar_get_bytes (f->registrar), ==, 0);
}

/* What several elements see once each does not come back. */
static void
test_two_elements (Fixture *f, gconstpointer data)
{
  ZcRegistrar *other;
  GstMemory *memory;

  if (f->context == NULL)
    return;
  other = zc_registrar_new (f->context, MUCH);
  memory = alloc ();
  for (guint i = 0; i < 2; i++) {
    look (f->registrar, memory);
    look (other, memory);
  }
  g_usleep (2000);
  g_assert_cmpuint (count_alive (f), ==, 0);
  gst_memory_unref (memory);
  zc_registrar_free (other);
}

/* One registration for two elements: the last one that stops undoes it. */
static void
test_shared (Fixture *f, gconstpointer data)
{
  ZcRegistrar *other;
  GstMemory *memory;

  if (f->context == NULL)
    return;
  other = zc_registrar_new (f->context, MUCH);
  memory = alloc ();
  look_often (f->registrar, memory, 3);
  wait_for_bytes (f->registrar, memory->maxsize);
  g_assert_true (look (other, memory));
  g_assert_cmpuint (zc_registrar_get_bytes (other), ==, memory->maxsize);

  zc_registrar_free (f->registrar);
  g_assert_cmpuint (count_alive (f), ==, 1);
  g_assert_true (look (other, memory));
  zc_registrar_free (other);
  g_assert_cmpuint (count_alive (f), ==, 0);

  f->registrar = zc_registrar_new (f->context, MUCH);
  look_often (f->registrar, memory, 3);
  wait_for_bytes (f->registrar, memory->maxsize);
  gst_memory_unref (memory);
}

/* A source that hands out parts of its memory: new objects each time. */
static void
test_parent (Fixture *f, gconstpointer data)
{
  GstMemory *whole;

  if (f->context == NULL)
    return;
  whole = alloc ();
  for (guint i = 0; i < 3; i++) {
    GstMemory *part = gst_memory_share (whole, 100 * i, 1000);

    look (f->registrar, part);
    gst_memory_unref (part);
  }
  wait_for_bytes (f->registrar, whole->maxsize);
  g_assert_true (look (f->registrar, whole));
  g_assert_cmpuint (count_alive (f), ==, 1);
  gst_memory_unref (whole);
}

static void
test_limit (Fixture *f, gconstpointer data)
{
  GstMemory *memories[3];
  ZcRegistrar *small;
  gsize size;

  if (f->context == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (memories); i++)
    memories[i] = alloc ();
  size = memories[0]->maxsize;
  small = zc_registrar_new (f->context, 2 * size);
  for (guint i = 0; i < G_N_ELEMENTS (memories); i++)
    look_often (small, memories[i], 5);
  wait_for_bytes (small, 2 * size);
  look_often (small, memories[0], 100);
  g_assert_false (look (small, memories[2]));
  /* Room again. */
  gst_memory_unref (memories[0]);
  look_often (small, memories[2], 3);
  wait_for_bytes (small, 2 * size);
  g_assert_true (look (small, memories[2]));
  gst_memory_unref (memories[1]);
  gst_memory_unref (memories[2]);
  zc_registrar_free (small);
}

static void
test_none (Fixture *f, gconstpointer data)
{
  ZcRegistrar *none;
  GstMemory *memory;
  guint64 before;

  if (f->context == NULL)
    return;
  before = f->panel->call_count ("cuMemHostRegister_v2");
  none = zc_registrar_new (f->context, 0);
  memory = alloc ();
  look_often (none, memory, 10);
  g_usleep (2000);
  g_assert_cmpuint (f->panel->call_count ("cuMemHostRegister_v2"), ==, before);
  gst_memory_unref (memory);
  zc_registrar_free (none);
}

/* A system that can't is not asked for ever. */
static void
test_refused (Fixture *f, gconstpointer data)
{
  guint64 before;

  if (f->context == NULL)
    return;
  before = f->panel->call_count ("cuMemHostRegister_v2");
  f->panel->fail ("cuMemHostRegister_v2", 0, CUDA_ERROR_NOT_SUPPORTED, 0);
  for (guint i = 0; i < 30; i++) {
    GstMemory *memory = alloc ();

    look_often (f->registrar, memory, 3);
    g_usleep (2000);
    g_assert_false (look (f->registrar, memory));
    gst_memory_unref (memory);
  }
  f->panel->fail_clear ();
  g_assert_cmpuint (f->panel->call_count ("cuMemHostRegister_v2") - before, ==,
      8);
}

/* Remembered with the memory. */
static void
test_refused_once (Fixture *f, gconstpointer data)
{
  GstMemory *memory;
  guint64 before;

  if (f->context == NULL)
    return;
  memory = alloc ();
  before = f->panel->call_count ("cuMemHostRegister_v2");
  f->panel->fail ("cuMemHostRegister_v2", 1, CUDA_ERROR_OUT_OF_MEMORY, 0);
  look_often (f->registrar, memory, 3);
  while (f->panel->call_count ("cuMemHostRegister_v2") == before)
    g_usleep (100);
  g_usleep (2000);
  f->panel->fail_clear ();
  look_often (f->registrar, memory, 20);
  g_usleep (2000);
  g_assert_cmpuint (f->panel->call_count ("cuMemHostRegister_v2") - before, ==,
      1);
  gst_memory_unref (memory);
}

/* Two memories of the same bytes: the second one is refused, and the bytes are
 * known to be locked until the first one is gone. */
static void
test_same_bytes (Fixture *f, gconstpointer data)
{
  GstMemory *first, *second;
  guint8 bytes[SIZE];

  if (f->context == NULL)
    return;
  first = gst_memory_new_wrapped (0, bytes, SIZE, 0, SIZE, NULL, NULL);
  second = gst_memory_new_wrapped (0, bytes, SIZE, 100, 1000, NULL, NULL);
  look_often (f->registrar, first, 3);
  wait_for_bytes (f->registrar, SIZE);
  look_often (f->registrar, second, 3);
  g_usleep (2000);
  g_assert_false (look (f->registrar, second));
  g_assert_true (zc_host_is_locked (bytes, SIZE));
  g_assert_true (zc_host_is_locked (bytes + 100, 1000));
  g_assert_false (zc_host_is_locked (bytes, SIZE + 1));
  gst_memory_unref (first);
  g_assert_false (zc_host_is_locked (bytes, 1));
  gst_memory_unref (second);
}

/* Neighbours in one page do not disturb each other. */
static void
test_neighbours (Fixture *f, gconstpointer data)
{
  GstMemory *first, *second;
  guint8 bytes[2000];

  if (f->context == NULL)
    return;
  first = gst_memory_new_wrapped (0, bytes, 1000, 0, 1000, NULL, NULL);
  second = gst_memory_new_wrapped (0, bytes + 1000, 1000, 0, 1000, NULL, NULL);
  look_often (f->registrar, first, 3);
  look_often (f->registrar, second, 3);
  wait_for_bytes (f->registrar, 2000);
  g_assert_true (look (f->registrar, second));
  gst_memory_unref (first);
  g_assert_true (look (f->registrar, second));
  g_assert_true (zc_host_is_locked (bytes + 1000, 1000));
  gst_memory_unref (second);
}

typedef struct
{
  Fixture *f;
  gboolean called;
} Owner;

static void
bytes_are_free (gpointer data)
{
  Owner *owner = data;

  g_assert_cmpuint (count_alive (owner->f), ==, 0);
  owner->called = TRUE;
}

/* The owner of the bytes may unmap them when it is told. */
static void
test_before_freed (Fixture *f, gconstpointer data)
{
  Owner owner = { f, FALSE };
  GstMemory *memory;
  guint8 bytes[SIZE];

  if (f->context == NULL)
    return;
  memory =
      gst_memory_new_wrapped (0, bytes, SIZE, 0, SIZE, &owner, bytes_are_free);
  look_often (f->registrar, memory, 3);
  wait_for_bytes (f->registrar, SIZE);
  gst_memory_unref (memory);
  g_assert_true (owner.called);
}

/* Destroyed while the worker is, or may be, at it. */
static void
test_gone_meanwhile (Fixture *f, gconstpointer data)
{
  if (f->context == NULL)
    return;
  for (guint i = 0; i < 500; i++) {
    GstMemory *memory = alloc ();

    look_often (f->registrar, memory, 3);
    if (i % 2)
      g_usleep (i % 40);
    gst_memory_unref (memory);
  }
  g_assert_cmpuint (zc_registrar_get_bytes (f->registrar), ==, 0);
}

static gpointer
use (gpointer data)
{
  Fixture *f = data;

  for (guint i = 0; i < 100; i++) {
    ZcRegistrar *registrar = zc_registrar_new (f->context, MUCH);
    GstMemory *memories[4];

    for (guint m = 0; m < G_N_ELEMENTS (memories); m++) {
      memories[m] = alloc ();
      look_often (registrar, memories[m], 4);
    }
    for (guint m = 0; m < G_N_ELEMENTS (memories) / 2; m++)
      gst_memory_unref (memories[m]);
    zc_registrar_free (registrar);
    for (guint m = G_N_ELEMENTS (memories) / 2; m < 4; m++)
      gst_memory_unref (memories[m]);
  }
  return NULL;
}

static void
test_threads (Fixture *f, gconstpointer data)
{
  GThread *threads[4];

  if (f->context == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("user", use, f);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

/* Memory that comes a few times and is destroyed: unregistering waits for the
 * device, so it has to become rare. */
static void
test_short_lives (Fixture *f, gconstpointer data)
{
  guint64 before;

  if (f->context == NULL)
    return;
  before = f->panel->call_count ("cuMemHostRegister_v2");
  for (guint i = 0; i < 300; i++) {
    GstMemory *memory = alloc ();

    look_often (f->registrar, memory, 5);
    g_usleep (500);
    gst_memory_unref (memory);
  }
  g_assert_cmpuint (f->panel->call_count ("cuMemHostRegister_v2") - before, <=,
      3);
}

/* A file's pages may be mapped elsewhere, and at the same place, each time. */
static void
test_not_in_place (Fixture *f, gconstpointer data)
{
  g_autofree gchar *path = NULL;
  GstAllocator *allocator;
  GstMemory *memory;
  gint fd;

  if (f->context == NULL)
    return;
  fd = g_file_open_tmp (NULL, &path, NULL);
  g_assert_cmpint (unlink (path), ==, 0);
  g_assert_cmpint (ftruncate (fd, SIZE), ==, 0);
  allocator = gst_fd_allocator_new ();
  memory =
      gst_fd_allocator_alloc (allocator, fd, SIZE, GST_FD_MEMORY_FLAG_NONE);
  look_often (f->registrar, memory, 10);
  g_usleep (2000);
  g_assert_false (look (f->registrar, memory));
  g_assert_cmpuint (count_alive (f), ==, 0);
  gst_memory_unref (memory);
  gst_object_unref (allocator);
}

static void
test_is_locked (Fixture *f, gconstpointer data)
{
  guint8 *pinned;
  guint8 plain;

  if (f->context == NULL)
    return;
  pinned = cuda_test_alloc_pinned (f->wrapper, SIZE);
  g_assert_true (zc_host_is_locked (pinned, SIZE));
  g_assert_true (zc_host_is_locked (pinned + 10, SIZE - 10));
  g_assert_false (zc_host_is_locked (pinned + 10, SIZE));
  g_assert_false (zc_host_is_locked (pinned + 10, G_MAXSIZE));
  g_assert_false (zc_host_is_locked (&plain, 1));
  cuda_test_free_pinned (pinned);
}

#define ADD(path, func)                                                        \
  g_test_add ("/registration/" path, Fixture, NULL, setup, func, teardown)

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  ADD ("third-sight", test_third_sight);
  ADD ("two-elements", test_two_elements);
  ADD ("shared", test_shared);
  ADD ("parent", test_parent);
  ADD ("limit", test_limit);
  ADD ("none", test_none);
  ADD ("refused", test_refused);
  ADD ("refused-once", test_refused_once);
  ADD ("same-bytes", test_same_bytes);
  ADD ("neighbours", test_neighbours);
  ADD ("before-freed", test_before_freed);
  ADD ("gone-meanwhile", test_gone_meanwhile);
  ADD ("threads", test_threads);
  ADD ("short-lives", test_short_lives);
  ADD ("not-in-place", test_not_in_place);
  ADD ("is-locked", test_is_locked);
  return g_test_run ();
}
