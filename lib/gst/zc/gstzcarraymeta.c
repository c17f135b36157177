/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcarraymeta.h"

struct _GstZcArrayMeta
{
  GstMeta meta;

  GstBuffer *buffer; /* not owned; that it is on */
  GstVideoInfo info;
  GstZcArraySync sync;
  /* To be compared, never looked into: a reference would make the memories
   * shared and nobody could write them. */
  gconstpointer memory[GST_ZC_MAX_PLANES];
  guint n_memory;
};

GType
gst_zc_array_meta_api_get_type (void)
{
  static GType type = 0;
  static const gchar *tags[] = { GST_META_TAG_VIDEO_STR,
    GST_META_TAG_MEMORY_STR, GST_META_TAG_MEMORY_REFERENCE_STR, NULL };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        gst_meta_api_type_register ("GstZcArrayMetaAPI", tags));
  return type;
}

static gboolean
init (GstMeta *meta, gpointer params, GstBuffer *buffer)
{
  GstZcArrayMeta *self = (GstZcArrayMeta *) meta;

  self->buffer = buffer;
  self->n_memory = 0;
  return TRUE;
}

static GstZcArrayMeta *
add (GstBuffer *buffer)
{
  return (GstZcArrayMeta *) gst_buffer_add_meta (buffer, GST_ZC_ARRAY_META_INFO,
      NULL);
}

/* The tags see to it that copies of memories and parts of buffers do not get
 * here. */
static gboolean
transform (GstBuffer *dest, GstMeta *meta, GstBuffer *src, GQuark type,
    gpointer data)
{
  GstZcArrayMeta *self = (GstZcArrayMeta *) meta;
  GstZcArrayMeta *copy;

  if (!GST_META_TRANSFORM_IS_COPY (type) || !(copy = add (dest)))
    return FALSE;
  copy->info = self->info;
  copy->sync = self->sync;
  memcpy (copy->memory, self->memory, sizeof (self->memory));
  copy->n_memory = self->n_memory;
  return TRUE;
}

const GstMetaInfo *
gst_zc_array_meta_get_info (void)
{
  static const GstMetaInfo *info = NULL;

  if (g_once_init_enter ((GstMetaInfo **) &info)) {
    const GstMetaInfo *registered =
        gst_meta_register (GST_ZC_ARRAY_META_API_TYPE, "GstZcArrayMeta",
            sizeof (GstZcArrayMeta), init, NULL, transform);

    g_once_init_leave ((GstMetaInfo **) &info, (GstMetaInfo *) registered);
  }
  return info;
}

GstZcArrayMeta *
gst_zc_buffer_get_array_meta (GstBuffer *buffer)
{
  return (GstZcArrayMeta *) gst_buffer_get_meta (buffer,
      GST_ZC_ARRAY_META_API_TYPE);
}

GstZcArrayMeta *
gst_zc_buffer_add_array_meta (GstBuffer *buffer, const GstVideoInfo *info,
    GstZcArraySync sync)
{
  guint n = gst_buffer_n_memory (buffer);
  GstZcArrayMeta *self;

  g_return_val_if_fail (n <= GST_ZC_MAX_PLANES, NULL);
  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);

  self = gst_zc_buffer_get_array_meta (buffer);
  if (!self)
    self = add (buffer);
  self->info = *info;
  self->sync = sync;
  self->n_memory = n;
  for (guint i = 0; i < n; i++)
    self->memory[i] = gst_buffer_peek_memory (buffer, i);
  return self;
}

static gboolean
speaks_of_its_buffer (const GstZcArrayMeta *self)
{
  if (gst_buffer_n_memory (self->buffer) != self->n_memory)
    return FALSE;
  for (guint i = 0; i < self->n_memory; i++) {
    if (gst_buffer_peek_memory (self->buffer, i) != self->memory[i])
      return FALSE;
  }
  return TRUE;
}

GstZcArray *
gst_zc_array_meta_get_array (GstZcArrayMeta *meta, gint plane,
    GstMapFlags flags, GError **error)
{
  g_return_val_if_fail (meta != NULL, NULL);

  if (speaks_of_its_buffer (meta))
    return gst_zc_buffer_get_array (meta->buffer, &meta->info, plane, flags,
        meta->sync, error);
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE,
      "The buffer has other memory than the one that its GstZcArrayMeta speaks "
      "of: use gst_zc_buffer_get_array()");
  return NULL;
}
