/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcreaper.h"

#include "gstzcbarrier.h"
#include "gstzccapture.h"
#include "gstzcreapitem.h"

/* Sleep between two looks at what is pending: an event can't be waited for
 * together with others, and a host function in the stream would delay it. */
#define POLL_INTERVAL_US 100

/* With more than these waiting on a stream, who adds one helps: the thread may
 * not get to run for long on a busy machine, and sources would pile up. */
#define BACKLOG 16

/* Between two looks of a drain at what does not get done. */
#define DRAIN_INTERVAL_US (50 * G_TIME_SPAN_MILLISECOND)

struct _ZcReaper
{
  GThread *thread;
  GMutex lock;
  GCond wake;                   /* for the thread: an item, or stop */
  GCond progress;               /* for drainers: items were let go of */
  GHashTable *fifos;            /* stream id -> GQueue of ZcReapItem */
  GQueue polled;                /* of ZcReapItem, in no order */
  GQueue done;                  /* of ZcReapItem; next for the thread */
  GQueue running; /* of ZcReapItem; their functions are being called */
  guint n_pending; /* in fifos and polled */
  gboolean stop;
  gboolean orphan; /* ended from its own thread: frees itself */
};

/* Set while this thread is calling an item's function. */
static GPrivate calling;

static void
fifo_free (gpointer data)
{
  g_queue_free (data);
}

static void
reaper_destroy (ZcReaper *self)
{
  g_hash_table_unref (self->fifos);
  g_cond_clear (&self->progress);
  g_cond_clear (&self->wake);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* With the lock. Done items of one stream are a head of its queue. */
static ZcReapItem *
take_done (GQueue *fifo)
{
  ZcReapItem *head = g_queue_peek_head (fifo);

  if (!head || !zc_reap_item_is_done (head))
    return NULL;
  return g_queue_pop_head (fifo);
}

/* With the lock. */
static void
collect_done (ZcReaper *self)
{
  GHashTableIter iter;
  gpointer fifo;
  GList *link, *next;

  g_hash_table_iter_init (&iter, self->fifos);
  while (g_hash_table_iter_next (&iter, NULL, &fifo)) {
    ZcReapItem *item;

    while ((item = take_done (fifo)))
      g_queue_push_tail (&self->done, item);
    if (g_queue_is_empty (fifo))
      g_hash_table_iter_remove (&iter);
  }

  for (link = self->polled.head; link; link = next) {
    next = link->next;
    if (zc_reap_item_is_done (link->data)) {
      g_queue_push_tail (&self->done, link->data);
      g_queue_delete_link (&self->polled, link);
    }
  }
  self->n_pending -= self->done.length;
}

/* With the lock. */
static void
count_new (ZcReaper *self)
{
  if (self->n_pending++ == 0)
    g_cond_signal (&self->wake);
}

/* With the lock. */
static void
add_polled (ZcReaper *self, ZcReapItem *item)
{
  g_queue_push_tail (&self->polled, item);
  count_new (self);
}

/* With the lock, which is given up for the call. */
static void
run (ZcReaper *self, ZcReapItem *item)
{
  gboolean done;

  g_queue_push_tail (&self->running, item);
  g_mutex_unlock (&self->lock);
  g_private_set (&calling, self);
  done = zc_reap_item_run (item);
  g_private_set (&calling, NULL);
  g_mutex_lock (&self->lock);
  g_queue_remove (&self->running, item);
  g_cond_broadcast (&self->progress);
  if (!done) {
    add_polled (self, item);
    return;
  }
  g_mutex_unlock (&self->lock);
  zc_reap_item_free (item);
  g_mutex_lock (&self->lock);
}

/* With the lock. */
static void
run_done (ZcReaper *self)
{
  ZcReapItem *item;

  while ((item = g_queue_pop_head (&self->done)))
    run (self, item);
}

/* With the lock, which is given up for each call. Waits for nothing: it ends at
 * the first item that is not done, and after @n: functions and other threads
 * may add all the while. The caller has a reference of the context, which the
 * item may have been the last to have. */
static void
help (ZcReaper *self, guint64 stream_id, guint n)
{
  g_auto (ZcRelaxed) relaxed = zc_relaxed_begin ();
  GQueue *fifo;
  ZcReapItem *item;

  while (n-- > 0 && (fifo = g_hash_table_lookup (self->fifos, &stream_id)) &&
      (item = take_done (fifo))) {
    self->n_pending--;
    if (g_queue_is_empty (fifo))
      g_hash_table_remove (self->fifos, &stream_id);
    run (self, item);
  }
}

/* With the lock. */
static void
sleep_a_little (ZcReaper *self)
{
  g_cond_wait_until (&self->wake, &self->lock,
      g_get_monotonic_time () + POLL_INTERVAL_US);
}

static gpointer
reaper_thread (gpointer data)
{
  /* What is let go of may be freed by others' code. */
  g_auto (ZcRelaxed) relaxed = zc_relaxed_begin ();
  ZcReaper *self = data;
  gboolean orphan;

  g_mutex_lock (&self->lock);
  while (!self->stop) {
    if (self->n_pending == 0) {
      g_cond_wait (&self->wake, &self->lock);
      continue;
    }
    collect_done (self);
    run_done (self);
    if (self->n_pending > 0)
      sleep_a_little (self);
  }
  orphan = self->orphan;
  g_mutex_unlock (&self->lock);

  if (orphan)
    reaper_destroy (self);
  return NULL;
}

static ZcReaper *
reaper_new (void)
{
  ZcReaper *self = g_new0 (ZcReaper, 1);

  g_mutex_init (&self->lock);
  g_cond_init (&self->wake);
  g_cond_init (&self->progress);
  self->fifos =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, fifo_free);
  self->thread = g_thread_new ("zc-reaper", reaper_thread, self);
  return self;
}

