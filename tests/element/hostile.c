/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Metas whose numbers are so large that sums of them wrap around to places
 * inside the buffer: refused, with one message. */

#include "pixels.h"

#define SIZE 4096

typedef struct
{
  const gchar *name;
  guint width, height;          /* of the meta; the caps say 8x8 */
  gsize offset;
  guint crop_x, crop_y;
} Row;

static const Row rows[] = {
  { "crop-x", 16, 16, 512, G_MAXUINT - 4, 0 },
  { "crop-y", 16, 16, 512, 0, G_MAXUINT - 1 },
  { "crop-past-end", 16, 16, 512, 9, 0 },
  { "offset", 16, 16, G_MAXSIZE - 15, 8, 8 },
};

static GstBuffer *
hostile_buffer (const Row *row)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, SIZE, NULL);
  gsize offset[GST_VIDEO_MAX_PLANES] = { row->offset };
  gint stride[GST_VIDEO_MAX_PLANES] = { 16 * 4 };
  GstVideoCropMeta *crop;

  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_RGBA, row->width, row->height, 1, offset, stride);
  crop = gst_buffer_add_video_crop_meta (buffer);
  crop->x = row->crop_x;
  crop->y = row->crop_y;
  crop->width = crop->height = 8;
  return buffer;
}

static void
test_refused (gconstpointer data)
{
  GstHarness *h;
  GstBus *bus;
  GstMessage *message;

  if (!have_device ())
    return;
  h = chain_new ("zcupload");
  bus = gst_bus_new ();
  gst_element_set_bus (h->element, bus);
  chain_set_size (h, GST_VIDEO_FORMAT_RGBA, 8, 8);

  g_assert_cmpint (gst_harness_push (h, hostile_buffer (data)), ==,
      GST_FLOW_ERROR);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  gst_message_unref (message);

  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (h);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *path = g_strconcat ("/hostile/", rows[i].name, NULL);

    g_test_add_data_func (path, &rows[i], test_refused);
  }
  return g_test_run ();
}
