"""A node without sockets for every test of the server that asks for one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.server.nodes import House


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    house = House(tmp_path / "parlour.db")
    await house.node.start()
    yield house
    await house.close()
