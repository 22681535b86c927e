"""The house bots' process: what it is told, that it ends with the server, that it is started again."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from tests.support.processes import children, gone
from tests.support.waiting import PATIENCE, EarlyTimeout, limit, until

from parlour_bots.loading import find
from parlour_protocol.errors import Denied
from parlour_protocol.messages import Hello
from parlour_server import children as child_processes
from parlour_server.children import HOUSE_BOTS, LONGEST_PAUSE, HouseBot, keep_child, keep_house_bots, name_at
from parlour_server.directory.identities import Identities, check_name
from parlour_server.metrics import Metrics
from parlour_server.settings import ServerSettings

Stand = Callable[[str], Path]


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stand:
    """Let a shell script play the bots; it says something by writing to the file that is returned.

    It leaves no process of its own behind: asyncio, cancelled while it starts one, waits for the end of all its pipes.
    """

    def play(script: str) -> Path:
        path, said = tmp_path / "bots", tmp_path / "said"
        os.mkfifo(said)
        path.write_text(f"#!/bin/sh\nSAID='{said}'\n{script}\n")
        path.chmod(0o755)
        monkeypatch.setattr(child_processes, "module_command", lambda *words: [str(path), *words])
        return said

    return play


@asynccontextmanager
async def kept(known: Identities) -> AsyncIterator[None]:
    task = asyncio.create_task(keep_house_bots("ws://localhost:1234", known.ticket, Metrics(), ServerSettings(pace=2)))
    yield
    task.cancel()
    async with limit(PATIENCE, "the end of the house bots"):
        await asyncio.gather(task, return_exceptions=True)


def identities() -> Identities:
    return Identities(os.urandom, ServerSettings())


async def hear(said: Path) -> str:
    async with asyncio.timeout(PATIENCE):
        return await asyncio.to_thread(said.read_text)


async def test_bots_are_told_where_to_go_and_get_a_ticket_each(stand_in: Stand) -> None:
    said = stand_in('{ echo "$@"; head -1; } >"$SAID"; exec cat >/dev/null')
    async with kept(known := identities()):
        arguments, line = (await hear(said)).splitlines()
    assert arguments == "parlour_bots.hosting.house_bots"
    orders = json.loads(line)
    assert (orders["url"], orders["pace"]) == ("ws://localhost:1234", 2)
    told = {ticket["name"]: (ticket["bot"], ticket["tempo"]) for ticket in orders["tickets"]}
    assert told == {name: (house.bot, house.tempo) for name, house in HOUSE_BOTS.items()}
    for ticket in orders["tickets"]:
        hello = Hello("somebody", "bot", ticket=ticket["ticket"])
        identity, _ = known.greet(hello)
        assert (identity.name, identity.kind, identity.house) == (ticket["name"], "bot", True)
        with pytest.raises(Denied):
            known.greet(hello)


async def test_bots_end_with_the_server(stand_in: Stand) -> None:
    said = stand_in('echo $$ >"$SAID"; exec cat >/dev/null')
    async with kept(identities()):
        child = int(await hear(said))
        assert not gone(child)
    assert gone(child)


async def test_bots_whose_server_ends_while_they_are_begun_end_too(stand_in: Stand) -> None:
    said = stand_in("""exec 3<&0; cat <&3 >/dev/null & echo $! >"$SAID"; wait""")
    others = children(os.getpid())
    async with kept(identities()):
        await until(lambda: children(os.getpid()) != others, every=0)
        child = int(said.read_text())  # nothing else goes on meanwhile: asyncio has not yet done its part
    await until(lambda: gone(child))


async def test_bots_that_do_not_want_to_end_are_killed(stand_in: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_processes, "STOPS_WITHIN", 0.05)
    monkeypatch.setattr(asyncio, "timeout", EarlyTimeout.after)
    said = stand_in("""trap '' TERM; echo $$ >"$SAID"; while :; do read -r line <"$SAID"; done""")
    async with kept(identities()):
        child = int(await hear(said))
    assert gone(child)


async def test_bots_that_die_are_started_again_less_and_less_eagerly_unless_they_have_lasted(
    stand_in: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in("exit 1")
    pauses: list[float] = []
    now = 0.0

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 10:
            raise asyncio.CancelledError

    def clock() -> float:
        nonlocal now
        now += LONGEST_PAUSE + 1 if len(pauses) == 8 else 0
        return now

    monkeypatch.setattr("parlour_server.children.asyncio.sleep", sleep)
    metrics = Metrics()
    with capture_logs() as logs, pytest.raises(asyncio.CancelledError):
        await keep_child("house_bots", "bots", dict, metrics, clock=clock)
    assert pauses == [1, 2, 4, 8, 16, 32, LONGEST_PAUSE, LONGEST_PAUSE, 1, 2]
    assert [entry["again_in_seconds"] for entry in logs] == pauses
    assert metrics.down == {"house_bots"}


async def test_bots_that_do_not_listen_are_started_again(stand_in: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in("exec <&-; exit 0")
    monkeypatch.setattr(
        child_processes, "HOUSE_BOTS", {f"bot{number}": HouseBot("x" * 1_000) for number in range(1_000)}
    )

    async def sleep(_: float) -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr("parlour_server.children.asyncio.sleep", sleep)
    with capture_logs() as logs, pytest.raises(asyncio.CancelledError):
        await keep_house_bots("ws://localhost:1", identities().ticket, Metrics(), ServerSettings())
    assert [entry["what"] for entry in logs] == ["house_bots"]


def test_bots_fill_a_table_of_ten_in_each_game_and_the_first_differ() -> None:
    by_game: dict[str, list[HouseBot]] = {}
    for _, house in sorted(HOUSE_BOTS.items()):
        by_game.setdefault(find(house.bot).game, []).append(house)
    assert {game: len(bots) for game, bots in by_game.items()} == {"uno": 9, "minesweeper": 9}
    for bots in by_game.values():
        assert len({(house.bot, house.tempo) for house in bots[:4]}) == 4


def test_bots_of_nodes_have_names_of_their_own() -> None:
    assert name_at("", "ada") == "ada"
    assert name_at("a", "ada") == "ada-a"
    nodes = ["a", "parlour-0", "parlour-1", *(f"parlour-{n}.parlour.games.svc.cluster.local" for n in range(2))]
    names = [name_at(node, bot) for node in nodes for bot in HOUSE_BOTS]
    assert len({name.lower() for name in names}) == len(names)
    for name in names:
        check_name(name)
