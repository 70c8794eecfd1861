"""Configuration of the documentation site: ``python -m sphinx -W --keep-going docs build/docs``."""

import sys
from pathlib import Path

import sandtable

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "Sandtable"
author = "the authors of Sandtable"
version = release = sandtable.__version__
html_title = f"Sandtable {release}"

extensions = ["myst_parser", "sphinx.ext.autodoc", "names", "repository_pages", "commands", "games", "steps", "reading"]
exclude_patterns = ["examples/**", "_ext/**", "search.md"]  # search.html is Sphinx's own: guides/search_player.md
myst_enable_extensions = ["colon_fence", "deflist", "substitution"]
myst_substitutions = {"version": release}
myst_heading_anchors = 3

nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(?!sandtable\.).*"),  # other libraries: a build fetches no indexes
    ("py:class", r"sandtable\..*"),  # types in signatures without a page: they stay plain text
]
suppress_warnings = ["myst.strikethrough"]
games_rules = True

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 110
python_trailing_comma_in_multi_line_signatures = False
add_module_names = False
smartquotes = False  # quotes stay as typed
toc_object_entries = False

templates_path = ["_templates"]
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["sandtable.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_use_index = True
pygments_style = "default"
pygments_dark_style = "github-dark"
