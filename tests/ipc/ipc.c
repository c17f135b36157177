/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Frames of our elements in another process, by GStreamer's cudaipcsink and
 * cudaipcsrc. cases.md 63. */

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "devicetest.h"
#include "ends.h"
#include "process.h"
#include "softcuda-panel.h"

#define TURN "zcupload ! zcflip video-direction=90r"
#define TURN_BACK "zcflip video-direction=90l ! zcdownload"
#define N_FRAMES "40"
#define PATIENCE_S 30 /* a child that is still there then is ended */

typedef struct
{
  gchar *folder, *address;
} Place;

static void
place_init (Place *self)
{
  self->folder = g_dir_make_tmp ("zc-ipc-XXXXXX", NULL);
  self->address = g_build_filename (self->folder, "socket", NULL);
}

static void
place_clear (Place *self)
{
  g_unlink (self->address);
  g_rmdir (self->folder);
  g_free (self->address);
  g_free (self->folder);
}

static void
sender_start (Process *self, const Place *place, const gchar *mode,
    const gchar *format, const gchar *chain)
{
  process_start (self,
      (const gchar *[]) {
          IPC_SEND, place->address, mode, format, chain, NULL });
}

static void
receiver_start (Process *self, const Place *place, const gchar *io_mode,
    const gchar *format, const gchar *chain, const gchar *n)
{
  process_start (self,
      (const gchar *[]) {
          IPC_RECEIVE, place->address, io_mode, format, chain, n, NULL });
}

static void
sender_stop (Process *self)
{
  g_output_stream_close (g_subprocess_get_stdin_pipe (self->process), NULL,
      NULL);
}

typedef struct
{
  guint sent, own, copies;
} Told;

static Told
sender_finish (Process *self)
{
  g_autofree gchar *line = NULL;
  Told told = { 0 };

  sender_stop (self);
  line = process_read (self);
  g_assert_nonnull (line);
  if (sscanf (line, "sent %u, own %u, copies %u", &told.sent, &told.own,
          &told.copies) != 3)
    g_error ("the sender says %s", line);
  process_finish (self);
  return told;
}

/* FALSE, and skipped, where it can't. */
static gboolean
sender_plays (Process *self)
{
  g_autofree gchar *line = process_read (self);

  if (line && g_str_has_prefix (line, "skip: ")) {
    g_test_skip (line + strlen ("skip: "));
    process_finish (self);
    return FALSE;
  }
  g_assert_cmpstr (line, ==, "playing");
  return TRUE;
}

static gboolean
have_ipc (void)
{
  g_autoptr (GstElementFactory) factory = NULL;

  if (!have_nvcodec ())
    return FALSE;
  factory = gst_element_factory_find ("cudaipcsink");
  if (factory == NULL)
    g_test_skip ("this GStreamer has no cudaipcsink");
  return factory != NULL;
}

/* Exact, in all modes and formats */

typedef struct
{
  const gchar *path, *mode, *io_mode, *format, *send, *receive;
  gboolean own; /* our pool's memory goes over, with no copy */
  guint devices; /* that it needs; 0: one */
} Case;

static const Case cases[] = {
  { "copy", "legacy", "copy", "NV12", TURN, TURN_BACK, FALSE },
  { "import", "legacy", "import", "NV12", TURN, TURN_BACK, FALSE },
  { "queued", "legacy", "import", "NV12", TURN " ! queue",
      "queue ! zcflip video-direction=90l ! queue ! zcdownload", FALSE },
  { "upload", "legacy", "import", "NV12", "zcupload", "zcdownload", FALSE },
  { "I420", "legacy", "import", "I420", TURN, TURN_BACK, FALSE },
  { "RGBA", "legacy", "copy", "RGBA", TURN, TURN_BACK, FALSE },
  { "P010", "legacy", "import", "P010_10LE", TURN, TURN_BACK, FALSE },
  { "second-device", "legacy", "import", "NV12",
      "zcupload cuda-device-id=1 ! zcflip video-direction=90r",
      "zcflip cuda-device-id=1 video-direction=90l ! zcdownload", FALSE, 2 },
  { "own-pool", "legacy", "import", "NV12",
      TURN " ! identity drop-allocation=true", TURN_BACK, TRUE },
  { "own-pool-copy", "legacy", "copy", "NV12",
      TURN " ! identity drop-allocation=true", TURN_BACK, TRUE },
  { "own-pool-packed", "legacy", "import", "NV12",
      "zcupload packed=true ! identity drop-allocation=true", "zcdownload",
      TRUE },
  { "mmap", "mmap", "import", "NV12", TURN, TURN_BACK, FALSE },
};

/* Two copies for each upload, of planes. */
static void
check_own (const Told *told)
{
  g_assert_cmpuint (told->own, ==, told->sent);
  if (softcuda_panel ())
    g_assert_cmpuint (told->copies, <=, 2 * (told->sent + 4));
}

