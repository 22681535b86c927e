import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from tests.support.commands import printed
from tests.support.server import server_process

from parlour_client import line_mode
from parlour_client.cli import frontend, params, rooms
from parlour_client.cli.main import main
from parlour_client.core import queries
from parlour_client.core.connection import Connection
from parlour_client.core.queries import ask
from parlour_client.core.session import Session
from parlour_client.core.url import DEFAULT_URL
from parlour_client.play.entry import Entry
from parlour_protocol.messages import Clock, Create, Join, Leave, SeatsChanged, Start, Turn, Update

TWO_DAYS: Any = dict.fromkeys(("bank", "add", "cap"), 172_800_000)
FOUND: dict[str, Any] = {
    "server": "ws://localhost:7777",
    "rooms": [
        {"room": "K7QD", "game": "uno", "state": "waiting", "seats": 4, "taken": 1, "kinds": "any", "host": "maria"},
        {"room": "B2CD", "game": "uno", "state": "playing", "seats": 2, "taken": 2, "kinds": "bots", "host": None},
        {"room": "WATC", "game": "uno", "state": "waiting", "seats": 4, "taken": 3, "kinds": "any", "host": "otto",
         "rules": ["172800 s a turn"], "options": {"stack2": True}, "clock": TWO_DAYS,
         "players": [{"name": name, "kind": "bot" if name == "eve" else "human"} for name in ("eve", "otto", "paul")]},
    ],
    "bots": [{"name": "ada\x1b[2J", "games": ["uno"], "free": 3}, {"name": "busy", "games": ["uno"], "free": 0}],
}  # fmt: skip


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The entries that the line mode gets from the verbs, and what they ask of the lobby."""
    calls: list[Any] = []

    async def run_room(way: Any) -> int:
        async with way as entry:
            calls.append(entry)
        return 5

    async def found(*args: Any) -> dict[str, Any]:
        calls.append(args)
        return FOUND

    monkeypatch.setattr(line_mode, "run_room", run_room)
    monkeypatch.setattr(queries, "lobby", found)
    for name in ("PARLOUR_SERVER", "PARLOUR_NAME", "PARLOUR_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LOGNAME", "José da Silva")
    return calls


LOGIN: dict[str, Any] = {"name": "José-da-Silva", "own_name": False}
"""A name that is guessed from the login."""
AGREED = {"mode": "race", "no_guess": True, "lives": 3}
RACE = ["--option", "mode=race", "--option", "no-guess=yes", "--option", "lives=3"]


@pytest.mark.parametrize(
    ("words", "entry"),
    [
        (["join", "K7QD"], Entry(DEFAULT_URL, Join("K7QD"), **LOGIN, look=True)),
        (
            ["join", "K7QD", "--server", "10.0.0.4", "--name", "maria", "--key", "secret", "--once", "--plain"],
            Entry("10.0.0.4", Join("K7QD"), "maria", key="secret", once=True, look=True),
        ),
        (["watch", "K7QD", "--name", "maria"], Entry(DEFAULT_URL, Join("K7QD", "spectator"), "maria")),
        (["create"], Entry(DEFAULT_URL, Create("uno", {}), **LOGIN)),
        (["create", "--clock", "2d/turn"], Entry(DEFAULT_URL, Create("uno", {}, clock=TWO_DAYS), **LOGIN)),
        (["create", "--clock", "none"], Entry(DEFAULT_URL, Create("uno", {}, clock=None), **LOGIN)),
        (
            ["create", "minesweeper", *RACE, "--seats", "5", "--private", "--no-clock", "--name", "maria"],
            Entry(DEFAULT_URL, Create("minesweeper", AGREED, seats=5, private=True, clock=None), "maria"),
        ),
    ],
)
def test_words_become_an_entry(called: list[Any], words: list[str], entry: Entry) -> None:
    assert main(words) == 5
    assert called == [entry]


@pytest.mark.parametrize("verb", ["join", "watch"])
def test_a_link_tells_room_and_server(verb: str, called: list[Any]) -> None:
    assert main([verb, "https://play.example.org/a/r/K7QD/", "--server", "elsewhere", "--name", "maria"]) == 5
    assert (called[0].url, called[0].enter.room) == ("https://play.example.org/a/", "K7QD")


@pytest.mark.parametrize("words", [["2d/turn", "--no-clock"], ["none", "--no-clock"], ["soon"]])
def test_a_clock_that_is_none_is_refused(called: list[Any], words: list[str]) -> None:
    assert main(["create", "--clock", *words]) == 2
    assert called == []


def test_rooms_are_listed_for_a_person_and_for_a_machine(called: list[Any]) -> None:
    assert printed("rooms", "--game", "uno").splitlines() == [
        "K7QD  uno  waiting  1/4 seats  host maria",
        "B2CD  uno  playing  2/2 seats  bots only",
        "WATC  uno  waiting  3/4 seats  otto (host), paul, eve (bot)  Draw two on draw two; clock 2 d a turn",
        "Bots to invite: ada�[2J (uno)",
    ]
    assert called == [("ws://localhost:7777", "uno")]
    assert rooms._lobby_lines({"server": "ws://x:1", "rooms": [], "bots": []}) == [("", "No open rooms on ws://x:1.")]
    found = json.loads(printed("rooms", "--json"))
    assert [row["room"] for row in found["rooms"]] == ["K7QD", "B2CD", "WATC"]


@pytest.mark.parametrize(
    ("login", "name"),
    [("maria", "maria"), ("-_x y", "x-y"), ("日本", "日本"), ("…", "guest"), ("a" * 30, "a" * 20), ("\x1b[2J", "2J")],
)
def test_a_name_is_made_from_the_login(login: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_client.cli.params.getuser", lambda: login)
    assert params.login_name() == name


@pytest.mark.parametrize("fault", [KeyError, OSError, ImportError])
def test_nobody_is_logged_in(fault: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_client.cli.params.getuser", Mock(side_effect=fault))
    assert params.login_name() == "guest"


def test_host_opens_a_room_on_a_server_or_on_one_of_its_own(called: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ["host", "uno", "--seats", "3", "--option", "target=200", "--name", "maria"]
    assert main([*wanted, "--server", "10.0.0.4"]) == 5
    wanted_room = Create("uno", {"target": 200}, seats=3)
    assert called.pop() == Entry("10.0.0.4", wanted_room, "maria")

    @asynccontextmanager
    async def hosting(*given: Any, **how: Any) -> AsyncIterator[Any]:
        called.append((*given, how))
        yield "entry"

    monkeypatch.setattr(frontend, "hosting", hosting)
    assert main([*wanted, "--ssh", "2222"]) == 5
    (request, how), entry = called
    assert (request, how["ssh"], how["name"], entry) == (wanted_room, "2222", "maria", "entry")


DAY: Clock = {"bank": 86_400_000, "add": 86_400_000, "cap": 86_400_000}
KEYS = {"anna": "ab" * 32, "bert": "cd" * 32}


async def two_matches(url: str) -> list[str]:
    """Begin two matches of anna and bert over days, let anna go, and bert leave the first one for good."""
    anna, bert = (Connection(url, Session(name, entropy=os.urandom, key=key)) for name, key in KEYS.items())
    rooms = []
    async with bert:
        async with anna:
            for _ in range(2):
                rooms.append((await ask(bert, Create("uno", {}, seats=2, clock=DAY, standin=False))).room)
                await ask(anna, Join(rooms[-1]))
                await bert.send(Start(rooms[-1]))
                async for message in anna:
                    if isinstance(message, Turn | Update):
                        break
        async for message in bert:  # the server may hear of anna's going later than of what bert does next
            if isinstance(message, SeatsChanged) and message.room == rooms[0] and not message.table["seats"][1]["here"]:
                break
        await ask(bert, Leave(rooms[0]))
    return rooms


def test_own_games_and_missed_ends(tmp_path: Path) -> None:
    with server_process(tmp_path) as running:
        over, going = asyncio.run(two_matches(running.url))
        where = ("rooms", "--mine", "--server", running.url, "--name")
        found = json.loads(printed(*where, "anna", "--key", KEYS["anna"], "--json"))
        states = {room["room"]: (room["game"], room["seat"], room["state"]) for room in found["rooms"]}
        assert states == {over: ("uno", 1, "finished"), going: ("uno", 1, "playing")}
        assert [match["room"] for match in found["missed"]] == [over]
        told = printed(*where, "anna", "--key", KEYS["anna"])
        codes = [line.split()[0] for line in told.splitlines()]
        assert (codes.count(over), codes.count(going)) == (2, 1)
        assert found["missed"][0]["digest"] in told
        assert len(printed(*where, "cleo").splitlines()) == 1
