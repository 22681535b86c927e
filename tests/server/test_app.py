"""A whole server as a process: how it begins, how it ends, who can reach it."""

import asyncio
import json
import os
import shutil
import signal
import ssl
from collections.abc import Collection
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from tests.support.ports import loopback_addresses
from tests.support.processes import children, gone
from tests.support.server import server_process
from tests.support.sockets import Socket, first_turn, open_socket
from tests.support.tls import CERTIFICATE, KEY, RENEWED, RENEWED_KEY
from tests.support.waiting import until
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from parlour_server import app
from parlour_server.app import addresses, invitation
from parlour_server.children import HOUSE_BOTS
from parlour_server.settings import ServerSettings
from parlour_server.transport import listening


@pytest.fixture(autouse=True)
def found(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a server finds to be its own in the network; a test may change them."""
    found = ["192.0.2.7"]
    monkeypatch.setattr(listening, "own_addresses", lambda: found)
    return found


BOTH = ["ws://localhost:1234", "ws://192.0.2.7:1234"]


@pytest.mark.parametrize(
    ("settings", "urls"),
    [
        ({}, ["ws://localhost:1234"]),
        ({"host": "192.0.2.9"}, ["ws://192.0.2.9:1234"]),
        ({"host": "::1"}, ["ws://[::1]:1234"]),
        ({"host": "[::1]"}, ["ws://[::1]:1234"]),
        ({"host": "game.example"}, ["ws://game.example:1234"]),
        *(({"host": host}, BOTH) for host in ("*", "", "0.0.0.0", "::")),
        ({"host": "unix:/run/parlour", "public_url": "wss://games.test"}, ["wss://games.test"]),
        ({"host": "*", "tls_cert": CERTIFICATE}, ["wss://localhost:1234", "wss://192.0.2.7:1234"]),
    ],
)
def test_addresses(settings: dict[str, Any], urls: list[str]) -> None:
    assert addresses(ServerSettings(**settings), 1234) == urls


def invited(rows: int | None = None, ssh_port: int | None = None, **settings: Any) -> str:
    return invitation(ServerSettings(**settings), 1234, "K7QD", rows, ssh_port)


def test_invitation_has_a_line_to_paste_for_every_address() -> None:
    text = invited(host="0.0.0.0")
    assert "Room K7QD" in text
    assert all(f"  parlour join K7QD --server {url}\n" in text for url in BOTH)
    assert "--lan" not in text
    assert "--lan" in invited(), "how to open it to others"
    assert "parlour identity" not in text
    assert "parlour identity" in invited(require_key=True)


@pytest.mark.parametrize("host", ["127.0.0.1", "*", "unix:/run/parlour"])
def test_invitation_has_the_public_address(host: str) -> None:
    text = invited(host=host, public_url="wss://games.test/parlour")
    assert "  parlour join K7QD --server wss://games.test/parlour\n" in text
    assert "  https://games.test/parlour/r/K7QD\n" in text
    assert not any(word in text for word in ("localhost", "--lan"))
    assert "▀" in text


@pytest.mark.parametrize(
    ("settings", "commands"),
    [
        ({"ssh": "2222"}, ["ssh -t -p 2222 localhost K7QD"]),
        ({"ssh": "22", "lan": True}, ["ssh -t localhost K7QD", "ssh -t 192.0.2.7 K7QD"]),
        ({"ssh": "*:2222", "public_url": "wss://games.test/p"}, ["ssh -t -p 2222 games.test K7QD"]),
        ({"ssh": "[::1]:2222", "public_url": "wss://games.test"}, ["ssh -t -p 2222 ::1 K7QD"]),
    ],
)
def test_invitation_by_ssh(settings: dict[str, Any], commands: list[str]) -> None:
    place = ServerSettings(**settings).ssh_place()
    assert place is not None
    lines = invited(ssh_port=place[1], **settings).split("\n")
    assert [line.strip() for line in lines if line.startswith("  ssh ")] == commands
    assert "ssh" not in invited(**settings)


def test_without_a_network_the_invitation_says_so_and_has_no_code_for_phones(found: list[str]) -> None:
    text = invited(host="0.0.0.0")
    assert "has no network" not in text
    assert text.rindex("▀") < text.index("parlour join K7QD"), "the code does not push the command out of sight"
    found.clear()
    text = invited(host="0.0.0.0")
    assert "has no network" in text
    assert not set("█▀▄") & set(text)


@pytest.mark.parametrize("address", ["10.0.0.4", "192.168.178.123"])
def test_the_code_for_phones_is_whole_where_it_fits(address: str, found: list[str]) -> None:
    found[:] = [address]
    whole, small, tiny = (invited(rows, host="0.0.0.0") for rows in (None, 24, 18))
    assert invited(40, host="0.0.0.0") == whole, "space enough"
    lines = small.split("\n")
    least = len(lines) + app.ROWS_BELOW
    assert least <= 24
    assert [line for line in lines if "█" in line] == [line for line in whole.split("\n") if "█" in line]
    assert any(f"parlour join K7QD --server ws://{address}:1234" in line for line in lines)
    assert any(f"http://{address}:1234/r/K7QD" in line for line in lines)
    assert not set("█▀▄") & set(tiny)
    assert f"at least {least} lines" in tiny
    assert [invited(rows, host="0.0.0.0") for rows in (least, least - 1)] == [small, tiny]


def test_own_addresses_are_found_without_sending(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert all(map(ip_address, listening.own_addresses()))


IN_TIME = 10.0
"""Seconds within which a server has ended that was told to."""


def test_ready_line_is_one_json_line_and_the_log_is_json_without_secrets(tmp_path: Path) -> None:
    with server_process(tmp_path, "--log-level", "debug") as server:
        assert not gone(server.pid)
        assert server.url.startswith("ws://localhost:")
        assert (tmp_path / "parlour.admin").read_text().strip() == server.admin
        assert server.stop() == 0
        assert server.rest() == ""
        entries = [json.loads(line) for line in server.log().splitlines()]
        assert [entry["event"] for entry in entries] == ["serving", "stopping"]
        assert entries[0]["admin"] == str(tmp_path / "parlour.admin"), "an operator has to find the token"
        assert server.admin not in server.log()


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, *(pytest.param(each, marks=pytest.mark.long) for each in (signal.SIGINT, signal.SIGHUP))]
)
async def test_signal_says_goodbye_and_exits_in_time_even_to_a_client_that_does_not_read(
    tmp_path: Path, number: int
) -> None:
    with server_process(tmp_path) as server:
        async with open_socket(server.url) as anna, open_socket(server.url) as silent, open_socket(server.url) as deaf:
            await anna.hello("anna")
            await deaf.hello("bert")
            deaf.ws.transport.pause_reading()
            server.signal(number)
            for each in (anna, silent):
                bye = await each.receive()
                assert (bye["t"], bye["code"], bye["retry_after"]) == ("bye", "drain", 2_000)
                assert await each.closed() == 1001
            assert await asyncio.to_thread(server.wait, IN_TIME) == 0
            deaf.ws.transport.abort()


async def test_clients_who_come_back_again_and_again_cannot_keep_it(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:

        async def come_back(number: int) -> None:
            with suppress(ConnectionError):
                for _ in range(1_000):
                    with suppress(EOFError, ConnectionClosed, InvalidHandshake):
                        async with open_socket(server.url) as client:
                            await client.ask("hello", "welcome", "error", name=f"guest-{number}", kind="human")
                            came.release()
                            if number % 2:  # the others stay until they are told to go
                                continue
                            await client.closed()

        came = asyncio.Semaphore(0)
        clients = [asyncio.create_task(come_back(number)) for number in range(40)]
        for _ in range(80):
            await came.acquire()
        server.signal(signal.SIGTERM)
        assert await asyncio.to_thread(server.wait, IN_TIME) == 0
        assert "fault" not in server.log()
        await asyncio.gather(*clients)


async def test_match_goes_on_after_a_restart_and_the_kept_room_has_the_same_code_after_a_kill(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        tokens, room = {}, server.room
        async with open_socket(server.url) as anna, open_socket(server.url) as bert:
            for name, client in (("anna", anna), ("bert", bert)):
                tokens[name] = (await client.hello(name))["token"]
                await client.ask("join", "joined", room=room)
            await anna.ask("start", "ok", room=room)
            before = (await first_turn(anna, bert))[1]
        assert server.stop() == 0
        server.restart()
        assert server.room == room
        async with open_socket(server.url) as anna, open_socket(server.url) as bert:
            for name, client in (("anna", anna), ("bert", bert)):
                assert (await client.hello(name, token=tokens[name]))["rooms"] == [room]
            after = (await first_turn(anna, bert))[1]
        assert [after[name] for name in ("seat", "rid", "legal")] == [before[name] for name in ("seat", "rid", "legal")]
        server.kill()
        server.restart()
        assert server.room == room


async def bots(client: Socket, wanted: Collection[str] = HOUSE_BOTS) -> None:
    """Wait until these bots, and no others, offer themselves."""

    async def all_there() -> bool:
        return {row["name"] for row in (await client.ask("list", "rooms"))["bots"]} == set(wanted)

    await until(all_there, every=0.2)


async def test_house_bots_come_play_come_again_and_go_with_the_server_that_an_operator_stops(tmp_path: Path) -> None:
    with server_process(tmp_path, house_bots=True) as server:
        async with open_socket(server.url) as client:
            await client.hello("anna")
            await bots(client)
            room = (await client.ask("create", "joined", game="uno", options={"target": 1}))["room"]
            assert (await client.ask("invite", "ok", room=room))["seat"] == 1
            await client.ask("start", "ok", room=room)
            while (message := await client.until("turn", "over"))["t"] == "turn":
                await client.send("act", room=room, rid=message["rid"], act=0)
            assert set(message["result"]["ranks"]) == {"0", "1"}
            [process] = children(server.pid)
            os.kill(process, signal.SIGKILL)
            await bots(client, ())
            await bots(client)
            [process] = children(server.pid)
            assert (await client.ask("admin", "error", token="", do="drain"))["code"] == "not_admin"
            await client.ask("admin", "ok", token=server.admin, do="drain")
            assert (await client.until("bye"))["code"] == "drain"
        assert await asyncio.to_thread(server.wait) == 0
        assert gone(process)


@pytest.mark.parametrize("host", ["[::1]", "*"])
async def test_house_bots_and_clients_of_each_family_reach_it_and_bots_go_when_it_is_killed(
    tmp_path: Path, host: str
) -> None:
    there = [f"[{each}]" if ":" in each else each for each in loopback_addresses()]
    hosts = there if host == "*" else [host]
    if not set(hosts) <= set(there):
        with pytest.raises(ValueError, match="cannot listen on"), server_process(tmp_path, "--host", host):
            pass
        return
    with server_process(tmp_path, "--host", host, house_bots=True) as server:
        port = server.url.rpartition(":")[2]
        for each in hosts:
            async with open_socket(f"ws://{each}:{port}") as client:
                await client.hello("anna")
                await bots(client)
        [process] = children(server.pid)
        server.kill()
        await until(lambda: gone(process))


async def test_a_unix_socket_replaces_one_that_is_left(tmp_path: Path, short_path: Path) -> None:
    path = short_path / "parlour.sock"
    flags = ("--host", f"unix:{path}", "--public-url", "wss://games.test")
    with server_process(tmp_path, *flags, house_bots=True) as server:
        server.kill()
        assert path.is_socket()
        server.restart()
        assert server.url == "wss://games.test"
        async with open_socket("ws://localhost/", unix=True, path=str(path)) as client:
            await client.hello("anna")
            await bots(client)
        assert server.stop() == 0
    assert not path.exists()


@pytest.mark.long
async def test_tls_with_house_bots_behind_it_and_a_certificate_that_is_renewed(tmp_path: Path) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    shutil.copy(CERTIFICATE, cert)
    shutil.copy(KEY, key)
    trusted = ssl.create_default_context(cafile=str(CERTIFICATE))
    with server_process(tmp_path, "--tls-cert", str(cert), "--tls-key", str(key), house_bots=True) as server:
        assert server.url.startswith("wss://localhost:")
        async with open_socket(server.url, ssl=trusted) as client:
            await client.hello("anna")
            await bots(client)
        with pytest.raises(Exception, match=r"did not receive a valid HTTP|EOF|reset|closed"):
            async with open_socket(server.url.replace("wss:", "ws:")):
                pass
        port = int(server.url.rpartition(":")[2])
        before = await asyncio.to_thread(ssl.get_server_certificate, ("127.0.0.1", port))
        shutil.copy(RENEWED, cert)  # and not yet its key
        server.signal(signal.SIGHUP)
        await until(lambda: "the old one stays" in server.log())
        assert await asyncio.to_thread(ssl.get_server_certificate, ("127.0.0.1", port)) == before
        shutil.copy(RENEWED_KEY, key)
        server.signal(signal.SIGHUP)
        await until(lambda: "the certificate was read again" in server.log())
        assert await asyncio.to_thread(ssl.get_server_certificate, ("127.0.0.1", port)) != before
        assert server.stop() == 0
