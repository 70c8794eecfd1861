"""``sandtable dispute open``, ``try``, ``rule``, ``show`` and ``test``."""

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
from sandtable.cli.output import count, facts, say, show, table
from sandtable.errors import LogDamaged, SandtableError, SignaturesUnchecked
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
from sandtable.journal.file.log import Log, read_log
from sandtable.journal.fold import effective, prepare_for, read_records
from sandtable.journal.format.header import Header, game_id
from sandtable.journal.record import log_bytes
from sandtable.journal.verification.verdicts import SO_FAR, VERIFIED
from sandtable.journal.verification.verify import verify_log
from sandtable.kernel.decisions import UMPIRE
from sandtable.kernel.dice import ChanceDice
from sandtable.players.odds import odds_lines
from sandtable.plugin.manager import Prepared
from sandtable.rules.chance.rolls import chances


@click.command()
@arguments.log
@arguments.at("The record in dispute.", required=True)
@click.option("--claim", required=True, metavar="TEXT", help="What is claimed.")
@click.option("--by", required=True, metavar="SEAT", help="Who claims it.")
@click.option("--rule", "rule", default="", metavar="ID", help="The rule that it is about.")
@arguments.out("The file of the dispute.", required=True)
@pass_context
def open_one(context: CliContext, *, log: str, at: int, claim: str, by: str, rule: str, out: str) -> None:
    """Open a dispute over record N of LOG."""
    read, prepared = open_log(context, log, at, doubts=False)
    seats = prepared.ruleset.seats
    if by not in seats:
        raise click.BadParameter(f"no such seat: {by!r}; there are {', '.join(seats)}", param_hint="--by")
    index = prepared.installed.hook.ruleset_index() or ()
    if rule and index and rule not in {row.id for row in index}:
        raise click.BadParameter(f"{prepared.ruleset.id} has no rule {rule!r}", param_hint="--rule")
    odds = _odds_of(context, read, prepared, at)
    write_new(out, dispute_bytes(open_dispute(read, at, claim, by, rule, odds)), sources=(log,))
    show(f"{out}: {by} disputes record {at} of {log}")
    say(f"why it happened: sandtable explain {log} --at {at}; otherwise: sandtable dispute try {out} --die N:I=F")


def _odds_of(context: CliContext, log: Log, prepared: Prepared, record: int) -> list[str]:
    """Return the odds of the roll in ``record``, or of the one from which it follows, in words; [] where none is."""
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
@click.option("--die", multiple=True, metavar="N:I=F", help="As for `sandtable dispute whatif`; so are the next three.")
@click.option("--order", multiple=True, metavar="N=ORDER")
@click.option("--ruling", multiple=True, metavar="N=EVENT")
@click.option("--option", "reading", multiple=True, metavar="OPTION=VALUE")
@click.option("--then", default="same", show_default=True, metavar="HOW", help="same, bots, or a player's name.")
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
    """Try a branch for the dispute, show what differs, and note in its file what came of it."""
    found = read_dispute(file)
    if not (die or order or ruling or reading):
        raise click.UsageError("say what is otherwise: --die, --order, --ruling or --option")
    if found.is_signed:
        raise click.UsageError(f"{file}: a signed ruling covers the branch in it: open another dispute to try another")
    tried = TriedBranch(die, order, ruling, reading, then)
    of, made, changes, head = _play(context, found, file, tried)
    tell_branch(of, made, changes, None)
    outcome = made.game.state.outcome or "not over"
    _keep(structs.replace(found, branch=structs.replace(tried, outcome=outcome, head=head)), file)
    say(f"{file}: noted")


