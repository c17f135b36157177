/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define ZC_CAPS_FEATURE_CUDA "memory:CUDAMemory"

/* The same caps in the other memory; all fields stay. (transfer full) */
GstCaps *zc_caps_in_cuda (GstCaps *caps);
GstCaps *zc_caps_in_system (GstCaps *caps);
/* CUDA memory first, then system memory. (transfer full) */
GstCaps *zc_caps_in_both (GstCaps *caps);

/* What of @caps @filter lets through, in the order of @filter; @filter may be
 * NULL. (transfer full) for @caps and the result. */
GstCaps *zc_caps_filter (GstCaps *caps, GstCaps *filter);

/* Pad templates of @klass with all formats. */
void zc_caps_add_template (GstElementClass *klass, GstPadDirection direction,
    GstCaps *caps);

G_END_DECLS
