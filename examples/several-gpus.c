/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Turns many files on all GPUs of the machine at once: several-gpus OUTDIR
 * FILE... A thread a slot of a GPU takes the next file when it is done with
 * one. Ends with 0 if all files are done, 1 if some are not, 130 on Ctrl-C. */

#include <errno.h>
#include <signal.h>
#include <string.h>

#include <glib/gstdio.h>
#include <gst/cuda/gstcudautils.h>
#include <gst/gst.h>
#include <gst/zc/zc.h>

#define PIPELINE                                                               \
  "filesrc name=source ! decodebin ! videoconvert ! zcupload ! zcflip "        \
  "name=flip video-direction=90r ! zcdownload ! videoconvert ! jpegenc ! "     \
  "matroskamux ! filesink name=target"
#define PATIENCE_MS 100 /* after which a thread sees that it is to stop */

static gint retries = 2, per_gpu = 1, timeout_s = 3600;
static const GOptionEntry options[] = { { "retries", 'r', 0, G_OPTION_ARG_INT,
                                            &retries,
                                            "of a file that fails (2)", "N" },
  { "per-gpu", 'p', 0, G_OPTION_ARG_INT, &per_gpu,
      "pipelines at once on a GPU (1)", "N" },
  { "timeout", 't', 0, G_OPTION_ARG_INT, &timeout_s,
      "seconds a file may take (3600)", "SECONDS" },
  { NULL, 0, 0, 0, NULL, NULL, NULL } };

typedef struct
{
  const gchar *source;
  gchar *target, *part; /* part: what is not whole yet */
  gint tries, device;
  gdouble seconds;
  gchar *error; /* of the last try */
  gboolean finished;
} Job;

/* What the threads share, under its lock. */
typedef struct
{
  GMutex lock;
  GCond changed;
  GQueue waiting; /* of Job */
  Job *jobs;
  guint n_jobs, n_finished, n_told, n_failed;
} Work;

typedef struct
{
  Work *work;
  guint device;
} Slot;

static volatile sig_atomic_t stopped;

static void
stop (G_GNUC_UNUSED int number)
{
  stopped = 1;
}

/* All elements of the pipeline work on that device. */
static gboolean
use_device (GstElement *pipeline, guint device, GError **error)
{
  GstCudaContext *cuda = gst_zc_context_new (device, error);
  GstContext *context;

  if (!cuda)
    return FALSE;
  context = gst_context_new_cuda_context (cuda);
  gst_element_set_context (pipeline, context);
  gst_context_unref (context);
  gst_object_unref (cuda);
  return TRUE;
}

static gboolean
wait_for_end (GstElement *pipeline, GError **error)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  gint64 end = g_get_monotonic_time () + timeout_s * G_TIME_SPAN_SECOND;

  while (!stopped && g_get_monotonic_time () < end) {
    g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (bus,
        PATIENCE_MS * GST_MSECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);

    if (!message)
      continue;
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
      return TRUE;
    gst_message_parse_error (message, error, NULL);
    return FALSE;
  }
  g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_FAILED, "%s",
      stopped ? "interrupted" : "it takes too long");
  return FALSE;
}

static void
set_location (GstElement *pipeline, const gchar *name, const gchar *path)
{
  g_autoptr (GstElement) element =
      gst_bin_get_by_name (GST_BIN (pipeline), name);

  g_object_set (element, "location", path, NULL);
}

/* Where the frames were. */
static gint
device_of (GstElement *pipeline)
{
  g_autoptr (GstElement) flip =
      gst_bin_get_by_name (GST_BIN (pipeline), "flip");
  gint device;

  g_object_get (flip, "cuda-device-id", &device, NULL);
  return device;
}

static gboolean
run (Job *job, guint device, GError **error)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch (PIPELINE, error);
  gboolean ok;

  if (!pipeline || !use_device (pipeline, device, error))
    return FALSE;
  set_location (pipeline, "source", job->source);
  set_location (pipeline, "target", job->part);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  ok = wait_for_end (pipeline, error);
  job->device = device_of (pipeline);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  if (ok && g_rename (job->part, job->target) == 0)
    return TRUE;
  if (ok)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s",
        job->target, g_strerror (errno));
  g_unlink (job->part);
  return FALSE;
}

static void
try_job (Job *job, guint device)
{
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();

  g_clear_pointer (&job->error, g_free);
  job->tries++;
  if (!run (job, device, &error))
    job->error = g_strdup (error->message);
  job->seconds = (g_get_monotonic_time () - start) / 1e6;
}

static void
tell (const Job *job)
{
  if (job->error)
    g_print ("%s: FAILED in try %d: %s\n", job->source, job->tries, job->error);
  else
    g_print ("%s: done in try %d: %.1f s on GPU %d\n", job->source, job->tries,
        job->seconds, job->device);
}

