"""A client that is disconnected at any message of a match reconnects, and the match is the same as without the cut.

In process: the client's session against the server's rooms.
"""

import json
from collections.abc import Container
from typing import Any

import attrs
import pytest
from tests.bots.rooms import fail
from tests.conversations.drivers import SECRET, stacked

from parlour_bots.play.player import SeatPlayer
from parlour_bots.sdk import BotSpec, Turn, bot_spec
from parlour_client.core.session import Session
from parlour_games.registry import games
from parlour_protocol.messages import ClientMessage, Create, Join, Joined, Plain, ServerMessage
from parlour_server.local import Local, Peer
from parlour_server.rooms.records import RoomOpened, parse
from parlour_server.rooms.state import State

DEAL = SECRET + "2a" * 32
"""The secret of every match here. Nonces are ignored."""
RANDOMNESS = stacked(DEAL, 0)
STEPS = ("act", "timeout", "timer", "job")


@attrs.frozen
class Case:
    """A kind of match: game, seats, options."""

    game: str
    seats: int
    options: Plain


UNO = Case("uno", 3, {"scoring": "single", "breath": 300})
MINES = Case("minesweeper", 2, {"mode": "duel", "level": "custom", "width": 8, "height": 8, "mines": 13})


@attrs.define
class FixedBot:
    """A deterministic bot that records its turns. Its answer depends on the request id only."""

    seat: int
    asked: list[Plain] = attrs.field(factory=list)

    def play(self, turn: Turn) -> Any:
        """Play the listed action, or open the closed cell, that the request id selects."""
        self.asked.append({"rid": turn.rid, "view": turn.view, "legal": turn.legal, "events": turn.events})
        choices: list[Any] = turn.legal or [cell for cell, char in enumerate("".join(turn.view["rows"])) if char == "."]
        plays = max(1, len(choices) - 1)  # leaves out the last one, to draw, so that rounds end
        return choices[turn.rid * (self.seat + 3) % plays]

    def may(self, turn: Turn) -> int | None:
        """Take reactions at the last seat only."""
        return 0 if self.seat == 2 else None

    def bot_spec(self, game: str) -> BotSpec:
        """Return a spec that always gives this bot."""
        return bot_spec(self, f"bot-{self.seat}", game, call_uno=False)


def outcome(lines: list[str]) -> list[Plain]:
    """Return the steps of a match with their events, and its result, from the log of a room."""
    first = parse(lines[0])
    assert isinstance(first, RoomOpened)
    state = State(first, games()[first.game], RANDOMNESS)
    told = []
    for line in lines:
        events = state.fold(parse(line), line)
        record = json.loads(line)
        if record["r"] in STEPS and state.match:
            step = {name: record.get(name) for name in ("r", "seat", "rid", "act")}
            told.append({**step, "events": state.match.redacted(events, None)})
        elif record["r"] == "over":
            told.append({name: record[name] for name in ("r", "ranks", "scores", "why")})
    return told


