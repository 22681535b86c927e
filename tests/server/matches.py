"""Matches played at random in process, with all that happens at tables, and the match files they leave behind."""

import json
from collections.abc import Callable, Iterable
from functools import lru_cache
from random import Random
from typing import Any

import attrs
from tests.server.local_server import NAMES, StrictLocal, house_bot

from parlour_protocol import messages as m
from parlour_server.local import Peer
from parlour_server.rooms.records import canonical, game_file, link

WATCHER = "walt"
HOUSE = "hal"
STEPS = 20_000
"""In which a match has to end."""
UNO: list[m.Plain] = [
    {"scoring": "single"},
    {"target": 60, "pause": 5_000},
    {"preset": "family", "scoring": "single"},
    {"preset": "chaos", "target": 40, "breath": 400},
    {"scoring": "elimination", "target": 40, "no_bluff": True},
]
MINES: list[m.Plain] = [
    {"mode": "solo", "level": "custom", "width": 7, "height": 5, "mines": 5},
    {"mode": "solo", "level": "custom", "width": 8, "height": 8, "mines": 8, "no_guess": True},
    {"mode": "race", "level": "custom", "width": 6, "height": 6, "mines": 4},
    {"mode": "coop", "level": "custom", "width": 8, "height": 6, "mines": 6, "lives": 3},
    {"mode": "coop", "level": "custom", "width": 6, "height": 5, "mines": 10, "lives": 3, "kind": True, "first": "any"},
    {"mode": "duel"},
]
OPTIONS: dict[str, list[m.Plain]] = {"uno": UNO, "minesweeper": MINES}
"""Those of other games are the defaults."""
SEATS = {"solo": 1, "duel": 2, "fourinarow": 2}
CLOCKS: list[Any] = [None, {"bank": 5_000, "add": 2_000}]


@attrs.frozen
class Played:
    """A match that is over: its file, and what each viewer was told since before it began."""

    game: str
    lines: list[str]
    digest: str
    heard: dict[int | None, list[m.ServerMessage]]
    steady: set[int | None]
    """The viewers that were there all the time."""

    @property
    def log(self) -> list[str]:
        """The lines of the room's log behind the file."""
        records = [json.loads(line) for line in self.lines]
        return [canonical({name: value for name, value in each.items() if name != "h"}) for each in records]


@attrs.define
class Player:
    peer: Peer
    heard: list[m.ServerMessage] = attrs.field(factory=list)
    open: dict[int, list[m.Plain] | None] = attrs.field(factory=dict)
    """What it is asked, and what it may do: rid → list of actions, None for a grid."""
    view: m.Plain = attrs.field(factory=dict)
    steady: bool = True
    left: bool = False
    """Whether it has given up its seat."""
    over: m.Over | None = None

    def listen(self) -> None:
        while self.peer.inbox:
            message = self.peer.inbox.popleft()
            self.heard.append(message)
            if isinstance(message, m.Joined | m.Update | m.Turn):
                kept = self.open if isinstance(message, m.Update) else {}
                answered = (getattr(message, "ok", None) or {}).get("rid")
                kept = {rid: legal for rid, legal in kept.items() if rid != answered}
                self.open = kept | {offer["rid"]: offer["legal"] for offer in message.may}
                self.view = message.view or {}
            if isinstance(message, m.Turn):
                self.open[message.rid] = message.legal
            elif isinstance(message, m.Error):
                self.open.pop(message.rid or 0, None)
            elif isinstance(message, m.Over):
                self.over, self.open = message, {}

    def act(self, room: str, rng: Random) -> None:
        rid = rng.choice(sorted(self.open))
        legal = self.open.pop(rid)
        act = rng.choice(legal) if legal else _on_a_grid(self.view, rng)
        if rng.random() < 0.003:
            act = {"do": "resign"}
        self.peer.send(m.Act(room, rid, act, why=f"because {rng.random()}" if rng.random() < 0.2 else None))


@lru_cache(maxsize=64)  # many tests look at the same matches
def play(game: str, seed: int, *, trouble: bool = True) -> Played:
    """Play one match. ``trouble``: people are slow, go, come back and leave for good."""
    return _Evening(game, seed, trouble).match()


