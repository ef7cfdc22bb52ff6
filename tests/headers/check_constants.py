#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_constants.py ROOT: does each threshold stand in the header of constants of its family?

Looks in core/src and algorithms/src for numbers that may be thresholds: integers above 16, and floating-point numbers that
are neither powers of two (up to 16 and down to 1/16) nor whole numbers up to 16. These are not meant: numbers in comments and
texts, masks (hexadecimal), alignas(N), places of bits (x << N; but 1 << N, T(1) << N and 64 << 20 are numbers), bits of a
word or bytes of a line (/ 32, % 64, 64 - n) and entries of a line or page (64 / sizeof(T)).

constants.txt, beside this file, has one line for each file with other numbers, and says why they stand there:

    core/src/Sporos_X.hpp: 52 1074  # the format of IEEE numbers
"""

import pathlib
import re
import sys

CONSTANTS = re.compile(r"Sporos_((Engine|Correlate|Loop|Grid|Nufft)Constants|CorrelateTable)\.hpp$")
SKIPPED = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\])+\'', re.DOTALL)
NUMBER = re.compile(r"(?<![\w.])(?:\d[\d']*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFuUlL]*")
HEXADECIMAL = re.compile(r"(?<!\w)0[xX][\da-fA-F']+[uUlL]*")
IDIOM_BEFORE = re.compile(r"(?:alignas\(|[\w)\]](?<!\b1)\s*(?:<<|>>)\s*|[/%]\s*)$")
ONE_SHIFTED = re.compile(r"(?:(?<![\w.])\d+[uUlL]*|\(\d+\))\s*<<\s*$")
IDIOM_AFTER = re.compile(r"\s*(?:-(?!>)|/\s*(?:int\(|std::\w+\()?sizeof)")


def value_of(literal):
    text = re.sub(r"[fFuUlL']", "", literal)
    return float(text) if re.search(r"[.eE]", text) else int(text)


def is_plain(value):
    if isinstance(value, int) or value == int(value):
        return value <= 16
    return value in (0.5, 0.25, 0.125, 0.0625)


def is_idiom(value, before, after):
    """Bits of a word, bytes of a line or page, the place of a bit."""
    if not isinstance(value, int):
        return False
    if ONE_SHIFTED.search(before):
        return False
    shifts = before.rstrip().endswith(("<<", ">>"))
    if IDIOM_BEFORE.search(before) and (value in (32, 64) or (shifts and value < 64)):
        return True
    return bool(IDIOM_AFTER.match(after)) and value in (32, 64, 128, 4096)


def numbers_in(text):
    """(line, literal) of all numbers that may be thresholds."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    text = HEXADECIMAL.sub(blank, SKIPPED.sub(blank, text))
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("#"):
            continue
        for match in NUMBER.finditer(line):
            value = value_of(match.group())
            if not is_plain(value) and not is_idiom(value, line[: match.start()], line[match.end() :]):
                yield number, match.group()


def allowed_in(path):
    """File -> numbers that may stand there."""
    allowed = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        entry, _, why = line.partition("#")
        if not entry.strip():
            continue
        name, _, numbers = entry.partition(":")
        if not numbers.strip() or not why.strip():
            sys.exit(f"{path}: '{line}' is not FILE: NUMBERS  # WHY")
        allowed.setdefault(name.strip(), set()).update(numbers.split())
    return allowed


def errors_of(root):
    allowed = allowed_in(pathlib.Path(__file__).with_name("constants.txt"))
    for path in sorted([*(root / "core/src").rglob("*.hpp"), *(root / "algorithms/src").rglob("*.hpp")]):
        if CONSTANTS.search(path.name):
            continue
        name = path.relative_to(root).as_posix()
        missing = set(allowed.get(name, ()))
        for line, literal in numbers_in(path.read_text(encoding="utf-8")):
            missing.discard(literal)
            if literal not in allowed.get(name, ()):
                yield f"{name}:{line}: {literal}: belongs into the header of constants, or its reason into constants.txt"
        if missing:
            yield f"constants.txt: {name} has no longer {' '.join(sorted(missing))}"
    yield from (f"constants.txt: {name} is no header" for name in sorted(allowed) if not (root / name).exists())


def main():
    errors = list(errors_of(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(errors) if errors else "all thresholds stand in headers of constants")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
