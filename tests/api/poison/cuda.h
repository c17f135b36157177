/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#error "a public header includes cuda.h: programs would need the CUDA Toolkit"
