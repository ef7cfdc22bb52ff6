#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# python.sh ROOT FOLDER: does cmake/python.sh of ROOT find the Python that has a module, wherever in PATH it stands? Makes
# Pythons in FOLDER.
set -euo pipefail

root=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"/{broken,bare,full}

make_python() { # make_python FOLDER STATUS [MODULES]: imports MODULES, nothing else; ends with STATUS for all else
  printf '#!/bin/sh\ncase $2 in "import sys"%s) exit 0 ;; esac\nexit %d\n' "${3:+ | \"import $3\"}" "$2" >"$folder/$1/python3"
  chmod +x "$folder/$1/python3"
}
make_python bare 1
make_python full 1 first,second
printf '#!/nonexistent/interpreter\n' >"$folder/broken/python3"
chmod +x "$folder/broken/python3"

expect() { # expect TEXT [MODULE...]: what is printed, with these folders first in PATH
  local actual
  actual=$(PATH=$folder/broken:$folder/bare:$folder/full:$PATH bash "$root/cmake/python.sh" "${@:2}" || echo none)
  [ "$actual" = "$1" ] || { echo "modules ${*:2}: expected $1, got $actual"; exit 1; }
}
expect "$folder/bare/python3"
expect "$folder/full/python3" first second
expect none sporos_no_such_module
# The system's, which PATH need not name.
if [ -x /usr/bin/python3 ]; then
  actual=$(PATH=$folder/bare "$BASH" "$root/cmake/python.sh" json)
  [ "$actual" = /usr/bin/python3 ] || { echo "expected /usr/bin/python3, got $actual"; exit 1; }
fi

# What draws plots runs on the Python that has matplotlib.
cd "$root"
if grep -nE 'python3 [^ ]*plot_' cmake/*.sh perf/*.sh; then
  echo "these take the first Python of PATH, which may lack matplotlib"
  exit 1
fi
