"""Which hosts a request from this machine may name."""

import pytest

from parlour_server.transport.hosts import is_own

NAMES = {"play.example.org"}


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:7777", "LOCALHOST.", "127.0.0.1:7777", "[::1]:7777", "[::1]", "192.168.1.5", "raspberrypi",
     "raspberrypi.local:7777", "a.localhost", "Play.Example.Org", "play.example.org:443", "", "parlour.svc.internal"],
)  # fmt: skip
def test_what_no_one_else_can_be_called_and_what_it_was_told(host: str) -> None:
    assert is_own(host, NAMES)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:7777", "127.0.0.1.evil.example", "localhost.evil.example", "example.org",
     "play.example.org.evil.example", "evillocal.com", "127.1.2.3.4", "[::1", "[evil.example]"],
)  # fmt: skip
def test_other_names_are_not_its_own(host: str) -> None:
    assert not is_own(host, NAMES)
