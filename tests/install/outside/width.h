/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/zc/zc.h>

/**
 * outside_width:
 * @image: an image of gst-zc
 *
 * Returns: pixels in a row of the first plane of @image
 */
gint outside_width (const GstZcImage *image);
