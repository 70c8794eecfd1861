"""Checks of a ruleset's hooks, their results and its handlers when it is loaded. Each raises RulesetError, one line."""

import re
from collections.abc import Callable, Iterable, Mapping
from inspect import Parameter, signature
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from sandtable.errors import RulesetError
from sandtable.files.words import did_you_mean
from sandtable.kernel.events import KERNEL_EVENTS
from sandtable.kernel.handlers import functions_of
from sandtable.kernel.ruleset import Ruleset, Upcast
from sandtable.plugin.groups import Battles, Group
from sandtable.plugin.hookspecs import GROUPS, HOOKS, PROJECT
from sandtable.plugin.importing import one_line
from sandtable.plugin.manifest import Manifest, Variant
from sandtable.plugin.options.settings import PlaySettings

G = TypeVar("G", bound=Group)

PREFIXES = ("ruleset_", "variant_")
_MARK = f"{PROJECT}_impl"
_DEFINED = re.compile(r"^((?:@.*\n)*)def (\w+)\(", re.MULTILINE)
_MARKED = re.compile(r"^@(?:\w+\.)*hookimpl\b", re.MULTILINE)
_HOOK_OF = {spec.__name__: hook for hook, group in GROUPS.items() for spec in group.SPECS}
_MEMBERS = {f"ruleset_{name}": name for name in _HOOK_OF}
FOR_SECRETS = ("deal", "fill_in")
"""Functions that are never called if the manifest has no ``hidden=True``."""


def check_hooks(ident: str, module: ModuleType, *, variant: bool = False) -> None:
    """Refuse hooks of a ruleset or variant that are never called, or that cannot be called."""
    for own, function in vars(module).items():
        options = getattr(function, _MARK, None) if callable(function) else None
        name = (options and options["specname"]) or own
        if name in HOOKS and callable(function) and options is None:
            raise RulesetError(f"{ident}: {name} is not marked as a hook: write @hookimpl above it")
        if name not in HOOKS and (options is not None or _is_misnamed(name, function, module)):
            raise RulesetError(f"{ident}: {_unknown(name)}")
        if options is None:
            continue
        wraps = bool(options["wrapper"] or options["hookwrapper"])
        if wraps and (not variant or name == "variant_manifest"):
            raise RulesetError(
                f"{ident}: {name} is marked wrapper=True: only a variant wraps hooks, those of its ruleset"
            )
        if variant and name == "ruleset_manifest" and not wraps:
            raise RulesetError(
                f"{ident}: a variant cannot define {name}: mark it @hookimpl(wrapper=True) to change that of the "
                "ruleset, or remove variant_manifest"
            )
        _check_arguments(ident, name, function)


def _is_misnamed(name: str, function: Any, module: ModuleType) -> bool:
    """Return whether ``name`` is a function of the module itself that looks like a hook."""
    own = str(getattr(function, "__module__", "")).partition(".")[0] == module.__name__.partition(".")[0]
    return name.startswith(PREFIXES) and callable(function) and own


def _unknown(name: str) -> str:
    """Return the message that ``name`` is not a hook, with the name that the author may have meant."""
    hint = did_you_mean(name, [*HOOKS, *_MEMBERS])
    for meant, member in _MEMBERS.items():
        hint = hint.replace(f"{meant}?", f"the function {member} that {_HOOK_OF[member]} returns?")
    return f"{name} is not a hook{hint}"


def _check_arguments(ident: str, name: str, function: Callable[..., Any]) -> None:
    known = list(signature(HOOKS[name]).parameters)
    for each in signature(function).parameters.values():
        if each.name not in known and each.default is Parameter.empty and each.kind is Parameter.POSITIONAL_OR_KEYWORD:
            has = f"It has: {', '.join(known)}." if known else "It has no arguments."
            raise RulesetError(f"{ident}: {name} has no argument {each.name}{did_you_mean(each.name, known)} {has}")


def check_places(ident: str, module: ModuleType, others: Iterable[str] = ()) -> None:
    """Refuse hooks in submodules of a ruleset's package, which are never called; no submodule is imported.

    A submodule with a manifest is itself a ruleset or variant; ``others`` are further modules that may have hooks.
    """
    home = Path(module.__file__ or "")
    for file in sorted(home.parent.rglob("*.py")) if home.name == "__init__.py" else ():
        parts = file.relative_to(home.parent).with_suffix("").parts
        place = ".".join((module.__name__, *parts)).removesuffix(".__init__")
        text = file.read_text(encoding="utf-8", errors="replace")
        if file == home or place in others or not any(each in text for each in ("hookimpl", *PREFIXES)):
            continue
        defined = {name: bool(_MARKED.search(marks)) for marks, name in _DEFINED.findall(text)}
        if defined.keys() & {"ruleset_manifest", "variant_manifest"}:
            continue
        for name, marked in defined.items():
            taken = getattr(getattr(module, name, None), "__module__", "") == place
            if (name in HOOKS or marked) and not taken:
                where = (
                    f"Define it in {module.__name__}/__init__.py, or import it there."
                    if name in HOOKS
                    else _unknown(name)
                )
                raise RulesetError(
                    f"{ident}: the hook {name} is in {'/'.join(parts)}.py, where hooks are never called. {where}"
                )


