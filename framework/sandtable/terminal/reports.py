"""Report a tabletop battle at the terminal: show or save its brief, and type its result or read it from a file."""

from functools import partial

from sandtable.errors import DataError, IllegalOrder
from sandtable.kernel.options import Refusal
from sandtable.rules.notation.tokens import SURE
from sandtable.tabletop.brief import Brief, for_side
from sandtable.tabletop.checking import Results
from sandtable.tabletop.report.form import read_result
from sandtable.tabletop.report.page import as_text
from sandtable.tabletop.report.parsing import examples, typed_result
from sandtable.tabletop.report.sheet import as_html
from sandtable.tabletop.report.template import template
from sandtable.tabletop.result import Result
from sandtable.terminal.drafts import read_text, write_text
from sandtable.terminal.prompt import Prompter, refusals_in, refuse_all, say_lines

BRIEFLY = "      brief, brief SIDE, brief save FILE, @FILE, how; type help for details"
HELP = """\
      brief           print the brief of the battle; brief SIDE: the version for one side
      brief save FILE write the brief to a file: a page (.html) with a form to fill in by pencil,
                      text (.txt), or the result as a file to fill in (.toml);
                      brief save FILE SIDE: the page for one side;
                      brief save FILE each: a page for each side, FILE-SIDE
      @FILE           read the result from such a file
      how             show how to type a result on one line"""

_ENDINGS = (".html", ".txt", ".toml")


def write_result(space: Results, name: str, asker: Prompter) -> Result:
    """Return a result that fits its brief, as typed by the person."""
    say_lines(asker, HELP if asker.is_new(HELP) else BRIEFLY)
    asker.words_of_sheets = HELP
    try:
        return _typed_in(space, name, asker)
    finally:
        asker.words_of_sheets = ""


def _typed_in(space: Results, name: str, asker: Prompter) -> Result:
    """Read results until one is valid. A score without losses must be typed twice."""
    brief, doubted = space.brief, ""
    prompt = f"{name} of {brief.place_title}, battle {brief.action} of {brief.actions}"
    while True:
        text = asker.ask(prompt, again=partial(say_lines, asker, HELP), own_words=True)
        words = text.split(maxsplit=3)
        try:
            if text == "how":
                asker.say(f"      {examples(brief, attrition=space.counts_attrition)}")
            elif words[:1] == ["brief"]:
                _show_or_save(space, words[1:], asker)
            elif text.startswith("@"):
                file = text[1:].strip()
                return read_result(read_text(file), file, brief, space)
            else:
                result = typed_result(space, text, space.rule)
                if result is None:
                    raise IllegalOrder(
                        "", f"{text!r} is not a result: begin with the winner and the points, or type how"
                    )
                wrong = space.all_wrong(result)
                if not wrong and (text == doubted or SURE in text.lower() or _states_losses(result, space)):
                    return result
                refuse_all(asker, wrong or [Refusal("", _without_losses(text, brief))])
                doubted = text
        except DataError as error:
            refuse_all(asker, [Refusal("", str(each)) for each in (error, *error.also)])
        except IllegalOrder as error:
            refuse_all(asker, refusals_in(error))


def _states_losses(result: Result, space: Results) -> bool:
    """Return whether a result states the losses, or need not because attrition does not count."""
    return bool(result.conceded or result.platoons or result.short) or not space.counts_attrition


def _without_losses(text: str, brief: Brief) -> str:
    """Return the warning about a bare score, which may be incomplete."""
    first, second = brief.sides
    example = f"{text}; {first} 5/4; {second} 3/8"
    return f"it states no losses, so no side takes attrition: add them, as in {example}, or type it again unchanged"


def _show_or_save(space: Results, words: list[str], asker: Prompter) -> None:
    """Print the brief, or save it in the format of the file's ending; for one side, if a side is named."""
    brief = space.brief
    if words[:1] == ["save"] and len(words) == 3 and words[2] == "each":
        stem, dot, ending = words[1].rpartition(".")
        for each in brief.sides:
            _show_or_save(space, ["save", f"{stem}-{each}{dot}{ending}", each], asker)
        return
    side = next((words.pop() for each in words[-1:] if each in brief.sides), "")
    shown = for_side(brief, side) if side else brief
    if not words:
        say_lines(asker, as_text(shown))
        return
    file = words[1] if len(words) == 2 and words[0] == "save" else ""
    ending = next((each for each in _ENDINGS if file.endswith(each)), "")
    if not ending or (side and ending == ".toml"):
        endings = ", ".join(_ENDINGS)
        raise IllegalOrder("", f"type brief, or brief save FILE with a file that ends in {endings}; a side may follow")
    write_text(file, _written(shown, ending, attrition=space.counts_attrition))
    asker.say(f"      {file}: written")


def _written(brief: Brief, ending: str, *, attrition: bool) -> str:
    """Return a brief in the format of a file's ending."""
    if ending == ".txt":
        return as_text(brief)
    return as_html(brief, attrition=attrition) if ending == ".html" else template(brief, attrition=attrition)
