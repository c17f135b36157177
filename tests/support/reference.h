/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */
/*
 * What a flip must give, written from its definition: a pixel at a time, on
 * the CPU, with no code of the library or of the kernels.
 *
 * Each plane is flipped on its own grid of elements. Packed 4:2:2 has a rule of
 * its own, see reference.c; planar 4:2:2 can't be transposed.
 */
#ifndef ZC_REFERENCE_H
#define ZC_REFERENCE_H

#include <gst/video/video.h>

G_BEGIN_DECLS

#define REF_CANARY 0xa5 /* all bytes of a plane's memory that are no pixels */
#define REF_MAX_PLANES 4

typedef enum
{
  REF_PLAIN, /* an element is a pixel's bytes */
  REF_YUYV, /* an element is a pixel, two share a macropixel Y0 U Y1 V */
  REF_UYVY, /* ... U Y0 V Y1 */
} RefPacking;

/* How the rows of a plane lie in memory */
typedef enum
{
  REF_TIGHT, /* stride = bytes of a row */
  REF_PADDED, /* stride a multiple of 256, as CUDA pools make it */
  REF_ODD, /* odd stride, odd offset */
  REF_ODD_OFFSET, /* stride a multiple of 256, odd offset */
  REF_NEGATIVE, /* the last row first */
  REF_N_LAYOUTS,
} RefLayout;

typedef struct
{
  RefPacking packing;
  gint width; /* elements */
  gint height; /* rows */
  gint bytes; /* of an element; of a pixel's share where packed: 2 */
  guint8 *data; /* the first row; points into memory */
  gssize stride; /* bytes */
  guint8 *memory; /* with canary before, between and after the rows */
  gsize size; /* of memory, bytes */
} RefPlane;

typedef struct
{
  GstVideoFormat format;
  gint width, height; /* pixels */
  guint n_planes;
  RefPlane plane[REF_MAX_PLANES];
} RefFrame;

const gchar *ref_layout_name (RefLayout layout);
const gchar *ref_orientation_name (GstVideoOrientationMethod orientation);
gboolean ref_is_transposing (GstVideoOrientationMethod orientation);

/* FALSE for planar 4:2:2 and a transposing orientation */
gboolean ref_is_defined (GstVideoFormat format,
    GstVideoOrientationMethod orientation);

/* Bytes of a row's pixels, without padding; 4:2:2 has whole macropixels */
gsize ref_plane_row_bytes (const RefPlane *plane);

/* Allocates memory for width, height, bytes, packing; fills it with canary. */
void ref_plane_alloc (RefPlane *plane, RefLayout layout);
void ref_plane_clear (RefPlane *plane);
void ref_plane_fill_random (RefPlane *plane, GRand *random);

/* dst must have src's element and its size, turned where transposing. */
void ref_plane_flip (RefPlane *dst, const RefPlane *src,
    GstVideoOrientationMethod orientation);

/* NULL if got holds the pixels of expected and canary everywhere else, or else
 * what differs first: x, y in elements. To be freed with g_free(). */
gchar *ref_plane_compare (const RefPlane *expected, const RefPlane *got);

/* The same for all planes of a format, each in memory of its own */
void ref_frame_init (RefFrame *frame, GstVideoFormat format, gint width,
    gint height, RefLayout layout);
void ref_frame_init_turned (RefFrame *frame, const RefFrame *src,
    GstVideoOrientationMethod orientation, RefLayout layout);
void ref_frame_clear (RefFrame *frame);
void ref_frame_fill_random (RefFrame *frame, guint32 seed);
void ref_frame_flip (RefFrame *dst, const RefFrame *src,
    GstVideoOrientationMethod orientation);
gchar *ref_frame_compare (const RefFrame *expected, const RefFrame *got);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RefPlane, ref_plane_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RefFrame, ref_frame_clear)

G_END_DECLS

#endif
