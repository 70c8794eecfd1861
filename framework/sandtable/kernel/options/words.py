"""The space of free text: a plan or a message in a player's own words."""

from collections.abc import Iterator
from typing import Any

from sandtable.kernel.dice import Stream
from sandtable.kernel.options.choices import shown
from sandtable.kernel.options.space import Refusal, Space


class Words(Space, gc=False):
    """A text of at most ``longest`` characters, without control characters but for ends of lines.

    There is no end of texts, so only the empty one is listed and drawn.
    """

    longest: int
    rule: str = ""

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse what is no text, too long, or holds what cannot be printed."""
        if not isinstance(value, str):
            return Refusal(self.rule, f"a text is wanted, not {shown(value)}")
        if len(value) > self.longest:
            return Refusal(self.rule, f"the text has {len(value)} characters: use at most {self.longest}")
        strange = next((each for each in value if not each.isprintable() and each != "\n"), None)
        if strange is not None:
            return Refusal(self.rule, f"the text holds {strange!a}, which cannot be printed: leave it out")
        return None

    def sample(self, stream: Stream) -> str:  # noqa: ARG002 - a shape of the contract
        """Return no words."""
        return ""

    def values(self) -> Iterator[str]:
        """Yield no words."""
        return iter(("",))
