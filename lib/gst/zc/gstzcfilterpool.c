/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Which pools a filter takes from downstream and offers upstream. */

#include <gst/cuda/gstcudabufferpool.h>
#include <gst/zc/gstzcdevicepool-private.h>
#include <gst/zc/gstzcfilter-private.h>
#include <gst/zc/gstzcpinned-private.h>

/* What an element of ours holds beyond what others ask for: the frame that it
 * works on, and the one before, which the GPU may still read. */
#define IN_FLIGHT 2

/* What a pool is to be configured with. */
typedef struct
{
  GstBufferPool *pool;          /* owned */
  GstAllocator *allocator;      /* owned; NULL: the pool's own business */
  GstAllocationParams params;
  guint size;                   /* bytes */
  guint min;
  guint max;                    /* 0: no limit */
  gboolean packed;
} Choice;

static void
choice_clear (Choice *choice)
{
  gst_clear_object (&choice->pool);
  gst_clear_object (&choice->allocator);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Choice, choice_clear)

void
zc_filter_set_memory_error (GstZcFilter *self, GError **error)
{
  const GstVideoInfo *info = &zc_filter (self)->out_info;

  if (!zc_filter_check_context (self, error))
    return;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NO_MEMORY,
      "No %s memory for another frame of %s %dx%d, %" G_GSIZE_FORMAT
      " bytes: use a smaller picture or shorter queues, or close other "
      "programs",
      zc_filter (self)->out_cuda ? "device" : "page-locked",
      GST_VIDEO_INFO_NAME (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_SIZE (info));
}

/* Memory of a pool without a stream has no bridge to elements that know nothing
 * of this library. */
static void
give_stream (GstStructure *config, GstCudaContext *context)
{
  GstCudaStream *stream = gst_buffer_pool_config_get_cuda_stream (config);

  if (stream == NULL) {
    stream = gst_cuda_stream_new (context);
    if (stream != NULL)
      gst_buffer_pool_config_set_cuda_stream (config, stream);
  }
  gst_clear_cuda_stream (&stream);
}

static gboolean
configure (Choice *choice, GstCaps *caps)
{
  GstStructure *config = gst_buffer_pool_get_config (choice->pool);

  gst_buffer_pool_config_set_params (config, caps, choice->size, choice->min,
      choice->max);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (choice->allocator != NULL)
    gst_buffer_pool_config_set_allocator (config, choice->allocator,
        &choice->params);
  if (GST_IS_CUDA_BUFFER_POOL (choice->pool))
    give_stream (config, GST_CUDA_BUFFER_POOL (choice->pool)->context);
  if (choice->packed)
    gst_zc_device_pool_config_set_packed (config, TRUE);

  if (!gst_buffer_pool_set_config (choice->pool, config)) {
    config = gst_buffer_pool_get_config (choice->pool);
    if (!gst_buffer_pool_config_validate_params (config, caps, choice->size,
            choice->min, choice->max)) {
      gst_structure_free (config);
      return FALSE;
    }
    if (!gst_buffer_pool_set_config (choice->pool, config))
      return FALSE;
  }

  /* A CUDA pool learns the size only now. */
  config = gst_buffer_pool_get_config (choice->pool);
  gst_buffer_pool_config_get_params (config, NULL, &choice->size, &choice->min,
      &choice->max);
  gst_structure_free (config);
  return TRUE;
}

GstAllocator *
zc_filter_get_pinned (GstZcFilter *self)
{
  ZcFilter *priv = zc_filter (self);
  GstAllocator *made;

  if (priv->pinned != NULL)
    return priv->pinned;
  made = gst_zc_pinned_allocator_new (priv->context);
  zc_pinned_allocator_allow_plain (made);
  GST_OBJECT_LOCK (self);
  priv->pinned = made;
  GST_OBJECT_UNLOCK (self);
  return made;
}

