/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What gst_zc_image_flip() takes of the device, and its launch of the CPU. */
#pragma once

#include "figures.h"

G_BEGIN_DECLS

/* @formats: names, or NULL for all. */
gboolean flip_on_device (Figures *figures, gchar **formats, GError **error);

G_END_DECLS
