import asyncio
import json
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from tests.support.commands import printed
from tests.support.server import ServerProcess, server_process

from parlour_client.core.connection import Connection
from parlour_client.core.errors import OK, Refused, Usage
from parlour_client.core.queries import ask, lobby
from parlour_client.core.session import Session
from parlour_protocol.messages import Bye, Chat, Create, Join


@pytest.fixture(autouse=True)
def _token(server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_SERVER", server.url)
    monkeypatch.setenv("PARLOUR_ADMIN", server.admin)


async def admin(*words: str, code: int = OK) -> str:
    return await asyncio.to_thread(lambda: printed("admin", *words, code=code))


@asynccontextmanager
async def guest(server: ServerProcess, name: str) -> AsyncIterator[Connection]:
    async with Connection(server.url, Session(name, entropy=os.urandom)) as connection:
        await ask(connection, Join(server.room))
        yield connection


async def farewell(connection: Connection) -> str:
    [code] = [message.code async for message in connection if isinstance(message, Bye)]
    return code


async def test_ban_and_unban(server: ServerProcess) -> None:
    async with guest(server, "troll") as troll:
        assert await admin("ban", "TROLL") == "TROLL is banned.\n"
        assert await farewell(troll) == "banned"
        again = Session("troll", entropy=os.urandom, token=troll.session.token)
        with pytest.raises(Refused) as refused:
            await Connection(server.url, again).__aenter__()
        assert refused.value.code == "banned"
    await admin("unban", "troll")
    async with Connection(server.url, Session("x", entropy=os.urandom, token=troll.session.token)) as back:
        assert back.session.name == "troll"


async def test_mute_and_unmute(server: ServerProcess) -> None:
    async with guest(server, "parrot") as parrot:
        await admin("mute", "parrot")
        with pytest.raises(Refused) as refused:
            await ask(parrot, Chat(server.room, "hello"))
        assert refused.value.code == "muted"
        await admin("unmute", "parrot")
        await ask(parrot, Chat(server.room, "hello"))


async def test_delete_asks_and_is_told_as_json(server: ServerProcess) -> None:
    async with guest(server, "gone") as gone:
        assert "--yes" in await admin("delete", "gone", code=Usage.exit_code)
        told = await admin("delete", "gone", "--yes", "--json")
        assert json.loads(told) == {"server": server.url, "do": "delete", "name": "gone"}
        assert server.admin not in told
        assert await farewell(gone) == "deleted"


async def test_close_by_a_token_file(server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PARLOUR_ADMIN")
    (tmp_path / "token").write_text(server.admin)
    async with Connection(server.url, Session("host", entropy=os.urandom)) as host:
        code = (await ask(host, Create("uno"))).room
    assert await admin("close", code.lower(), "--token-file", str(tmp_path / "token")) == f"Room {code} is closed.\n"
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
async def test_what_the_server_refuses(words: list[str], told: str) -> None:
    said = await admin(*words, code=Refused.exit_code)
    assert told in said
    assert said.strip().isprintable()
    assert "guess-guess" not in said


async def test_who_only_asks_where_keys_are_required_leaves_nothing_behind(tmp_path: Path) -> None:
    with server_process(tmp_path, "--require-key") as server:
        for _ in range(3):
            assert (await lobby(server.url))["bots"] == []
        await admin("close", server.room, "--server", server.url, "--token", server.admin)
        server.stop()
        with closing(sqlite3.connect(server.store)) as db:
            assert db.execute("SELECT count(*) FROM identity").fetchone() == (0,)


async def test_drain_stops_the_server(tmp_path: Path) -> None:
    with server_process(tmp_path, "--require-key") as server:
        told = await admin("drain", "--server", server.url, "--token", server.admin)
        assert (told, server.wait()) == ("The server is shutting down.\n", 0)
        assert server.admin not in server.log()
