/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "order.h"

#include <string.h>

/* Bytes that the looks of one run may take. */
#define ARENA_SIZE (8 * 1024 * 1024)

typedef struct
{
  GstCudaContext *context; /* owned; whose work it is */
  guint8 *bytes; /* in the arena */
  gsize size;
  guint8 value;
  const gchar *who;
} Look;

/* Page-locked memory for looks: to allocate it for each would wait. */
static GstCudaContext *context;
static const SoftcudaPanel *panel;
static guint8 *arena;
static gsize arena_used;
static guint n_looks; /* whose bytes are in the arena */

gboolean
order_init (GError **error)
{
  /* Wrong use of GStreamer is a failure of its own. */
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
  context = gst_zc_context_new (0, error);
  if (!context)
    return FALSE;
  panel = softcuda_panel ();
  arena = cuda_test_alloc_pinned (context, ARENA_SIZE);
  return TRUE;
}

const gchar *
order_fault_name (OrderFault fault)
{
  static const gchar *const names[] = { "pixels", "lifetime", "report",
    "error" };

  return names[fault];
}

const gchar *
order_policy (const OrderOptions *options, guint64 seed)
{
  static const gchar *const policies[] = { "lazy", "random", "priorities" };

  return options->policy ? options->policy
                         : policies[seed % G_N_ELEMENTS (policies)];
}

void
order_fault (OrderRun *self, OrderFault fault, const gchar *format, ...)
{
  va_list args;

  g_mutex_lock (&self->lock);
  self->n_faults[fault]++;
  if (!self->first) {
    va_start (args, format);
    self->first = g_strdup_vprintf (format, args);
    va_end (args);
  }
  g_mutex_unlock (&self->lock);
}

void
order_trace (OrderRun *self, const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list args;

  if (!self->options->trace)
    return;
  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_print ("  %s\n", text);
}

gboolean
order_check (OrderRun *self, gboolean ok, const gchar *what, GError **error)
{
  if (!ok)
    order_fault (self, ORDER_ERROR, "%s: %s", what,
        error && *error ? (*error)->message : "no reason given");
  if (error)
    g_clear_error (error);
  return ok;
}

guint
order_random (OrderRun *self, guint n)
{
  guint number;

  g_mutex_lock (&self->lock);
  number = g_rand_int_range (self->random, 0, n);
  g_mutex_unlock (&self->lock);
  return number;
}

guint
order_steps (OrderRun *self, guint usual)
{
  return self->options->frames > 0 ? self->options->frames : usual;
}

guint8
order_new_value (OrderRun *self)
{
  guint8 value;

  g_mutex_lock (&self->lock);
  self->value = self->value % 250 + 1;
  value = self->value;
  g_mutex_unlock (&self->lock);
  return value;
}

void
order_delay (OrderRun *self, GstZcStream *stream)
{
  if (self->options->delay_ms > 0)
    cuda_test_delay (stream, self->options->delay_ms);
}

static void
look_clear (gpointer data)
{
  gst_object_unref (((Look *) data)->context);
}

/* FALSE if the arena is full. */
static gboolean
reserve (OrderRun *self, Look *look)
{
  gboolean fits;

  g_mutex_lock (&self->lock);
  fits = arena_used + look->size <= ARENA_SIZE;
  if (fits) {
    look->bytes = arena + arena_used;
    arena_used += look->size;
    n_looks++;
  }
  g_mutex_unlock (&self->lock);
  return fits;
}

/* Takes the look's context. */
static void
add_look (OrderRun *self, const Look *look)
{
  g_mutex_lock (&self->lock);
  g_array_append_val (self->looks, *look);
  g_mutex_unlock (&self->lock);
}

