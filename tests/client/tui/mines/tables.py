"""Minesweeper tables for tests: a real server in process, and an app that holds nothing but a face of one seat."""

from collections.abc import Iterable
from typing import Any

from tests.client.tui.snapshots import lines
from textual.app import App, ComposeResult

from parlour_client.table import Room
from parlour_client.tui.glyphs import UNICODE
from parlour_client.tui.look import Look
from parlour_client.tui.mines.face import MinesFace
from parlour_client.tui.palette import DEFAULT
from parlour_games.minesweeper.actions import At
from parlour_protocol.messages import Act, Create, Error, Join, Joined, Plain, Ready, ServerMessage
from parlour_server.local import Local, Peer

TRUECOLOUR = Look(UNICODE, DEFAULT, "truecolour").cloth("minesweeper")


class Table:
    """A match on a real server. Seat 0 is called maria; ``rooms`` are what each seat knows."""

    def __init__(self, *, seats: int = 1, seed: int = 7, hints: bool = True, clock: Any = None, **options: Any) -> None:
        self.hall = Local(seed)
        names = ["maria", "otto", "pia", "kim", "lou", "ada", "bob", "cleo", "dan", "eve"][:seats]
        self.peers = [self.hall.connect(name, "human") for name in names]
        create = Create("minesweeper", options=options, seats=seats, hints=hints, clock=clock)
        self.rooms: dict[str, Room] = {}
        self.told: list[ServerMessage] = []
        self.peers[0].send(create)
        self.code = next(message.room for message in self.peers[0].inbox if isinstance(message, Joined))
        for peer in self.peers[1:]:
            peer.send(Join(self.code))
        for peer in self.peers:
            peer.send(Ready(self.code))
        self.hall.wait(100)

    def watch(self, name: str = "wim") -> Peer:
        """Return somebody who watches."""
        peer = self.hall.connect(name, "human")
        peer.send(Join(self.code, as_="spectator"))
        self.peers.append(peer)
        return peer

    def read(self, peer: Peer) -> Iterable[ServerMessage]:
        """Yield what ``peer`` has been told, after its room has taken it in."""
        while peer.inbox:
            message = peer.inbox.popleft()
            if isinstance(message, Joined):
                self.rooms[peer.name] = Room.of(message)
            elif peer.name in self.rooms:
                self.rooms[peer.name].apply(message)
            yield message

    def room(self, seat: int = 0) -> Room:
        """Return what a seat knows by now."""
        peer = self.peers[seat]
        list(self.read(peer))
        return self.rooms[peer.name]

    def act(self, seat: int, act: int | Plain) -> None:
        """Let a seat answer what it is asked."""
        room = self.room(seat)
        assert room.question, "nothing is asked of this seat"
        self.peers[seat].send(Act(self.code, room.question.rid, act))

    def open(self, seat: int, *cells: At) -> None:
        """Let a seat open cells."""
        self.act(seat, {"do": "open", "cells": [list(at) for at in cells]})

    @property
    def numbers(self) -> list[int]:
        """The board behind the cells, row by row; 9 and more are mines."""
        match = self.hall.lobby.rooms[self.code].room.match
        assert match
        return list(match.state.board.numbers)

    @property
    def mines(self) -> list[At]:
        """Where the mines are."""
        match = self.hall.lobby.rooms[self.code].room.match
        assert match
        width = match.state.shape.width
        return sorted((cell % width, cell // width) for cell in match.state.board.mines)

    def safe(self, seat: int = 0) -> list[At]:
        """Return the closed cells without a mine, as a seat's board stands."""
        rows, mines = (self.room(seat).view or {})["rows"], set(self.mines)
        return [
            (x, y) for y, row in enumerate(rows) for x, char in enumerate(row) if char == "." and (x, y) not in mines
        ]


class Sitting(App[int]):
    """A face on a screen of its own, at a seat of a table. ``delay``: acts stay under way until ``deliver``."""

    CSS = "Screen { background: $table; } MinesFace { height: 100%; }"

    def __init__(self, table: Table, seat: int = 0, look: Look = TRUECOLOUR, *, delay: bool = False) -> None:
        super().__init__(ansi_color=not look.coloured)
        self.table = table
        self.seat = seat
        self.look = look
        self.now = 0.0
        self.delay = delay
        self.acts: list[Plain | int] = []
        self.refusals: list[str] = []
        self._away: list[Act] = []
        self.face = MinesFace(look, now=lambda: self.now)
        self.register_theme(look.theme("parlour"))
        self.theme = "parlour"

    def compose(self) -> ComposeResult:
        yield self.face

    def on_mount(self) -> None:
        self.hear()

    def hear(self) -> None:
        """Take in what the server has told, as the screen of a room does."""
        peer = self.table.peers[self.seat]
        for message in self.table.read(peer):
            room = self.table.rooms[peer.name]
            if isinstance(message, Error):
                self.refusals.append(message.msg)
                self.face.refused(room, message.msg)
            if room.events and not isinstance(message, Error):
                self.face.tell(room, room.events)
            self.face.show(room)
        self.face.show(self.table.rooms[peer.name])

    def on_face_chosen(self, event: MinesFace.Chosen) -> None:
        self.acts.append(event.act)
        self.face.busy(event.rid)
        self._away.append(Act(self.table.code, event.rid, event.act))
        if not self.delay:
            self.deliver()

    def deliver(self) -> None:
        """Let the acts arrive, and the answers come back."""
        away, self._away = self._away, []
        for act in away:
            self.table.peers[self.seat].send(act)
            self.hear()
            self.face.busy(None)

    @property
    def said(self) -> str:
        """The words of the turn line."""
        return self.face.turn.words

    def board_lines(self) -> list[str]:
        """The lines of the board's place."""
        region = self.face.board.region
        return [line[region.x : region.right] for line in lines(self)[region.y : region.bottom]]
