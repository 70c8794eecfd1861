"""The keeper that a game needs: a neutral program that holds the secrets of all sides during play."""

from collections.abc import Mapping

from msgspec import Struct

from sandtable.plugin.manifest import ALWAYS, KEEPERS, Keeper, Manifest, why_secret

NEEDED: Keeper = "needed"


class Keeping(Struct, frozen=True):
    """The keeper that a game needs: "none", "claims" or "needed", and ``because`` of what, in words."""

    keeper: Keeper
    because: tuple[str, ...] = ()


def keeper_for(manifest: Manifest, options: Mapping[str, str]) -> Keeping:
    """Return the keeper that a game of the ruleset with ``options`` needs.

    It is the most that the manifest or a value of an option asks for; secret rolls always need one.
    """
    usual: Keeper = manifest.keeper or (NEEDED if manifest.hidden else "none")
    reasons: list[tuple[Keeper, str]] = [(usual, manifest.secrets or "what the sides keep secret")]
    for option in manifest.options:
        value = options.get(option.name, option.default)
        if value in option.keeper:
            reasons.append((option.keeper[value], f"{option.name}={value}"))
    if rolls := why_secret(manifest, options):
        reasons.append((NEEDED, "secret rolls" if rolls == ALWAYS else rolls))
    most = max((kind for kind, _ in reasons), key=KEEPERS.index)
    return Keeping(most, () if most == "none" else tuple(why for kind, why in reasons if kind == most))


def without_keeper(manifest: Manifest, options: Mapping[str, str]) -> dict[str, str] | None:
    """Return ``options`` with other values of those that need a keeper, or None if the game needs one in any case."""
    found = dict(options)
    for option in manifest.options:
        given = found.get(option.name, option.default)
        for value in (given, *option.values):
            keeping = keeper_for(manifest, found | {option.name: value})
            if keeping.keeper != NEEDED or f"{option.name}={value}" not in keeping.because:
                found |= {option.name: value} if value != given else {}
                break
    return None if keeper_for(manifest, found).keeper == NEEDED else found