void
order_look (OrderRun *self, GstZcStream *stream, const GstZcImage *image,
    guint8 value, const gchar *who)
{
  for (guint i = 0; i < image->n_planes; i++) {
    const GstZcPlane *plane = &image->plane[i];
    Look look = { .size = gst_zc_plane_row_bytes (plane) * plane->height,
      .value = value,
      .who = who };

    if (!reserve (self, &look))
      continue;
    memset (look.bytes, 0, look.size);
    cuda_test_read_rows (stream, plane, look.bytes);
    look.context = gst_object_ref (gst_zc_stream_get_context (stream));
    /* Last: who settles meanwhile must not wait for what is not yet queued. */
    add_look (self, &look);
  }
}

static void
compare (OrderRun *self, const Look *look)
{
  for (gsize i = 0; i < look->size; i++) {
    if (look->bytes[i] == look->value)
      continue;
    order_fault (self, ORDER_PIXELS,
        "%s saw %02x in byte %" G_GSIZE_FORMAT ", expected %02x", look->who,
        look->bytes[i], i, look->value);
    return;
  }
}

static void
wait_for_looks (const GArray *looks)
{
  GstCudaContext *last = NULL;

  for (guint i = 0; i < looks->len; i++) {
    const Look *look = &g_array_index (looks, Look, i);

    if (look->context != last)
      cuda_test_synchronize (look->context);
    last = look->context;
  }
}

static GArray *
looks_new (void)
{
  GArray *looks = g_array_new (FALSE, FALSE, sizeof (Look));

  g_array_set_clear_func (looks, look_clear);
  return looks;
}

/* Other threads go on looking meanwhile. */
static GArray *
steal_looks (OrderRun *self)
{
  GArray *looks;

  g_mutex_lock (&self->lock);
  looks = g_steal_pointer (&self->looks);
  self->looks = looks_new ();
  g_mutex_unlock (&self->lock);
  return looks;
}

static void
forget_looks (OrderRun *self, GArray *looks)
{
  g_mutex_lock (&self->lock);
  n_looks -= looks->len;
  if (n_looks == 0)
    arena_used = 0;
  g_mutex_unlock (&self->lock);
  g_array_unref (looks);
}

void
order_settle (OrderRun *self, GstCudaContext *which)
{
  GArray *looks = steal_looks (self);

  cuda_test_synchronize (which);
  wait_for_looks (looks);
  for (guint i = 0; i < looks->len; i++)
    compare (self, &g_array_index (looks, Look, i));
  forget_looks (self, looks);
}

static guint64
count_reports (void)
{
  SoftcudaCounters counters = { 0 };

  if (panel)
    panel->get_counters (&counters);
  return counters.errors;
}

static void
check_reports (OrderRun *self, guint64 before)
{
  guint64 now = count_reports ();

  if (now != before && !self->options->no_reports)
    order_fault (self, ORDER_REPORT, "softcuda: %s", panel->last_error ());
}

/* All that a seed decides, but for the case's own choices. */
static void
set_seed (const OrderOptions *options, guint64 seed)
{
  if (!panel)
    return;
  panel->set_policy (order_policy (options, seed));
  panel->set_free_mode (seed / 3 % 3);
  panel->set_seed (seed);
}

gboolean
order_run (const OrderCase *one, guint64 seed, const OrderOptions *options,
    guint n_faults[ORDER_N_FAULTS], gchar **first)
{
  OrderRun self = { .options = options,
    .seed = seed,
    .random = g_rand_new_with_seed (seed),
    .context = context,
    .panel = panel,
    .looks = looks_new () };
  guint64 reports = count_reports ();
  gboolean ok = TRUE;

  set_seed (options, seed);
  g_mutex_init (&self.lock);
  one->run (&self, one->data);
  order_settle (&self, context);
  check_reports (&self, reports);

  for (guint i = 0; i < ORDER_N_FAULTS; i++) {
    n_faults[i] = self.n_faults[i];
    ok &= self.n_faults[i] == 0;
  }
  *first = self.first;
  g_array_unref (self.looks);
  g_mutex_clear (&self.lock);
  g_rand_free (self.random);
  return ok;
}
