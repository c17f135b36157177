/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "zctracerrecords.h"

#include <gst/zc/zc.h>

#define QUARK(name)                                                            \
  static GQuark name##_quark (void)                                            \
  {                                                                            \
    return g_quark_from_static_string ("zc-tracer-" #name);                    \
  }

QUARK (element)
QUARK (pad)
QUARK (run)
QUARK (holder)

/* Two threads may make one at once; the first one stays. */
static gpointer
keep (gpointer object, GQuark quark, gpointer made, GDestroyNotify destroy)
{
  gpointer kept;

  g_mutex_lock (&zc_tracer_lock);
  kept = g_object_get_qdata (object, quark);
  if (kept == NULL) {
    kept = made;
    g_object_set_qdata_full (object, quark, made, destroy);
    made = NULL;
  }
  g_mutex_unlock (&zc_tracer_lock);
  if (made != NULL)
    destroy (made);
  return kept;
}

/* Elements */

ZcElement *
zc_record_element (GstElement *element)
{
  ZcElement *self = g_object_get_qdata (G_OBJECT (element), element_quark ());
  GstElementFactory *factory = gst_element_get_factory (element);
  g_autofree gchar *name = NULL;

  if (self != NULL)
    return self;
  name = gst_object_get_name (GST_OBJECT (element));
  self = zc_element_new (name,
      factory ? GST_OBJECT_NAME (factory) : G_OBJECT_TYPE_NAME (element));
  self->is_own = GST_IS_ZC_FILTER (element);
  return keep (element, element_quark (), self,
      (GDestroyNotify) zc_element_unref);
}

/* Pads */

static ZcElement *
element_of (GstPad *pad)
{
  g_autoptr (GstElement) parent = NULL;

  if (GST_IS_PROXY_PAD (pad))
    return NULL;
  parent = gst_pad_get_parent_element (pad);
  return parent ? zc_element_ref (zc_record_element (parent))
                : zc_element_new ("application", "application");
}

ZcPad *
zc_pad_ref (ZcPad *self)
{
  g_atomic_int_inc (&self->refs);
  return self;
}

void
zc_pad_unref (ZcPad *self)
{
  if (self == NULL || !g_atomic_int_dec_and_test (&self->refs))
    return;
  zc_element_unref (self->element);
  zc_pad_unref (self->peer);
  gst_clear_caps (&self->caps);
  zc_link_unref (self->link);
  zc_pad_unref (self->from);
  g_free (self->name);
  g_free (self);
}

ZcPad *
zc_record_peek_pad (GstPad *pad)
{
  return g_object_get_qdata (G_OBJECT (pad), pad_quark ());
}

ZcPad *
zc_record_pad (GstPad *pad)
{
  ZcPad *self = zc_record_peek_pad (pad);

  if (self != NULL)
    return self;
  self = g_new0 (ZcPad, 1);
  self->refs = 1;
  self->element = element_of (pad);
  self->name = gst_object_get_name (GST_OBJECT (pad));
  return keep (pad, pad_quark (), self, (GDestroyNotify) zc_pad_unref);
}

void
zc_pad_take_caps (ZcPad *self, GstCaps *caps)
{
  if (caps == self->caps)
    return;
  gst_caps_replace (&self->caps, caps);
  self->is_video = caps != NULL && gst_caps_get_size (caps) > 0 &&
      gst_structure_has_name (gst_caps_get_structure (caps, 0), "video/x-raw");
}

/* Pipelines */

static void
end_run (gpointer data)
{
  g_mutex_lock (&zc_tracer_lock);
  if (zc_tracer_model_runs ())
    zc_run_end (data);
  g_mutex_unlock (&zc_tracer_lock);
}

/* (transfer full) */
static GstObject *
toplevel_of (GstPad *pad)
{
  GstObject *object = gst_object_ref (GST_OBJECT (pad)), *parent;

  while ((parent = gst_object_get_parent (object)) != NULL) {
    gst_object_unref (object);
    object = parent;
  }
  return object;
}

ZcRun *
zc_record_run (GstPad *pad)
{
  g_autoptr (GstObject) toplevel = toplevel_of (pad);
  g_autofree gchar *name = gst_object_get_name (toplevel);
  ZcRun *run = NULL;

  g_mutex_lock (&zc_tracer_lock);
  if (zc_tracer_model_runs ()) {
    run = g_object_get_qdata (G_OBJECT (toplevel), run_quark ());
    if (run == NULL) {
      run = zc_run_new (name);
      g_object_set_qdata_full (G_OBJECT (toplevel), run_quark (), run, end_run);
    }
  }
  g_mutex_unlock (&zc_tracer_lock);
  return run;
}

/* Memories */

static GstMiniObject *
root_of (GstMemory *memory)
{
  return GST_MINI_OBJECT_CAST (memory->parent ? memory->parent : memory);
}

static gboolean
hand_to (GstMemory *memory, ZcElement *sink)
{
  GstMiniObject *root = root_of (memory);
  ZcElement *old;

  g_mutex_lock (&zc_tracer_lock);
  old = gst_mini_object_get_qdata (root, holder_quark ());
  if (old != sink)
    gst_mini_object_set_qdata (root, holder_quark (), zc_element_ref (sink),
        (GDestroyNotify) zc_element_unref);
  g_mutex_unlock (&zc_tracer_lock);
  return old == NULL;
}

guint
zc_record_memories (GstBuffer *buffer, ZcElement *sink)
{
  guint fresh = 0;

  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++)
    fresh += hand_to (gst_buffer_peek_memory (buffer, i), sink);
  return fresh;
}

ZcElement *
zc_record_holder (GstMemory *memory)
{
  ZcElement *holder;

  g_mutex_lock (&zc_tracer_lock);
  holder = gst_mini_object_get_qdata (root_of (memory), holder_quark ());
  if (holder != NULL)
    zc_element_ref (holder);
  g_mutex_unlock (&zc_tracer_lock);
  return holder;
}
