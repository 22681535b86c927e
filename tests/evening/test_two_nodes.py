"""A scripted evening on two nodes with one PostgreSQL: the node with the room is killed in the middle."""

import asyncio
import json
from collections.abc import Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.evening.people import (
    QUICK,
    RULES,
    WATCH,
    Player,
    Spectator,
    allowed,
    file_of,
    in_background,
    invited,
    leaks,
    over,
    player,
    players,
    seated,
    waits,
)
from tests.nodes.processes import processes
from tests.nodes.test_contests import answer
from tests.support.server import ServerProcess
from tests.support.sockets import open_socket
from tests.support.waiting import until

from parlour_client.client import Refused
from parlour_protocol.codec import MSGPACK
from parlour_server.game_files.verify import verify

pytestmark = [pytest.mark.postgres, pytest.mark.node]
DELAY = 3_000
PEOPLE = {"anna": "one", "bert": "two", "cleo": "one", "dora": "two", "emil": "two", "finn": "two"}


@pytest.mark.long
async def test_an_evening_survives_the_node_that_has_its_room(tmp_path: Path, database: str) -> None:
    async with processes(tmp_path, database, "one", "two", house_bots=True) as at, AsyncExitStack() as stack:
        addresses = {name: at[node].url for name, node in PEOPLE.items()}
        people = await stack.enter_async_context(players(addresses))
        anna, bert, cleo, emil, finn = (people[name] for name in ("anna", "bert", "cleo", "emil", "finn"))
        opened = {"options": RULES, "seats": 7, "clock": QUICK, "delay": DELAY, "pace": 0}
        room = (await anna.ask("create", game="uno", **opened))["room"]
        code = {"room": room}
        walt, xena = Spectator(at["two"].url, "walt", room, MSGPACK), Spectator(at["one"].url, "xena", room)
        for spectator in (walt, xena):
            in_background(stack, spectator.watch())
        await anna.ask("ready", **code, ready=False)  # until all are there
        await until(lambda: allowed(bert.client.join(room), "no_room"))
        await until(lambda: [row["ready"] for row in anna.table["seats"]] == [False, True])
        # the first change of rules
        await anna.ask("configure", **code, options={**RULES, "jump_in": True}, seats=7, clock=QUICK)
        await until(lambda: bert.table["options"]["jump_in"])
        assert not any(row["ready"] for row in bert.table["seats"])
        for name in ("cleo", "dora", "emil"):
            await until(lambda name=name: allowed(people[name].client.join(room), "no_room"))  # type: ignore[misc]
        await until(lambda: allowed(finn.ask(**WATCH, room=room), "no_room"))
        await until(lambda: invited(anna, room, 2))
        for name in ("anna", "bert"):
            await people[name].ask("ready", **code)
        await until(lambda: bert.answers > 0)
        await anna.ask("presets", do="save", name="late", game="uno", options={**RULES, "stack2": True}, seats=7)
        # a seat is handed over, and who gave it waits for another
        seat = emil.client.seats[room].seat
        await finn.ask("handover", **code, seat=seat)
        await emil.ask("handover", **code, to="finn")
        await until(lambda: room in finn.client.seats and finn.client.seats[room].seat == seat)
        await emil.ask("queue", **code)
        await until(lambda: bert.table.get("queue") == ["emil"])
        answered = bert.answers
        assert bert.client.seats[room].state.over is None
        at["one"].kill()
        await until(lambda: walt.heard("joined")[-1]["epoch"] > 1)
        await until(lambda: bert.answers > answered)
        await asyncio.to_thread(at["one"].restart, same_port=True)
        await until(lambda: bert.client.seats[room].state.over is not None)
        first = await over(walt, 1)
        await until(lambda: ends(people.values(), room) == {first["digest"]})
        # the second change, by rules that were saved at the other node, and the third; the queue moves up
        await until(lambda: waits(emil, room))
        await anna.ask("manage", **code, do="host", name="bert")
        [late] = (await bert.ask("presets"))["presets"]
        for seats in (7, 8):
            await bert.ask("configure", **code, options=late["options"], seats=seats, clock=QUICK)
        await until(lambda: seated(bert.table, "emil"))
        daily = (await cleo.ask("daily", board="beginner", play=True))["room"]
        await bert.ask("start", **code)
        await until(lambda: cleo.client.seats[room].state.under_way)
        await cleo.client.close()  # and comes back at the other node
        second = await over(xena, 2)
        await over(walt, 2)
        async with player(at["two"].url, "cleo") as back:
            missed = (await back.ask("missed"))["matches"]
            assert second["digest"] in [match["digest"] for match in missed]
            await until(lambda: {room, daily} <= back.client.seats.keys())
            assert (await back.ask("daily", board="beginner"))["you"]["played"]
        await play_contest(at["one"], at["two"])  # it is rated, unlike matches between people of one address
        await same_stored(anna, bert, first["digest"])
        files = [await file_of(bert, each["digest"]) for each in (first, second)]
        for each, lines in zip((first, second), files, strict=True):
            assert verify(lines, each["digest"]).ok
        options = [json.loads(lines[0])["options"] for lines in files]
        assert [(each["jump_in"], each["stack2"]) for each in options] == [(True, False), (False, True)]
        assert {row["name"] for row in json.loads(files[1][0])["players"]} >= PEOPLE.keys()
        assert any('"r":"handed"' in line for line in files[0])
        for spectator in (walt, xena):
            assert all(bert.ended[digest] < moment for digest, moment in spectator.ended.items()), "they see it later"
            assert len(spectator.heard("update")) > 10
            assert leaks(spectator.notes, files) == []
        own = {"t": "update", "view": dict(bert.client.seats[room].view)}
        assert leaks([own], files), "the view of a player is no spectator's"


