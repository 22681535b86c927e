import asyncio
from ipaddress import ip_address

import pytest

from parlour_client.core import url as urls
from parlour_client.core.errors import Usage
from parlour_client.core.url import entering, normalise_url, own_address, redirected, room_at, shared_url, whole_code
from parlour_protocol.messages import Join


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("localhost", "ws://localhost:7777"),
        (" 10.0.0.4 ", "ws://10.0.0.4:7777"),
        ("example.org:80", "ws://example.org:80"),
        ("ws://localhost:7777", "ws://localhost:7777"),
        ("ws://example.org", "ws://example.org"),
        ("wss://example.org/", "wss://example.org"),
        ("HTTP://example.org:7777", "ws://example.org:7777"),
        ("https://example.org/games/?x=1", "wss://example.org/games/?x=1"),
        ("https://example.org/games", "wss://example.org/games"),
        ("::1", "ws://[::1]:7777"),
        ("[::1]:80", "ws://[::1]:80"),
        ("ws://[fe80::1]:80", "ws://[fe80::1]:80"),
    ],
)
def test_the_address_that_people_write(text: str, url: str) -> None:
    assert normalise_url(text) == url
    assert normalise_url(url) == url


@pytest.mark.parametrize(
    "text", ["", "a b", "ftp://x", "ws://", "host:port", "host:99999", "user@host", "ws://a\x1b[2J", "ws://hö.de", "/x"]
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(Usage, match="not the address of a server"):
        normalise_url(text)


def test_loopback() -> None:
    assert [urls.is_loopback(f"ws://{host}:1") for host in ("localhost", "127.0.0.1", "[::1]")] == [True] * 3
    assert not urls.is_loopback("ws://10.0.0.4:7777")


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("K7QD", ("K7QD", "here")),
        ("http://localhost:7777/r/K7QD", ("K7QD", "http://localhost:7777")),
        ("https://play.example.org/a/r/k7qd/ ", ("k7qd", "https://play.example.org/a/")),
        ("10.0.0.4:7777/r/K7QD", ("K7QD", "10.0.0.4:7777")),
        ("/r/K7QD", ("/r/K7QD", "here")),
    ],
)
def test_a_room_is_a_code_or_the_link_of_an_invitation(said: str, found: tuple[str, str]) -> None:
    assert room_at(said, "here") == found


@pytest.mark.parametrize("said", ["ws://localhost:7777", "http://localhost:7777/", "http://localhost:7777/r/"])
def test_the_address_of_a_server_is_no_room(said: str) -> None:
    with pytest.raises(Usage, match=r"names a server, but no room\. See: parlour rooms --server"):
        room_at(said, "here")


@pytest.mark.parametrize(
    ("url", "location", "followed"),
    [
        ("ws://games.test/games", "http://games.test/games/", "ws://games.test/games/"),
        ("ws://games.test/games", "/games/", "ws://games.test/games/"),
        ("ws://games.test", "https://Games.test/", "wss://games.test"),
        ("wss://games.test/a", "https://games.test/a/", "wss://games.test/a/"),
        ("ws://games.test:80/a", "//games.test:8080/a/", "ws://games.test:8080/a/"),
        ("wss://games.test/a", "http://games.test/a/", None),
        ("ws://games.test/a", "https://other.test/a/", None),
        ("ws://games.test/a", "ftp://games.test/a", None),
        ("ws://games.test/a", "http://[", None),
        ("ws://games.test/a", "http://games.test/a", None),
    ],
)
def test_redirects_that_are_followed(url: str, location: str, followed: str | None) -> None:
    assert redirected(url, 301, location) == followed
    assert redirected(url, 200, location) is None
    assert redirected(url, 301, None) is None


@pytest.mark.parametrize(
    ("said", "room", "seat_code"),
    [
        ("K7QD", "K7QD", None),
        (" k7qd-cdfghjkm ", "K7QD", "CDFGHJKM"),
        ("K7QD-", "K7QD", None),
        ("http://10.0.0.4:7777/r/K7QD", "K7QD", None),
        ("http://10.0.0.4:7777/r/K7QD#seat=CDFGHJKM", "K7QD", "CDFGHJKM"),
    ],
)
def test_code_may_have_that_for_the_seats(said: str, room: str, seat_code: str | None) -> None:
    code, _ = room_at(said, "ws://localhost:7777")
    assert entering(code) == Join(room, seat_code=seat_code)
    assert entering(whole_code(room, seat_code), "spectator") == Join(room, "spectator", seat_code=seat_code)


@pytest.mark.parametrize(
    ("host", "own", "shared"),
    [("0.0.0.0", "127.0.0.2", "127.0.0.2"), ("127.0.0.1", "127.0.0.2", "localhost"), ("127.0.0.1", None, "localhost")],
)
async def test_a_server_here_is_told_by_the_address_by_which_others_reach_it(
    host: str, own: str | None, shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(urls, "own_address", lambda: own)  # 127.0.0.2 is one of this machine, whatever its network
    async with await asyncio.start_server(lambda _, writer: writer.close(), host, 0) as server:
        port = server.sockets[0].getsockname()[1]
        assert await shared_url(f"ws://localhost:{port}") == f"ws://{shared}:{port}"


@pytest.mark.parametrize("url", ["ws://10.0.0.4:7777", "wss://localhost:7777"])
async def test_other_addresses_are_not_touched(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urls, "own_address", lambda: "127.0.0.1")
    assert await shared_url(url) == url


def test_an_own_address_is_one_or_none() -> None:
    found = own_address()
    assert found is None or ip_address(found)
