# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hooks of MkDocs: the pages of the repository become a site, with the links that they have in the repository.

Pages keep their places, so that links between them stay right. A link to another file of the repository leads to a page that
shows it, one to a folder to a list of its files. Diagrams are drawn by Graphviz: the browser loads nothing from elsewhere.
"""

import pathlib
import posixpath
import re
import subprocess

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[2]
API = ROOT / "build/site/api"  # Doxygen's pages

# Tabs and their pages; pages that are not named follow in the tab whose folder they are in.
TABS = {
    "Start": ["README.md", "docs/installing.md", "docs/gpu.md", "examples/README.md", "docs/faq.md"],
    "Use": ["docs/particle_grid.md", "docs/mesh_loops.md", "docs/cross_correlation.md", "docs/nufft.md", "docs/distributed.md", "docs/errors.md",
            "docs/repeatability.md", "docs/accuracy.md", "docs/performance.md", "docs/scaling.md"],
    "Applications": ["docs/applications.md"],
    "Design": ["docs/design/architecture.md", "docs/design/extending.md", "docs/design/mechanisms.md"],
    "Project": ["CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"],
}
FOLDERS = {"docs": "Use", "docs/design": "Design", "examples": "Start", "perf": "Applications"}

LANGUAGES = {".hpp": "cpp", ".cpp": "cpp", ".cu": "cpp", ".py": "python", ".sh": "bash", ".cmake": "cmake", ".json": "json"}
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(^```.*?^```$|`[^`\n]*`)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(\]\()([^)\s#:]+)(#[^)\s]*)?(\))")


def pages():
    """The Markdown files that become pages."""
    return [page.relative_to(ROOT).as_posix()
            for glob in ("*.md", "docs/**/*.md", "examples/*.md", "tests/**/README.md", "perf/**/README.md")
            for page in sorted(ROOT.glob(glob))]


def on_config(config):
    tabs = {name: [page for page in named if (ROOT / page).exists()] for name, named in TABS.items()}
    for page in pages():
        if not any(page in named for named in tabs.values()):
            folder = posixpath.dirname(page)
            tabs[FOLDERS.get(folder) or FOLDERS.get(page.split("/")[0], "Project")].append(page)
    config.nav = [{name: named} for name, named in tabs.items()]
    if API.exists():
        config.nav.append({"API": "api/index.html"})
    return config


def on_files(files, config):
    def add(uri, **source):
        files.append(File.generated(config, uri, **source))

    for page in pages():
        add(page, abs_src_path=str(ROOT / page))
    for image in sorted((ROOT / "docs/images").iterdir()):
        add(image.relative_to(ROOT).as_posix(), abs_src_path=str(image))
    for path in sorted(API.rglob("*")):
        if path.is_file():
            add("api/" + path.relative_to(API).as_posix(), abs_src_path=str(path))
    shown = {target for page in pages() for target in linked(page, (ROOT / page).read_text(encoding="utf-8"))}
    for target in sorted(shown):
        add(place_of(target), content=show(target))
    return files


def on_page_markdown(markdown, page, **_):
    if page.file.src_uri.startswith("sources/"):
        return markdown

    def replace(match):
        target = outside(page.file.src_uri, match[2])
        if target is None:
            return match[0]
        return match[1] + posixpath.relpath(place_of(target), posixpath.dirname(page.file.src_uri) or ".") + match[4]

    markdown = re.sub(r"^<!--.*?-->\s*", "", markdown, flags=re.DOTALL)  # MkDocs takes titles from the first line
    parts = CODE.split(markdown)
    parts[::2] = [LINK.sub(replace, part) for part in parts[::2]]
    parts = BLOCK.split("".join(parts))
    parts[::2] = map(as_python_markdown, parts[::2])
    return FENCE.sub(block, "".join(parts))


def as_python_markdown(text):
    """What is in a list item is indented by 4 for each level, and a table in it ends with an empty line."""
    text = re.sub(r"^( {2,})(?=\S)", lambda m: " " * (4 * (1 + len(m[1]) // 4)), text, flags=re.MULTILINE)
    return re.sub(r"^( +\|.*\n)(?=- )", r"\1\n", text, flags=re.MULTILINE)


def linked(page, text):
    for match in LINK.finditer("".join(CODE.split(text)[::2])):
        target = outside(page, match[2])
        if target is not None:
            yield target


def outside(page, link):
    """The file or folder of the repository that a link names, None for pages and pictures of the site."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), link))
    is_of_site = target in pages() or target.startswith("docs/images/")
    return None if is_of_site or not (ROOT / target).exists() else target


