/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/zc/gstzcdefs.h>
#include <gst/zc/gstzcframe.h>

G_BEGIN_DECLS

#define GST_TYPE_ZC_LOAN (gst_zc_loan_get_type ())

/**
 * GstZcLoan: (ref-func gst_zc_loan_ref) (unref-func gst_zc_loan_unref)
 *
 * The pixels of a mapped frame in the hands of other CUDA software, which may
 * keep them beyond the unmap: as an array, a tensor, a view. The loan keeps the
 * buffer, so the memory is neither freed nor used again.
 *
 * Whoever uses lent pixels on streams that the library is not told of is
 * covered by one event after all streams of the context of the frame's stream:
 * at the unmap, and, for who still had the loan then and may only read, when the
 * last reference is dropped. Drivers older than CUDA 12.5 have no such event:
 * there these two wait for the context on the host.
 *
 * Thread safety: references from any thread.
 */
typedef struct _GstZcLoan GstZcLoan;

GST_ZC_API
GType gst_zc_loan_get_type (void);

/**
 * gst_zc_frame_lend:
 * @frame: a mapped frame
 * @told: %TRUE if all work of the borrower before the unmap is queued on the
 *   stream of @frame; %FALSE if it may be on any stream of its context
 * @error: return location for an error
 *
 * Lends the pixels of @frame. The borrower's streams come after that of @frame:
 * seeing to that is the caller's part. Does not wait for the GPU.
 *
 * Returns: (transfer full) (nullable): a reference of the one loan that a frame
 *   has, or %NULL with %GST_ZC_ERROR_STATE if @frame is not mapped
 */
GST_ZC_API
GstZcLoan *gst_zc_frame_lend (GstZcFrame *frame, gboolean told, GError **error);

/**
 * gst_zc_loan_ref:
 * @loan: a loan
 *
 * Returns: (transfer full): @loan, with one more reference
 */
GST_ZC_API
GstZcLoan *gst_zc_loan_ref (GstZcLoan *loan);

/**
 * gst_zc_loan_unref:
 * @loan: (transfer full): a loan
 *
 * Gives the pixels back: what the caller has queued by now is the last of it.
 */
GST_ZC_API
void gst_zc_loan_unref (GstZcLoan *loan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstZcLoan, gst_zc_loan_unref)

G_END_DECLS
