"""Settings of Sphinx for the documentation site; tools/make-site runs it on generated sources."""

import re
from pathlib import Path

project = "Halfspace"
author = "the authors of Halfspace"
html_title = "Halfspace"
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc", "sphinx_copybutton"]
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_search_scorer = str(Path(__file__).with_name("search.js"))
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5fa8", "color-brand-content": "#1f5fa8"},
    "dark_css_variables": {"color-brand-primary": "#7db5f0", "color-brand-content": "#7db5f0"},
}

# Headings have the names that links in the repository use.
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
# Flags keep their dashes.
smartquotes = False
# Lines that stand for output left out are no code of any language.
suppress_warnings = ["misc.highlighting_failure"]
pygments_style = "friendly"
pygments_dark_style = "native"

copybutton_prompt_text = "$ "
copybutton_line_continuation_character = "\\"

default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_show_inherited_class_members = False
numpydoc_xref_param_type = False


def escape(app, what, name, object_, options, lines):
    """Keeps reStructuredText's marks in plain docstrings literal: a_, |w| and *; names of parameters are left to numpydoc."""
    for index, line in enumerate(lines):
        name_of_parameter = re.match(r"[\w*, ]+ : ", line)
        kept = name_of_parameter[0] if name_of_parameter else ""
        pieces = re.split(r"(`+[^`]*`+)", line[len(kept):])
        for piece in range(0, len(pieces), 2):
            pieces[piece] = re.sub(r"(?<=\w)(_)(?!\w)|([|*])", r"\\\1\2", pieces[piece])
        lines[index] = kept + "".join(pieces) if not re.fullmatch(r"\w+_", line) else line


def shorten(app, what, name, object_, options, signature, return_annotation):
    """Keeps the first three parameters and the last of a signature that has dozens; the list below it has them all."""
    parameters = signature[1:-1].split(", ") if signature else []
    if len(parameters) > 20:
        signature = f"({', '.join(parameters[:4])}, …, {parameters[-1]})"
    return signature, return_annotation


def setup(app):
    app.connect("autodoc-process-signature", shorten)
    app.connect("autodoc-process-docstring", escape, priority=1)
