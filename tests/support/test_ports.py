"""A port that is reserved is there for the server that names it, however often that starts, and for nobody else."""

import socket

import pytest
from tests.support.ports import free_port


def test_whoever_names_it_listens_there_again_and_again() -> None:
    port = free_port()
    for _ in range(3):
        with socket.create_server(("127.0.0.1", port)), socket.create_connection(("127.0.0.1", port)):
            pass


def test_nobody_listens_there_meanwhile_and_nobody_else_is_given_it() -> None:
    port = free_port()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    with socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind(("127.0.0.1", port))  # as the system tries each port before it gives it to somebody
