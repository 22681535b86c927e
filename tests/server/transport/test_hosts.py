"""Which hosts a request from this machine may name, whose page it comes from, and how addresses are written."""

import pytest

from parlour_server.transport.listening import Origin, address_in, is_own, subscriber

NAMES = {"play.example.org"}


OWN = (
    *("localhost", "localhost:7777", "LOCALHOST.", "127.0.0.1:7777", "[::1]:7777", "[::1]", "192.168.1.5"),
    *("raspberrypi", "raspberrypi.local:7777", "a.localhost", "parlour.svc.internal"),
    *("Play.Example.Org", "play.example.org:443"),
)
"""What no one else can be called, and what the server was told."""
OTHERS = (
    *("evil.example", "evil.example:7777", "127.0.0.1.evil.example", "localhost.evil.example", "example.org"),
    *("play.example.org.evil.example", "evillocal.com", "127.1.2.3.4", "[::1", "[evil.example]", "", ":7777"),
)


@pytest.mark.parametrize("host", [*OWN, *OTHERS])
def test_names_of_the_server_and_of_others(host: str) -> None:
    assert is_own(host, NAMES) is (host in OWN)


@pytest.mark.parametrize(
    ("origin", "host", "there"),
    [("https://games.test", "games.test", True), ("https://games.test", "games.test:443", True),
     ("https://games.test:443", "games.test", True), ("http://games.test", "games.test:80", True),
     ("https://games.test:8443", "games.test:8443", True), ("https://Games.Test", "GAMES.test", True),
     ("https://games.test:8443", "games.test", True), ("http://[::1]:7777", "[::1]:7777", True),
     ("https://games.test", "other.test", False), ("https://games.test", "games.test:80", False),
     ("https://games.test:8443", "games.test:443", False), ("https://games.test", "", False),
     ("https://games.test", "games.test:x", False), ("https://games.test", "[games.test", False)],
)  # fmt: skip
def test_a_page_is_of_the_host_or_of_another_site(origin: str, host: str, there: bool) -> None:
    found = Origin.of(origin)
    assert found is not None
    assert found.is_at(host) is there


@pytest.mark.parametrize("text", ["null", "", "games.test", "file:///x", "http://[", "https://games.test:x"])
def test_what_is_no_origin(text: str) -> None:
    assert Origin.of(text) is None


def test_the_address_of_a_server_is_an_origin() -> None:
    assert Origin.of("wss://games.test/parlour") == Origin.of("https://GAMES.test:443")


@pytest.mark.parametrize(
    ("entry", "address"),
    [("203.0.113.7", "203.0.113.7"), (" 203.0.113.7:5000", "203.0.113.7"), ("[2001:db8::1]:5000", "2001:db8::1"),
     ("[2001:db8::1]", "2001:db8::1"), ("2001:DB8::1", "2001:db8::1"), ("::ffff:203.0.113.7", "203.0.113.7"),
     ("fe80::1%eth0", "fe80::1"), ("unknown", None), ("_hidden", None), ("", None), ("203.0.113", None)],
)  # fmt: skip
def test_addresses_in_x_forwarded_for(entry: str, address: str | None) -> None:
    assert address_in(entry) == address


@pytest.mark.parametrize(
    ("address", "first"),
    [("203.0.113.7", "203.0.113.7"), ("2001:db8:0:1::7", "2001:db8:0:1::"),
     ("2001:db8:0:1:ffff::", "2001:db8:0:1::"), ("::1", "::1")],
)  # fmt: skip
def test_a_subscriber_has_a_network_of_ipv6(address: str, first: str) -> None:
    assert subscriber(address) == first
