/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include <gst/zc/zc.h>
#include "invert.h"
#include "invertfatbin.h"

struct _GstZcInvert
{
  GstZcFilter parent;
  guint threshold; /* atomic: set while frames flow */
  GstZcKernel *kernel; /* owned; from attach to detach */
};

G_DECLARE_FINAL_TYPE (GstZcInvert, gst_zc_invert, GST, ZC_INVERT, GstZcFilter)
G_DEFINE_TYPE (GstZcInvert, gst_zc_invert, GST_TYPE_ZC_FILTER)

static gboolean
attach (GstZcFilter *filter, GError **error)
{
  GstZcInvert *self = GST_ZC_INVERT (filter);

  self->kernel = gst_zc_kernel_new (gst_zc_filter_get_context (filter),
      invert_fatbin, sizeof invert_fatbin, "invert", error);
  return self->kernel != NULL;
}

static void
detach (GstZcFilter *filter)
{
  g_clear_pointer (&GST_ZC_INVERT (filter)->kernel, gst_zc_kernel_unref);
}

static gboolean
process_frame (GstZcFilter *filter, GstZcFrame *out, GstZcFrame *in,
    GError **error)
{
  GstZcInvert *self = GST_ZC_INVERT (filter);
  gboolean ok = TRUE;

  for (guint i = 0; i < out->image.n_planes && ok; i++) {
    const GstZcPlane *from = &in->image.plane[i], *to = &out->image.plane[i];
    InvertArgs args = { from->data, to->data, from->row_stride, to->row_stride,
      gst_zc_plane_row_bytes (to), to->height,
      g_atomic_int_get (&self->threshold) };

    ok = gst_zc_kernel_launch_2d (self->kernel, out->stream, args.width,
        args.height, &args, sizeof args, error);
  }
  return ok;
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  g_atomic_int_set (&GST_ZC_INVERT (object)->threshold,
      g_value_get_uint (value));
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_uint (value,
      g_atomic_int_get (&GST_ZC_INVERT (object)->threshold));
}

static void
gst_zc_invert_class_init (GstZcInvertClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstZcFilterClass *filter_class = GST_ZC_FILTER_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  g_object_class_install_property (object_class, 1,
      g_param_spec_uint ("threshold", "Threshold", "Least value inverted", 0,
          255, 0, G_PARAM_READWRITE));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "Inverter",
      "Filter/Effect/Video/Hardware", "Inverts bright values", "You");
  gst_zc_filter_class_add_pad_templates (filter_class,
      "NV12, I420, Y444, RGB, BGR");
  filter_class->attach = attach;
  filter_class->detach = detach;
  filter_class->process_frame = process_frame;
}

static void
gst_zc_invert_init (GstZcInvert *self)
{
}

static gboolean
plugin_init (GstPlugin *plugin)
{
  return gst_element_register (plugin, "zcinvert", GST_RANK_NONE,
      gst_zc_invert_get_type ());
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, zcinvert,
    "Inverts CUDA video", plugin_init, "0.1.0", "LGPL", PACKAGE, PACKAGE)
