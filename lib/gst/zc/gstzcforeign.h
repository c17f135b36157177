/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>
#include <gst/zc/gstzcdefs.h>
#include <gst/zc/gstzcimage.h>
#include <gst/zc/gstzcstream.h>

G_BEGIN_DECLS

/**
 * GstZcProducerKind:
 * @GST_ZC_PRODUCER_NONE: nothing to wait for: the pixels are there
 * @GST_ZC_PRODUCER_STREAM: work queued on a stream wrote them; the legacy stream
 *   (%NULL) included, which is FFmpeg's. Readers wait for what is queued there
 *   when the buffer is wrapped
 * @GST_ZC_PRODUCER_EVENT: they are there once a CUevent has fired
 * @GST_ZC_PRODUCER_CAI: the `stream` entry of a CUDA Array Interface, version 3
 *
 * How to find out when foreign pixels are written.
 */
typedef enum
{
  GST_ZC_PRODUCER_NONE,
  GST_ZC_PRODUCER_STREAM,
  GST_ZC_PRODUCER_EVENT,
  GST_ZC_PRODUCER_CAI
} GstZcProducerKind;

/**
 * GST_ZC_CAI_NO_STREAM:
 *
 * A dictionary without a `stream` entry. Readers wait for the legacy stream of
 * the context: a plain cudaMemcpy may still be under way.
 */
#define GST_ZC_CAI_NO_STREAM (G_MININT64)

/**
 * GST_ZC_CAI_NONE:
 *
 * `None`, or -1: the producer has synchronised or opted out.
 */
#define GST_ZC_CAI_NONE ((gint64) - 1)

/**
 * GstZcProducer:
 * @kind: which of the following counts
 * @handle: (nullable): the CUstream or the CUevent; touched only while the buffer
 *   is wrapped, never afterwards
 * @cai_stream: the value of `stream`: %GST_ZC_CAI_NO_STREAM, %GST_ZC_CAI_NONE, 0,
 *   1 or 2, or a handle. 0, 1 and 2 are what libraries say that do not know better,
 *   so readers wait for all streams of the context
 * @read_only: %TRUE if nobody may write the pixels: the memories get
 *   %GST_MEMORY_FLAG_READONLY, mapping them for writing fails, and an element that
 *   works in place writes to a copy of its own
 *
 * Who wrote foreign pixels. `{ 0 }` is %GST_ZC_PRODUCER_NONE.
 */
typedef struct
{
  GstZcProducerKind kind;
  gpointer handle;
  gint64 cai_stream;
  gboolean read_only;

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING];
} GstZcProducer;

/**
 * gst_zc_buffer_new_wrapped:
 * @context: (type GstCuda.CudaContext): the context that the memory, and the
 *   producer's stream or event, belong to
 * @image: the planes, anywhere in device memory, with any strides
 * @producer: who wrote them
 * @owner: (nullable): given to @notify
 * @notify: (nullable) (scope async) (closure owner): called once in any case, on
 *   any thread, when the last user is gone and all work of this library and on the
 *   memory's own stream that reads or writes the planes is done
 * @error: return location for an error
 *
 * Makes a buffer of GstCudaMemory from pixels that somebody else owns, without a
 * copy: ownership stays outside, @notify says when it ends. Ready for
 * gst_zc_frame_map(), for our elements, and for elements that know nothing of this
 * library. Never waits on the host, but for a CAI sentinel on drivers older than
 * CUDA 12.5, where the first use of the buffer waits for the device once.
 *
 * Planes of one allocation that lie as one picture's do become one memory, as
 * many elements expect; else each plane is a memory of its own, which
 * gst_video_frame_map() and gst_zc_frame_map() are at home with, too. A
 * GstVideoMeta has the offsets and strides.
 *
 * A picture with a plane that is stored bottom-up (negative stride) can't be said
 * in a GstVideoMeta: it is copied, on the GPU, into memory of the library, and
 * @notify comes when that is done. The first such picture of a size allocates.
 *
 * A CPU that maps the buffer for writing has all bytes of its memories written
 * back, those between its rows and planes included; not those of a larger
 * picture that the planes are a part of.
 *
 * Two buffers that wrap the same bytes know nothing of each other. Whoever makes
 * the second one before the first is given back orders their users.
 *
 * @notify comes from a thread of this library or from whoever drops the last
 * reference, with no lock held, and should return soon: others wait behind it.
 *
 * Returns: (transfer full) (nullable): the buffer, or %NULL with
 *   %GST_ZC_ERROR_LAYOUT for planes that are not as the format's, that overlap or
 *   that are not within memory that the driver knows, %GST_ZC_ERROR_NOT_CUDA for
 *   host memory, page-locked or not, %GST_ZC_ERROR_UNSUPPORTED,
 *   %GST_ZC_ERROR_WRONG_DEVICE or %GST_ZC_ERROR_DRIVER, for instance for a stream
 *   or an event that the driver refuses; @notify is called then, too
 */
