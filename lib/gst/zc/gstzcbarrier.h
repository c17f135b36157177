/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: each barrier, fence and hold of the library by name. A build with
 * -Dmutation=true can leave one out, so that tests can show that they would
 * notice; elsewhere all of them hold, at no cost. */

#include <glib.h>

G_BEGIN_DECLS

/* One line each: enumerator, name, kind, what it makes sure of. Without one of
 * kind "order" pictures are wrong under some order of work. */
/* clang-format off */
#define ZC_BARRIERS(X) \
  X (RAW, "raw", "order", "a reader's stream waits for the last write") \
  X (WAW, "waw", "order", "a writer's stream waits for the last write") \
  X (WAR, "war", "order", "a writer's stream waits for each read since") \
  X (RECORD_READ, "record-read", "order", "what has been read is recorded") \
  X (RECORD_WRITE, "record-write", "order", "what has been written is recorded") \
  X (BRIDGE_AFTER_WRITE, "bridge-after-write", "order", \
      "the memory's stream waits for our write") \
  X (BRIDGE_AFTER_READS, "bridge-after-reads", "order", \
      "it waits for our reads before others write") \
  X (FOREIGN_WRITE, "foreign-write", "order", "we wait for what others wrote there") \
  X (FOREIGN_READ, "foreign-read", "order", \
      "a writer waits for others who read on any stream") \
  X (READER_CONTEXT, "reader-context", "order", \
      "on those of the context that the reader has current, too") \
  X (FOREIGN_ACQUIRE, "foreign-acquire", "order", \
      "we wait for the stream of memory that is not ours") \
  X (FOREIGN_RELEASE, "foreign-release", "order", "that stream waits for us") \
  X (PRODUCER_STREAM, "producer-stream", "order", \
      "a wrapped picture comes after its producer's stream") \
  X (PRODUCER_EVENT, "producer-event", "order", "or after its event") \
  X (PRODUCER_CONTEXT, "producer-context", "order", \
      "or after all streams of its context") \
  X (PRODUCER_SYNC, "producer-sync", "order", \
      "others are told that a wrapped picture is not there yet") \
  X (LOAN, "loan", "order", \
      "the next user waits for those who use lent pixels on any stream") \
  X (UNKNOWN_WRITE, "unknown-write", "order", \
      "who comes after a write on any stream waits for it at last") \
  X (OWED_READ, "owed-read", "order", \
      "memory is not used again while readers of it can't be recorded") \
  X (NEEDS_UPLOAD, "needs-upload", "order", "an upload inside a map is a write") \
  X (STALE_UPLOAD, "stale-upload", "hold", \
      "what a CPU wrote is not uploaded over a new picture") \
  X (RECYCLED_UPLOAD, "recycled-upload", "hold", "nor is that of an earlier user") \
  X (STAGING_WAIT, "staging-wait", "order", \
      "a CPU waits till what it wrote last is uploaded") \
  X (BUFFER_HOLD, "buffer-hold", "order", \
      "buffers without a stream go back to their pool when we are done") \
  X (SOURCE_HOLD, "source-hold", "order", "the source of an upload is kept till it ran") \
  X (CHUNK, "chunk", "order", \
      "a chunk of page-locked memory is filled again when its copy ran") \
  X (UNREGISTER, "unregister", "hold", \
      "bytes of others are unregistered before they are freed") \
  X (PEER, "peer", "order", \
      "the second half of a copy by way of the host waits for the first") \
  X (DOWNLOAD_WAIT, "download-wait", "order", "a download returns when its bytes are there") \
  X (FAILED_DOWNLOAD, "failed-download", "hold", \
      "after a failure too nothing more is written") \
  X (DISPOSE_HOLD, "dispose-hold", "hold", "memory in use is not freed or given back") \
  X (OWED_HOLD, "owed-hold", "hold", \
      "memory whose users can't be recorded is not freed or given back") \
  X (NO_EVENT, "no-event", "hold", "without an event for a hold the host waits") \
  X (DRAIN, "drain", "hold", "a drain waits until all is let go of") \
  X (FRAME_HOLD, "frame-hold", "hold", "a mapped frame keeps its buffer") \
  X (CONTEXT_HOLD, "context-hold", "hold", "what is made in a context keeps it")
/* clang-format on */

#define ZC_BARRIER_ENUMERATOR(name, text, kind, what) ZC_BARRIER_##name,
typedef enum
{
  ZC_BARRIERS (ZC_BARRIER_ENUMERATOR) ZC_N_BARRIERS
} ZcBarrier;
#undef ZC_BARRIER_ENUMERATOR

G_END_DECLS

/* Meson picks one of two: zc_barrier_holds (). */
#include <gst/zc/gstzcbarrierholds.h>
