"""The space of free text, such as a plan or a message."""

from collections.abc import Iterator
from typing import Any

from sandtable.kernel.dice import Stream
from sandtable.kernel.options.choices import shown
from sandtable.kernel.options.space import Refusal, Space


class Words(Space, gc=False):
    """A text of at most ``longest`` characters, with no control characters except line breaks.

    The set of texts is unbounded, so only the empty text is listed and sampled.
    """

    longest: int
    rule: str = ""

    def why_not(self, value: Any) -> Refusal | None:
        """Refuse a value that is not text, is too long, or has unprintable characters other than line breaks."""
        if not isinstance(value, str):
            return Refusal(self.rule, f"expected a text, not {shown(value)}")
        if len(value) > self.longest:
            return Refusal(self.rule, f"the text has {len(value)} characters: use at most {self.longest}")
        strange = next((each for each in value if not each.isprintable() and each != "\n"), None)
        if strange is not None:
            return Refusal(self.rule, f"the text contains {strange!a}, which cannot be printed: remove it")
        return None

    def sample(self, stream: Stream) -> str:  # noqa: ARG002 - a shape of the contract
        """Return the empty text."""
        return ""

    def values(self) -> Iterator[str]:
        """Yield the empty text."""
        return iter(("",))