GST_ZC_API
GstBuffer *gst_zc_buffer_new_wrapped (GstCudaContext *context,
    const GstZcImage *image, const GstZcProducer *producer, gpointer owner,
    GDestroyNotify notify, GError **error);

/**
 * gst_zc_buffer_mark_read:
 * @buffer: a buffer of CUDA memory
 * @stream: the stream on which its pixels are being read
 * @error: return location for an error
 *
 * For a consumer that reads outside a frame map, with work queued on @stream: the
 * next writer waits for it, on the GPU, and the memory is not freed before. To be
 * called after the work is queued and before the reference of @buffer is dropped.
 *
 * Returns: %TRUE when recorded, or %FALSE with %GST_ZC_ERROR_NOT_CUDA,
 *   %GST_ZC_ERROR_WRONG_DEVICE or %GST_ZC_ERROR_DRIVER
 */
GST_ZC_API
gboolean gst_zc_buffer_mark_read (GstBuffer *buffer, GstZcStream *stream,
    GError **error);

/**
 * gst_zc_buffer_mark_written:
 * @buffer: a buffer of CUDA memory
 * @stream: the stream on which its pixels are being written
 * @error: return location for an error
 *
 * The same for a consumer that writes: later readers and writers wait for it, and
 * a CPU that maps @buffer sees it.
 *
 * Returns: %TRUE when recorded, or %FALSE as gst_zc_buffer_mark_read() and with
 *   %GST_ZC_ERROR_NOT_WRITABLE for a buffer that is shared, %GST_ZC_ERROR_STATE
 *   for one that somebody has mapped
 */
GST_ZC_API
gboolean gst_zc_buffer_mark_written (GstBuffer *buffer, GstZcStream *stream,
    GError **error);

/**
 * gst_zc_buffer_wait:
 * @buffer: a buffer of CUDA memory
 * @flags: %GST_MAP_READ or %GST_MAP_WRITE
 * @stream: the stream that is to touch the pixels
 * @error: return location for an error
 *
 * Makes @stream wait for whom it must come after, without a map. A pair with
 * gst_zc_buffer_mark_read() or gst_zc_buffer_mark_written(). Waiting to WRITE
 * promises that the whole picture will be written, as a map does.
 *
 * Returns: %TRUE when the waits are queued, or %FALSE as
 *   gst_zc_buffer_mark_written()
 */
GST_ZC_API
gboolean gst_zc_buffer_wait (GstBuffer *buffer, GstMapFlags flags,
    GstZcStream *stream, GError **error);

/**
 * gst_zc_buffer_get_writer_stream:
 * @buffer: a buffer of CUDA memory
 * @error: return location for an error
 *
 * The stream after whose work queued so far the pixels are there: the one that
 * really wrote them where it is known and still exists, else one that was made to
 * wait for it. What to advertise to other CUDA software. Its handle is good as
 * long as the returned reference; that of a borrowed stream, as long as its owner
 * keeps it.
 *
 * Returns: (transfer full) (nullable): the stream, or %NULL with
 *   %GST_ZC_ERROR_NOT_CUDA, %GST_ZC_ERROR_STATE or %GST_ZC_ERROR_DRIVER
 */
GST_ZC_API
GstZcStream *gst_zc_buffer_get_writer_stream (GstBuffer *buffer,
    GError **error);

/**
 * gst_zc_buffer_get_device:
 * @buffer: a buffer of CUDA memory
 * @device: (out): CUDA ordinal of the device that it lives on
 * @error: return location for an error
 *
 * Returns: %TRUE, or %FALSE with %GST_ZC_ERROR_NOT_CUDA, %GST_ZC_ERROR_LAYOUT or
 *   %GST_ZC_ERROR_DRIVER
 */
GST_ZC_API
gboolean gst_zc_buffer_get_device (GstBuffer *buffer, gint *device,
    GError **error);

/**
 * gst_zc_address_get_device:
 * @address: a device address
 * @device: (out): CUDA ordinal of the device that it belongs to
 * @error: return location for an error
 *
 * Returns: %TRUE, or %FALSE with %GST_ZC_ERROR_LAYOUT for an address that the
 *   driver does not know, or an error of gst_zc_context_new()
 */
GST_ZC_API
gboolean gst_zc_address_get_device (guint64 address, gint *device,
    GError **error);

/**
 * gst_zc_stream_wait_producer:
 * @stream: the stream that is to touch foreign pixels
 * @producer: who wrote them, in the context of @stream
 * @error: return location for an error
 *
 * Makes @stream wait for a producer, without a buffer: for a single copy, say.
 * On the GPU, but for a CAI sentinel on drivers older than CUDA 12.5.
 *
 * Returns: %TRUE when the wait is queued, or %FALSE with
 *   %GST_ZC_ERROR_UNSUPPORTED or %GST_ZC_ERROR_DRIVER
 */
GST_ZC_API
gboolean gst_zc_stream_wait_producer (GstZcStream *stream,
    const GstZcProducer *producer, GError **error);

G_END_DECLS