/* A pool of ours, for device memory or for pinned memory. */
static gboolean
choose_own (GstZcFilter *self, Choice *choice, GstCaps *caps, gboolean cuda)
{
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, caps))
    return FALSE;

  choice_clear (choice);
  gst_allocation_params_init (&choice->params);
  choice->size = GST_VIDEO_INFO_SIZE (&info);
  if (cuda) {
    choice->pool = gst_zc_device_pool_new (zc_filter (self)->context);
  } else {
    choice->pool = zc_host_pool_new ();
    choice->allocator = gst_object_ref (zc_filter_get_pinned (self));
  }
  return configure (choice, caps);
}

static gboolean
is_plain_allocator (GstAllocator *allocator)
{
  return allocator == NULL ||
      g_strcmp0 (allocator->mem_type, GST_ALLOCATOR_SYSMEM) == 0;
}

/* TRUE for a pool that brings memory of its own kind, as a display's does. */
static gboolean
is_special_pool (GstBufferPool *pool)
{
  GType type = G_OBJECT_TYPE (pool);
  GstAllocator *allocator = NULL;
  GstStructure *config;
  gboolean plain;

  if (type != GST_TYPE_BUFFER_POOL && type != GST_TYPE_VIDEO_BUFFER_POOL)
    return TRUE;

  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_get_allocator (config, &allocator, NULL);
  plain = is_plain_allocator (allocator);
  gst_structure_free (config);
  return !plain;
}

static gboolean
suits (ZcFilter *priv, const Choice *choice, GstBufferPool *pool)
{
  if (!priv->out_cuda)
    return is_special_pool (pool);
  return GST_IS_CUDA_BUFFER_POOL (pool) &&
      (!choice->packed || ZC_IS_DEVICE_POOL (pool)) &&
      gst_zc_context_same (GST_CUDA_BUFFER_POOL (pool)->context, priv->context);
}

/* Downstream's counts, and its pool or allocator where they are of use. */
static void
look_downstream (ZcFilter *priv, GstQuery *query, Choice *choice)
{
  guint n_pools = gst_query_get_n_allocation_pools (query);
  guint n_params = gst_query_get_n_allocation_params (query);

  for (guint i = 0; i < n_pools && choice->pool == NULL; i++) {
    g_autoptr (GstBufferPool) pool = NULL;
    guint size, min, max;

    gst_query_parse_nth_allocation_pool (query, i, &pool, &size, &min, &max);
    if (i == 0 || (pool != NULL && suits (priv, choice, pool))) {
      choice->size = size;
      choice->min = min;
      choice->max = max;
    }
    if (pool != NULL && suits (priv, choice, pool))
      choice->pool = g_steal_pointer (&pool);
  }

  for (guint i = 0; i < n_params && !priv->out_cuda; i++) {
    g_autoptr (GstAllocator) allocator = NULL;

    gst_query_parse_nth_allocation_param (query, i, &allocator,
        &choice->params);
    if (is_plain_allocator (allocator))
      continue;
    choice->allocator = g_steal_pointer (&allocator);
    break;
  }
}

static void
add_in_flight (Choice *choice)
{
  choice->min += IN_FLIGHT;
  if (choice->max != 0)
    choice->min = MIN (choice->min, choice->max);
}

/* Takes away the metas that do not survive the way to another buffer. */
static void
filter_metas (GstBaseTransform *trans, GstQuery *query)
{
  GstBaseTransformClass *klass = GST_BASE_TRANSFORM_GET_CLASS (trans);
  GQuark memory = g_quark_from_static_string (GST_META_TAG_MEMORY_STR);
  GQuark reference =
      g_quark_from_static_string (GST_META_TAG_MEMORY_REFERENCE_STR);

  for (guint i = gst_query_get_n_allocation_metas (query); i-- > 0;) {
    const GstStructure *params;
    GType api = gst_query_parse_nth_allocation_meta (query, i, &params);

    if (gst_meta_api_type_has_tag (api, memory) ||
        gst_meta_api_type_has_tag (api, reference) ||
        !klass->filter_meta (trans, query, api, params))
      gst_query_remove_nth_allocation_meta (query, i);
  }
}