static ZcReaper *
reaper_get (ZcContext *context)
{
  g_mutex_lock (&context->lock);
  if (!context->reaper)
    context->reaper = reaper_new ();
  g_mutex_unlock (&context->lock);
  return context->reaper;
}

/* With the lock. */
static GQueue *
fifo_of (ZcReaper *self, guint64 stream_id)
{
  GQueue *fifo = g_hash_table_lookup (self->fifos, &stream_id);

  if (!fifo) {
    fifo = g_queue_new ();
    g_hash_table_insert (self->fifos,
        g_memdup2 (&stream_id, sizeof (stream_id)), fifo);
  }
  return fifo;
}

static CUevent
record (const ZcStreamKey *stream)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  CUevent event = zc_context_take_event (stream->context, NULL);

  if (event && zc_capture_check_legacy (stream, NULL) &&
      zc_context_push (stream->context, &guard, NULL) &&
      ZC_CU (NULL, cuEventRecord, event, stream->handle))
    return event;
  zc_context_give_event (stream->context, event);
  return NULL;
}

/* With the lock, which is given up if there is a backlog. */
static void
add (ZcReaper *self, guint64 stream_id, ZcReapItem *item)
{
  GQueue *fifo = fifo_of (self, stream_id);
  guint n;

  g_queue_push_tail (fifo, item);
  count_new (self);
  n = g_queue_get_length (fifo);
  if (n > BACKLOG && !g_private_get (&calling))
    help (self, stream_id, n);
}

void
zc_reaper_add (const ZcStreamKey *stream, ZcReapFunc func, gpointer data,
    gconstpointer owner)
{
  ZcContext *context = zc_context_ref (stream->context);
  CUevent event = record (stream);

  if (event || !zc_stream_key_wait_on_host (stream)) {
    ZcReaper *self = reaper_get (context);
    ZcReapItem *item = zc_reap_item_new (context, func, data);

    item->event = event;
    item->owner = owner;
    g_mutex_lock (&self->lock);
    if (event)
      add (self, stream->id, item);
    else
      add_polled (self, item);
    g_mutex_unlock (&self->lock);
  } else {
    func (data);
  }
  zc_context_unref (context);
}

void
zc_reaper_add_polled (ZcContext *context, ZcDoneFunc is_done, ZcReapFunc func,
    gpointer data)
{
  ZcReaper *self = reaper_get (context);
  ZcReapItem *item = zc_reap_item_new (context, func, data);

  item->is_done = is_done;
  g_mutex_lock (&self->lock);
  add_polled (self, item);
  g_mutex_unlock (&self->lock);
}

static gboolean
queue_has (GQueue *queue, gconstpointer owner)
{
  GList *link;

  for (link = queue->head; link; link = link->next) {
    const ZcReapItem *item = link->data;

    if (item->owner == owner && !zc_reap_item_is_stuck (item))
      return TRUE;
  }
  return FALSE;
}

/* With the lock. What is behind a stuck item is stuck, too. */
static gboolean
has_items_of (ZcReaper *self, gconstpointer owner)
{
  GHashTableIter iter;
  gpointer fifo;

  g_hash_table_iter_init (&iter, self->fifos);
  while (g_hash_table_iter_next (&iter, NULL, &fifo)) {
    if (!zc_reap_item_is_stuck (g_queue_peek_head (fifo)) &&
        queue_has (fifo, owner))
      return TRUE;
  }
  return queue_has (&self->polled, owner) || queue_has (&self->done, owner) ||
      queue_has (&self->running, owner);
}

void
zc_reaper_drain (ZcContext *context, gconstpointer owner)
{
  ZcReaper *self = reaper_get (context);

  if (g_private_get (&calling))
    return;
  g_mutex_lock (&self->lock);
  while (zc_barrier_holds (ZC_BARRIER_DRAIN) && has_items_of (self, owner))
    g_cond_wait_until (&self->progress, &self->lock,
        g_get_monotonic_time () + DRAIN_INTERVAL_US);
  g_mutex_unlock (&self->lock);
}

void
zc_reaper_free (ZcReaper *self)
{
  GThread *thread = self->thread;
  gboolean own = thread == g_thread_self ();

  g_mutex_lock (&self->lock);
  self->stop = TRUE;
  self->orphan = own;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);

  if (own) {
    g_thread_unref (thread);
    return;
  }
  g_thread_join (thread);
  reaper_destroy (self);
}
