/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: who wrote a CUDA memory last and who has read it since; what
 * dma_resv is to a dma-buf. One a memory, in its qdata, made once and never
 * replaced: it survives pool recycling. Events are recorded again and again,
 * none is made per frame.
 *
 * Memory of our allocator tells, through its map hook, when somebody else uses
 * it. Memory of others does not: its own stream, the bridge, stands for them,
 * and is made to wait for all that we do. */

#include <gst/cuda/gstcudamemory.h>
#include <gst/zc/gstzcdevicesync.h>
#include <gst/zc/gstzcmemoryhold.h>
#include <gst/zc/gstzcstream-private.h>
#include <gst/zc/gstzcuntold.h>

G_BEGIN_DECLS

typedef struct _ZcReservation ZcReservation;

/* The one that @memory has, or NULL. */
ZcReservation *zc_reservation_peek (GstMemory *memory);
/* The reservation of @memory, made on first use; any thread. Good as long as
 * @memory. */
ZcReservation *zc_reservation_get (GstMemory *memory, GError **error);

/* The stream of the memory itself; good as long as the memory. */
const ZcStreamKey *zc_reservation_get_bridge (ZcReservation *self);

/* For zc_memory_hold(). */
ZcMemoryHold *zc_reservation_get_hold (ZcReservation *self);

/* Acquire: before queueing work that reads or writes on @stream. */
gboolean zc_reservation_acquire (ZcReservation *self, GstMapFlags flags,
    const ZcStreamKey *stream, GError **error);
/* Release: after queueing it, before the memory is unmapped. */
gboolean zc_reservation_release (ZcReservation *self, GstMapFlags flags,
    const ZcStreamKey *stream, GError **error);

/* The same for what is queued on any stream of @context now; owed if that would
 * break a capture. Waits on the host where the driver has no event for a
 * context. */
gboolean zc_reservation_release_context (ZcReservation *self, GstMapFlags flags,
    ZcContext *context, GError **error);

/* Somebody wrote on a stream that nobody tells: all later users come after all
 * work of the context. By an event where the driver has one for that, now or
 * once no capture is in the way; else by @sync, which the first of them waits
 * for; memories may share one. */
gboolean zc_reservation_note_unknown_write (ZcReservation *self,
    ZcDeviceSync *sync, GError **error);
/* Makes that wait if it is due: for users who do not acquire. */
gboolean zc_reservation_settle_unknown_write (ZcReservation *self,
    GError **error);

/* For new memory whose bytes belong to somebody else: what a CPU wrote last is
 * brought to them before the memory goes. */
void zc_reservation_keep_cpu_writes (ZcReservation *self);

/* The stream that wrote last, if that is known and somebody still has it; else
 * NULL, and the bridge comes after the write. (transfer full) */
GstZcStream *zc_reservation_find_writer (ZcReservation *self);

/* What elements that know nothing of us do to memory of our allocator; called
 * by the allocator's map hook.
 * begin_foreign_write: the bridge waits for the last write and all reads; from
 * now on the writer is "foreign, on the bridge", and the next acquire waits for
 * the bridge's tail. */
gboolean zc_reservation_begin_foreign_write (ZcReservation *self,
    GError **error);
/* A plain CUDA READ: the reader's stream is unknown. @reader is the context that
 * it has current, or NULL; it may as well use that of the memory. */
void zc_reservation_note_foreign_read (ZcReservation *self, ZcContext *reader);
/* What a CPU wrote to the memory's staging memory is being uploaded. */
void zc_reservation_note_upload (ZcReservation *self);
/* Before a CPU writes there again: waits on the host for that. */
gboolean zc_reservation_finish_upload (ZcReservation *self, GError **error);
/* TRUE if no stream tells others that we still use the memory. */
gboolean zc_reservation_needs_hold (ZcReservation *self);
/* FALSE if work on it is known to be pending. Asks the driver, does not wait. */
gboolean zc_reservation_is_idle (ZcReservation *self);
/* When the buffer is back in its pool: makes the next writer wait for all
 * streams of the contexts in which others read. While that is OWED nobody may
 * write. */
ZcUntold zc_reservation_settle_foreign_reads (ZcReservation *self,
    GError **error);

G_END_DECLS