@click.command()
@click.argument("file", type=click.Path(), metavar="DISPUTE")
@click.option("--stands/--falls", "stands", required=True, help="What was recorded stands, or it falls.")
@click.option("--text", required=True, metavar="TEXT", help="The ruling, in words.")
@click.option("--rule", "rule_id", default="", metavar="ID", help="The rule that decides.")
@click.option("--by", default="umpire", show_default=True, metavar="NAME", help="Who rules.")
@arguments.sign
def rule_one(*, file: str, stands: bool, text: str, rule_id: str, by: str, sign: str | None) -> None:
    """Add a ruling on the dispute to its file. The game itself is ruled on by `sandtable log rule`.

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
    """Say which of several rulings counts, and why it is not the last."""
    if len(found.rulings) < 2:
        return
    try:
        signatures = [signature_of(found, place, umpire) for place in range(len(found.rulings))]
    except SignaturesUnchecked as error:
        say(f"which ruling counts is not known: {error}")
        return
    keys = {each.key for each, signature in zip(found.rulings, signatures, strict=True) if signature.holds}
    counts = in_force(signatures)
    if counts is None:
        say("no ruling counts: all were altered")
    elif len(keys) > 1:
        say("rulings are signed by different keys, and the log's header names no umpire: nothing proves which counts")
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
    for place, ruling in enumerate(found.rulings):
        heading = "ruling: " if len(found.rulings) == 1 else f"ruling {place + 1}: "
        rows += _rows(heading, structs.replace(ruling, key="", signature=_signature(found, place, umpire)))
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
    """Return the umpire's key that the header of the dispute's log names, "" if it names none or is not at hand."""
    with suppress(SandtableError):
        return _log_of(found, file).header.keys.get(UMPIRE, "")
    return ""


def _signature(found: Dispute, place: int, umpire: str) -> str:
    """Return in words how far a ruling is signed."""
    try:
        return signature_of(found, place, umpire).told
    except SignaturesUnchecked as error:
        return str(error)


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True), metavar="DISPUTE...")
@pass_context
def test_all(context: CliContext, paths: tuple[str, ...]) -> int:
    """Try disputes, files or folders of them, again, by the rules that are installed.

    Each must be about the log that it names, that log must verify, the branch must come out as it did, and no ruling
    may have been altered after it was signed. Exit code 1 where one does not.
    """
    files = [each for path in map(Path, paths) for each in (sorted(path.rglob("*.toml")) if path.is_dir() else [path])]
    rows, failed = [], 0
    verified: dict[str, str] = {}
    versions: set[str] = set()
    for file in files:
        problem = _problem(context, str(file), verified, versions)
        failed += bool(problem)
        rows.append((str(file), problem or "still so", _rulings(str(file))))
    show(table(("dispute", "verdict", "ruling"), rows))
    by = f", by {', '.join(sorted(versions))}" if versions else ""
    say(f"{len(files) - failed} of {count(len(files), 'dispute')} still so{by}")
    return 1 if failed else 0


def _rulings(file: str) -> str:
    """Return in words how many rulings there are in ``file``, and how many of them are signed."""
    try:
        rulings = read_dispute(file).rulings
    except SandtableError:
        return ""
    with_one = sum(bool(each.signature) for each in rulings)
    if len(rulings) > 1:
        return f"{len(rulings)}, {with_one} signed"
    return {0: "none", 1: "signed" if with_one else "unsigned"}[len(rulings)]


def _problem(context: CliContext, file: str, verified: dict[str, str], versions: set[str]) -> str:
    """Return what of a dispute is no longer so, "" where all is; ``verified`` tells what is wrong with a log, by name.

    Several disputes may be about one log: it is verified once. The rules that do so are added to ``versions``.
    """
    try:
        found = read_dispute(file)
        log = _log_of(found, file)
        unsigned = why_not_signed(found, log)
        if unsigned:
            return unsigned
        if log.name not in verified:
            verdict = verify_log(log.name, context.rulesets)
            manifest = prepare_for(log, context.rulesets).installed.manifest
            versions.add(f"{manifest.id} version {manifest.version}")
            told = f"the log does not verify: {verdict.text}"
            verified[log.name] = "" if verdict.verdict in {VERIFIED, SO_FAR} else told
        if verified[log.name]:
            return verified[log.name]
        if found.branch is None:
            return ""
        _, made, _, head = _play(context, found, file, found.branch)
    except SandtableError as error:
        return str(error)
    outcome = made.game.state.outcome or "not over"
    if outcome != found.branch.outcome:
        return f"the branch ends with {outcome}, and did with {found.branch.outcome}"
    return "" if head == found.branch.head else "the branch comes to the same end in another way: its head is another"


def _log_of(found: Dispute, file: str) -> Log:
    """Return the log that a dispute is about, named from the dispute's folder or from here; raises LogDamaged."""
    beside = Path(file).parent / found.dispute.log
    log = read_log(beside if beside.exists() else found.dispute.log)
    other = why_another(found, log)
    if other:
        raise LogDamaged(f"{file}: {other}")
    return log


def _play(context: CliContext, found: Dispute, file: str, tried: TriedBranch) -> tuple[Any, Any, Any, str]:
    """Return the game, the branch, what is otherwise in it, and its head: by the hash of rules in the game's log."""
    of = original_game(context, _log_of(found, file).name)
    changes = changes_of(context, of, tried.die, tried.order, tried.ruling, pairs(tried.reading, "--option"))
    fill = None if tried.then == "same" else filler(of, "" if tried.then == "bots" else tried.then)
    made = branch(of, changes, fill)
    return of, made, changes, log_bytes(_as_of(of.log.header, made.header), made.game)[1].hex()


def _as_of(played: Header, branched: Header) -> Header:
    """Return the header of a branch as the version that played the game would write it.

    A head names whatever is in the header; so an edit of the rules that changes nothing leaves it alone.
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
