#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_links.py ROOT: do the relative links and anchors of ROOT/*.md, ROOT/docs/**/*.md and of the READMEs of examples, tests and
perf lead somewhere?"""

import pathlib
import re
import sys


def without_code(text):
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(path):
    """Those that GitHub makes of headings."""
    found = set()
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#+ +(.*)$", text, flags=re.MULTILINE):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        number = sum(1 for a in found if re.fullmatch(re.escape(slug) + r"(-\d+)?", a))
        found.add(f"{slug}-{number}" if number else slug)
    return found


def broken_links(page):
    links = re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", without_code(page.read_text(encoding="utf-8")))
    for link in links:
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists():
            yield f"{link}: there is no such file"
        elif anchor and (target.suffix != ".md" or anchor not in anchors(target)):
            yield f"{link}: there is no such heading"


def pages_of(root):
    globs = ("*.md", "docs/**/*.md", "examples/*.md", "tests/**/README.md", "perf/**/README.md")
    return [page for glob in globs for page in sorted(root.glob(glob))]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = pages_of(root)
    errors = [f"{page.relative_to(root)}: {error}" for page in pages for error in broken_links(page)]
    print("\n".join(errors) if errors else f"{len(pages)} pages, no broken links")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
