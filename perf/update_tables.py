#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts new figures into pages.

  update_tables.py FAMILY TABLES.md MACHINE PAGE...

Each table of TABLES.md, as the plot scripts write it, takes the place of the one in a page whose first cell is the same up to a
bracket; tables whose first cell is empty stay. The lines after <!-- machine: FAMILY --> become MACHINE and the first line of
TABLES.md.
"""

import pathlib
import re
import sys

TABLE = re.compile(r"^\|.*\n\|(?:---\|)+\n(?:\|.*\n)*", re.MULTILINE)


def key(table):
    return table[1:].split("|")[0].split("(")[0].strip()


def update(text, family, tables, machine):
    names = []

    def replace(match):
        name = key(match[0])
        if not name or name not in tables:
            return match[0]
        names.append(name)
        return tables[name]

    text = TABLE.sub(replace, text)
    marker = f"<!-- machine: {family} -->\n"
    begin = text.find(marker)
    if begin >= 0:
        begin += len(marker)
        end = text.index("\n\n", begin)
        text = text[:begin] + machine + text[end:]
    return text, names


def main():
    family, source, machine, *pages = sys.argv[1:]
    new = pathlib.Path(source).read_text(encoding="utf-8")
    tables = {key(t): t for t in TABLE.findall(new)}
    machine += ".\n" + new.split("\n", 1)[0]
    for page in map(pathlib.Path, pages):
        text, names = update(page.read_text(encoding="utf-8"), family, tables, machine)
        page.write_text(text, encoding="utf-8")
        print(f"{page}: {len(names)} tables" + "".join(f"\n  {n}" for n in names), file=sys.stderr)


if __name__ == "__main__":
    main()
