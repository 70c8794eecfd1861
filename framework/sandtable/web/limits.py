"""Limits on what a page may send."""

import time

MAX_MESSAGE = 65_536
"""Maximum number of bytes of a message."""
RATE, BURST = 20.0, 60.0
"""Messages a second, and how many may come at once."""
MAX_SOCKETS = 12
"""Maximum number of open pages for one link."""
MAX_AT_TABLE = 120
JOIN_SECONDS = 5.0
SEND_SECONDS = 5.0


class Bucket:
    """A budget of messages that refills with time."""

    def __init__(self) -> None:
        self._left, self._at = BURST, time.monotonic()

    def take(self) -> bool:
        """Take one message; return whether there was one left."""
        now = time.monotonic()
        self._left, self._at = min(BURST, self._left + RATE * (now - self._at)), now
        self._left -= 1
        return self._left >= 0
