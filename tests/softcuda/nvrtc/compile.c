/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "compile.h"

#include <ctype.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiled.h"

#define MAX_ARGS 64
#define GLOBAL "__global__"

extern char **environ;

/* Files of one compilation, in a folder of their own. */
typedef struct
{
  char folder[64], source[96], library[96], log[96];
} Files;

static bool
open_files (Files *files)
{
  const char *where = getenv ("TMPDIR");

  snprintf (files->folder, sizeof files->folder, "%.30s/softcuda-nvrtc-XXXXXX",
      where && *where ? where : "/tmp");
  if (!mkdtemp (files->folder))
    return false;
  snprintf (files->source, sizeof files->source, "%s/kernels.cpp",
      files->folder);
  snprintf (files->library, sizeof files->library, "%s/kernels.so",
      files->folder);
  snprintf (files->log, sizeof files->log, "%s/log", files->folder);
  return true;
}

static void
remove_files (const Files *files)
{
  unlink (files->source);
  unlink (files->library);
  unlink (files->log);
  rmdir (files->folder);
}

static bool
is_word (char c)
{
  return isalnum ((unsigned char) c) || c == '_';
}

/* The last word before the parameters that follow @at. */
static void
write_entry (FILE *file, const char *at)
{
  const char *end = strchr (at, '('), *start;

  if (!end)
    return;
  while (end > at && !is_word (end[-1]))
    end--;
  for (start = end; start > at && is_word (start[-1]);)
    start--;
  fprintf (file, "  softcuda::Kernel<%.*s>::entry (\"%.*s\"),\n",
      (int) (end - start), start, (int) (end - start), start);
}

static void
write_list (FILE *file, const char *source)
{
  fputs ("\n#pragma GCC visibility push(default)\n"
         "extern \"C\" const ScCompiledKernel " SC_COMPILED_LIST "[];\n"
         "extern \"C\" const ScCompiledKernel " SC_COMPILED_LIST "[] = {\n",
      file);
  while ((source = strstr (source, GLOBAL))) {
    source += strlen (GLOBAL);
    write_entry (file, source);
  }
  fputs ("  {}\n};\n", file);
}

static bool
write_source (const Files *files, const char *source)
{
  FILE *file = fopen (files->source, "w");

  if (!file)
    return false;
  fputs (source, file);
  write_list (file, source);
  return fclose (file) == 0;
}

static bool
is_for_us (const char *option)
{
  return !strncmp (option, "-D", 2) || !strncmp (option, "-I", 2);
}

static bool
wait_for (pid_t child)
{
  int status;

  while (waitpid (child, &status, 0) < 0)
    ;
  return WIFEXITED (status) && WEXITSTATUS (status) == 0;
}

static bool
run (char **args, const char *log)
{
  posix_spawn_file_actions_t actions;
  pid_t child;
  int failed;

  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, 2, log,
      O_WRONLY | O_CREAT | O_TRUNC, 0600);
  failed = posix_spawnp (&child, args[0], &actions, NULL, args, environ);
  posix_spawn_file_actions_destroy (&actions);
  return !failed && wait_for (child);
}

static bool
compile (const Files *files, const char *const *options, int n_options)
{
  static const char *const fixed[] = { "-std=c++17", "-O1", "-w", "-shared",
    "-fPIC", "-fvisibility=hidden", "-I" SC_SHIM_FOLDER,
    "-I" SC_SHIM_FOLDER "/..", "-include", "nvrtcshim.h" };
  const char *args[MAX_ARGS] = { getenv ("CXX") };
  int n = 1;

  if (!args[0] || !*args[0])
    args[0] = "g++";
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    args[n++] = fixed[i];
  for (int i = 0; i < n_options && n < MAX_ARGS - 4; i++)
    if (is_for_us (options[i]))
      args[n++] = options[i];
  args[n++] = files->source;
  args[n++] = "-o";
  args[n] = files->library;
  return run ((char **) args, files->log);
}

/* With room for a header before it and a 0 behind. */
static void *
read_file (const char *path, size_t header, size_t *size)
{
  FILE *file = fopen (path, "r");
  char *bytes = NULL;

  if (!file)
    return NULL;
  fseek (file, 0, SEEK_END);
  *size = (size_t) ftell (file);
  rewind (file);
  bytes = calloc (1, header + *size + 1);
  if (bytes && fread (bytes + header, 1, *size, file) != *size) {
    free (bytes);
    bytes = NULL;
  }
  fclose (file);
  return bytes;
}

static void *
read_image (const Files *files, size_t *size)
{
  ScCompiledHeader header = { .magic = SC_COMPILED_MAGIC };
  void *image = read_file (files->library, sizeof header, size);

  header.size = *size;
  if (image)
    memcpy (image, &header, sizeof header);
  *size += sizeof header;
  return image;
}

bool
sc_compile (const char *source, const char *const *options, int n_options,
    void **image, size_t *size, char **log)
{
  Files files;
  size_t log_size;

  if (!open_files (&files))
    return false;
  if (write_source (&files, source) && compile (&files, options, n_options))
    *image = read_image (&files, size);
  *log = read_file (files.log, 0, &log_size);
  remove_files (&files);
  return *image != NULL;
}
