"""By which address others reach a server here: looked at with a real socket."""

import asyncio
from ipaddress import ip_address

import pytest

from parlour_client.core import url as urls
from parlour_client.core.url import own_address, shared_url


async def _nothing(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


async def test_a_server_that_others_reach_is_told_by_their_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urls, "own_address", lambda: "127.0.0.2")  # an address of this machine, whatever its network
    async with await asyncio.start_server(_nothing, "0.0.0.0", 0) as server:
        port = server.sockets[0].getsockname()[1]
        assert await shared_url(f"ws://localhost:{port}") == f"ws://127.0.0.2:{port}"


@pytest.mark.parametrize("own", ["127.0.0.2", None])
async def test_a_server_for_this_machine_only_stays_so(own: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urls, "own_address", lambda: own)
    async with await asyncio.start_server(_nothing, "127.0.0.1", 0) as server:
        url = f"ws://localhost:{server.sockets[0].getsockname()[1]}"
        assert await shared_url(url) == url


@pytest.mark.parametrize("url", ["ws://10.0.0.4:7777", "wss://localhost:7777"])
async def test_other_addresses_are_not_touched(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urls, "own_address", lambda: "127.0.0.1")
    assert await shared_url(url) == url


def test_an_own_address_is_one_or_none() -> None:
    found = own_address()
    assert found is None or ip_address(found)