class _Evening:
    def __init__(self, game: str, seed: int, trouble: bool) -> None:
        self.rng = rng = Random(f"{game} {seed}")
        self.game = game
        self.trouble = trouble
        self.local = StrictLocal(seed)
        options = rng.choice(OPTIONS.get(game, [{}]))
        seats = SEATS.get(options.get("mode", game), rng.randint(2, 4))
        kinds: list[m.Kind] = ["human", "bot"]
        self.players = [Player(self.local.connect(name, rng.choice(kinds))) for name in NAMES[:seats]]
        clock = rng.choice(CLOCKS) if trouble else None
        self.players[0].peer.send(m.Create(game, options, seats=seats, clock=clock, standin=rng.random() < 0.5))
        joined = self.players[0].peer.inbox[0]
        assert isinstance(joined, m.Joined), joined
        self.room = joined.room
        for player in self.players[1:]:
            player.peer.send(m.Join(self.room))
        self.watcher = Player(self.local.connect(WATCHER, "human"))
        self.watcher.peer.send(m.Join(self.room, "spectator"))
        self.crowd = [*self.players, self.watcher]
        if trouble and rng.random() < 0.5:
            self.crowd.append(Player(house_bot(self.local, HOUSE)))
        for player in self.crowd:
            player.peer.inbox.clear()
        if rng.random() < 0.5:
            self.players[-1].peer.send(m.Ready(self.room, nonce=rng.randbytes(32).hex()))

    def match(self) -> Played:
        self.players[0].peer.send(m.Start(self.room))
        for _ in range(STEPS):
            for player in self.crowd:
                player.listen()
            if self.watcher.over is not None:
                return self._played(self.watcher.over.digest)
            self._step()
        raise AssertionError(f"{self.game} goes on for ever")

    def _step(self) -> None:
        rng, chance = self.rng, self.rng.random()
        asked = [player for player in self.crowd if player.open]
        if self.trouble and chance < 0.02:
            self._trouble(rng.choice(self.players))
        elif self.trouble and chance < 0.1:
            self.local.wait(rng.randrange(3_000))
        elif asked:
            rng.choice(asked).act(self.room, rng)
        else:
            assert self.local.step(), "nothing can happen any more"

    def _trouble(self, player: Player) -> None:
        do: Callable[[Player], None] = self.rng.choice([self._lose, self._lose, self._ready, self._more_time, self._go])
        if not player.left:
            do(player)

    def _lose(self, player: Player) -> None:
        player.steady, player.open = False, {}
        player.peer.close()
        self.local.wait(self.rng.choice([100, 40_000]))
        player.peer = self.local.connect(player.peer.name, "human", token=player.peer.token)

    def _ready(self, player: Player) -> None:
        player.peer.send(m.Ready(self.room))

    def _more_time(self, player: Player) -> None:
        self.players[0].peer.send(m.Manage(self.room, "addtime", player.peer.name))

    def _go(self, player: Player) -> None:
        if self.rng.random() < 0.3 and len([each for each in self.players if each.steady]) > 1:
            player.steady, player.left, player.open = False, True, {}
            player.peer.send(m.Leave(self.room))

    def _played(self, digest: str) -> Played:
        [saved] = self.local.matches
        log = self.local.log[self.room][saved.match.first : saved.match.last + 1]
        viewers: list[tuple[int | None, Player]] = [*enumerate(self.players), (None, self.watcher)]
        return Played(
            self.game,
            list(game_file(log)),
            digest,
            {seat: player.heard for seat, player in viewers},
            {seat for seat, player in viewers if player.steady},
        )


def _on_a_grid(view: m.Plain, rng: Random) -> Any:
    rows: list[str] = view["rows"]
    closed = [(x, y) for y, row in enumerate(rows) for x, char in enumerate(row) if char == "."]
    if not closed or rng.random() < 0.1:
        x, y = rng.randrange(len(rows[0])), rng.randrange(len(rows))
        return {"do": rng.choice(["open", "flag", "unflag", "chord"]), "cells": [[x, y]]}
    x, y = rng.choice(closed)
    return y * len(rows[0]) + x


def rehashed(lines: Iterable[str]) -> list[str]:
    """Return the lines with a chain of hashes made anew, as somebody would who wants to deceive."""
    chain, made = b"", []
    for line in lines:
        fields = json.loads(line)
        fields.pop("h", None)
        chain = link(chain, canonical(fields))
        made.append(canonical({**fields, "h": chain.hex()}))
    return made