static void
test_exact (gconstpointer data)
{
  const Case *c = data;
  Process sender, receiver;
  Place place;

  if (!have_ipc () || !device_test_have (MAX (c->devices, 1)))
    return;
  place_init (&place);
  sender_start (&sender, &place, c->mode, c->format, c->send);
  if (sender_plays (&sender)) {
    Told told;

    receiver_start (&receiver, &place, c->io_mode, c->format, c->receive,
        N_FRAMES);
    process_expect (&receiver, "frame");
    process_expect (&receiver, "right " N_FRAMES);
    process_finish (&receiver);
    told = sender_finish (&sender);
    if (c->own)
      check_own (&told);
  }
  place_clear (&place);
}

/* What is left to a receiver whose sender has gone: cudaipcsrc's end, or its
 * error if its connection went first. cudaipcsink does not wait for who is just
 * about to read a frame when it stops, and frees it. */
static void
expect_end (Process *receiver, gboolean stopped)
{
  g_autofree gchar *line = process_read (receiver);

  g_assert_nonnull (line);
  g_assert_true (g_str_has_prefix (line, "eos, right ") ||
      g_str_has_prefix (line, "error: ") ||
      (stopped && g_str_equal (line, "last wrong")));
  process_finish (receiver);
}

/* A sender in a place of its own, which plays. */
static void
send_turned (Place *place, Process *sender)
{
  place_init (place);
  sender_start (sender, place, "legacy", "NV12", TURN);
  g_assert_true (sender_plays (sender));
}

/* A sender that ends, by itself. */
static void
test_end (gconstpointer io_mode)
{
  Process sender, receivers[2];
  Place place;

  if (!have_ipc ())
    return;
  send_turned (&place, &sender);
  for (guint i = 0; i < 2; i++)
    receiver_start (&receivers[i], &place, io_mode, "NV12", TURN_BACK, "0");
  for (guint i = 0; i < 2; i++)
    process_expect (&receivers[i], "frame");
  sender_finish (&sender);
  for (guint i = 0; i < 2; i++)
    expect_end (&receivers[i], TRUE);
  place_clear (&place);
}

/* One that dies. */
static void
test_kill_sender (gconstpointer io_mode)
{
  Process sender, receiver;
  Place place;

  if (!have_ipc ())
    return;
  send_turned (&place, &sender);
  receiver_start (&receiver, &place, io_mode, "NV12", TURN_BACK, "0");
  process_expect (&receiver, "frame");
  process_kill (&sender);
  expect_end (&receiver, FALSE);
  place_clear (&place);
}

/* Receivers that die: the sender does not care, and serves the next one. */
static void
test_kill_receiver (gconstpointer io_mode)
{
  Process sender, receiver;
  Place place;

  if (!have_ipc ())
    return;
  send_turned (&place, &sender);
  for (guint i = 0; i < 3; i++) {
    receiver_start (&receiver, &place, io_mode, "NV12", TURN_BACK, "0");
    process_expect (&receiver, "frame");
    process_kill (&receiver);
  }
  receiver_start (&receiver, &place, io_mode, "NV12", TURN_BACK, N_FRAMES);
  process_expect (&receiver, "frame");
  process_expect (&receiver, "right " N_FRAMES);
  process_finish (&receiver);
  sender_finish (&sender);
  place_clear (&place);
}

static gint
run_tests (gint argc, gchar **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *path = g_strconcat ("/ipc/exact/", cases[i].path, NULL);

    g_test_add_data_func (path, &cases[i], test_exact);
  }
  g_test_add_data_func ("/ipc/end/copy", "copy", test_end);
  g_test_add_data_func ("/ipc/end/import", "import", test_end);
  g_test_add_data_func ("/ipc/kill/sender/copy", "copy", test_kill_sender);
  g_test_add_data_func ("/ipc/kill/sender/import", "import", test_kill_sender);
  g_test_add_data_func ("/ipc/kill/receiver/copy", "copy", test_kill_receiver);
  g_test_add_data_func ("/ipc/kill/receiver/import", "import",
      test_kill_receiver);
  return g_test_run ();
}

int
main (int argc, char **argv)
{
  gboolean sends = argc > 1 && g_str_equal (argv[1], IPC_SEND);
  gint status;

  if (!sends && !(argc > 1 && g_str_equal (argv[1], IPC_RECEIVE)))
    return run_tests (argc, argv);
  alarm (PATIENCE_S);
  gst_init (NULL, NULL);
  status = sends ? ipc_send (argv + 2) : ipc_receive (argv + 2);
  /* cudaipcsrc goes on stopping in a thread, for which only this waits. */
  gst_deinit ();
  return status;
}
