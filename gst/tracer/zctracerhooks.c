/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "zctracerhooks.h"

#include "zctracercalls.h"
#include "zctracerfile.h"
#include "zctracerthread.h"

/* Where threads are */

static void
leave (gboolean is_chain)
{
  ZcElement *element;
  gint64 since;

  if (!zc_thread_leave (&element, &since))
    return;
  if (is_chain && element != NULL)
    zc_file_element (element->name, since, gst_util_get_timestamp ());
  zc_element_unref (element);
}

static void
push_pre (GObject *self, GstClockTime ts, GstPad *pad, GstBuffer *buffer)
{
  ZcPad *record = zc_record_pad (pad);

  if (record->element == NULL)
    return;
  zc_thread_set_loop (record->element);
  zc_thread_set_pushing (record);
}

static void
push_post (GObject *self, GstClockTime ts, GstPad *pad, GstFlowReturn res)
{
  if (!GST_IS_PROXY_PAD (pad))
    zc_thread_set_pushing (NULL);
}

static void
push_list_pre (GObject *self, GstClockTime ts, GstPad *pad, GstBufferList *list)
{
  push_pre (self, ts, pad, NULL);
}

/* Buffers */

/* The link of the buffer before, if this one goes the same way. With the lock. */
static ZcLink *
known_link (ZcPad *sink, ZcPad *from)
{
  ZcLink *link = sink->link;

  return link != NULL && link->run != NULL && sink->from == from &&
          link->is_video == sink->is_video
      ? link
      : NULL;
}

static void
remember_link (ZcPad *sink, ZcPad *from, ZcLink *link)
{
  zc_link_ref (link);
  zc_link_unref (sink->link);
  sink->link = link;
  if (from != NULL)
    zc_pad_ref (from);
  zc_pad_unref (sink->from);
  sink->from = from;
}

static ZcLink *
make_link (ZcRun *run, ZcPad *sink, ZcPad *from)
{
  ZcElement *src = from ? zc_element_ref (from->element)
                        : zc_element_new ("application", "application");
  ZcLink *link = zc_run_link (run, src, from ? from->name : "src",
      sink->element, sink->name, sink->is_video);

  zc_element_unref (src);
  remember_link (sink, from, link);
  return link;
}

/* The run may be asked for without the lock only. */
static gboolean
needs_run (ZcPad *sink, ZcPad *from, GstCaps *caps)
{
  gboolean needs;

  g_mutex_lock (&zc_tracer_lock);
  zc_pad_take_caps (sink, caps);
  needs = known_link (sink, from) == NULL;
  g_mutex_unlock (&zc_tracer_lock);
  return needs;
}

static void
count (GstPad *pad, ZcPad *sink, ZcPad *from, GstBuffer *buffer)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  guint fresh = zc_record_memories (buffer, sink->element);
  ZcRun *run = needs_run (sink, from, caps) ? zc_record_run (pad) : NULL;
  GstZcTraceMemory memory;
  ZcLink *link;

  gst_zc_trace_look_at (buffer, &memory);
  g_mutex_lock (&zc_tracer_lock);
  link = known_link (sink, from);
  if (link == NULL && run != NULL && zc_tracer_model_runs ())
    link = make_link (run, sink, from);
  if (link != NULL && zc_tracer_model_runs ())
    zc_link_count (link, &memory, gst_buffer_get_size (buffer), fresh,
        buffer->pool != NULL);
  g_mutex_unlock (&zc_tracer_lock);
}

static void
chain_pre (GObject *self, GstClockTime ts, GstPad *pad, GstBuffer *buffer)
{
  ZcPad *sink = zc_record_pad (pad);
  ZcPad *from = NULL;

  if (sink->element != NULL) {
    from = zc_thread_take_pushing ();
    count (pad, sink, from, buffer);
    zc_pad_unref (from);
  }
  zc_thread_enter (sink->element);
}

static void
chain_list_pre (GObject *self, GstClockTime ts, GstPad *pad,
    GstBufferList *list)
{
  ZcPad *sink = zc_record_pad (pad);
  ZcPad *from = NULL;

  if (sink->element != NULL) {
    from = zc_thread_take_pushing ();
    for (guint i = 0; i < gst_buffer_list_length (list); i++)
      count (pad, sink, from, gst_buffer_list_get (list, i));
    zc_pad_unref (from);
  }
  zc_thread_enter (sink->element);
}

static void
chain_post (GObject *self, GstClockTime ts, GstPad *pad, GstFlowReturn res)
{
  leave (!GST_IS_PROXY_PAD (pad));
}

/* Events, queries, states. The pad of an event may be locked. */

/* (transfer full) (nullable) */
static ZcElement *
peer_element (ZcPad *record)
{
  ZcElement *element = NULL;

  g_mutex_lock (&zc_tracer_lock);
  if (record->peer != NULL && record->peer->element != NULL)
    element = zc_element_ref (record->peer->element);
  g_mutex_unlock (&zc_tracer_lock);
  return element;
}

