"""``parlour server`` against a real server."""

import asyncio
import json
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from tests.support.server import ServerProcess, server_process

from parlour_client.cli import main
from parlour_client.core.connection import Connection
from parlour_client.core.errors import OK, Refused, Usage
from parlour_client.core.queries import ask, lobby
from parlour_client.core.session import Session
from parlour_protocol.messages import Bye, Chat, Create, Join, ServerMessage


@pytest.fixture(autouse=True)
def _token(server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_SERVER", server.url)
    monkeypatch.setenv("PARLOUR_ADMIN", server.admin)


async def admin(*words: str) -> int:
    return await asyncio.to_thread(main.main, ("admin", *words))


@asynccontextmanager
async def guest(server: ServerProcess, name: str) -> AsyncIterator[Connection]:
    async with Connection(server.url, Session(name, entropy=os.urandom)) as connection:
        await ask(connection, Join(server.room))
        yield connection


async def rest(connection: Connection) -> list[ServerMessage]:
    return [message async for message in connection]


async def test_ban_and_unban(server: ServerProcess, capsys: pytest.CaptureFixture[str]) -> None:
    async with guest(server, "troll") as troll:
        assert await admin("ban", "TROLL") == OK
        assert capsys.readouterr().out == "TROLL is banned.\n"
        [*_, bye] = await rest(troll)
        assert isinstance(bye, Bye)
        assert bye.code == "banned"
        again = Session("troll", entropy=os.urandom, token=troll.session.token)
        with pytest.raises(Refused) as refused:
            await Connection(server.url, again).__aenter__()
        assert refused.value.code == "banned"
    assert await admin("unban", "troll") == OK
    async with Connection(server.url, Session("x", entropy=os.urandom, token=troll.session.token)) as back:
        assert back.session.name == "troll"


async def test_mute_and_unmute(server: ServerProcess) -> None:
    async with guest(server, "parrot") as parrot:
        assert await admin("mute", "parrot") == OK
        with pytest.raises(Refused) as refused:
            await ask(parrot, Chat(server.room, "hello"))
        assert refused.value.code == "muted"
        assert await admin("unmute", "parrot") == OK
        await ask(parrot, Chat(server.room, "hello"))


async def test_delete_asks_and_is_told_as_json(server: ServerProcess, capsys: pytest.CaptureFixture[str]) -> None:
    async with guest(server, "gone") as gone:
        assert await admin("delete", "gone") == Usage.exit_code
        assert "--yes" in capsys.readouterr().err
        assert await admin("delete", "gone", "--yes", "--json") == OK
        told = capsys.readouterr().out
        assert json.loads(told) == {"server": server.url, "do": "delete", "name": "gone"}
        assert server.admin not in told
        assert [message.code for message in await rest(gone) if isinstance(message, Bye)] == ["deleted"]


async def test_close_by_a_token_from_a_file(
    server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PARLOUR_ADMIN")
    (tmp_path / "token").write_text(server.admin)
    async with Connection(server.url, Session("host", entropy=os.urandom)) as host:
        code = (await ask(host, Create("uno"))).room
    assert await admin("close", code.lower(), "--token-file", str(tmp_path / "token")) == OK
    assert capsys.readouterr().out == f"Room {code} is closed.\n"
    assert code not in {row["room"] for row in (await lobby(server.url))["rooms"]}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["ban", "nobody"], "'nobody'"),
        (["mute", "\x1b[2J"], "[2J"),
        (["close", "ZZZZ"], "'ZZZZ'"),
        (["ban", "troll", "--token", "guess-guess"], "The token came from --token; the right one"),
    ],
)
async def test_what_the_server_refuses(words: list[str], told: str, capsys: pytest.CaptureFixture[Any]) -> None:
    assert await admin(*words) == Refused.exit_code
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert err.strip().isprintable()
    assert "guess-guess" not in err


async def test_who_only_asks_where_keys_are_required_leaves_nothing_behind(tmp_path: Path) -> None:
    with server_process(tmp_path, "--require-key") as server:
        for _ in range(3):
            assert (await lobby(server.url))["bots"] == []
        assert await admin("close", server.room, "--server", server.url, "--token", server.admin) == OK
        server.stop()
        with closing(sqlite3.connect(server.store)) as db:
            assert db.execute("SELECT count(*) FROM identity").fetchone() == (0,)


async def test_drain_stops_the_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with server_process(tmp_path, "--require-key") as server:
        assert await admin("drain", "--server", server.url, "--token", server.admin) == OK
        assert server.wait() == 0
        assert capsys.readouterr().out == "The server is shutting down.\n"
        assert server.admin not in server.log()