static void
store (GstQuery *query, const Choice *choice)
{
  if (gst_query_get_n_allocation_params (query) > 0)
    gst_query_set_nth_allocation_param (query, 0, choice->allocator,
        &choice->params);
  else
    gst_query_add_allocation_param (query, choice->allocator, &choice->params);

  if (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_set_nth_allocation_pool (query, 0, choice->pool, choice->size,
        choice->min, choice->max);
  else
    gst_query_add_allocation_pool (query, choice->pool, choice->size,
        choice->min, choice->max);
}

/* An allocator of downstream's without a pool of its own. */
static gboolean
choose_allocator (Choice *choice, GstCaps *caps)
{
  if (choice->allocator == NULL)
    return FALSE;
  choice->pool = zc_host_pool_new ();
  return configure (choice, caps);
}

/* A query may come at any time: while an application stops a pipeline that did
 * not get to playing, elements go down one after the other. */
static gboolean
is_down (ZcFilter *priv)
{
  return g_atomic_pointer_get (&priv->context) == NULL;
}

gboolean
zc_filter_decide_allocation (GstZcFilter *self, GstQuery *query, GError **error)
{
  ZcFilter *priv = zc_filter (self);
  g_auto (Choice) choice = { 0 };
  GstCaps *caps;
  gboolean chosen;

  if (is_down (priv))
    return FALSE;
  choice.packed = priv->out_cuda && gst_zc_filter_get_packed (self);
  gst_query_parse_allocation (query, &caps, NULL);
  gst_allocation_params_init (&choice.params);
  look_downstream (priv, query, &choice);
  choice.size = MAX (choice.size, GST_VIDEO_INFO_SIZE (&priv->out_info));
  add_in_flight (&choice);

  if (choice.pool != NULL)
    chosen = configure (&choice, caps);
  else
    chosen = choose_allocator (&choice, caps);
  if (!chosen && !choose_own (self, &choice, caps, priv->out_cuda)) {
    zc_filter_set_memory_error (self, error);
    return FALSE;
  }

  filter_metas (GST_BASE_TRANSFORM (self), query);
  store (query, &choice);
  priv->pool_min = choice.min;
  priv->pool_seen = 0;
  GST_DEBUG_OBJECT (self, "output from %" GST_PTR_FORMAT ", %u bytes, %u to %u",
      choice.pool, choice.size, choice.min, choice.max);
  return TRUE;
}

/* gst-libav 1.26: its decoders draw straight into a pool that they are offered,
 * or make when asked for one, and sometimes abort the program where a coded
 * row, of whole blocks of 16, is longer than the picture's. */
static gboolean
suits_libav (GstCaps *caps)
{
  GstVideoInfo info;

  return gst_video_info_from_caps (&info, caps) &&
      GST_VIDEO_INFO_WIDTH (&info) % 16 == 0;
}

void
zc_filter_propose_allocation (GstZcFilter *self, GstQuery *query)
{
  ZcFilter *priv = zc_filter (self);
  g_auto (Choice) choice = { .min = IN_FLIGHT };
  GstCaps *caps;
  gboolean need_pool;

  choice.packed = priv->in_cuda && gst_zc_filter_get_packed (self);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  gst_query_parse_allocation (query, &caps, &need_pool);
  /* What is made now nobody would clear. */
  if (caps == NULL || is_down (priv) || priv->stream == NULL)
    return;

  if (!choose_own (self, &choice, caps, priv->in_cuda)) {
    GST_WARNING_OBJECT (self, "no pool to offer upstream");
    return;
  }
  if (choice.allocator != NULL)
    gst_query_add_allocation_param (query, choice.allocator, &choice.params);
  if (!priv->in_cuda && !suits_libav (caps))
    return;
  gst_query_add_allocation_pool (query, need_pool ? choice.pool : NULL,
      choice.size, choice.min, choice.max);
}
