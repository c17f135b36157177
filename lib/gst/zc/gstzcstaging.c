/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcstaging.h"

#include "gstzcbarrier.h"
#include "gstzccrew.h"
#include "gstzcstreamcopy.h"

/* Smaller ones cost more launches than they spread work, larger ones leave
 * helpers idle: 512 KiB was the fastest of 128 KiB to 4 MiB. */
#define CHUNK_BYTES ((gsize) 512 << 10)
/* As many small pictures can be under way. */
#define LEAST_CHUNKS 8
/* Rows with gaps begin at a cache line in a chunk, unless they are so short
 * that this would take much of it. */
#define ROW_ALIGNMENT 64
#define SHORT_ROW (16 * ROW_ALIGNMENT)

struct _ZcStaging
{
  ZcContext *context; /* owned */
  guint8 *memory; /* owned, page-locked */
  gsize chunk_bytes;
  guint n_chunks;
  CUevent *events; /* owned; after the last copy of each */
  guint first; /* the oldest chunk under way */
  guint n_busy; /* from there on, in a ring */
};

static gboolean
alloc_memory (ZcStaging *self, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;

  return zc_context_push (self->context, &guard, error) &&
      ZC_CU (error, cuMemHostAlloc, (void **) &self->memory,
          zc_staging_get_size (self), CU_MEMHOSTALLOC_PORTABLE);
}

static gboolean
take_events (ZcStaging *self, GError **error)
{
  for (guint i = 0; i < self->n_chunks; i++) {
    self->events[i] = zc_context_take_event (self->context, error);
    if (self->events[i] == NULL)
      return FALSE;
  }
  return TRUE;
}

static gsize
page_round (gsize bytes)
{
  return (bytes + 4095) & ~(gsize) 4095;
}

ZcStaging *
zc_staging_new (ZcContext *context, gsize picture_bytes, gsize max_bytes,
    GError **error)
{
  gsize chunk_bytes = MIN (CHUNK_BYTES, page_round (picture_bytes));
  /* Rows may be further apart than in the picture, and the last chunk of each
   * plane is not full. */
  gsize chunks =
      (picture_bytes + picture_bytes / 16) / chunk_bytes + GST_ZC_MAX_PLANES;
  gsize wanted = MAX (2 * chunks, LEAST_CHUNKS);
  gsize n_chunks = MIN (wanted, max_bytes / chunk_bytes);
  ZcStaging *self;

  if (n_chunks == 0)
    return NULL;
  self = g_new0 (ZcStaging, 1);
  self->context = zc_context_ref (context);
  self->chunk_bytes = chunk_bytes;
  self->n_chunks = n_chunks;
  self->events = g_new0 (CUevent, n_chunks);
  zc_crew_hold ();
  if (!take_events (self, error) || !alloc_memory (self, error))
    g_clear_pointer (&self, zc_staging_free);
  return self;
}

static void
wait_for_copies (ZcStaging *self)
{
  g_autoptr (GError) error = NULL;

  for (; self->n_busy > 0; self->n_busy--) {
    CUevent event = self->events[self->first];

    if (!ZC_CU (&error, cuEventSynchronize, event))
      GST_WARNING ("A copy may still be under way: %s", error->message);
    g_clear_error (&error);
    self->first = (self->first + 1) % self->n_chunks;
  }
}

static void
free_memory (ZcStaging *self)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  g_autoptr (GError) error = NULL;

  if (self->memory == NULL)
    return;
  if (!zc_context_push (self->context, &guard, &error)) {
    GST_WARNING ("Page-locked memory is lost: %s", error->message);
    return;
  }
  wait_for_copies (self);
  if (!ZC_CU (&error, cuMemFreeHost, self->memory))
    GST_WARNING ("Page-locked memory is lost: %s", error->message);
}

void
zc_staging_free (ZcStaging *self)
{
  if (self == NULL)
    return;
  free_memory (self);
  for (guint i = 0; i < self->n_chunks; i++)
    zc_context_give_event (self->context, self->events[i]);
  zc_crew_drop ();
  zc_context_unref (self->context);
  g_free (self->events);
  g_free (self);
}

