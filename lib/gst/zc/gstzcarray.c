/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcarray-private.h"

G_DEFINE_BOXED_TYPE (GstZcArray, gst_zc_array, gst_zc_array_copy,
    gst_zc_array_free)

GType
gst_zc_array_sync_get_type (void)
{
  static const GEnumValue values[] = {
    { GST_ZC_ARRAY_SYNC_NONE, "The array names the stream to wait for",
        "none" },
    { GST_ZC_ARRAY_SYNC_HOST, "Who asks for the array waits", "host" },
    { 0, NULL, NULL },
  };
  static GType type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstZcArraySync", values));
  return type;
}

GstZcArray *
gst_zc_array_copy (const GstZcArray *array)
{
  GstZcArray *copy = g_new (GstZcArray, 1);

  *copy = *array;
  if (copy->stream)
    gst_zc_stream_ref (copy->stream);
  return copy;
}

void
gst_zc_array_free (GstZcArray *array)
{
  if (!array)
    return;
  g_clear_pointer (&array->stream, gst_zc_stream_unref);
  g_free (array);
}

const gchar *
gst_zc_array_get_typestr (const GstZcArray *array)
{
  return array->typestr;
}

const gint64 *
gst_zc_array_get_shape (const GstZcArray *array, guint *n_dims)
{
  *n_dims = array->n_dims;
  return array->shape;
}

const gint64 *
gst_zc_array_get_strides (const GstZcArray *array, guint *n_dims)
{
  *n_dims = array->n_dims;
  return array->strides;
}

/* The CUDA Array Interface has a number of its own for the legacy stream, and
 * no 0. */
void
zc_array_take_stream (GstZcArray *array, GstZcStream *stream)
{
  gpointer handle = gst_zc_stream_get_handle (stream);

  g_clear_pointer (&array->stream, gst_zc_stream_unref);
  array->stream = stream;
  array->cai_stream =
      (gint64) (guintptr) (handle ? handle : (gpointer) CU_STREAM_LEGACY);
}

gsize
zc_array_item_size (const gchar *typestr)
{
  guint64 size;

  if (!typestr || strlen (typestr) >= sizeof (((GstZcArray *) NULL)->typestr) ||
      strlen (typestr) < 3 || !strchr ("<>|=", typestr[0]) ||
      !g_ascii_isalpha (typestr[1]) ||
      !g_ascii_string_to_unsigned (typestr + 2, 10, 1, 1024, &size, NULL))
    return 0;
  return size;
}

static gboolean
check_shape (guint n_dims, const gint64 *shape, GError **error)
{
  if (n_dims < 1 || n_dims > GST_ZC_ARRAY_MAX_DIMS) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "shape has %u dimensions; a picture has 1 to %d", n_dims,
        GST_ZC_ARRAY_MAX_DIMS);
    return FALSE;
  }
  for (guint i = 0; i < n_dims; i++) {
    if (shape[i] > 0 && shape[i] <= G_MAXINT)
      continue;
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "shape[%u] is %" G_GINT64_FORMAT "; a picture has at least 1 element, "
        "at most %d, in each dimension",
        i, shape[i], G_MAXINT);
    return FALSE;
  }
  return TRUE;
}

static gboolean
check_fields (guint64 data, const gchar *typestr, gint64 cai_stream,
    GError **error)
{
  if (data == 0)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "data is 0: the array has no memory");
  else if (zc_array_item_size (typestr) == 0)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "typestr is \"%s\", which is no type: give one like \"|u1\"",
        typestr ? typestr : "(null)");
  else if (cai_stream < GST_ZC_CAI_NONE && cai_stream != GST_ZC_CAI_NO_STREAM)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "stream is %" G_GINT64_FORMAT ": give -1 for None, or a handle",
        cai_stream);
  else
    return TRUE;
  return FALSE;
}

static void
set_strides (GstZcArray *self, const gint64 *strides)
{
  /* Too large for any memory, it may run over. */
  guint64 next = zc_array_item_size (self->typestr);

  for (guint i = self->n_dims; i-- > 0;) {
    self->strides[i] = strides ? strides[i] : (gint64) next;
    next *= (guint64) self->shape[i];
  }
}

GstZcArray *
gst_zc_array_new (guint64 data, const gchar *typestr, guint n_dims,
    const gint64 *shape, const gint64 *strides, gint64 cai_stream,
    GError **error)
{
  GstZcArray *self;

  if (!check_fields (data, typestr, cai_stream, error) ||
      !check_shape (n_dims, shape, error))
    return NULL;
  self = g_new0 (GstZcArray, 1);
  self->data = data;
  g_strlcpy (self->typestr, typestr, sizeof (self->typestr));
  self->n_dims = n_dims;
  memcpy (self->shape, shape, n_dims * sizeof (*shape));
  set_strides (self, strides);
  self->device = -1;
  self->cai_stream = cai_stream;
  return self;
}
