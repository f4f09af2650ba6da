"""Settings of the documentation site: `make site` (tools/make-site) lays the pages out and runs Sphinx on them."""

import os
import re
import sys

sys.path.insert(0, os.environ["HALFSPACE_PYTHON"])

project = "Halfspace"
author = "The Halfspace contributors"
project_copyright = author
release = version = os.environ["HALFSPACE_VERSION"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "numpydoc", "sphinx_copybutton"]
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
numpydoc_show_class_members = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
exclude_patterns = ["README-of-the-repository.md"]
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
highlight_language = "none"
smartquotes = False
html_theme = "furo"
html_title = f"Halfspace {release}"
html_show_sourcelink = False
html_copy_source = False


def plain_text(app, what, name, obj, options, lines):
    """Docstrings are plain text with `code`, not reStructuredText: names may end in _, and |w| is a norm."""
    for number, line in enumerate(lines):
        parts = line.split("`")
        parts[::2] = [re.sub(r"(\||\*|(?<=\w)_(?!\w))", r"\\\1", part) for part in parts[::2]]
        parts[1::2] = ["`" + part + "`" for part in parts[1::2]] if len(parts) % 2 else parts[1::2]
        lines[number] = "`".join(parts)


def setup(app):
    app.connect("autodoc-process-docstring", plain_text, priority=400)  # before numpydoc
