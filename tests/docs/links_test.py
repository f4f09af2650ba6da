"""Relative links of the documents lead to a file and to a heading of it, and every page under docs/ is on the site.

A page is on the site when the table of contents of a page of docs/site names it, without its suffix, from the root.

usage: links_test.py SOURCE_TREE    prints one line per fault; the exit status is 0 when there is none
"""

import re
import sys
from pathlib import Path
from urllib.parse import unquote

DOCUMENTS = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "python/README.md", "r/README.md",
             "bench/README.md", "examples/README.md", "findings/README.md", "tests/README.md"]
CODE = re.compile(r"^```.*?^```[ \t]*$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
LINK = re.compile(r"\]\(([^()\s]+)\)")
TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blank(match):
    """Keeps the lines of what is left out."""
    return "\n" * match[0].count("\n")


def anchors_of(path):
    """Returns the names of a Markdown file's headings, as GitHub makes them."""
    names = set()
    for heading in re.findall(r"^#+ +(.+?) *$", CODE.sub(blank, path.read_text(encoding="utf-8")), re.MULTILINE):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        number = 0
        while (name if not number else f"{name}-{number}") in names:
            number += 1
        names.add(name if not number else f"{name}-{number}")
    return names


def link_faults(root):
    documents = [root / name for name in DOCUMENTS if (root / name).is_file()]
    for path in sorted({*documents, *(root / "docs").rglob("*.md"), *(root / "bench/runs").glob("*.md")}):
        text = INLINE.sub(blank, CODE.sub(blank, path.read_text(encoding="utf-8")))
        for match in LINK.finditer(text):
            link = match[1]
            if re.match(r"[a-z]+:", link):
                continue
            where = f"{path.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}"
            file, _, anchor = link.partition("#")
            to = (path.parent / unquote(file)).resolve() if file else path
            if not to.exists():
                yield f"{where}: {link} leads to no file"
            elif anchor and to.suffix == ".md" and unquote(anchor) not in anchors_of(to):
                yield f"{where}: {link} leads to no heading of {to.relative_to(root)}"


def site_faults(root):
    site = root / "docs/site"
    listed = set()
    for path in site.glob("*.md"):
        for tree in TOCTREE.findall(path.read_text(encoding="utf-8")):
            listed |= {line.strip() for line in tree.split("\n") if line.startswith("/")}
    pages = [*(root / "docs").rglob("*.md"), *(root / "docs").rglob("*.ipynb")]
    for page in sorted(pages):
        name = page.relative_to(root).with_suffix("").as_posix()
        if page.parent == site:
            name = page.stem
            if name == "index":
                continue
        if "/" + name not in listed:
            yield f"{page.relative_to(root)}:1: is not on the site; name /{name} in a toctree of docs/site"
    for name in sorted(listed):
        kept = [page for suffix in ("", ".md", ".ipynb") for page in root.glob(name[1:] + suffix)]
        kept.append(site / (name[1:] + ".md"))
        generated = name.startswith(("/reference/", "/source/"))
        if not generated and not any(file.is_file() for file in kept):
            yield f"docs/site: the table of contents names {name}, which is no page"


def main():
    root = Path(sys.argv[1]).resolve()
    found = [*link_faults(root), *site_faults(root)]
    print("\n".join(found) or "the links lead somewhere, and every page is on the site")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
