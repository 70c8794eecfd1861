"""The manager, which finds, loads and prepares rulesets."""

import contextlib
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pluggy

from sandtable.errors import DataError, PlayError, RulesetError, RulesetMissing, SandtableError, VariantAlone
from sandtable.kernel.dice import Dice
from sandtable.kernel.play.game import Game
from sandtable.kernel.replicas.replica import Replica, public_digest
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import State
from sandtable.plugin import hookspecs
from sandtable.plugin.checking import check_hooks, check_places, group_of, manifest_of, ruleset_of, variant_of
from sandtable.plugin.groups import Battles, Bots, Group, Member, Ui, nothing
from sandtable.plugin.importing import (
    VERSION,
    Source,
    adopt,
    entry_points,
    files_of,
    hash_of,
    import_ruleset,
    only_one,
    place_of,
    rulesets_in,
)
from sandtable.plugin.manifest import Answer, PrintedTable, Variant
from sandtable.plugin.options.settings import PlaySettings
from sandtable.plugin.scenarios import Scenario, archived_scenario, load_scenario, scenario_of
from sandtable.plugin.third_party import installed_bots, view_modules, views_for

GROUP = "sandtable.rulesets"
VARIANTS = "sandtable.variants"
PRACTICE = {
    "tictactoe": "sandtable.testing.tictactoe",
    "toy": "sandtable.testing.toy",
    "league3": "sandtable.testing.leagues.three",
    "league7": "sandtable.testing.leagues.seven",
}
"""Small games that come with the framework, to try bots, statistics and environments on; loaded only by name."""
AND = "+"
"""Separator between a ruleset's id and those of its variants: ``toy+dusk``."""
NO_SCENARIO = "standard"


@dataclass(frozen=True)
class Prepared:
    """A ruleset prepared for one scenario and one set of options, from which games can begin.

    Without a keeper, ``holds`` are the sides whose secrets its games hold. It is None if there is a keeper.
    """

    ruleset: Ruleset
    first_state: bytes
    board: Any
    scenario: Scenario
    options: dict[str, str]
    installed: "Installed"
    holds: frozenset[str] | None = None

    def sources(self) -> list[Path]:
        """Return the source files: those of the ruleset and its variants, and of the scenario."""
        return [*self.installed.files(), *self.scenario.read]

    def new_game(self, dice: Dice) -> Game:
        """Return a game at its beginning, not started; without a keeper it is a replica."""
        if self.holds is not None:
            return self.new_replica(dice, self.holds)
        state = self.ruleset.codec.from_bytes(self.first_state, self.board)
        return Game(self.ruleset, state, dice, self.first_state)

    def at(self, state: State) -> "Prepared":
        """Return a copy with the board of ``state``, which differs after a ruling has set an option."""
        return self if state.board is self.board else replace(self, board=state.board)

    def apart(self, holds: Iterable[str]) -> "Prepared":
        """Return a copy for games without a keeper, which hold the secrets of the sides ``holds``."""
        return replace(self, holds=frozenset(holds))

    def digest(self, state: State) -> str:
        """Return the digest of ``state`` that seals and close have: without a keeper, that of its public view."""
        return self.ruleset.codec.digest(state) if self.holds is None else public_digest(self.ruleset, state)

    def new_replica(self, dice: Dice, holds: Iterable[str]) -> Replica:
        """Return a replica of a game without a keeper, not started; it holds the secrets of the sides ``holds``.

        The first state is made from public files, so it holds no secrets that a side lacks.
        """
        state = self.ruleset.codec.from_bytes(self.first_state, self.board)
        return Replica(self.ruleset, state, dice, self.first_state, holds=holds)