class Client:
    """A bot behind a session whose socket breaks at the messages in ``cuts``, counted in both directions from hello.

    The message is lost, together with all messages in transit to the client.
    """

    def __init__(self, server: Local, seat: int, game: str, cuts: Container[int] = ()) -> None:
        self.bot = FixedBot(seat)
        self.player = SeatPlayer(self.bot.bot_spec(game), 0, fail)
        self.session = Session(f"bot-{seat}", "bot", entropy=bytes)
        self.passed = 0
        """Messages that reached the socket, in both directions."""
        self.broken = 0
        """How often the socket broke."""
        self._server = server
        self._cuts = cuts
        self.peer = self._connect()

    def say(self, message: ClientMessage) -> None:
        """Send as an application does."""
        out = self.session.outgoing(message)
        if out is not None:
            self._send(out)

    def listen(self) -> bool:
        """Process received messages; return whether there were any. Lost ones are sent again."""
        due = len(self.peer.inbox)
        heard = due > 0
        while due:
            due -= 1
            if self._breaks():
                self._come_back()
                due = len(self.peer.inbox)
            elif not self._take(self.peer.inbox.popleft()):
                due = 0
        return heard

    def _take(self, message: ServerMessage) -> bool:
        """Process a message; return whether the socket is still open."""
        before = self.broken
        if not self.session.is_news(message):
            return True
        for reply in self.session.receive(message):
            self._send(reply)
        for act in self.player.receive(message):
            self.say(act)
        return self.broken == before

    def _send(self, message: ClientMessage) -> None:
        if self._breaks():
            self._come_back()
        else:
            self.peer.send(message)

    def _breaks(self) -> bool:
        self.passed += 1
        return self.passed - 1 in self._cuts

    def _come_back(self) -> None:
        """Lose the socket; greet on new ones until the room or at least the welcome has arrived."""
        self.peer.close()
        self.broken += 1
        broken = self.broken
        self.peer = self._connect()
        while self.broken == broken and self.peer.inbox and isinstance(self.peer.inbox[0], Joined):
            if self._breaks():
                self._come_back()
            else:
                self._take(self.peer.inbox.popleft())

    def _connect(self) -> Peer:
        while True:
            peer = self.peer = self._server.open(self.session.name)
            hello = self.session.hello()
            if not self._breaks():
                peer.send(hello)
                if not self._breaks():
                    self._take(peer.inbox.popleft())
                    return self.peer
            peer.close()
            self.broken += 1


@attrs.frozen
class Run:
    """A finished match."""

    happened: list[Plain]
    asked: list[list[Plain]]
    """The turns of each bot."""
    messages: int
    """Messages that passed the first client's socket."""
    broken: int


def play(case: Case, cut: int = 0, cuts: Container[int] = ()) -> Run:
    """Play the match; disconnect the client at seat ``cut`` at the messages in ``cuts``."""
    server = Local(1, randomness=RANDOMNESS)
    clients = []
    for seat in range(case.seats):
        clients.append(Client(server, seat, case.game, cuts if seat == cut else ()))
        enter = (
            Join(next(iter(server.log)))
            if seat
            else Create(case.game, case.options, seats=case.seats, clock=None, start="full")
        )
        clients[seat].say(enter)
        exchange(clients)
    while any(client.player.over is None for client in clients):
        assert server.step(), "no more answers"
        exchange(clients)
    assert not any(client.session.reports for client in clients)
    [lines] = server.log.values()
    return Run(
        outcome(lines),
        [client.bot.asked for client in clients],
        clients[cut].passed,
        clients[cut].broken,
    )


def exchange(clients: list[Client]) -> None:
    """Deliver messages until none is left."""
    while sum(client.listen() for client in clients):
        pass


@pytest.mark.parametrize(
    ("case", "seat"),
    [(UNO, 1), (MINES, 0), *(pytest.param(*each, marks=pytest.mark.long) for each in ((UNO, 0), (MINES, 1)))],
    ids=lambda each: getattr(each, "game", each),
)
def test_cut_at_any_message_does_not_change_the_match(case: Case, seat: int) -> None:
    whole = play(case, seat)
    assert len(whole.happened) > 20
    for at in range(whole.messages):
        check(play(case, seat, (at,)), whole, cuts=1)


@pytest.mark.parametrize("every", [9, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize("again", [1, 2, 3], ids=["hello", "welcome", "joined"])
def test_second_cut_while_reconnecting_does_not_change_the_match(again: int, every: int) -> None:
    whole = play(UNO, 1)
    for at in range(again, whole.messages, every):
        check(play(UNO, 1, (at, at + again)), whole, cuts=2)


def check(run: Run, whole: Run, cuts: int) -> None:
    assert run.broken == cuts
    assert run.happened == whole.happened
    assert run.asked == whole.asked, "who wrote the bot would notice"
