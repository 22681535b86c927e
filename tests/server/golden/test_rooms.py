"""Logs that older versions wrote fold to what they folded to then; no version is raised without keeping its logs.

``PARLOUR_GOLDEN=write pytest tests/server/golden`` writes those of the present versions of the rules and of rooms, if
they are not there; what is there is never written again. When a version is raised the old logs stay.
"""

import os
import random
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import attrs
import pytest
from tests.server.rooms.random_room import RandomRoom

from parlour_games.registry import AnyGame, games
from parlour_protocol import messages as m
from parlour_server.local import Local, Peer
from parlour_server.rooms.records import ROOM_VERSION, Begun, RoomOpened, canonical, parse
from parlour_server.rooms.room import replay
from parlour_server.rooms.state import State

FOLDER = Path(__file__).parent / "rooms"
UNO_STEPS = 200
TURNS = 40
CLOCK: m.Clock = {"bank": 5_000, "add": 1_000}
MODES: dict[str, tuple[int, m.Plain]] = {
    "solo": (1, {"level": "beginner"}),
    "race": (3, {"level": "beginner", "penalty": 1_000}),
    "coop": (2, {"level": "beginner", "lives": 3, "no_guess": True}),
    "duel": (2, {}),
}


def path_of(name: str, rules: int, room: int) -> Path:
    """Return where the log of room ``name`` under these versions is."""
    return FOLDER / f"{name}.rules-{rules}.room-{room}.jsonl"


def versions(path: Path) -> tuple[str, int, int]:
    """Return the game and the versions that the name of a log tells."""
    name, rules, room, _ = path.name.split(".")
    return name.partition("-")[0], int(rules.removeprefix("rules-")), int(room.removeprefix("room-"))


def missing(known: dict[str, AnyGame], room_version: int) -> list[str]:
    """Return which versions have no logs: each that there has been needs some."""
    found = {(game, rules) for game, rules, _ in map(versions, FOLDER.iterdir())}
    rooms = {room for *_, room in map(versions, FOLDER.iterdir())}
    wanted = [(game, rules) for game, each in known.items() for rules in range(1, each.rules_version + 1)]
    return [
        *(f"{game}: rules_version {rules}" for game, rules in wanted if (game, rules) not in found),
        *(f"ROOM_VERSION {number}" for number in range(1, room_version + 1) if number not in rooms),
    ]


def write() -> Iterator[Path]:
    """Write the logs of the present versions that are not there; yield their paths."""
    known = games()
    for name, make in ROOMS.items():
        path = path_of(name, known[name.partition("-")[0]].rules_version, ROOM_VERSION)
        if not path.exists():
            lines = make()
            path.write_text("\n".join([amount(lines), *lines, ""]))
            yield path


def amount(lines: list[str]) -> str:
    """Return a hash of what a log comes to, line by line: the first line of its file."""
    opened = parse(lines[0])
    assert isinstance(opened, RoomOpened)
    state, chain = State(opened, games()[opened.game]), sha256()
    for line in lines:
        state.fold(parse(line), line)
        chain.update(canonical(_amount(state)).encode())
    return chain.hexdigest()


def _amount(state: State) -> m.Plain:
    names = ("state", "host", "matches", "rids", "epoch", "at", "n", "first_line", "commit")
    found = {name: getattr(state, name) for name in names}
    found["seats"] = [seat and attrs.asdict(seat, filter=_is_told) for seat in state.seats]
    found["sent away"] = [sorted(state.muted), sorted(state.banned)]
    match = state.match
    if match is not None:
        clocks = [match.clocks.left(seat, state.at) for seat in range(len(match.begun.players))]
        asked = sorted([each.rid, each.seat, each.must, each.opened] for each in match.book.open.values())
        found["match"] = [match.fingerprint(), match.chain.hex(), clocks, asked, match.book.next_rid]
    return found


