"""A reserved port can be used repeatedly by a server that asks for it, and is not given to others."""

import socket

import pytest
from tests.support.ports import free_port


def test_a_server_can_listen_repeatedly_on_a_reserved_port_that_is_not_reused() -> None:
    port = free_port()
    for _ in range(3):
        with socket.create_server(("127.0.0.1", port)), socket.create_connection(("127.0.0.1", port)):
            pass
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    with socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind(("127.0.0.1", port))  # as the kernel does before it picks a random port
