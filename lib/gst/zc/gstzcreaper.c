/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcreaper.h"

#include "gstzcbarrier.h"

/* Sleep between two looks at what is pending: an event can't be waited for
 * together with others, and a host function in the stream would delay it. */
#define POLL_INTERVAL_US 100

/* One thing to let go of. */
typedef struct
{
  ZcContext *context;           /* owned; keeps the reaper, too */
  CUevent event;                /* NULL: ask is_done */
  ZcDoneFunc is_done;
  ZcReapFunc func;
  gpointer data;
  gconstpointer owner;
} Item;

struct _ZcReaper
{
  GThread *thread;
  GMutex lock;
  GCond wake;                   /* for the thread: an item, or stop */
  GCond progress;               /* for drainers: items were let go of */
  GHashTable *fifos;            /* stream id -> GQueue of Item */
  GQueue polled;                /* of Item, in no order */
  GQueue running; /* of Item; their functions are being called */
  guint n_pending; /* in fifos and polled */
  gboolean stop;
  gboolean orphan; /* ended from its own thread: frees itself */
};

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

static gboolean
item_is_done (const Item *item)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;

  if (!item->event)
    return item->is_done (item->data);
  /* After an error nothing runs any more. */
  return !zc_context_push (item->context, &guard, NULL) ||
      zc_cu.cuEventQuery (item->event) != CUDA_ERROR_NOT_READY;
}

/* After this the reaper may be gone, if the item was the last user of it. */
static void
item_free (Item *item)
{
  if (item->event)
    zc_context_give_event (item->context, item->event);
  zc_context_unref (item->context);
  g_free (item);
}

/* With the lock. Done items of one stream are a head of its queue. */
static void
collect_done (ZcReaper *self)
{
  GHashTableIter iter;
  gpointer fifo;
  GList *link, *next;

  g_hash_table_iter_init (&iter, self->fifos);
  while (g_hash_table_iter_next (&iter, NULL, &fifo)) {
    Item *head;

    while ((head = g_queue_peek_head (fifo)) && item_is_done (head))
      g_queue_push_tail (&self->running, g_queue_pop_head (fifo));
    if (!head)
      g_hash_table_iter_remove (&iter);
  }

  for (link = self->polled.head; link; link = next) {
    next = link->next;
    if (item_is_done (link->data)) {
      g_queue_push_tail (&self->running, link->data);
      g_queue_delete_link (&self->polled, link);
    }
  }
  self->n_pending -= self->running.length;
}

/* With the lock, which is given up for each call. */
static void
run_done (ZcReaper *self)
{
  Item *item;

  while ((item = g_queue_peek_head (&self->running))) {
    g_mutex_unlock (&self->lock);
    item->func (item->data);
    g_mutex_lock (&self->lock);
    g_queue_pop_head (&self->running);
    g_cond_broadcast (&self->progress);
    g_mutex_unlock (&self->lock);
    item_free (item);
    g_mutex_lock (&self->lock);
  }
}

static gpointer
reaper_thread (gpointer data)
{
  ZcReaper *self = data;
  gboolean orphan;

  g_mutex_lock (&self->lock);
  while (!self->stop) {
    if (self->n_pending == 0) {
      g_cond_wait (&self->wake, &self->lock);
      continue;
    }
    collect_done (self);
    if (self->running.length > 0)
      run_done (self);
    else
      g_cond_wait_until (&self->wake, &self->lock,
          g_get_monotonic_time () + POLL_INTERVAL_US);
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

/* With the lock. */
static void
count_new (ZcReaper *self)
{
  if (self->n_pending++ == 0)
    g_cond_signal (&self->wake);
}

static CUevent
record (const ZcStreamKey *stream)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  CUevent event = zc_context_take_event (stream->context, NULL);

  if (event && zc_context_push (stream->context, &guard, NULL) &&
      ZC_CU (NULL, cuEventRecord, event, stream->handle))
    return event;
  zc_context_give_event (stream->context, event);
  return NULL;
}

void
zc_reaper_add (const ZcStreamKey *stream, ZcReapFunc func, gpointer data,
    gconstpointer owner)
{
  CUevent event = record (stream);
  ZcReaper *self;
  Item *item;

  if (!event) {
    zc_stream_key_wait_on_host (stream);
    func (data);
    return;
  }

  item = g_new0 (Item, 1);
  item->context = zc_context_ref (stream->context);
  item->event = event;
  item->func = func;
  item->data = data;
  item->owner = owner;

  self = reaper_get (stream->context);
  g_mutex_lock (&self->lock);
  g_queue_push_tail (fifo_of (self, stream->id), item);
  count_new (self);
  g_mutex_unlock (&self->lock);
}

void
zc_reaper_add_polled (ZcContext *context, ZcDoneFunc is_done, ZcReapFunc func,
    gpointer data)
{
  ZcReaper *self = reaper_get (context);
  Item *item = g_new0 (Item, 1);

  item->context = zc_context_ref (context);
  item->is_done = is_done;
  item->func = func;
  item->data = data;

  g_mutex_lock (&self->lock);
  g_queue_push_tail (&self->polled, item);
  count_new (self);
  g_mutex_unlock (&self->lock);
}

static gboolean
queue_has (GQueue *queue, gconstpointer owner)
{
  GList *link;

  for (link = queue->head; link; link = link->next) {
    if (((Item *) link->data)->owner == owner)
      return TRUE;
  }
  return FALSE;
}

/* With the lock. */
static gboolean
has_items_of (ZcReaper *self, gconstpointer owner)
{
  GHashTableIter iter;
  gpointer fifo;

  g_hash_table_iter_init (&iter, self->fifos);
  while (g_hash_table_iter_next (&iter, NULL, &fifo)) {
    if (queue_has (fifo, owner))
      return TRUE;
  }
  return queue_has (&self->running, owner);
}

void
zc_reaper_drain (ZcContext *context, gconstpointer owner)
{
  ZcReaper *self = reaper_get (context);

  if (self->thread == g_thread_self ())
    return;
  g_mutex_lock (&self->lock);
  while (zc_barrier_holds (ZC_BARRIER_DRAIN) && has_items_of (self, owner))
    g_cond_wait (&self->progress, &self->lock);
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
