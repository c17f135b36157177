/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Which devices CUDA_VISIBLE_DEVICES leaves, and in what order. cases.md 65. */

#include "driver.h"

#include <string.h>

#define VARIABLE "CUDA_VISIBLE_DEVICES"
#define LOOK "--look"
#define MAX_CARDS 16
#define ALL (-1)

/* Tells those of this process: "cards: UUID UUID." or "error: 100." */
static int
look (void)
{
  const char *why = NULL;
  CUuuid uuid;
  int count = 0;
  CUresult result;

  driver_load (&why);
  result = cu.cuInit (0);
  if (result != CUDA_SUCCESS) {
    g_print ("error: %d.\n", result);
    return 0;
  }
  OK (cuDeviceGetCount (&count));
  g_print ("cards:");
  for (int i = 0; i < count; i++) {
    OK (cuDeviceGetUuid (&uuid, i));
    g_print (" ");
    for (int byte = 0; byte < 16; byte++)
      g_print ("%02x", (guint8) uuid.bytes[byte]);
  }
  g_print (".\n");
  return 0;
}

/* What a process says whose variable has @value; NULL: it has none. */
static char *
ask (const char *value)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  char *argv[] = { program, (char *) LOOK, NULL };
  g_auto (GStrv) env = g_environ_unsetenv (g_get_environ (), VARIABLE);
  g_autoptr (GError) error = NULL;
  char *output = NULL;
  int status;

  if (value)
    env = g_environ_setenv (env, VARIABLE, value, TRUE);
  g_spawn_sync (NULL, argv, env, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL,
      &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  return output;
}

static char *cards[MAX_CARDS + 1]; /* UUIDs of the machine's, hex digits */
static int n_cards;

static gboolean
find_cards (int needed)
{
  g_autofree char *told = ask (NULL);
  const char *list = strstr (told, "cards: ");

  n_cards = 0;
  if (list) {
    g_auto (GStrv) words = NULL;
    g_autofree char *line = g_strndup (list + 7, strcspn (list + 7, "."));

    words = g_strsplit (line, " ", MAX_CARDS);
    for (; words[n_cards]; n_cards++) {
      g_free (cards[n_cards]);
      cards[n_cards] = g_strdup (words[n_cards]);
    }
  }
  if (n_cards < needed)
    g_test_skip (n_cards ? "needs two devices" : "needs a CUDA device");
  return n_cards >= needed;
}

/* GPU- and the first @digits of card @number. */
static char *
uuid_of (int number, int digits)
{
  GString *text = g_string_new ("GPU-");

  for (int i = 0; i < digits; i++) {
    if (i == 8 || i == 12 || i == 16 || i == 20)
      g_string_append_c (text, '-');
    g_string_append_c (text, cards[number][i]);
  }
  return g_string_free (text, FALSE);
}

static void
expect_answer (const char *value, const char *right)
{
  g_autofree char *told = ask (value);

  g_test_message ("%s=%s: %s", VARIABLE, value, told);
  if (!strstr (told, right))
    g_error ("%s=%s gives %s, not %s", VARIABLE, value, told, right);
}

/* @expected: numbers of cards, ended by ALL. */
static void
expect (const char *value, const int *expected)
{
  GString *right = g_string_new (NULL);

  for (; *expected != ALL; expected++)
    g_string_append_printf (right, "%s %s",
        right->len ? "" : "cards:", cards[*expected]);
  g_string_append (right, right->len ? "." : "error: 100.");
  expect_answer (value, right->str);
  g_string_free (right, TRUE);
}

#define EXPECT_CARDS(value, ...)                                               \
  expect ((value), (const int[]) { __VA_ARGS__ ALL })

static void
test_index (void)
{
  if (!find_cards (1))
    return;
  EXPECT_CARDS ("0", 0, );
  EXPECT_CARDS ("", );
  EXPECT_CARDS ("-1", );
  EXPECT_CARDS ("99", );
  EXPECT_CARDS ("0,99", 0, );
  EXPECT_CARDS ("0,-1", 0, );
  EXPECT_CARDS ("none", );
}

static void
test_reordered (void)
{
  if (!find_cards (2))
    return;
  EXPECT_CARDS ("1", 1, );
  EXPECT_CARDS ("1,0", 1, 0, );
  EXPECT_CARDS ("0,99,1", 0, );
  EXPECT_CARDS ("1,-1,0", 1, );
}

static void
test_uuid (void)
{
  g_autofree char *whole = NULL, *half = NULL, *unknown = NULL;

  if (!find_cards (1))
    return;
  whole = uuid_of (0, 32);
  half = uuid_of (0, 12);
  unknown = g_strdup (whole);
  unknown[strlen (unknown) - 1] = whole[strlen (whole) - 1] == '0' ? '1' : '0';
  EXPECT_CARDS (whole, 0, );
  EXPECT_CARDS (half, 0, );
  EXPECT_CARDS (unknown, );
}

static void
test_uuid_reordered (void)
{
  g_autofree char *first = NULL, *second = NULL, *both = NULL, *mixed = NULL;

  if (!find_cards (2))
    return;
  first = uuid_of (0, 32);
  second = uuid_of (1, 8);
  both = g_strdup_printf ("%s,%s", second, first);
  mixed = g_strdup_printf ("%s,0", second);
  EXPECT_CARDS (second, 1, );
  EXPECT_CARDS (both, 1, 0, );
  EXPECT_CARDS (mixed, 1, );
  EXPECT_CARDS ("GPU-", );
}

/* Not in NVIDIA's manual. */
static void
test_twice (void)
{
  if (find_cards (1))
    expect_answer ("0,0", "error: 101.");
}

int
main (int argc, char **argv)
{
  if (argc > 1 && g_str_equal (argv[1], LOOK))
    return look ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/driver/visible/index", test_index);
  g_test_add_func ("/driver/visible/reordered", test_reordered);
  g_test_add_func ("/driver/visible/uuid", test_uuid);
  g_test_add_func ("/driver/visible/uuid-reordered", test_uuid_reordered);
  g_test_add_func ("/driver/visible/twice", test_twice);
  return g_test_run ();
}
