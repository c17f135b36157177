/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "zctracerfile.h"

#include <errno.h>
#include <stdio.h>
#include <sys/prctl.h>

#include "zcjson.h"
#include "zctracerthread.h"

/* Of the host's tracks; contexts come after it. */
#define HOST_PID 1

static const gchar *const deed_names[] = {
  [GST_ZC_TRACE_UPLOAD] = "upload",
  [GST_ZC_TRACE_DOWNLOAD] = "download",
  [GST_ZC_TRACE_DEVICE_COPY] = "copy on the GPU",
  [GST_ZC_TRACE_KERNEL] = "kernel",
  [GST_ZC_TRACE_HOST_WAIT] = "host wait",
  [GST_ZC_TRACE_EVENT_WAIT] = "event wait",
  [GST_ZC_TRACE_EVENT_RECORD] = "event record",
  [GST_ZC_TRACE_DEVICE_ALLOC] = "allocation",
  [GST_ZC_TRACE_HOST_ALLOC] = "allocation of pinned memory",
  [GST_ZC_TRACE_OTHER] = "other",
};

/* A track: a thread of the host, or a stream. */
typedef struct
{
  guint pid;
  guint tid;
} Track;

static GMutex lock; /* of what follows */
static FILE *file;
static gboolean has_events;
static gint64 origin;
static GHashTable *tracks; /* of track ids: those that have a name */
static GHashTable *ends;   /* of track ids: when their last work ended */
static gint is_open; /* atomic */

/* Events; with the lock */

static ZcJson
event_open (GString *text, const gchar *phase, Track track)
{
  ZcJson json = ZC_JSON_INIT (text);

  zc_json_open (&json, NULL, '{');
  zc_json_string (&json, "ph", phase);
  zc_json_int (&json, "pid", track.pid);
  zc_json_int (&json, "tid", track.tid);
  return json;
}

/* In microseconds. */
static void
add_time (ZcJson *json, const gchar *key, gint64 ns)
{
  zc_json_decimal (json, key, ns, 3);
}

static void
event_close (ZcJson *json)
{
  zc_json_close (json, '}');
  fprintf (file, "%s\n%s", has_events ? "," : "", json->text->str);
  has_events = TRUE;
}

static void
name_it (const gchar *what, Track track, const gchar *name)
{
  g_autoptr (GString) text = g_string_new (NULL);
  ZcJson json = event_open (text, "M", track);

  zc_json_string (&json, "name", what);
  zc_json_open (&json, "args", '{');
  zc_json_string (&json, "name", name);
  zc_json_close (&json, '}');
  event_close (&json);
}

static gint64
id_of (Track track)
{
  return (gint64) track.pid << 32 | track.tid;
}

/* TRUE the first time. */
static gboolean
is_new (Track track)
{
  gint64 id = id_of (track);

  return g_hash_table_add (tracks, g_memdup2 (&id, sizeof (id)));
}

/* A stream does one thing at a time, but events are told with some ns of
 * error. */
static void
keep_order (Track track, ZcSlice *slice)
{
  gint64 id = id_of (track);
  const gint64 *last = g_hash_table_lookup (ends, &id);

  if (last != NULL)
    slice->start = MAX (slice->start, *last);
  slice->end = MAX (slice->end, slice->start);
  g_hash_table_insert (ends, g_memdup2 (&id, sizeof (id)),
      g_memdup2 (&slice->end, sizeof (slice->end)));
}

static Track
thread_track (void)
{
  Track track = { HOST_PID, zc_thread_number () };
  gchar name[16] = "";

  if (!is_new (track))
    return track;
  prctl (PR_GET_NAME, name);
  name_it ("thread_name", track, name);
  return track;
}

/* @user, which may be NULL, is the first one's name. */
static Track
stream_track (guint context, guint stream, const gchar *user)
{
  Track process = { HOST_PID + context, G_MAXUINT };
  Track track = { HOST_PID + context, stream };
  g_autofree gchar *context_name = g_strdup_printf ("CUDA context %u", context);
  g_autofree gchar *name = NULL;

  if (is_new (process))
    name_it ("process_name", process, context_name);
  if (!is_new (track))
    return track;
  if (stream == 0)
    name = g_strdup ("legacy stream");
  else
    name = g_strdup_printf (user ? "stream %u: %s" : "stream %u", stream, user);
  name_it ("thread_name", track, name);
  return track;
}

static ZcJson
slice_open (GString *text, Track track, const ZcSlice *slice)
{
  ZcJson json = event_open (text, "X", track);

  zc_json_string (&json, "name", slice->name);
  zc_json_string (&json, "cat", slice->category);
  add_time (&json, "ts", slice->start - origin);
  add_time (&json, "dur", slice->end - slice->start);
  return json;
}