def ends(people: Iterable[Player], room: str) -> set[str | None]:
    """Return the digests of the last match that people have seen the end of."""
    overs = [each.client.seats[room].state.over for each in people]
    return {over.digest if over else None for over in overs}


async def play_contest(one: ServerProcess, two: ServerProcess) -> None:
    """Let a bot at each node meet in a contest, whose standings both nodes tell."""
    async with open_socket(one.url) as robo, open_socket(two.url) as byte, AsyncExitStack() as stack:
        for socket, name in ((robo, "robo"), (byte, "byte")):
            await socket.hello(name, "bot")
            await socket.ask("offer", "ok", games=["uno"], max=2)
            in_background(stack, answer(socket))
        async with player(one.url, "olga") as olga, player(two.url, "otto") as otto:
            contest = {"do": "contest", "name": "friday", "args": {"game": "uno", "options": RULES}}
            await until(lambda: allowed(olga.ask("admin", token=one.admin, **contest), "bad_options"))
            for each in (olga, otto):
                await until(lambda each=each: have_met(each))  # type: ignore[misc]


async def have_met(person: Player) -> bool:
    """Return whether both bots of the contest have played, as the person's node tells."""
    try:
        rows = (await person.ask("standings", contest="friday"))["rows"]
    except Refused as refused:
        if refused.code != "no_contest":
            raise
        return False
    return [row["games"] for row in rows] == [1, 1]


async def same_stored(anna: Player, bert: Player, digest: str) -> None:
    """Check that people at two nodes are told the same of what is stored, and can play on from a match."""
    asked: list[dict[str, Any]] = [
        {"t": "chain"},
        {"t": "daily", "board": "beginner"},
        {"t": "profile", "name": "robo"},
        {"t": "standings", "game": "uno"},
        {"t": "standings", "game": "uno", "ladder": "all"},
        {"t": "presets"},
        {"t": "file", "digest": digest, "views": True},
    ]
    for message in asked:
        one, two = [await each.ask(**message) for each in (anna, bert)]
        for volatile in ("re", "left", "you", "ago"):
            one.pop(volatile, None)
            two.pop(volatile, None)
        for row in (*one.get("presets", ()), *two.get("presets", ())):
            del row["mine"]
        assert one == two, message
        assert any(one.get(name) for name in ("links", "commit", "games", "rows", "presets", "lines")), message
    joined = await bert.ask("continue", digest=digest, act=3, seat=1)
    assert (joined["seat"], joined["table"]["fair"]["deal"]) == (1, "chosen")
