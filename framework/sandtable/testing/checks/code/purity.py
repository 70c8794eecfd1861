"""The check that rules use no clock, and no random numbers except the kernel's dice."""

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import get_ident
from typing import Any

from sandtable.errors import SandtableError
from sandtable.testing.checks.bench import FaultError, Harness
from sandtable.testing.fuzz import play_on, streams_of

POISONED = {
    "random": "random randint randrange choice choices shuffle sample uniform gauss triangular betavariate seed "
    "expovariate normalvariate getrandbits randbytes",
    "secrets": "token_bytes token_hex token_urlsafe randbelow randbits choice",
    "uuid": "uuid1 uuid4",
    "os": "urandom",
    "time": "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time sleep localtime gmtime",
}
_GAMES = 5


class PoisonError(SandtableError):
    """The rules used something that differs from run to run."""


def check_purity(bench: Harness) -> str:
    """Play with clocks and random numbers poisoned, and report rules that use them."""
    trials = bench.whole(_GAMES) if any(trial.played.ended for trial in bench.trials) else bench.trials[:_GAMES]
    chance = import_module("random")
    for trial in trials:
        game = trial.new_game()
        before = chance.getstate()
        try:
            with poisoned(bench.installed.module.__name__):
                trial.prepared.installed.prepare(trial.prepared.scenario, trial.prepared.options)
                for given in play_on(game, streams_of(trial.prepared, trial.played.seed)):
                    if given.number > trial.played.game.number:
                        break
        except SandtableError as error:
            poison = _poison_in(error)
            if poison is None:
                continue  # reported by the check games_end
            raise FaultError(f"{trial.name}, after record {game.number}: {poison}") from error
        if chance.getstate() != before:
            raise FaultError(f"{trial.name}: the rules use the global random numbers: roll dice by yielding a Roll")
    return f"{len(trials)} games used neither clock nor random numbers nor environment"


def _poison_in(error: BaseException | None) -> PoisonError | None:
    while error is not None and not isinstance(error, PoisonError):
        error = error.__cause__
    return error


@contextmanager
def poisoned(module: str) -> Iterator[None]:
    """Make the clock and random sources raise PoisonError in this thread, also under the names that ``module`` uses."""
    collecting = gc.isenabled()
    gc.disable()  # callbacks of other packages on the collector may read the clock
    undo: list[tuple[Any, str, Any]] = []
    try:
        modules = [
            holder for name, holder in list(sys.modules.items()) if name == module or name.startswith(f"{module}.")
        ]
        for home, names in POISONED.items():
            source = import_module(home)
            for name in names.split():
                original = getattr(source, name)
                trap = _trap(f"{home}.{name}", original)
                for holder in (source, *modules):
                    held = [key for key, value in list(vars(holder).items()) if value is original]
                    undo += [(holder, key, original) for key in held]
                    for key in held:
                        setattr(holder, key, trap)
        undo += _poison_dates(modules)
        undo += _poison_environment(modules)
        generator = import_module("random").Random
        undo.append((generator, "seed", generator.seed))
        generator.seed = _trap("random.Random", generator.seed)
        yield
    finally:
        for holder, key, original in reversed(undo):
            setattr(holder, key, original)
        if collecting:
            gc.enable()


def _poison_dates(modules: list[Any]) -> list[tuple[Any, str, Any]]:
    """Replace ``datetime`` and ``date`` with classes without the current time; return the replaced attributes."""
    home, undo = import_module("datetime"), []
    for name in ("datetime", "date"):
        original = getattr(home, name)
        traps = {each: staticmethod(_trap(f"{name}.{each}", getattr(original, each))) for each in _NOW[name]}
        replacement = type(name, (original,), traps)
        for holder in (home, *modules):
            for key in [key for key, value in list(vars(holder).items()) if value is original]:
                undo.append((holder, key, original))
                setattr(holder, key, replacement)
    return undo


_NOW = {"datetime": ("now", "utcnow", "today"), "date": ("today",)}


class _Environment(dict[str, str]):
    """A replacement for ``os.environ`` that reports any rules that read it."""

    def __init__(self, original: Any) -> None:
        super().__init__(original)
        self.trap = _trap("os.environ", original.get)

    def __getitem__(self, key: str) -> str:
        self.trap(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        """Raise PoisonError."""
        self.trap(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self.trap(key)
        return super().__contains__(key)


def _poison_environment(modules: list[Any]) -> list[tuple[Any, str, Any]]:
    """Replace ``os.environ`` and ``os.getenv`` with versions that raise when they are read.

    Returns the replaced attributes: their holder, name and original value.
    """
    home = import_module("os")
    replacements = {"environ": _Environment(home.environ), "getenv": _trap("os.getenv", home.getenv)}
    undo = []
    for name, replacement in replacements.items():
        original = getattr(home, name)
        for holder in (home, *modules):
            for key in [key for key, value in list(vars(holder).items()) if value is original]:
                undo.append((holder, key, original))
                setattr(holder, key, replacement)
    return undo


def _trap(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a replacement for ``original`` that raises in this thread, and calls the original in others."""
    owner = get_ident()

    def trap(*args: Any, **named: Any) -> Any:
        if get_ident() != owner:
            return original(*args, **named)
        caller = sys._getframe(1)  # noqa: SLF001 - to name the caller
        while caller.f_back is not None and caller.f_globals.get("__name__") == __name__:
            caller = caller.f_back
        place = f"{caller.f_globals.get('__name__')}, line {caller.f_lineno}"
        raise PoisonError(f"{place}, calls {name}: chance comes from a Roll, time from the turn, choices from options")

    return trap
