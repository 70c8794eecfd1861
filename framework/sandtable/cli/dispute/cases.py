"""The commands ``sandtable dispute open``, ``try``, ``rule``, ``show`` and ``test``."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from msgspec import UNSET, structs

from sandtable.cli import arguments
from sandtable.cli.context import CliContext, pass_context
from sandtable.cli.dispute.branches import filler, original_game
from sandtable.cli.dispute.differences import tell_branch
from sandtable.cli.dispute.whatif import changes_of
from sandtable.cli.inputs import open_log, pairs
from sandtable.cli.output import facts, say, show, table
from sandtable.errors import LogClosed, PlayError, SandtableError, SignaturesUnchecked
from sandtable.files.writing import write_new, write_whole
from sandtable.journal.anchors.disputes import (
    VERDICTS,
    Dispute,
    DisputeRuling,
    TriedBranch,
    dispute_bytes,
    in_force,
    open_dispute,
    read_dispute,
    ruled,
    signature_of,
    why_another,
    why_not_signed,
)
from sandtable.journal.anchors.signing import read_signing_key
from sandtable.journal.branching.branch import branch
from sandtable.journal.branching.causes import rolls_behind
from sandtable.journal.branching.chances import node_of
from sandtable.journal.file.log import Log
from sandtable.journal.file.reading import read_log
from sandtable.journal.fold import effective, prepare_for, read_records
from sandtable.journal.format.header import Header, game_id
from sandtable.journal.record import log_bytes
from sandtable.journal.verification.verdicts import EXIT_CODES, NOT_PROVEN, worst
from sandtable.journal.verification.verify import verify_log
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import ChanceDice
from sandtable.players.odds import odds_lines
from sandtable.plugin.manager import Prepared
from sandtable.quoting import count
from sandtable.rules.chance.rolls import chances


@click.command()
@arguments.log
@arguments.at("The record in dispute.", required=True)
@click.option("--claim", required=True, metavar="TEXT", help="The claim, in words.")
@click.option("--by", required=True, metavar="SEAT", help="The seat that makes the claim.")
@click.option("--rule", "rule", default="", metavar="ID", help="The rule in dispute.")
@arguments.out("The file of the dispute.", required=True)
@pass_context
def open_one(context: CliContext, *, log: str, at: int, claim: str, by: str, rule: str, out: str) -> None:
    """Open a dispute over record N of LOG."""
    read, prepared = open_log(context, log, at)
    seats = prepared.ruleset.seats
    if by not in seats:
        raise click.BadParameter(f"no such seat: {by!r}; choose from {', '.join(seats)}", param_hint="--by")
    index = prepared.installed.hook.ruleset_index() or ()
    if rule and index and rule not in {row.id for row in index}:
        raise click.BadParameter(f"{prepared.ruleset.id} has no rule {rule!r}", param_hint="--rule")
    odds = _odds_of(context, read, prepared, at)
    write_new(out, dispute_bytes(open_dispute(read, at, claim, by, rule, odds)), sources=(log,))
    show(f"{out}: {by} disputes record {at} of {log}")
    say(
        f"see why it happened: sandtable explain {log} --at {at}; try a change: sandtable dispute try {out} --die N:I=F"
    )


def _odds_of(context: CliContext, log: Log, prepared: Prepared, record: int) -> list[str]:
    """Return the odds, in words, of the roll in ``record`` or of the roll behind it; [] if neither exists."""
    kept = effective(read_records(log, prepared.ruleset, record))
    if not kept or kept[-1].n != record:
        return []
    rolls = rolls_behind(kept, frozenset((*prepared.ruleset.seats, *prepared.ruleset.viewers)))
    if not rolls or not rolls[-1].dice:
        return []
    game, roll = node_of(log, rolls[-1].n, context.rulesets)
    return [f"of record {roll.n}", *odds_lines(prepared, chances(lambda: game.fork(ChanceDice())))]


@click.command()
@click.argument("file", type=click.Path(), metavar="DISPUTE")
@click.option("--die", multiple=True, metavar="N:I=F", help="Change a die, as in `dispute whatif`.")
@click.option("--order", multiple=True, metavar="N=ORDER", help="Replace an order, as in `dispute whatif`.")
@click.option("--ruling", multiple=True, metavar="N=EVENT", help="Insert an event, as in `dispute whatif`.")
@click.option("--option", "reading", multiple=True, metavar="OPTION=VALUE", help="Change a rule option.")
@click.option(
    "--then", default="same", show_default=True, metavar="HOW", help="Continuation: same, bots, or a player's name."
)
@pass_context
def try_one(
    context: CliContext,
    *,
    file: str,
    die: tuple[str, ...],
    order: tuple[str, ...],
    ruling: tuple[str, ...],
    reading: tuple[str, ...],
    then: str,
) -> None:
    """Try a branch for the dispute, show the differences, and note the result in its file."""
    found = read_dispute(file)
    if not (die or order or ruling or reading):
        raise click.UsageError("name a change: --die, --order, --ruling or --option")
    if found.is_signed:
        raise click.UsageError(f"{file}: a signed ruling covers its branch; open a new dispute to try another")
    tried = TriedBranch(die, order, ruling, reading, then)
    of, made, changes, head = _play(context, found, file, tried)
    tell_branch(of, made, changes, None)
    outcome = made.game.state.outcome or "not over"
    _keep(structs.replace(found, branch=structs.replace(tried, outcome=outcome, head=head)), file)
    say(f"{file}: noted")


@click.command()
@click.argument("file", type=click.Path(), metavar="DISPUTE")
@click.option("--stands/--falls", "stands", required=True, help="Whether the recorded result is upheld or overruled.")
@click.option("--text", required=True, metavar="TEXT", help="The ruling, in words.")
@click.option("--rule", "rule_id", default="", metavar="ID", help="The rule that the ruling is based on.")
@click.option("--by", default="umpire", show_default=True, metavar="NAME", help="Name of the person who rules.")
@arguments.sign
def rule_one(*, file: str, stands: bool, text: str, rule_id: str, by: str, sign: str | None) -> None:
    """Add a ruling on the dispute to its file. Use `sandtable log rule` to rule on the game itself.

    Earlier rulings stay. An unsigned ruling does not replace a signed one.
    """
    found = ruled(
        read_dispute(file),
        DisputeRuling(VERDICTS[not stands], text, by, rule_id),
        read_signing_key(sign) if sign else None,
    )
    _keep(found, file)
    show(f"{file}: record {found.dispute.record} {VERDICTS[not stands]}: {text}")
    _say_which_counts(found, _umpires_key(found, file))


def _say_which_counts(found: Dispute, umpire: str) -> None:
    """Report which of several rulings counts, and why a later one does not."""
    if len(found.rulings) < 2:
        return
    try:
        signatures = [signature_of(found, index, umpire) for index in range(len(found.rulings))]
    except SignaturesUnchecked as error:
        say(f"which ruling counts is not known: {error}")
        return
    keys = {each.key for each, signature in zip(found.rulings, signatures, strict=True) if signature.holds}
    counts = in_force(signatures)
    if counts is None:
        say("no ruling counts: all were altered")
    elif len(keys) > 1:
        say("rulings are signed by different keys and the log names no umpire's key: nothing proves which one counts")
    else:
        ruling, is_last = found.rulings[counts], counts == len(found.rulings) - 1
        why = "" if is_last else "; no later ruling has a signature that could replace it"
        say(f"ruling {counts + 1} of {len(found.rulings)} counts, by {ruling.by}: the record {ruling.verdict}{why}")


@click.command()
@click.argument("file", type=click.Path(), metavar="DISPUTE")
def show_one(file: str) -> None:
    """Show a dispute, every ruling on it, and whether the signatures hold."""
    found = read_dispute(file)
    rows: list[tuple[str, object]] = _rows("", found.dispute)
    if found.branch is not None:
        rows += _rows("branch: ", found.branch)
    umpire = _umpires_key(found, file)
    for index, ruling in enumerate(found.rulings):
        heading = "ruling: " if len(found.rulings) == 1 else f"ruling {index + 1}: "
        rows += _rows(heading, structs.replace(ruling, key="", signature=_signature(found, index, umpire)))
    show(facts(rows))
    _say_which_counts(found, umpire)


def _rows(heading: str, part: Any) -> list[tuple[str, object]]:
    return [
        (heading + key, each)
        for key, value in structs.asdict(part).items()
        for each in (value if isinstance(value, tuple) else [value])
        if each not in ("", UNSET)
    ]


def _umpires_key(found: Dispute, file: str) -> str:
    """Return the umpire's key from the header of the dispute's log, or "" if it names no key or is unreadable."""
    with suppress(SandtableError):
        return _log_of(found, file).header.keys.get(UMPIRE, "")
    return ""


def _signature(found: Dispute, index: int, umpire: str) -> str:
    """Return the text that states whether and how a ruling is signed."""
    try:
        return signature_of(found, index, umpire).told
    except SignaturesUnchecked as error:
        return str(error)


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True), metavar="DISPUTE...")
@pass_context
def test_all(context: CliContext, paths: tuple[str, ...]) -> int:
    """Try disputes again under the installed rules. A folder means all disputes in it.

    A dispute passes if it is about the log that it names, the log verifies, the branch has the same result as before,
    and no ruling was altered after it was signed.

    Exit status: 0 all pass, 1 a log is false or a result or ruling has changed, 3 a file is unreadable, 4 the ruleset
    is missing or edited so that a difference may result or a signature requires sandtable[keys], 5 not proven. For
    several disputes, the first of 3, 4, 1, 5, 0 that occurs.
    """
    files = [each for path in map(Path, paths) for each in (sorted(path.rglob("*.toml")) if path.is_dir() else [path])]
    rows, codes = [], list[int]()
    verified: dict[str, tuple[str, int]] = {}
    versions: set[str] = set()
    for file in files:
        problem, code = _problem(context, str(file), verified, versions)
        codes.append(code)
        rows.append((str(file), problem or "unchanged", _rulings(str(file))))
    show(table(("dispute", "verdict", "ruling"), rows))
    by = f", by {', '.join(sorted(versions))}" if versions else ""
    say(f"{codes.count(0)} of {count(len(files), 'dispute')} unchanged{by}")
    return worst(codes)


def _rulings(file: str) -> str:
    """Return the numbers of rulings and signed rulings in ``file``, in words, or "" if it cannot be read."""
    try:
        rulings = read_dispute(file).rulings
    except SandtableError:
        return ""
    with_one = sum(bool(each.signature) for each in rulings)
    if len(rulings) > 1:
        return f"{len(rulings)}, {with_one} signed"
    return {0: "none", 1: "signed" if with_one else "unsigned"}[len(rulings)]


def _problem(
    context: CliContext, file: str, verified: dict[str, tuple[str, int]], versions: set[str]
) -> tuple[str, int]:
    """Return the change of a dispute in words, and the exit status. If it passes, returns "" and 0.

    ``verified`` caches problem and status of each log by its name, because several disputes may be about one log. The
    version of the rules that verified a log is added to ``versions``.
    """
    try:
        found = read_dispute(file)
        log = _log_of(found, file)
        unsigned = why_not_signed(found, log)
        if unsigned:
            return unsigned, 1
        if log.name not in verified:
            verdict = verify_log(log.name, context.rulesets)
            told = f"the log does not verify: {verdict.text}" if verdict.exit_code else ""
            verified[log.name] = told, verdict.exit_code
            manifest = prepare_for(log, context.rulesets).installed.manifest
            versions.add(f"{manifest.id} version {manifest.version}")
        if verified[log.name][0] or found.branch is None:
            return verified[log.name]
        _, made, _, head = _play(context, found, file, found.branch)
    except LogClosed as error:
        return str(error), EXIT_CODES[NOT_PROVEN]
    except SandtableError as error:
        return str(error), error.exit_code
    outcome = made.game.state.outcome or "not over"
    if outcome != found.branch.outcome:
        return f"the branch ends with {outcome}; it ended with {found.branch.outcome} before", 1
    if head != found.branch.head:
        return "the branch has the same result, but its head differs: the game took another course", 1
    return "", 0


def _log_of(found: Dispute, file: str) -> Log:
    """Return the log of a dispute, looked for in the dispute's folder, then in the current one.

    Raises PlayError if it is another log.
    """
    beside = Path(file).parent / found.dispute.log
    log = read_log(beside if beside.exists() else found.dispute.log)
    other = why_another(found, log)
    if other:
        raise PlayError(f"{file}: {other}")
    return log


def _play(context: CliContext, found: Dispute, file: str, tried: TriedBranch) -> tuple[Any, Any, Any, str]:
    """Return the game, the branch, its changes and its head, computed with the ruleset hash of the game's log."""
    of = original_game(context, _log_of(found, file).name)
    changes = changes_of(context, of, tried.die, tried.order, tried.ruling, pairs(tried.reading, "--option"))
    fill = None if tried.then == "same" else filler(of, "" if tried.then == "bots" else tried.then)
    made = branch(of, changes, fill)
    return of, made, changes, log_bytes(_as_of(of.log.header, made.header), made.game)[1].hex()


def _as_of(played: Header, branched: Header) -> Header:
    """Return the header of a branch as the version that played the game would write it.

    The head depends on everything in the header. This way, an edit of the rules that has no effect does not change it.
    """
    header = structs.replace(
        branched,
        framework=played.framework,
        ruleset_version=played.ruleset_version,
        ruleset_hash=played.ruleset_hash,
        variants=played.variants,
    )
    return structs.replace(header, game=game_id(header))


def _keep(found: Dispute, file: str) -> None:

    write_whole(file, dispute_bytes(found))
