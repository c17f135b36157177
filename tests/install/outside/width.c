/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "width.h"

gint
outside_width (const GstZcImage *image)
{
  return image->plane[0].width;
}