def place_of(target):
    return f"sources/{target}.md"


def show(target):
    """A page with the text of a file or the names in a folder, which the search leaves out."""
    path = ROOT / target
    head = f"---\nsearch:\n  exclude: true\n---\n# {target}\n\n"
    if path.is_dir():
        names = [p.relative_to(path).as_posix() for p in sorted(path.rglob("*")) if p.is_file() and "__pycache__" not in p.parts]
        return head + "".join(f"- `{name}`\n" for name in names)
    text = path.read_text(encoding="utf-8").rstrip()
    fence = "`" * (3 + max((len(run) for run in re.findall("`+", text)), default=0))
    return head + f"{fence}{LANGUAGES.get(path.suffix, 'text')}\n{text}\n{fence}\n"


def block(match):
    """A code block; words after its language are for the tests of the pages."""
    language, text = match[1], match[2]
    if language == "mermaid":
        return f'<div class="diagram">{draw(text)}</div>'
    return f"```{language}\n{text}```"


def draw(flowchart):
    """An SVG of a flowchart in the part of Mermaid's language that the pages use: subgraphs, nodes, arrows."""
    node = re.compile(r'(\w+)(?:\(\[(.*?)\]\)|\["(.*?)"\])?')
    dot, inner = ['digraph { compound=true; node [shape=box fontname="sans-serif" fontsize=11]; fontname="sans-serif"; fontsize=12;'], {}
    cluster, edges = None, []
    for line in map(str.strip, flowchart.strip().split("\n")[1:]):
        start = re.fullmatch(r"subgraph (\w+) \[(.*)\]", line)
        if start:
            cluster = start[1]
            inner[cluster] = []
            dot.append(f'subgraph cluster_{cluster} {{ label="{start[2]}";')
        elif line == "end":
            cluster = None
            dot.append("}")
        elif line and not line.startswith("direction "):
            found = [node.fullmatch(part.strip()) for part in line.split("-->")]
            if not all(found):
                raise PluginError(f"docs/site/hooks.py cannot draw this line of a flowchart: {line}")
            for match in found:
                label = match[2] or match[3]
                if label:
                    text = label.replace("<br>", "\\n")
                    dot.append(f'{match[1]} [label="{text}"];')
                if cluster and match[1] not in inner[cluster]:
                    inner[cluster].append(match[1])
            edges += [(a[1], b[1]) for a, b in zip(found, found[1:])]
    dot += [edge(a, b, inner) for a, b in edges] + ["}"]
    svg = subprocess.run(["dot", "-Tsvg"], input="\n".join(dot), capture_output=True, text=True, check=True).stdout
    return re.sub(r"\s*\n\s*", " ", re.sub(r"<!--.*?-->", "", svg[svg.index("<svg"):], flags=re.DOTALL))


def edge(a, b, inner):
    """An arrow; of a subgraph it begins at its last node, or ends at its first."""
    ends = ([f"ltail=cluster_{a}"] if a in inner else []) + ([f"lhead=cluster_{b}"] if b in inner else [])
    return f"{inner[a][-1] if a in inner else a} -> {inner[b][0] if b in inner else b} [{' '.join(ends)}];"
