#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_names.py ROOT: do the names and paths in code font in the pages that check_links.py reads exist in the sources?

A path is looked up among the files. Every other name of three letters or more has to be that of a file without its
suffix, or occur in the code: sources without comments, scripts, CMake files, a C++ or CMake block of a page (which is
compiled). Scope::member has to occur
in one file. Not looked up:
  - names of others: after std::, Kokkos::, op2. and the like, or with a prefix such as Kokkos_, OMP_, MPI_, op_ (OP2) or __;
  - commands (the first word of a span that begins with a known program) and options, except -DSporos_...;
  - a single word in <angle brackets>, absolute paths and text in quotes.
In sh blocks only paths are looked up. CHANGELOG.md may name things that are gone.
"""

import pathlib
import re
import sys

from check_links import pages_of

SOURCES = ["core/src", "algorithms/src", "examples", "tests", "perf", "cmake", "packaging", ".ci", "CMakeLists.txt", "CMakePresets.json"]
SUFFIXES = {".hpp", ".cpp", ".cu", ".in", ".py", ".sh", ".cmake", ".txt", ".json", ""}
OTHERS = re.compile(r"\b(?:std|Kokkos|KokkosKernels)::\w+(?:::\w+)*|\bop2(?:\.\w+)+|\b(?:Kokkos|KOKKOS|CMAKE|OMP|MPI|op|OP)_\w+")
PROGRAMS = {"apt-get", "bash", "cd", "clang-format", "clang-tidy", "cmake", "cpack", "ctest", "git", "mpiexec", "nvcc", "python3"}
FILE = re.compile(r"[\w.*/-]*\.(?:hpp|cpp|cmake|md|py|sh|txt|json|dox|in|png)\b|[\w.-]+(?:/[\w.*-]+)+")
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WORD = re.compile(r"[^\W\d]\w*")


def code_of(path):
    """The text of a source without its comments."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix in {".hpp", ".cpp", ".cu"}:
        return re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", " ", text, flags=re.DOTALL)
    return re.sub(r"(?m)^\s*#(?!!).*$", " ", text)


class Sources:
    def __init__(self, root, pages):
        self.root = root
        self.words = []  # a set for each file
        self.names = set()  # of files
        for place in SOURCES:
            top = root / place
            for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
                if not path.is_file():
                    continue
                self.names.add(path.name)
                self.words.append({path.stem})
                if path.suffix in SUFFIXES and root / "tests/readme" not in path.parents:
                    self.words.append(set(WORD.findall(code_of(path))))
        for page in pages:
            for info, block in BLOCK.findall(page.read_text(encoding="utf-8")):
                if re.match(r"(cpp|cmake) ", info):
                    self.words.append(set(WORD.findall(block)))
        self.all = set().union(*self.words)

    def has_file(self, name, page):
        if name.startswith("build/"):  # what a build makes
            return True
        if "*" in name:
            return any(pathlib.PurePath(n).match(pathlib.PurePath(name).name) for n in self.names)
        if any((folder / name).exists() for folder in (self.root, page.parent)):
            return True
        return "/" not in name and name in self.names

    def has_name(self, scoped):
        names = [n for n in scoped if n != "Sporos"]
        if len(names) == 1 and names[0].endswith("_"):  # a prefix
            return any(n.startswith(names[0]) for n in self.all)
        return not names or any(all(n in words for n in names) for words in self.words)


def spans(text):
    """(line, span in code font) outside of blocks."""
    plain = BLOCK.sub(lambda m: "\n" * m[0].count("\n"), text)
    for number, line in enumerate(plain.split("\n"), 1):
        for span in re.findall(r"`([^`]+)`", line):
            yield number, span


def unknown_in(span, sources, page):
    """The names and paths of a span that do not exist."""
    span = re.sub(r"-D(?=Sporos_)", " ", span)
    span = re.sub(r"(?<!\S)-[\w-]+(=\S*)?|'[^']*'|\"[^\"]*\"", " ", span)  # options, text
    span = re.sub(r"<\w+>", "", span)
    span = re.sub(r"(?<![\w.*])(?:/|\$\w+)\S+", " ", OTHERS.sub(" ", span))  # absolute paths
    if span.split(" ")[0] in PROGRAMS:
        span = " ".join(word for word in span.split() if "/" in word or "::" in word or "_" in word)
    for name in FILE.findall(span):
        if not sources.has_file(name, page):
            yield name
    span = FILE.sub(" ", span)
    for scoped in re.findall(r"[^\W\d]\w*(?:<[^<>]*>)?(?:::[^\W\d]\w*)*", span):
        names = [n for n in WORD.findall(re.sub(r"<[^<>]*>", "", scoped)) if len(n) > 2 and n.isascii() and not n.startswith("__")]
        if not sources.has_name(names):
            yield "::".join(names)
    for argument in re.findall(r"<([^<>]*)>", span):
        yield from (n for n in WORD.findall(argument) if len(n) > 2 and n not in sources.all)


def errors_of(page, sources):
    text = page.read_text(encoding="utf-8")
    for number, span in spans(text):
        for name in unknown_in(span, sources, page):
            yield f"{number}: `{span}`: there is no {name}"
    tops = "|".join(re.escape(place) for place in SOURCES + ["docs"] if "." not in place or place == ".ci")
    for info, block in BLOCK.findall(text):
        if info == "sh":
            for name in re.findall(rf"(?<![\w/.-])((?:sporos/)?(?:{tops})/[\w./-]+)", block):
                if not sources.has_file(re.sub(r"^sporos/", "", name), page):
                    yield f"in a block: there is no {name}"
            for name in re.findall(r"-D(Sporos_\w+)", block):
                if name not in sources.all and name != "Sporos_ROOT":
                    yield f"in a block: there is no {name}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = [page for page in pages_of(root) if page.name != "CHANGELOG.md"]
    sources = Sources(root, pages)
    errors = [f"{page.relative_to(root)}:{error}" for page in pages for error in errors_of(page, sources)]
    print("\n".join(errors) if errors else f"{len(pages)} pages, no unknown names")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