def _is_told(field: Any, value: Any) -> bool:
    """Whether a field of a seat is part of the amount: one that was added later is only if it is set."""
    return field.name != "style" or value is not None


def _uno(seed: int) -> list[str]:
    random_room = RandomRoom(seed)
    for _ in range(UNO_STEPS):
        random_room.step()
    return random_room.lines()


def _minesweeper(mode: str) -> list[str]:
    """Return the log of a room in which matches are played at random, with some patience."""
    rng, server = random.Random(mode), Local(1)
    seats, options = MODES[mode]
    peers = [server.connect(f"bot{number}") for number in range(seats)]
    peers[0].send(m.Create("minesweeper", {"mode": mode, **options}, seats=seats, clock=CLOCK, standin=False))
    (code,) = server.lobby.rooms.loaded
    for peer in peers[1:]:
        peer.send(m.Join(code))
    for _ in range(TURNS):
        _turn(server, code, peers, rng)
    return server.log[code]


def _turn(server: Local, code: str, peers: list[Peer], rng: random.Random) -> None:
    room = server.lobby.rooms.loaded[code].room
    if room.match is None:
        peers[0].send(m.Start(code))
        return
    server.wait(rng.choice((100, 300, 300, 900, 900, 900, 900, 7_000)))
    match = room.match
    if match is None or not match.book.open:
        return
    decision = rng.choice(sorted(match.book.open.values(), key=lambda each: each.seat))
    view = match.view(decision.seat)
    closed = [[x, y] for y, row in enumerate(view["rows"]) for x, char in enumerate(row) if char == "."]
    verb = "open" if view["mode"] == "duel" else rng.choice(("open", "open", "open", "flag"))
    peers[decision.seat].send(m.Act(code, decision.rid, {"do": verb, "cells": [rng.choice(closed)]}))


ROOMS: dict[str, Callable[[], list[str]]] = {
    **{f"uno-{seed}": partial(_uno, seed) for seed in (4, 90, 120)},
    **{f"minesweeper-{mode}": partial(_minesweeper, mode) for mode in MODES},
}

if os.environ.get("PARLOUR_GOLDEN") == "write":
    written = list(write())

LOGS = sorted(FOLDER.iterdir())


@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_log_of_the_versions_in_its_name_folds_to_what_it_came_to(path: Path) -> None:
    then, *lines = path.read_text().splitlines()
    assert amount(lines) == then, "a change of behaviour: raise the version and keep the old branch"
    game, rules, room = versions(path)
    records = [parse(line) for line in lines]
    opened = records[0]
    assert isinstance(opened, RoomOpened)
    assert (opened.game, opened.version) == (game, room)
    assert {(each.rules, each.room) for each in records if isinstance(each, Begun)} == {(rules, room)}


def test_logs_know_every_kind_of_record() -> None:
    kinds = {parse(line).r for path in LOGS for line in path.read_text().splitlines()[1:]}
    assert kinds == {
        "opened", "owned", "taken", "vacated", "control", "ready", "host", "ruled", "begun", "act", "timeout", "timer",
        "job", "over", "absent", "changed",
    }  # fmt: skip


def test_every_version_has_its_logs() -> None:
    assert missing(games(), ROOM_VERSION) == []


def test_version_that_is_raised_wants_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[str, AnyGame] = games()
    monkeypatch.setattr(type(known["uno"]), "rules_version", known["uno"].rules_version + 1)
    assert missing(known, ROOM_VERSION + 1) == [
        f"uno: rules_version {known['uno'].rules_version}",
        f"ROOM_VERSION {ROOM_VERSION + 1}",
    ]


def test_log_that_is_changed_comes_to_something_else() -> None:
    lines = LOGS[-1].read_text().splitlines()[1:]
    last = max(number for number, line in enumerate(lines) if '"r":"act"' in line)
    assert amount(lines[: last + 1]) != amount(lines[:last])
    assert replay(lines, games()["uno"]).state.n == len(lines)
