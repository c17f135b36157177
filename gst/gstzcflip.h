/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/zc/zc.h>

G_BEGIN_DECLS

#define GST_TYPE_ZC_FLIP (gst_zc_flip_get_type ())
G_DECLARE_FINAL_TYPE (GstZcFlip, gst_zc_flip, GST, ZC_FLIP, GstZcFilter)

GST_ELEMENT_REGISTER_DECLARE (zcflip)

G_END_DECLS
