#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_words.py ROOT: does every comment stand alone?

A comment that begins with "The same", "Those", "Its", "Of" or the like says nothing to a reader who does not know what
stands before it. A comment is all lines that follow one another in one column. Only C++ and CUDA sources are looked at.
"""

import pathlib
import re
import sys

FOLDERS = ["core/src", "algorithms/src", "tests", "perf", "examples"]
ENDINGS = {".hpp", ".cpp", ".h", ".cu", ".in"}
TOKEN = re.compile(
    r'R"([^(\s]*)\((?:.|\n)*?\)\1"'  # raw strings, strings, characters: no comments
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'(?:\\.|[^'\\\n])+'"
    r"|(?P<line>//[^\n]*)"
    r"|(?P<block>/\*(?:.|\n)*?\*/)"
)
BEGINS = re.compile(
    r"(?:///?<?|//!<?|/\*[*!]?)\s*"
    r"(?P<words>(?:The same|Those|These|Its|Theirs?|Of|Likewise|Ditto|As above|And|But|Also)\b|\.\.\. ?(?=\w))"
)


def comments_of(text):
    """(offset, text) of the first line of each comment."""
    before = (0, 0)  # end of the comment line before, and its column
    for token in TOKEN.finditer(text):
        if token["line"] is None and token["block"] is None:
            continue
        column = token.start() - text.rfind("\n", 0, token.start())
        goes_on = column == before[1] and text[before[0] : token.start()].strip(" ") == "\n"
        if not goes_on:
            yield token.start(), token[0]
        before = (token.end(), column)


def errors_of(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in ENDINGS:
                continue
            text = path.read_text(encoding="utf-8")
            for offset, comment in comments_of(text):
                begin = BEGINS.match(comment)
                if begin:
                    line = text.count("\n", 0, offset) + 1
                    yield f"{path.relative_to(root)}:{line}: a comment begins with '{begin['words'].strip()}'"


def main():
    errors = list(errors_of(pathlib.Path(sys.argv[1])))
    print("\n".join(errors) if errors else "all comments stand alone")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
