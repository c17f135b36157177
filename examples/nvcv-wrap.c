/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A picture of a pipeline as an image of CV-CUDA, without a copy.
 *
 *   cc -o nvcv-wrap nvcv-wrap.c $(pkg-config --cflags --libs \
 *       gstreamer-zc-1.0 gstreamer-app-1.0) -ldl
 *   ./nvcv-wrap libnvcv_types.so
 *
 * Programs with CV-CUDA's headers include <nvcv/Image.h> instead of what is
 * declared here, and link with it. */

#include <dlfcn.h>
#include <gst/app/gstappsink.h>
#include <gst/zc/zc.h>

#define PIPELINE                                                               \
  "videotestsrc num-buffers=1 ! video/x-raw,format=NV12,width=1366,"           \
  "height=768 ! zcupload ! appsink name=sink"

typedef struct NVCVImage *NVCVImageHandle;
typedef void (*NVCVImageDataCleanupFunc) (void *context, const void *data);

typedef struct
{
  int (*image_wrap) (const void *data, NVCVImageDataCleanupFunc cleanup,
      void *context, NVCVImageHandle *image);
  int (*image_export) (NVCVImageHandle image, void *data);
  int (*image_unref) (NVCVImageHandle image, int *left);
  const char *(*format_name) (guint64 format);
} Nvcv;

static gboolean
load (Nvcv *nvcv, const char *path)
{
  void *library = dlopen (path, RTLD_NOW);

  if (!library)
    return FALSE;
  nvcv->image_wrap = dlsym (library, "nvcvImageWrapDataConstruct");
  nvcv->image_export = dlsym (library, "nvcvImageExportData");
  nvcv->image_unref = dlsym (library, "nvcvImageDecRef");
  nvcv->format_name = dlsym (library, "nvcvImageFormatGetName");
  return TRUE;
}

/* CV-CUDA's operators would take @image and the frame's stream here. */
static gboolean
use (const Nvcv *nvcv, NVCVImageHandle image)
{
  GstZcNvcvImageData data;

  if (nvcv->image_export (image, &data) != 0)
    return FALSE;
  g_print ("%s, %d planes, %d bytes a row\n", nvcv->format_name (data.format),
      data.n_planes, data.plane[0].row_stride);
  return TRUE;
}

static gboolean
wrap (const Nvcv *nvcv, const GstZcFrame *frame, const GstVideoInfo *info,
    GError **error)
{
  GstZcNvcvImageData data;
  NVCVImageHandle image;
  gboolean ok;

  if (!gst_zc_image_to_nvcv (&frame->image, &info->colorimetry, &data, error) ||
      nvcv->image_wrap (&data, NULL, NULL, &image) != 0)
    return FALSE;
  ok = use (nvcv, image);
  nvcv->image_unref (image, NULL);
  return ok;
}

static gboolean
run (const Nvcv *nvcv, GstSample *sample, GError **error)
{
  GstCudaContext *context = gst_zc_context_new (0, error);
  g_autoptr (GstZcStream) stream =
      context ? gst_zc_stream_new (context, error) : NULL;
  GstVideoInfo info;
  GstZcFrame frame;
  gboolean ok;

  gst_video_info_from_caps (&info, gst_sample_get_caps (sample));
  if (!stream ||
      !gst_zc_frame_map (&frame, gst_sample_get_buffer (sample), &info,
          GST_MAP_READ, stream, error))
    return FALSE;
  ok = wrap (nvcv, &frame, &info, error);
  return gst_zc_frame_unmap (&frame, ok ? error : NULL) && ok;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline, *sink;
  GstSample *sample;
  Nvcv nvcv;
  gboolean ok;

  gst_init (&argc, &argv);
  if (argc != 2 || !load (&nvcv, argv[1])) {
    g_printerr ("usage: nvcv-wrap PATH OF libnvcv_types.so\n");
    return 77;
  }
  pipeline = gst_parse_launch (PIPELINE, NULL);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  sample = gst_app_sink_pull_sample (GST_APP_SINK (sink));
  ok = sample && run (&nvcv, sample, &error);
  if (!ok)
    g_printerr ("%s\n", error ? error->message : "no image was made");
  g_clear_pointer (&sample, gst_sample_unref);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return ok ? 0 : 1;
}
