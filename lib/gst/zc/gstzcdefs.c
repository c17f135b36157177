/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcdefs.h"

G_DEFINE_QUARK (gst_zc_error_quark, gst_zc_error)