/* An arrow from a call to what it queued: "s" and "f" its two ends. */
static void
arrow (const gchar *end, Track track, guint64 work, gint64 time)
{
  g_autoptr (GString) text = g_string_new (NULL);
  ZcJson json = event_open (text, end, track);

  zc_json_string (&json, "name", "queued");
  zc_json_string (&json, "cat", "queued");
  zc_json_int (&json, "id", work);
  add_time (&json, "ts", time - origin);
  if (*end == 'f')
    zc_json_string (&json, "bp", "e");
  event_close (&json);
}

/* The file */

gboolean
zc_file_open (const gchar *path)
{
  Track host = { HOST_PID, 0 };

  g_mutex_lock (&lock);
  file = fopen (path, "w");
  if (file == NULL) {
    g_printerr ("zc: the timeline can't be written to %s: %s; give another "
                "file in GST_TRACERS=\"zc(trace=FILE)\"\n",
        path, g_strerror (errno));
  } else {
    origin = gst_util_get_timestamp ();
    has_events = FALSE;
    tracks = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
    ends = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
    fputs ("{\"traceEvents\":[", file);
    name_it ("process_name", host, "threads of the CPU");
    g_atomic_int_set (&is_open, TRUE);
  }
  g_mutex_unlock (&lock);
  return file != NULL;
}

gboolean
zc_file_is_open (void)
{
  return g_atomic_int_get (&is_open);
}

void
zc_file_close (const gchar *summary)
{
  gboolean failed;

  g_mutex_lock (&lock);
  if (file != NULL) {
    g_atomic_int_set (&is_open, FALSE);
    fprintf (file, "\n],\"displayTimeUnit\":\"ms\",\"otherData\":%s}\n",
        summary);
    failed = ferror (file);
    if (fclose (file) != 0 || failed)
      g_printerr ("zc: the timeline is not complete: %s\n", g_strerror (errno));
    file = NULL;
    g_clear_pointer (&tracks, g_hash_table_unref);
    g_clear_pointer (&ends, g_hash_table_unref);
  }
  g_mutex_unlock (&lock);
}

void
zc_file_element (const gchar *name, gint64 start, gint64 end)
{
  g_autoptr (GString) text = g_string_new (NULL);
  ZcSlice slice = { name, "element", start, end };
  ZcJson json;

  if (!zc_file_is_open ())
    return;
  g_mutex_lock (&lock);
  if (file != NULL) {
    json = slice_open (text, thread_track (), &slice);
    event_close (&json);
  }
  g_mutex_unlock (&lock);
}

static void
write_call (const GstZcTraceCall *call, const gchar *element, guint context,
    guint stream)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Track track = thread_track ();
  ZcSlice slice = { call->name, call->ours ? "driver" : "driver (others)",
    call->start, call->end };
  ZcJson json = slice_open (text, track, &slice);

  zc_json_open (&json, "args", '{');
  zc_json_string (&json, "does", deed_names[call->deed]);
  zc_json_string (&json, "element", element);
  zc_json_int (&json, "bytes", call->bytes);
  zc_json_int (&json, "stream", stream);
  zc_json_close (&json, '}');
  event_close (&json);
  if (call->work == 0)
    return;
  stream_track (context, stream, element);
  arrow ("s", track, call->work, call->start);
}

void
zc_file_call (const GstZcTraceCall *call, const gchar *element, guint context,
    guint stream)
{
  if (!zc_file_is_open ())
    return;
  g_mutex_lock (&lock);
  if (file != NULL)
    write_call (call, element, context, stream);
  g_mutex_unlock (&lock);
}

static void
write_work (const GstZcTraceWork *work, guint context, guint stream)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Track track = stream_track (context, stream, NULL);
  ZcSlice slice = { deed_names[work->deed], "GPU", work->start, work->end };
  ZcJson json;

  keep_order (track, &slice);
  json = slice_open (text, track, &slice);
  zc_json_open (&json, "args", '{');
  zc_json_string (&json, "call", work->name);
  zc_json_int (&json, "bytes", work->bytes);
  zc_json_close (&json, '}');
  event_close (&json);
  arrow ("f", track, work->number, slice.start);
}

void
zc_file_work (const GstZcTraceWork *work, guint context, guint stream)
{
  if (!zc_file_is_open ())
    return;
  g_mutex_lock (&lock);
  if (file != NULL)
    write_work (work, context, stream);
  g_mutex_unlock (&lock);
}
