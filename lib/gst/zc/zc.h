/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* The whole public interface of libgstzc-1.0. No header below includes cuda.h
 * or gst/cuda: a program that uses the library needs no CUDA toolkit. */

#include <gst/zc/gstzcdefs.h>
#include <gst/zc/gstzccontext.h>
#include <gst/zc/gstzcdeviceinfo.h>
#include <gst/zc/gstzcstream.h>
#include <gst/zc/gstzcformat.h>
#include <gst/zc/gstzcimage.h>
#include <gst/zc/gstzcframe.h>
#include <gst/zc/gstzcflip.h>
#include <gst/zc/gstzcforeign.h>
#include <gst/zc/gstzcarray.h>
#include <gst/zc/gstzcarraymeta.h>
#include <gst/zc/gstzcnvcv.h>
#include <gst/zc/gstzcloan.h>
#include <gst/zc/gstzcdlpack.h>
#include <gst/zc/gstzctransfer.h>
#include <gst/zc/gstzcplanetransfer.h>
#include <gst/zc/gstzcdevicepool.h>
#include <gst/zc/gstzcpinned.h>
#include <gst/zc/gstzckernel.h>
#include <gst/zc/gstzcfilter.h>
