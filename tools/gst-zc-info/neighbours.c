/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include <dlfcn.h>
#include <stdint.h>

#include "info.h"

/* Takes @detail. */
static void
add (ZcInfo *info, const gchar *name, gboolean found, gchar *detail)
{
  ZcNeighbour *neighbour = g_new (ZcNeighbour, 1);

  *neighbour = (ZcNeighbour) { g_strdup (name), found, detail };
  g_ptr_array_add (info->neighbours, neighbour);
}

static gint
compare_features (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (GST_OBJECT_NAME (a), GST_OBJECT_NAME (b));
}

static void
find_nvcodec (ZcInfo *info)
{
  GstRegistry *registry = gst_registry_get ();
  g_autoptr (GstPlugin) plugin = gst_registry_find_plugin (registry, "nvcodec");
  GString *text = g_string_new (NULL);
  GList *features = NULL;

  if (plugin == NULL) {
    g_string_append (text,
        "the plugin nvcodec of gst-plugins-bad is not installed");
  } else {
    features = gst_registry_get_feature_list_by_plugin (registry, "nvcodec");
    features = g_list_sort (features, compare_features);
    if (features == NULL)
      g_string_append (text,
          "it found no driver with libnvcuvid when "
          "GStreamer looked at it last");
  }
  for (GList *link = features; link != NULL; link = link->next)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "",
        GST_OBJECT_NAME (link->data));
  add (info, "nvcodec", features != NULL, g_string_free (text, FALSE));
  gst_plugin_feature_list_free (features);
}

typedef int (*IterateFunc) (int type);
typedef const char *(*NameFunc) (int type);

/* FFmpeg's own list of the devices that it was built with. */
static gboolean
knows_cuda (gpointer library)
{
  IterateFunc iterate;
  NameFunc name;

  *(gpointer *) &iterate = dlsym (library, "av_hwdevice_iterate_types");
  *(gpointer *) &name = dlsym (library, "av_hwdevice_get_type_name");
  if (iterate == NULL || name == NULL)
    return FALSE;
  for (int type = iterate (0); type != 0; type = iterate (type))
    if (g_strcmp0 (name (type), "cuda") == 0)
      return TRUE;
  return FALSE;
}

static void
find_ffmpeg (ZcInfo *info)
{
  /* FFmpeg 8 down to 4.4 */
  for (guint version = 60; version >= 56; version--) {
    g_autofree gchar *file = g_strdup_printf ("libavutil.so.%u", version);
    gpointer library = dlopen (file, RTLD_LAZY | RTLD_LOCAL);
    gboolean cuda;

    if (library == NULL)
      continue;
    cuda = knows_cuda (library);
    add (info, "FFmpeg", cuda,
        g_strdup_printf ("%s, built %s CUDA", file, cuda ? "with" : "without"));
    return;
  }
  add (info, "FFmpeg", FALSE, g_strdup ("no libavutil where libraries are"));
}

static void
find_nvcv (ZcInfo *info)
{
  gpointer library = dlopen ("libnvcv_types.so.0", RTLD_LAZY | RTLD_LOCAL);
  uint32_t (*get_version) (void), version;

  if (library == NULL) {
    add (info, "NVCV", FALSE,
        g_strdup ("no libnvcv_types where libraries are; Python's cvcuda "
                  "brings "
                  "its own"));
    return;
  }
  *(gpointer *) &get_version = dlsym (library, "nvcvGetVersion");
  version = get_version ? get_version () : 0;
  add (info, "NVCV", TRUE,
      g_strdup_printf ("libnvcv_types.so.0, version %u.%u.%u",
          version / 1000000, version / 10000 % 100, version / 100 % 100));
}

void
zc_info_find_neighbours (ZcInfo *info)
{
  find_nvcodec (info);
  find_ffmpeg (info);
  find_nvcv (info);
}
