/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The device that tests run on, and the control panel of softcuda where that is
 * the driver. */
#ifndef ZC_TEST_DEVICE_H
#define ZC_TEST_DEVICE_H

#include <gst/zc/zc.h>

#include "../softcuda/softcuda.h"

G_BEGIN_DECLS

/* A context of device 0. Without one the running test is skipped and NULL
 * returned, unless ZC_DRIVER names the driver that must be there: then it
 * fails. (transfer full) */
GstCudaContext *test_context (void);

/* What the tests use of softcuda's control panel. */
typedef struct
{
  void (*get_counters) (SoftcudaCounters *counters);
  void (*get_outstanding) (SoftcudaOutstanding *outstanding);
  int (*delay) (void *stream, unsigned ms);
  void (*fail) (const char *name, unsigned nth, int error, int sticky);
  void (*fail_clear) (void);
} TestPanel;

/* NULL, and the running test is skipped, where the driver is a real one.
 * Call it when a context exists: the driver is loaded then. */
const TestPanel *test_panel (void);

/* The CUresult that tests make calls fail with. */
#define TEST_CUDA_ERROR_OUT_OF_MEMORY 2

G_END_DECLS

#endif
