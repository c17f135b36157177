/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "pipeline.h"

#define PATIENCE (30 * GST_SECOND)

GstElement *
pipeline_new (const gchar *launch)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (launch, &error);

  g_assert_no_error (error);
  g_assert_true (GST_IS_PIPELINE (pipeline));
  return pipeline;
}

void
pipeline_free (GstElement *pipeline)
{
  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_NULL), ==,
      GST_STATE_CHANGE_SUCCESS);
  gst_object_unref (pipeline);
}

static GError *
play (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;
  GError *error = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, PATIENCE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (message == NULL)
    g_error ("nothing came within %d s", (gint) (PATIENCE / GST_SECOND));
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  return error;
}

void
pipeline_play (GstElement *pipeline)
{
  GError *error = play (pipeline);

  g_assert_no_error (error);
}

GError *
pipeline_play_error (GstElement *pipeline)
{
  GError *error = play (pipeline);

  g_assert_nonnull (error);
  return error;
}

void
pipeline_run (const gchar *launch)
{
  GstElement *pipeline = pipeline_new (launch);

  pipeline_play (pipeline);
  pipeline_free (pipeline);
}

GError *
pipeline_run_error (const gchar *launch)
{
  GstElement *pipeline = pipeline_new (launch);
  GError *error = pipeline_play_error (pipeline);

  pipeline_free (pipeline);
  return error;
}

static gboolean
is_made_by (GstObject *object, const gchar *factory)
{
  return GST_IS_ELEMENT (object) &&
      g_str_equal (
          GST_OBJECT_NAME (gst_element_get_factory (GST_ELEMENT (object))),
          factory);
}

guint
pipeline_count_errors (GstElement *pipeline, const gchar *factory)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR)) != NULL) {
    n += is_made_by (GST_MESSAGE_SRC (message), factory);
    gst_message_unref (message);
  }
  return n;
}

GstCaps *
pipeline_caps (GstElement *pipeline, const gchar *name, const gchar *pad_name)
{
  g_autoptr (GstElement) element =
      gst_bin_get_by_name (GST_BIN (pipeline), name);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, pad_name);

  return gst_pad_get_current_caps (pad);
}
