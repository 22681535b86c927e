"""Which hosts a request from this machine may name, whose page it comes from, and how addresses are written."""

import pytest

from parlour_server.transport.listening import Origin, address_in, is_own, subscriber

NAMES = {"play.example.org"}


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:7777", "LOCALHOST.", "127.0.0.1:7777", "[::1]:7777", "[::1]", "192.168.1.5", "raspberrypi",
     "raspberrypi.local:7777", "a.localhost", "Play.Example.Org", "play.example.org:443", "parlour.svc.internal"],
)  # fmt: skip
def test_what_no_one_else_can_be_called_and_what_it_was_told(host: str) -> None:
    assert is_own(host, NAMES)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:7777", "127.0.0.1.evil.example", "localhost.evil.example", "example.org",
     "play.example.org.evil.example", "evillocal.com", "127.1.2.3.4", "[::1", "[evil.example]", "", ":7777"],
)  # fmt: skip
def test_other_names_are_not_its_own(host: str) -> None:
    assert not is_own(host, NAMES)


@pytest.mark.parametrize(
    ("origin", "host"),
    [("https://games.test", "games.test"), ("https://games.test", "games.test:443"),
     ("https://games.test:443", "games.test"), ("http://games.test", "games.test:80"),
     ("https://games.test:8443", "games.test:8443"), ("https://Games.Test", "GAMES.test"),
     ("https://games.test:8443", "games.test"), ("http://[::1]:7777", "[::1]:7777")],
)  # fmt: skip
def test_a_page_of_the_host(origin: str, host: str) -> None:
    found = Origin.of(origin)
    assert found is not None
    assert found.is_at(host)


@pytest.mark.parametrize(
    ("origin", "host"),
    [("https://games.test", "other.test"), ("https://games.test", "games.test:80"),
     ("https://games.test:8443", "games.test:443"), ("https://games.test", ""),
     ("https://games.test", "games.test:x"), ("https://games.test", "[games.test")],
)  # fmt: skip
def test_a_page_of_another_site(origin: str, host: str) -> None:
    found = Origin.of(origin)
    assert found is not None
    assert not found.is_at(host)


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
