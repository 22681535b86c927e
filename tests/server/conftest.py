"""Fixtures of the server's tests."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.server.nodes import House


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """Return a node without sockets."""
    house = House(tmp_path / "parlour.db")
    await house.node.start()
    yield house
    await house.close()


@pytest.fixture
def short_path() -> Iterator[Path]:
    """Return a folder whose path leaves room for the name of a socket, as ``tmp_path`` may not."""
    with TemporaryDirectory(dir="/tmp") as name:
        yield Path(name)