gsize
zc_staging_get_size (const ZcStaging *self)
{
  return self->n_chunks * self->chunk_bytes;
}

/* Asks the driver, does not wait. After an error nothing is copied any more. */
static guint
count_free (ZcStaging *self)
{
  while (self->n_busy > 0 &&
      (zc_cu.cuEventQuery (self->events[self->first]) != CUDA_ERROR_NOT_READY ||
          !zc_barrier_holds (ZC_BARRIER_CHUNK))) {
    self->first = (self->first + 1) % self->n_chunks;
    self->n_busy--;
  }
  return self->n_chunks - self->n_busy;
}

/* What one run of the crew does. */
typedef struct
{
  const ZcSpan *span;
  const ZcStreamKey *stream;
  guint8 *memory;
  gsize chunk_bytes;
  guint n_chunks;
  guint first; /* chunk of piece 0 */
  CUevent *events;
  gsize stride; /* of rows in a chunk, bytes */
  gsize rows; /* of a piece; the last may have fewer */
  gboolean ok;
  GError **error;
} Run;

static guint
chunk_of (const Run *run, guint piece)
{
  return (run->first + piece) % run->n_chunks;
}

static ZcSpan
piece_of (const Run *run, guint piece)
{
  ZcSpan part = *run->span;

  zc_span_skip (&part, piece * run->rows);
  part.rows = MIN (part.rows, run->rows);
  return part;
}

static void
fill_chunk (guint piece, gpointer data)
{
  const Run *run = data;
  ZcSpan part = piece_of (run, piece);

  zc_stream_copy_rows (run->memory + chunk_of (run, piece) * run->chunk_bytes,
      run->stride, part.host, part.host_stride, part.row_bytes, part.rows);
}

static void
copy_chunk (guint piece, gpointer data)
{
  Run *run = data;
  ZcSpan part = piece_of (run, piece);
  guint chunk = chunk_of (run, piece);

  part.host = run->memory + chunk * run->chunk_bytes;
  part.host_stride = run->stride;
  run->ok = run->ok && zc_span_copy (&part, TRUE, run->stream, run->error);
  /* Without an event nobody would know when the chunk is free. */
  if (run->ok &&
      !ZC_CU (run->error, cuEventRecord, run->events[chunk],
          run->stream->handle)) {
    zc_stream_key_wait_on_host (run->stream);
    run->ok = FALSE;
  }
}

/* Rows without a gap stay so, and are one copy. */
static gsize
stride_in_chunk (const ZcSpan *span)
{
  if (span->host_stride == span->row_bytes || span->row_bytes < SHORT_ROW)
    return span->row_bytes;
  return (span->row_bytes + ROW_ALIGNMENT - 1) & ~(gsize) (ROW_ALIGNMENT - 1);
}

/* Copies @n_pieces of @rows rows, or what there is. */
static gboolean
run_pieces (ZcStaging *self, ZcSpan *span, gsize rows, guint n_pieces,
    const ZcStreamKey *stream, GError **error)
{
  Run run = {
    .span = span,
    .stream = stream,
    .memory = self->memory,
    .chunk_bytes = self->chunk_bytes,
    .n_chunks = self->n_chunks,
    .first = (self->first + self->n_busy) % self->n_chunks,
    .events = self->events,
    .stride = stride_in_chunk (span),
    .rows = rows,
    .ok = TRUE,
    .error = error,
  };

  zc_crew_run (n_pieces, fill_chunk, copy_chunk, &run);
  self->n_busy += n_pieces;
  zc_span_skip (span, MIN (span->rows, n_pieces * rows));
  return run.ok;
}

gboolean
zc_staging_upload (ZcStaging *self, ZcSpan *span, const ZcStreamKey *stream,
    GError **error)
{
  gsize rows = self->chunk_bytes / stride_in_chunk (span);

  while (rows > 0 && span->rows > 0) {
    gsize n_pieces = (span->rows + rows - 1) / rows;
    guint n_free = count_free (self);

    n_pieces = MIN (n_pieces, MIN (n_free, ZC_CREW_MAX_PIECES));
    if (n_pieces == 0)
      break;
    if (!run_pieces (self, span, rows, n_pieces, stream, error))
      return FALSE;
  }
  return TRUE;
}
