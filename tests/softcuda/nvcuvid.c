/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Stands in for the driver's decoder library: each function is there, so that
 * it loads, and says that it is not supported. */

#define NOT_SUPPORTED 801

#define STUB(name)                                                             \
  __attribute__ ((visibility ("default"))) int name (void);                    \
  int name (void)                                                              \
  {                                                                            \
    return NOT_SUPPORTED;                                                      \
  }

STUB (cuvidCreateDecoder)
STUB (cuvidCreateVideoParser)
STUB (cuvidCtxLock)
STUB (cuvidCtxLockCreate)
STUB (cuvidCtxLockDestroy)
STUB (cuvidCtxUnlock)
STUB (cuvidDecodePicture)
STUB (cuvidDestroyDecoder)
STUB (cuvidDestroyVideoParser)
STUB (cuvidGetDecoderCaps)
STUB (cuvidMapVideoFrame)
STUB (cuvidMapVideoFrame64)
STUB (cuvidParseVideoData)
STUB (cuvidReconfigureDecoder)
STUB (cuvidUnmapVideoFrame)
STUB (cuvidUnmapVideoFrame64)
