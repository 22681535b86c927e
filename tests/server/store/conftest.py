"""A store to be tested, on SQLite and on PostgreSQL."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from tests.support.stores import FILE, STORES, new_store

from parlour_server.persistence import Member
from parlour_server.store import open_store
from parlour_server.store.base import Store

ALONE = Member("parlour", "", "", 600_000)
"""A node whose lease, which nobody renews here, outlasts any test however slow the machine is."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a store is kept in a file."""
    return tmp_path / "parlour.db"


@pytest.fixture(params=STORES)
def url(request: pytest.FixtureRequest, path: Path) -> str:
    return new_store(request) or f"{FILE}{path}"


@pytest.fixture
async def reopen(url: str) -> AsyncIterator[Callable[[], Awaitable[Store]]]:
    """Returns the store as the next server has it: the one before is closed."""
    opened: list[Store] = []

    async def reopen() -> Store:
        while opened:
            await opened.pop().close()
        opened.append(open_store(url, ALONE))
        await opened[0].index()
        return opened[0]

    yield reopen
    while opened:
        await opened.pop().close()


@pytest.fixture
async def store(reopen: Callable[[], Awaitable[Store]]) -> Store:
    return await reopen()
