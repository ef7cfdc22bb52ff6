#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# random.sh ROOT FOLDER: what does tests/random.sh of ROOT pass to drivers, and does it fail if one of them does? The drivers
# are made up, in FOLDER.
set -euo pipefail

root=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
for name in right wrong; do
  printf '#!/bin/sh\necho "$(basename "$0")" "$@"\n[ %s = right ]\n' $name >"$folder/random_$name"
  chmod +x "$folder/random_$name"
done

expect() { # expect STATUS TEXT ARGUMENT...: how the script ends and what the drivers print, in any order
  local status=0 actual
  actual=$(bash "$root/tests/random.sh" --built --build "$folder" "${@:3}" | sort | paste -sd,) || status=1
  [ "$status $actual" = "$1 $2" ] || { printf '%s: expected "%s %s", got "%s %s"\n' "${*:3}" "$1" "$2" $status "$actual"; exit 1; }
}
expect 0 "random_right --minutes 1" right
expect 0 "random_right --minutes 3 --seed 7 --cases 1" --minutes 3 --seed 7 --cases 1 right
for at_once in 1 2; do # all drivers run, also after one that fails
  expect 1 "random_right --minutes 1,random_wrong --minutes 1" --at-once $at_once
  expect 1 "random_right --minutes 1,random_wrong --minutes 1" --at-once $at_once wrong right
done
