"""A server in a thread, and pages that are sockets."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from web_robot import Site, running

from sandtable.plugin.manager import Rulesets
from sandtable.web import messages


@pytest.fixture
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pages send as fast as they can."""
    monkeypatch.setattr(messages, "RATE", 1e9)
    monkeypatch.setattr(messages, "BURST", 1e9)


@pytest.fixture
def site(tmp_path: Path, unlimited: None) -> Iterator[Site]:
    """Run a server of the installed rulesets and the toys."""
    with running(tmp_path, Rulesets()) as site:
        yield site
