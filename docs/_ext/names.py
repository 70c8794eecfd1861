"""The public names: directives that document them, and links from where they live to where they are called for.

```{public} sandtable.hexes
```

documents all that ``sandtable.hexes`` hands out, under the names by which authors import it; with names below it, only
those. ``{lead}`` gives the docstring of a module as prose, ``{hooks}`` every hook with its signature. Signatures name a
class by the room that it lives in; links lead to the public name.
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
"""The modules that authors import beside ``sandtable``."""

LEAST_LISTED = 3
"""Above more names than these stands a list of them."""

FRONTS = (
    "sandtable",
    *(f"sandtable.{name}" for name in FACES),
)


def public_names() -> dict[str, str]:
    """Return by the full name of each class and function, where it lives, the one under which it is public."""
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
    """Documents public names of a module: those listed, or all."""

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
            lines += [*asked_for(f"{home}.{name}", getattr(module, name)), ""]
        with called({name: getattr(module, name) for name in names}):
            return self.parse_text_to_nodes("\n".join([*lines, "```"]))


@contextmanager
def called(public: dict[str, Any]) -> Iterator[None]:
    """Let each class have its public name for a while, or it would be told as an alias of one that nobody imports."""
    others = {name: each for name, each in public.items() if is_ours(each) and each.__name__ != name}
    own = {name: each.__name__ for name, each in others.items()}
    for name, each in others.items():
        each.__name__ = name
    yield
    for name, each in others.items():
        each.__name__ = own[name]


def asked_for(name: str, each: object) -> list[str]:
    """Return the directive that documents ``each``. A module has a page of its own; data say what they are on it."""
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
    """Tell whether something is a class of the house, and no name for another type."""
    return isclass(each) and each.__module__.startswith("sandtable")


def documented(each: object, name: str) -> str:
    """Return the docstring below the assignment of ``name``, in whichever room of the house it stands."""
    rooms = [room for home, room in sorted(sys.modules.items()) if home.startswith("sandtable") and room.__file__]
    found = (below(str(room.__file__), name) for room in rooms if vars(room).get(name) is each)
    return next(filter(None, found), "")


def below(file: str, name: str) -> str:
    """Return the text that stands below ``name = ...`` in a module, "" where there is none."""
    with open(file, encoding="utf-8") as source:  # noqa: PTH123 - the module's own file
        body = ast.parse(source.read()).body
    for statement, following in pairwise(body):
        targets = getattr(statement, "targets", [getattr(statement, "target", None)])
        if any(isinstance(each, ast.Name) and each.id == name for each in targets) and isinstance(following, ast.Expr):
            value = following.value
            return cleandoc(value.value) if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""
    return ""


class Lead(SphinxDirective):
    """Gives the docstring of a module as prose."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return its paragraphs."""
        told = getdoc(import_module(self.arguments[0])) or ""
        return self.parse_text_to_nodes(f"```{{eval-rst}}\n{told}\n```")


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
    told = (getdoc(spec) or "").splitlines()
    return [f".. py:function:: {name}{arguments}", "   :module: hooks", "", *(f"   {line}" for line in told), ""]


def lead(app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement) -> nodes.Node | None:
    """Resolve a name that nobody imports by the public one."""
    public = app.config.sandtable_names.get(node["reftarget"]) if node.get("refdomain") == "py" else None
    if public is None:
        return None
    domain = env.domains.python_domain
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", public, node, content)


def passes_over(*asked: Any) -> bool | None:
    """Leave out fields of a named tuple: they stand in its signature, and Python says nothing of them but a number."""
    return True if str(getattr(asked[3], "__doc__", "")).startswith("Alias for field number") else None


def plainly(*asked: Any) -> tuple[str | None, str | None]:
    """Say of a field that each object gets a default of its own, in a way that can be read as a signature."""
    signature, returns = asked[5:]
    return (signature and signature.replace("<factory>", "..."), returns)


def gather(_: Sphinx, config: Config) -> None:
    """Note the public names; they are no part of what makes a page old."""
    config.sandtable_names = public_names()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register."""
    app.add_config_value("sandtable_names", {}, "")
    app.connect("config-inited", gather)
    app.connect("missing-reference", lead)
    app.connect("autodoc-skip-member", passes_over)
    app.connect("autodoc-process-signature", plainly)
    for name, directive in {"public": Public, "lead": Lead, "hooks": Hooks}.items():
        app.add_directive(name, directive)
    return {"parallel_read_safe": True}