def manifest_of(ident: str, hook: Any) -> Manifest:
    """Return the manifest of the ruleset ``ident``. Raises RulesetError if it is not one, or has another id."""
    try:
        manifest = hook.ruleset_manifest()
    except (Exception, SystemExit) as error:
        raise RulesetError(f"{ident}: its manifest fails: {one_line(error)}") from error
    if not isinstance(manifest, Manifest):
        raise RulesetError(f"{ident}: ruleset_manifest must return a Manifest, not {type(manifest).__name__}")
    if manifest.id != ident:
        raise RulesetError(f"{ident}: its manifest has the id {manifest.id!r}: use the same id")
    return manifest


def variant_of(name: str, module: ModuleType, ruleset: str) -> Variant:
    """Return the facts of the variant ``name`` of ``ruleset``. Raises RulesetError if it is not one."""
    if not hasattr(module, "variant_manifest"):
        raise RulesetError(f"{name} is not a variant: it has no hook variant_manifest")
    try:
        facts = module.variant_manifest()
    except (Exception, SystemExit) as error:
        raise RulesetError(f"{name}: its manifest fails: {one_line(error)}") from error
    if not isinstance(facts, Variant):
        raise RulesetError(f"{name}: variant_manifest must return a Variant, not {type(facts).__name__}")
    if facts.ruleset != ruleset:
        raise RulesetError(f"{name} is a variant of {facts.ruleset}, not of {ruleset}")
    if facts.id != name:
        raise RulesetError(f"{name}: its manifest has the id {facts.id!r}: use the same id")
    return facts


def group_of(manifest: Manifest, hook: Any, name: str, kind: type[G]) -> G:
    """Return the group that the hook ``name`` returns. Raises RulesetError if the hook fails or the group is wrong."""
    try:
        found = getattr(hook, name)()
    except RulesetError as error:
        raise RulesetError(f"{manifest.id}: {name}: {error}") from error
    except Exception as error:
        raise RulesetError(f"{manifest.id}: {name} fails: {one_line(error)}") from error
    if not isinstance(found, kind):
        raise RulesetError(f"{manifest.id}: {name} must return a {kind.__name__}, not {type(found).__name__}")
    _check_group(manifest.id, found, hidden=manifest.hidden)
    return found


def _check_group(ident: str, group: Group, *, hidden: bool) -> None:
    """Refuse functions of a group that are never called.

    These are functions for secrets if nothing is hidden, and half of a pair for battles.
    """
    given = group.members()
    for name in FOR_SECRETS if not hidden else ():
        if name in given:
            raise RulesetError(
                f"{ident}: {name} is never called, because nothing is hidden: remove it, or set hidden=True in the "
                "manifest"
            )
    if isinstance(group, Battles) and (group.stage is None) != (group.report is None):
        has, lacks = ("stage", "report") if group.stage else ("report", "stage")
        raise RulesetError(f"{ident}: {has} is never called without {lacks}: give both in ruleset_battles, or neither")


def ruleset_of(
    manifest: Manifest, settings: PlaySettings, upcasts: Mapping[str, Upcast], variants: Iterable[ModuleType]
) -> Ruleset:
    """Return the ruleset that the kernel runs, made of the parts in ``settings``; ``variants`` are modules.

    Raises RulesetError for a side that the manifest does not name, or for handlers that ``_check_handlers`` refuses.
    """
    parts = settings.parts
    sides = parts.sides or manifest.sides
    strange = [side for side in sides if side not in manifest.sides]
    if strange:
        raise RulesetError(f"{manifest.id}: a scenario has the side {strange[0]!r}, which the manifest does not name")
    functions: list[Any] = []
    for part in parts.handlers:
        functions += functions_of([part]) if isinstance(part, ModuleType) else [part]
    _check_handlers(manifest.id, functions, (each.__name__ for each in variants))
    return Ruleset(
        id=manifest.id,
        version=manifest.version,
        sides=sides,
        powers={power: side for power, side in manifest.powers.items() if side in sides},
        hidden=manifest.hidden,
        state_type=parts.state_type,
        sequence=parts.sequence,
        functions=tuple(functions),
        orders=parts.orders,
        events=parts.events,
        secret_events=parts.secret_events,
        reveals=parts.reveals,
        undeclared=parts.undeclared,
        upcasts=upcasts,
        settings=settings,
        facts=parts.facts,
        **({"view": parts.view} if parts.view else {}),
        **({"visible": parts.visible} if parts.visible else {}),
    )


def _check_handlers(ident: str, functions: Iterable[Callable[..., Any]], variants: Iterable[str] = ()) -> None:
    """Refuse handlers that replace the kernel's, or a second handler of one event.

    A handler of a variant (``variants`` are their modules) replaces the ruleset's.
    """
    known = tuple(variants)
    found: dict[tuple[type, str], Callable[..., Any]] = {}
    for function in functions:
        owner = next((each for each in known if f"{function.__module__}.".startswith(f"{each}.")), "")
        for event in getattr(function, "_evolves", ()):
            if event in KERNEL_EVENTS:
                raise RulesetError(
                    f"{ident}: the handler {_name(function)} replaces the kernel's handler of {event.__name__}, which "
                    f"keeps turn and phase: write a reaction to it, @reacts({event.__name__}), that yields an event"
                )
            other = found.setdefault((event, owner), function)
            if other is not function:
                raise RulesetError(
                    f"{ident}: two handlers of {event.__name__}: {_name(other)} and {_name(function)}. Remove one."
                )


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{getattr(function, '__name__', function)}"
