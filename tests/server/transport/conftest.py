"""A gateway for the tests of this folder."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.server.transport.gateways import Host, hosting


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Host]:
    async with hosting(tmp_path / "parlour.db") as host:
        yield host
