# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
#
# Reads apt's sources, of one line or of the deb822 form, and prints the first
# entry for the main archive of SUITE as a line for WANTED,
# another suite.

function print_source(options, uri) {
  if (!found++)
    print "deb " (options ? "[" options "] " : "") uri " " wanted " main"
}

function end_stanza() {
  if ((" " field["types"] " ") ~ / deb / && field["enabled"] != "no" &&
      index(" " field["suites"] " ", " " suite " ") &&
      (" " field["components"] " ") ~ / main /) {
    split(field["uris"], uris, " ")
    # a key inside the stanza itself cannot be named on one line
    key = field["signed-by"] ~ /^\// ? "signed-by=" field["signed-by"] : ""
    print_source(key, uris[1])
  }
  delete field
}

FNR == 1 { end_stanza() }

/^[ \t]*#/ { next }

/^deb[ \t]/ {
  options = ""
  if (match($0, /\[[^]]*\]/)) {
    options = substr($0, RSTART + 1, RLENGTH - 2)
    sub(/\[[^]]*\]/, "")
  }
  if ($3 == suite && (" " $0 " ") ~ / main /)
    print_source(options, $2)
  next
}

/^[A-Za-z-]+:/ {
  name = tolower(substr($0, 1, index($0, ":") - 1))
  value = substr($0, index($0, ":") + 1)
  sub(/^[ \t]+/, "", value)
  field[name] = value
  next
}

/^[ \t]*$/ { end_stanza() }

END { end_stanza() }