class Installed:
    """A loaded ruleset, with the requested variants: its manifest and its hooks.

    ``variants`` are "<id> <version>", as in the header of a log. ``beside`` is the ``Rulesets`` that it was loaded
    from, if any.
    """

    beside: "Rulesets | None" = None

    def __init__(self, named: str, module: ModuleType, source: str, extras: Mapping[str, ModuleType] = {}) -> None:
        ident, _, version = named.partition(VERSION)
        self.source = source
        self._named = named
        self.module = module
        adopt(module)
        self.variants = tuple(f"{name} {variant_of(name, extra, ident).version}" for name, extra in extras.items())
        self._extras = tuple(extras.values())
        if hasattr(module, "variant_manifest"):
            check_hooks(ident, module, variant=True)
            base = module.variant_manifest().ruleset
            raise VariantAlone(f"{ident} is a variant of {base}: name it as {base}{AND}{ident}")
        check_hooks(ident, module)
        self._plugins = pluggy.PluginManager(hookspecs.PROJECT)
        self._plugins.add_hookspecs(hookspecs)
        self._views: tuple[Ui, ...] = ()
        try:
            self._plugins.register(module, ident)
            for name, extra in extras.items():
                check_hooks(name, extra, variant=True)
                self._plugins.register(extra, f"{ident}{AND}{name}")
        except (pluggy.PluginValidationError, ValueError) as error:
            raise RulesetError(f"{ident}: {str(error).splitlines()[-1]}") from error
        self.hook = self._plugins.hook
        for name in ("ruleset_manifest", "ruleset_scenarios", "ruleset_parts", "ruleset_setup"):
            if not getattr(self.hook, name).get_hookimpls():
                raise RulesetError(f"{ident}: the hook {name} is missing: a ruleset must implement it")
        self._plugins.register(hookspecs.Without(module))
        self.manifest = manifest_of(ident, self.hook)
        if version not in {"", self.manifest.version}:
            raise RulesetError(f"{named}: its manifest has version {self.manifest.version!r}: name that version")

    def show_by(self, *views: Ui) -> None:
        """Let ``views`` of third-party packages draw and narrate before the ruleset does; they are not part of it."""
        self._views = views

    @cached_property
    def bots(self) -> Bots:
        """The ruleset's own bots, and the functions that simulations need."""
        return group_of(self.manifest, self.hook, "ruleset_bots", Bots)

    @cached_property
    def ui(self) -> Ui:
        """The functions that show the game and parse typed text, those of views first."""
        found = group_of(self.manifest, self.hook, "ruleset_ui", Ui)
        for view in self._views:
            found = view.over(found)
        return found

    @cached_property
    def battles(self) -> Battles:
        """The functions for odds and for battles of other rulesets."""
        return group_of(self.manifest, self.hook, "ruleset_battles", Battles)

    @cached_property
    def _checked(self) -> bool:
        """Whether the places of hooks and the contents of groups are valid; checked once, before the first game."""
        for module in (self.module, *self._extras):
            check_places(self.manifest.id, module, view_modules())
        return all(isinstance(each, Group) for each in (self.bots, self.ui, self.battles))

    @property
    def name(self) -> str:
        """The name for ``Rulesets.load``: its id, with a version if one was requested, and its variants."""
        return AND.join([self._named, *(each.split(" ")[0] for each in self.variants)])

    @cached_property
    def third_party_bots(self) -> dict[str, Any]:
        """The bots of third-party packages, by name; bots named by module and class are added."""
        return installed_bots(self.manifest.id)

    @cached_property
    def content_hash(self) -> str:
        """The SHA-256 of the ruleset's files, regardless of line ends; with variants, of their hashes in order."""
        hashes = [hash_of(module) for module in (self.module, *self._extras)]
        return hashes[0] if len(hashes) == 1 else hashlib.sha256("\n".join(hashes).encode()).hexdigest()

    def files(self) -> list[Path]:
        """Return the ruleset's files, and those of its variants."""
        return [file for module in (self.module, *self._extras) for file in files_of(module)]

    def full_options(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return every option with its value; raises DataError for an unknown option or an invalid value."""
        known = {option.name: option for option in self.manifest.options}
        for name, value in chosen.items():
            if name not in known:
                near = ", ".join(known) or "none"
                raise DataError("option", name, f"{self.manifest.id} has no such option; it has: {near}")
            if not known[name].allows(value):
                also = " or a whole number" if known[name].number else ""
                raise DataError("option", name, f"{value!r} is not one of {', '.join(known[name].values)}{also}")
        return {name: chosen.get(name, option.default) for name, option in known.items()}

    def scenarios(self) -> Mapping[str, Path]:
        """Return the shipped scenario files by id, the default first."""
        found: Mapping[str, Path] = self.hook.ruleset_scenarios()
        return found

    def scenario_ids(self) -> tuple[str, ...]:
        """Return the ids of the shipped scenarios, the default first."""
        return tuple(self.scenarios()) or (NO_SCENARIO,)

    def scenario(self, name: str = "") -> Scenario:
        """Return the scenario ``name``: an id, a path, or "" for the default; raises DataError.

        A ruleset that ships no scenario still has one, named "standard", without data.
        """
        shipped = self.scenarios()
        if not shipped and name in {"", NO_SCENARIO}:
            return scenario_of({"scenario": {"id": NO_SCENARIO, "title": "Standard game"}}, "built in", own=False)
        return load_scenario(name or next(iter(shipped)), shipped)

    def edition(self, name: str, digest: str) -> Scenario | None:
        """Return the edition of the shipped scenario ``name`` that has ``digest``, or None if it is not available."""
        if name in self.scenario_ids():
            today = self.scenario(name)
            if today.digest == digest:
                return today
        return archived_scenario(name, digest, self.scenarios().values())

    def draw(self, view: Any, board: Any, style: str, focus: str = "") -> str | None:
        """Return the board as ``style``, or None if it has no such drawing; ``focus`` is an object to show in detail.

        Raises PlayError if ``focus`` is unknown, or if the ruleset does not use it.
        """
        draw = self.ui.draw or nothing
        if focus and not (isinstance(draw, Member) and draw.takes("focus")):
            raise PlayError(f"{self.manifest.id} cannot show {focus!r} in detail: show the board without it")
        drawing: str | None = draw(view, board, style, focus)
        return drawing

    def answer(self, view: Any, board: Any, text: str) -> Answer | None:
        """Return the rules' answer to a query about the position of ``view``, or None.

        Raises PlayError if the query names something unknown.
        """
        found: Answer | None = (self.ui.answer or nothing)(view, board, text)
        return found

    def table(self, name: str, board: Any) -> PrintedTable | None:
        """Return the printed table that events name in their calculations, or None if the ruleset shows none."""
        found: PrintedTable | None = (self.ui.table or nothing)(name, board)
        return found

    def prepare(self, scenario: str | Scenario = "", options: Mapping[str, str] | None = None) -> Prepared:
        """Prepare for ``scenario`` (an id, a path, "" for the default) and ``options`` (default: the first values).

        Raises DataError for a wrong scenario or option, and RulesetError if the ruleset breaks its contract.
        """
        if isinstance(scenario, str):
            scenario = self.scenario(scenario)
        full = self.full_options(options or {})
        assert self._checked  # noqa: S101 - raises RulesetError itself
        settings = PlaySettings(self.manifest, self.hook, scenario, full)
        state, board = settings.set_up(full)
        state.options = full
        ruleset = ruleset_of(self.manifest, settings, self.hook.ruleset_upcasts() or {}, self._extras)
        return Prepared(ruleset, ruleset.codec.to_bytes(state), board, scenario, full, self)

    def scenario_from(self, data: dict[str, Any]) -> Scenario:
        """Return the scenario from tables that were stored in a log."""
        return scenario_of(data, "the log's scenario_data", own=True)


class Rulesets:
    """The rulesets of this machine and their variants: those with an entry point, and those in ``plugins_dir``.

    A version may be installed next to the default one, as an entry point or folder ``hexwar@1``; it is loaded by that
    name. With ``alone``, a ruleset in ``plugins_dir`` replaces an installed one of the same name.
    """

    def __init__(self, plugins_dir: str | Path | None = None, *, alone: bool = False) -> None:
        self._alone = alone
        self._sources: dict[str, list[Source]] = {}
        for point in entry_points(group=GROUP):
            self._sources.setdefault(point.name, []).append(point)
        self._variants: dict[str, list[Source]] = {}
        for point in entry_points(group=VARIANTS):
            self._variants.setdefault(point.name, []).append(point)
        if plugins_dir is not None:
            folder = Path(plugins_dir)
            if not folder.is_dir():
                raise DataError(str(folder), "", "is not a folder: --plugins-dir needs a folder that contains rulesets")
            for name, path in rulesets_in(folder):
                if alone:
                    self._sources.pop(name, None)
                self._sources.setdefault(name, []).append(path)
        self._loaded: dict[str, Installed] = {}

    def ids(self) -> list[str]:
        """Return the ids that were found, sorted, including broken ones but not the versions next to them."""
        return sorted(name for name in self._sources if VERSION not in name)

    def versions(self, ident: str = "") -> list[str]:
        """Return the versions next to the default ones, of the ruleset ``ident`` or of all: "hexwar@1"."""
        return sorted(name for name in self._sources if VERSION in name and ident in {"", name.partition(VERSION)[0]})

    def knows(self, name: str) -> bool:
        """Return whether the ruleset ``name`` was found, alone or with variants as in ``toy+dusk``."""
        base = name.split(AND, maxsplit=1)[0]
        return base in self._sources or base in PRACTICE

    def load(self, ident: str) -> Installed:
        """Return the ruleset ``ident``, with variants as in ``toy+dusk``, in another version as in ``toy@1``.

        Raises RulesetMissing or RulesetError, one line with the cause.
        """
        if ident not in self._loaded:
            base, *names = ident.split(AND)
            if base not in self._sources and base not in PRACTICE:
                known = ", ".join([*self.ids(), *self.versions()]) or "none"
                raise RulesetMissing(f"the ruleset {base!r} is not installed; installed: {known}")
            own: list[Source] = [EntryPoint(base, PRACTICE[base], GROUP)] if base in PRACTICE else []
            source = only_one(self._sources.get(base, own), f"rulesets are called {base!r}")
            plain = base.partition(VERSION)[0]
            extras = {name: self._load_variant(name, plain) for name in names}
            if len(extras) < len(names):
                raise RulesetError(f"{ident}: a variant is named twice")
            module = import_ruleset(base, source, apart=self._alone)
            installed = Installed(base, module, place_of(source), extras)
            installed.show_by(*views_for(plain))
            installed.beside = self
            self._loaded[ident] = installed
        return self._loaded[ident]

    def load_version(self, ident: str, version: str, files: str) -> Installed:
        """Return the ruleset ``ident`` (with variants) in ``version``.

        This is the default one if that has this version and a content hash that begins with ``files``. If not, it is
        the version next to it, or the default one if no such version is there.
        """
        base, *names = ident.split(AND)
        beside = f"{base}{VERSION}{version}"
        if beside not in self._sources:
            return self.load(ident)
        with contextlib.suppress(SandtableError):
            usual = self.load(ident)
            if usual.manifest.version == version and usual.content_hash.startswith(files):
                return usual
        return self.load(AND.join([beside, *names]))

    def variants(self) -> dict[str, Variant]:
        """Return the facts about every loadable variant, by its full name: "toy+dusk"."""
        found = {}
        for name in sorted({*self._variants, *self.ids()}):
            with contextlib.suppress(SandtableError):
                module = self._load_variant(name, "")
                if hasattr(module, "variant_manifest"):
                    base = module.variant_manifest().ruleset
                    found[f"{base}{AND}{name}"] = variant_of(name, module, base)
        return found

    def _load_variant(self, name: str, base: str) -> ModuleType:
        files = [each for each in self._sources.get(name, []) if isinstance(each, Path)]
        sources = self._variants.get(name, []) + files
        if not sources:
            known = ", ".join(self._variants) or "none"
            raise RulesetMissing(f"the variant {name!r} of {base} is not installed; installed variants: {known}")
        return import_ruleset(name, only_one(sources, f"variants are called {name!r}"))

    def load_all(self) -> dict[str, Installed | SandtableError]:
        """Return every ruleset, or the error that it failed with, by id."""
        found: dict[str, Installed | SandtableError] = {}
        for ident in self.ids():
            try:
                found[ident] = self.load(ident)
            except VariantAlone:
                continue
            except SandtableError as error:
                found[ident] = error
        return found
