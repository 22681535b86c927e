"""A client that is cut off at any message of a match, either way, comes back, and the match is the same as without.

In process: the client's own session against the server's own rooms, nothing between them but the cut.
"""

from collections.abc import Container

import attrs
import pytest
from tests.conversations.drivers import stacked
from tests.returning.matches import DEAL, MINES, UNO, Case, Steady, fail, story

from parlour_bots.play.player import Player
from parlour_client.core.session import Session
from parlour_protocol.messages import ClientMessage, Create, Join, Joined, Plain, ServerMessage
from parlour_server.local import Local, Peer

RANDOMNESS = stacked(DEAL, 0)


class Client:
    """A bot behind a session whose socket breaks at the messages in ``cuts``, counted both ways from hello on.

    The message is lost, and with it all that is on its way to the client.
    """

    def __init__(self, hall: Local, seat: int, game: str, cuts: Container[int] = ()) -> None:
        self.bot = Steady(seat)
        self.player = Player(self.bot.bot_spec(game), 0, fail)
        self.session = Session(f"bot-{seat}", "bot", entropy=bytes)
        self.passed = 0
        """Messages that have come as far as the socket, either way."""
        self.broken = 0
        """How often the socket broke."""
        self._hall = hall
        self._cuts = cuts
        self.peer = self._connect()

    def say(self, message: ClientMessage) -> None:
        """Send as an application does."""
        out = self.session.outgoing(message)
        if out is not None:
            self._send(out)

    def listen(self) -> bool:
        """Take in what has come by now; return whether it was anything. What is lost meanwhile comes again."""
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
        """Take in a message; return whether the socket still stands."""
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
        """Lose the socket; greet on new ones until the room, or at least the welcome, has arrived."""
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
            peer = self.peer = self._hall.open(self.session.name)
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
    """A match that is over."""

    happened: list[Plain]
    asked: list[list[Plain]]
    """What each bot was asked."""
    messages: int
    """How many passed the first client's socket."""
    broken: int


def play(case: Case, cut: int = 0, cuts: Container[int] = ()) -> Run:
    """Play the match, the client at seat ``cut`` being cut off at the messages in ``cuts``."""
    hall = Local(1, randomness=RANDOMNESS)
    clients = []
    for seat in range(case.seats):
        clients.append(Client(hall, seat, case.game, cuts if seat == cut else ()))
        enter = (
            Join(next(iter(hall.log)))
            if seat
            else Create(case.game, case.options, seats=case.seats, clock=None, start="full")
        )
        clients[seat].say(enter)
        exchange(clients)
    while any(client.player.over is None for client in clients):
        assert hall.step(), "nobody answers any more"
        exchange(clients)
    assert not any(client.session.reports for client in clients)
    [lines] = hall.log.values()
    return Run(
        story(lines, RANDOMNESS),
        [client.bot.asked for client in clients],
        clients[cut].passed,
        clients[cut].broken,
    )


def exchange(clients: list[Client]) -> None:
    """Let messages pass until none is left."""
    while sum(client.listen() for client in clients):
        pass


@pytest.mark.parametrize("case", [UNO, MINES], ids=lambda case: case.game)
@pytest.mark.parametrize("seat", [0, 1])
def test_wherever_a_client_is_cut_off_the_match_is_the_same(case: Case, seat: int) -> None:
    whole = play(case, seat)
    assert len(whole.happened) > 20
    for at in range(whole.messages):
        check(play(case, seat, (at,)), whole, cuts=1)


@pytest.mark.parametrize("again", [1, 2, 3], ids=["hello", "welcome", "joined"])
def test_it_may_be_cut_off_again_while_it_comes_back(again: int) -> None:
    whole = play(UNO, 1)
    for at in range(again, whole.messages, 3):
        check(play(UNO, 1, (at, at + again)), whole, cuts=2)


def check(run: Run, whole: Run, cuts: int) -> None:
    assert run.broken == cuts
    assert run.happened == whole.happened
    assert run.asked == whole.asked, "who wrote the bot would notice"
