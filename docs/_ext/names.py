"""Directives that document public names, and links from internal names to public ones.

```{public} sandtable.hexes
```

documents every public name of ``sandtable.hexes``, as authors import it, or only the names listed in the directive.
``{lead}`` shows the docstring of a module as prose, ``{hooks}`` every hook with its signature. Signatures name a class
by the module that defines it; links lead to the public name.
"""

import ast
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from inspect import cleandoc, getdoc, isclass, isroutine, signature
from itertools import pairwise
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from sandtable.plugin import hookspecs

FACES = ("hexes", "areas", "graphs", "notation", "pictures", "questions", "data", "tabletop", "testing")
"""The modules that authors import in addition to ``sandtable``."""

LEAST_LISTED = 3
"""Maximum number of names that are shown without a list above them."""

FRONTS = (
    "sandtable",
    *(f"sandtable.{name}" for name in FACES),
)


def public_names() -> dict[str, str]:
    """Return the public name of each class and function, by its defining module and name."""
    found: dict[str, str] = {}
    for front in FRONTS:
        module = import_module(front)
        for name in module.__all__:
            each = getattr(module, name)
            home, called = getattr(each, "__module__", None), getattr(each, "__qualname__", None)
            if isinstance(home, str) and home.startswith("sandtable") and isinstance(called, str):
                found.setdefault(f"{home}.{called}", f"{front}.{name}")
            elif not isclass(each) and not isroutine(each):
                found[f"{front}.{name}"] = f"{front}.{name}"
    return found


class Public(SphinxDirective):
    """Documents public names of a module: the listed ones, or all."""

    has_content = True
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the documentation of each name, in the order given."""
        home = self.arguments[0]
        module = import_module(home)
        names = " ".join(self.content).split() or list(module.__all__)
        lines = ["```{eval-rst}"]
        if len(names) > LEAST_LISTED:
            lines += [".. container:: names", "", f"   {' '.join(f':py:obj:`~{home}.{name}`' for name in names)}", ""]
        for name in names:
            lines += [*directive_of(f"{home}.{name}", getattr(module, name)), ""]
        with called({name: getattr(module, name) for name in names}):
            return self.parse_text_to_nodes("\n".join([*lines, "```"]))


@contextmanager
def called(public: dict[str, Any]) -> Iterator[None]:
    """Give each class its public name for a while; otherwise it is documented as an alias of an internal class."""
    others = {name: each for name, each in public.items() if is_ours(each) and each.__name__ != name}
    own = {name: each.__name__ for name, each in others.items()}
    for name, each in others.items():
        each.__name__ = name
    yield
    for name, each in others.items():
        each.__name__ = own[name]


def directive_of(name: str, each: object) -> list[str]:
    """Return the directive that documents ``each``; data are documented by their docstring."""
    if is_ours(each):
        return [f".. autoclass:: {name}", "   :members:"]
    if isroutine(each):
        return [f".. autofunction:: {name}"]
    home, _, called = name.rpartition(".")
    return [
        f".. py:data:: {called}",
        f"   :module: {home}",
        "",
        *(f"   {line}" for line in documented(each, called).splitlines()),
    ]


def is_ours(each: object) -> bool:
    """Return whether ``each`` is a class of Sandtable, and not an alias of another type."""
    return isclass(each) and each.__module__.startswith("sandtable")


def documented(each: object, name: str) -> str:
    """Return the docstring below the assignment of ``name``, in the module of Sandtable that assigns it."""
    modules = [
        module for home, module in sorted(sys.modules.items()) if home.startswith("sandtable") and module.__file__
    ]
    found = (below(str(module.__file__), name) for module in modules if vars(module).get(name) is each)
    return next(filter(None, found), "")


def below(file: str, name: str) -> str:
    """Return the string below ``name = ...`` or ``name, ... = ...`` in a module, or "" if there is none."""
    with open(file, encoding="utf-8") as source:  # noqa: PTH123 - the module's own file
        body = ast.parse(source.read()).body
    for statement, following in pairwise(body):
        targets = getattr(statement, "targets", [getattr(statement, "target", None)])
        names = {each.id for target in targets if target for each in ast.walk(target) if isinstance(each, ast.Name)}
        if name in names and isinstance(following, ast.Expr):
            value = following.value
            return cleandoc(value.value) if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""
    return ""


class Lead(SphinxDirective):
    """Shows the docstring of a module as prose."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return its paragraphs."""
        text = getdoc(import_module(self.arguments[0])) or ""
        return self.parse_text_to_nodes(f"```{{eval-rst}}\n{text}\n```")


class Hooks(SphinxDirective):
    """Lists every hook, with its signature and its docstring."""

    def run(self) -> list[nodes.Node]:
        """Return an entry for each."""
        lines = ["```{eval-rst}"]
        for name, spec in hookspecs.HOOKS.items():
            lines += entry(name, spec)
            group = hookspecs.GROUPS.get(name)
            if group:
                for member in group.SPECS:
                    lines += entry(f"{group.__name__}.{member.__name__}", member)
        return self.parse_text_to_nodes("\n".join([*lines, "```"]))


def entry(name: str, spec: Callable[..., Any]) -> list[str]:
    """Return the lines that document a hook, or a function of a group."""
    arguments = str(signature(spec)).replace("collections.abc.", "")
    text = (getdoc(spec) or "").splitlines()
    return [f".. py:function:: {name}{arguments}", "   :module: hooks", "", *(f"   {line}" for line in text), ""]


def lead(app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement) -> nodes.Node | None:
    """Resolve an internal name by the public one."""
    public = app.config.sandtable_names.get(node["reftarget"]) if node.get("refdomain") == "py" else None
    if public is None:
        return None
    domain = env.domains.python_domain
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", public, node, content)


def passes_over(*asked: Any) -> bool | None:
    """Omit fields of a named tuple: they are in its signature, and Python documents only their number."""
    return True if str(getattr(asked[3], "__doc__", "")).startswith("Alias for field number") else None


def plainly(*asked: Any) -> tuple[str | None, str | None]:
    """Show a default factory as ``...``, so that the text is a valid signature."""
    signature, returns = asked[5:]
    return (signature and signature.replace("<factory>", "..."), returns)


def gather(_: Sphinx, config: Config) -> None:
    """Collect the public names; a change of them does not make a page outdated."""
    config.sandtable_names = public_names()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives and the event handlers."""
    app.add_config_value("sandtable_names", {}, "")
    app.connect("config-inited", gather)
    app.connect("missing-reference", lead)
    app.connect("autodoc-skip-member", passes_over)
    app.connect("autodoc-process-signature", plainly)
    for name, directive in {"public": Public, "lead": Lead, "hooks": Hooks}.items():
        app.add_directive(name, directive)
    return {"parallel_read_safe": True}