/* Tells of the files in their order. The lock is held. */
static void
finish (Work *work, Job *job)
{
  job->finished = TRUE;
  work->n_finished++;
  work->n_failed += job->error != NULL;
  g_printerr ("%u of %u files\n", work->n_finished, work->n_jobs);
  while (work->n_told < work->n_jobs && work->jobs[work->n_told].finished)
    tell (&work->jobs[work->n_told++]);
}

/* The next file; NULL if there will be none. The lock is held. */
static Job *
take (Work *work)
{
  while (!stopped && g_queue_is_empty (&work->waiting) &&
      work->n_finished < work->n_jobs)
    g_cond_wait_until (&work->changed, &work->lock,
        g_get_monotonic_time () + PATIENCE_MS * G_TIME_SPAN_MILLISECOND);
  return stopped ? NULL : g_queue_pop_head (&work->waiting);
}

/* A file that has failed goes to the end, for whichever GPU is free then. */
static gpointer
run_slot (gpointer data)
{
  const Slot *slot = data;
  Work *work = slot->work;
  Job *job;

  g_mutex_lock (&work->lock);
  while ((job = take (work))) {
    g_mutex_unlock (&work->lock);
    try_job (job, slot->device);
    g_mutex_lock (&work->lock);
    if (stopped)
      break;
    if (job->error && job->tries <= retries) {
      g_printerr ("%s: try %d: %s; again\n", job->source, job->tries,
          job->error);
      g_queue_push_tail (&work->waiting, job);
    } else {
      finish (work, job);
    }
    g_cond_broadcast (&work->changed);
  }
  g_mutex_unlock (&work->lock);
  return NULL;
}

static guint
count_devices (void)
{
  GstStructure *driver = gst_zc_driver_info ();
  guint n = 0;

  gst_structure_get_uint (driver, "devices", &n);
  gst_structure_free (driver);
  return n;
}

static void
run_all (Work *work, guint n_devices)
{
  guint n = n_devices * MAX (per_gpu, 1);
  g_autofree GThread **threads = g_new (GThread *, n);
  g_autofree Slot *slots = g_new (Slot, n);

  for (guint i = 0; i < n; i++) {
    slots[i] = (Slot) { work, i % n_devices };
    threads[i] = g_thread_new ("slot", run_slot, &slots[i]);
  }
  for (guint i = 0; i < n; i++)
    g_thread_join (threads[i]);
}

/* FALSE if two files would become one. */
static gboolean
add_jobs (Work *work, const gchar *folder, gchar **files)
{
  g_autoptr (GHashTable) targets = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < work->n_jobs; i++) {
    g_autofree gchar *name = g_path_get_basename (files[i]);
    Job *job = &work->jobs[i];
    gchar *dot = strrchr (name, '.');

    if (dot && dot != name)
      *dot = '\0';
    job->source = files[i];
    job->target = g_strdup_printf ("%s/%s.mkv", folder, name);
    job->part = g_strconcat (job->target, ".part", NULL);
    g_queue_push_tail (&work->waiting, job);
    if (!g_hash_table_add (targets, job->target)) {
      g_printerr ("two files would become %s\n", job->target);
      return FALSE;
    }
  }
  return TRUE;
}

static void
work_clear (Work *work)
{
  for (guint i = 0; i < work->n_jobs; i++) {
    g_free (work->jobs[i].target);
    g_free (work->jobs[i].part);
    g_free (work->jobs[i].error);
  }
  g_free (work->jobs);
  g_queue_clear (&work->waiting);
}

static int
turn_all (const gchar *folder, gchar **files, guint n_devices)
{
  Work work = { .n_jobs = g_strv_length (files) };
  int status = 2;

  work.jobs = g_new0 (Job, work.n_jobs);
  g_queue_init (&work.waiting);
  if (add_jobs (&work, folder, files)) {
    run_all (&work, n_devices);
    status = stopped ? 130 : work.n_failed > 0;
    g_printerr ("%u of %u files done\n", work.n_finished - work.n_failed,
        work.n_jobs);
  }
  work_clear (&work);
  return status;
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("OUTDIR FILE...");
  g_autoptr (GError) error = NULL;
  guint n_devices;

  gst_init (&argc, &argv);
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc < 3) {
    g_printerr ("%s; see --help\n",
        error ? error->message : "give a folder and files");
    return 2;
  }
  n_devices = count_devices ();
  if (n_devices == 0) {
    g_printerr ("there is no GPU: gst-zc-info tells why\n");
    return 77;
  }
  g_mkdir_with_parents (argv[1], 0777);
  signal (SIGINT, stop);
  signal (SIGTERM, stop);
  return turn_all (argv[1], argv + 2, n_devices);
}
