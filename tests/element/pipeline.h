/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Whole pipelines, as gst-launch-1.0 runs them. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

GstElement *pipeline_new (const gchar *launch);
void pipeline_free (GstElement *pipeline);

/* Plays until the end of the stream; an error fails the test. */
void pipeline_play (GstElement *pipeline);
/* Plays until the first error. (transfer full) */
GError *pipeline_play_error (GstElement *pipeline);
/* Both with a pipeline of their own. */
void pipeline_run (const gchar *launch);
GError *pipeline_run_error (const gchar *launch);

/* The error messages that wait on the bus and come from @factory's elements. */
guint pipeline_count_errors (GstElement *pipeline, const gchar *factory);

/* The caps in use on @pad of the element called @name. (transfer full) */
GstCaps *pipeline_caps (GstElement *pipeline, const gchar *name,
    const gchar *pad);

G_END_DECLS
