"""Sockets of tests report a server that is gone in one way, however many addresses its name has."""

import asyncio
import socket

import pytest
from tests.support.ports import free_port
from tests.support.sockets import open_socket


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["127.0.0.1", "127.0.0.2"]])
async def test_no_server_answers(addresses: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()

    async def resolved(*_: object, **__: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolved)
    with pytest.raises(ConnectionRefusedError):
        await open_socket(f"ws://localhost:{port}").__aenter__()
