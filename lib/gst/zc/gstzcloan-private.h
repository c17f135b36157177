/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: what the unmap of a frame does to its loan. */

#include <gst/zc/gstzcloan.h>

G_BEGIN_DECLS

/* Before the frame's own work is recorded: who gives back from now on may have
 * queued more than that. */
void zc_loan_close (GstZcLoan *loan);
/* After it: records what nobody told of and drops the frame's reference. */
gboolean zc_loan_end (GstZcLoan *loan, GstMapFlags flags, GError **error);

G_END_DECLS