static void
event_pre (GObject *self, GstClockTime ts, GstPad *pad, GstEvent *event)
{
  ZcPad *record = zc_record_peek_pad (pad);
  ZcElement *receiver = NULL;

  if (record != NULL && GST_PAD_IS_SRC (pad)) {
    if (record->element != NULL)
      zc_thread_set_loop (record->element);
    receiver = peer_element (record);
  }
  zc_thread_enter (receiver);
  zc_element_unref (receiver);
}

static void
event_post (GObject *self, GstClockTime ts, GstPad *pad, gboolean res)
{
  leave (FALSE);
}

static void
query_pre (GObject *self, GstClockTime ts, GstPad *pad, GstQuery *query)
{
  ZcPad *record = zc_record_peek_pad (pad);

  zc_thread_enter (record ? record->element : NULL);
}

static void
query_post (GObject *self, GstClockTime ts, GstPad *pad, GstQuery *query,
    gboolean res)
{
  leave (FALSE);
}

static gboolean
wants_cuda (GstElement *element)
{
  GList *list = gst_element_get_pad_template_list (element);
  gboolean wants = FALSE;

  for (; list != NULL && !wants; list = list->next) {
    g_autoptr (GstCaps) caps = gst_pad_template_get_caps (list->data);

    for (guint i = 0; i < gst_caps_get_size (caps) && !wants; i++)
      wants = gst_caps_features_contains (gst_caps_get_features (caps, i),
          "memory:CUDAMemory");
  }
  return wants;
}

static void
state_pre (GObject *self, GstClockTime ts, GstElement *element,
    GstStateChange transition)
{
  if (transition == GST_STATE_CHANGE_NULL_TO_READY && wants_cuda (element))
    gst_zc_trace_load_driver ();
  zc_thread_enter_state (zc_record_element (element));
}

/* A pipeline that stops may be the last user of its context. */
static void
state_post (GObject *self, GstClockTime ts, GstElement *element,
    GstStateChange transition, GstStateChangeReturn result)
{
  leave (FALSE);
  if (GST_IS_PIPELINE (element) &&
      transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    gst_zc_trace_finish_work ();
}

static void
link_post (GObject *self, GstClockTime ts, GstPad *src, GstPad *sink,
    GstPadLinkReturn result)
{
  ZcPad *from = zc_record_pad (src), *to = zc_record_pad (sink);
  ZcPad *old;

  if (result != GST_PAD_LINK_OK)
    return;
  g_mutex_lock (&zc_tracer_lock);
  old = from->peer;
  from->peer = zc_pad_ref (to);
  g_mutex_unlock (&zc_tracer_lock);
  zc_pad_unref (old);
}

static void
unlink_post (GObject *self, GstClockTime ts, GstPad *src, GstPad *sink,
    gboolean result)
{
  ZcPad *from = zc_record_peek_pad (src);
  ZcPad *old;

  if (from == NULL || !result)
    return;
  g_mutex_lock (&zc_tracer_lock);
  old = g_steal_pointer (&from->peer);
  g_mutex_unlock (&zc_tracer_lock);
  zc_pad_unref (old);
}

/* All of them */

typedef struct
{
  const gchar *name;
  GCallback func;
} Hook;

static const Hook hooks[] = {
  { "pad-push-pre", G_CALLBACK (push_pre) },
  { "pad-push-post", G_CALLBACK (push_post) },
  { "pad-push-list-pre", G_CALLBACK (push_list_pre) },
  { "pad-push-list-post", G_CALLBACK (push_post) },
  { "pad-chain-pre", G_CALLBACK (chain_pre) },
  { "pad-chain-post", G_CALLBACK (chain_post) },
  { "pad-chain-list-pre", G_CALLBACK (chain_list_pre) },
  { "pad-chain-list-post", G_CALLBACK (chain_post) },
  { "pad-push-event-pre", G_CALLBACK (event_pre) },
  { "pad-push-event-post", G_CALLBACK (event_post) },
  { "pad-query-pre", G_CALLBACK (query_pre) },
  { "pad-query-post", G_CALLBACK (query_post) },
  { "element-change-state-pre", G_CALLBACK (state_pre) },
  { "element-change-state-post", G_CALLBACK (state_post) },
  { "pad-link-post", G_CALLBACK (link_post) },
  { "pad-unlink-post", G_CALLBACK (unlink_post) },
};

void
zc_tracer_hooks_register (GstTracer *tracer)
{
  for (guint i = 0; i < G_N_ELEMENTS (hooks); i++)
    gst_tracing_register_hook (tracer, hooks[i].name, hooks[i].func);
  gst_zc_trace_start (zc_tracer_funcs (zc_file_is_open ()));
}
