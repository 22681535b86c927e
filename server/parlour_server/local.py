"""A server in process, under a virtual clock: no sockets, no threads, no real time.

For the arena, practice, replays and tests. Everything goes through the same lobby as on the network. Effects are
carried out before ``send`` returns, and every appended line is kept.
"""

import heapq
import random  # noqa: TID251 - the one seeded source of codes, tokens and secrets here
from collections import deque

import attrs

from parlour_games.fair import Fair
from parlour_games.registry import AnyGame, games
from parlour_protocol.messages import ClientMessage, Hello, Kind, ServerMessage, Welcome
from parlour_protocol.wire import plain
from parlour_server import effects, persistence
from parlour_server.directory.room_creation import new_code
from parlour_server.effects import Effect
from parlour_server.lobby.lobby import Lobby
from parlour_server.rooms.effects import Compute
from parlour_server.rooms.match import Randomness
from parlour_server.rooms.records import game_file
from parlour_server.rooms.state import match_secret

_BYTES_TO_CONNECT = 40
"""The random bytes of a new client: an identity of 8 bytes, a token of 32."""


def first_deals(seed: int, seats: int) -> Fair:
    """Return the randomness of the first match of ``Local(seed)`` in a private room for its first ``seats`` clients.

    None of them adds a nonce. Opening a room and asking it takes thirty times as long.
    """
    entropy = random.Random(seed)
    entropy.randbytes(_BYTES_TO_CONNECT * seats)
    code = new_code(True, (), entropy.randbytes)
    return Fair(match_secret(entropy.randbytes(32), 1), f"{code}/1", [b""] * seats)


@attrs.define(eq=False)
class Peer:
    """A connected client. ``inbox`` receives the server's messages; ``closed`` is the close code."""

    name: str
    conn: int
    _server: "Local"
    inbox: deque[ServerMessage] = attrs.field(factory=deque)
    token: str | None = None
    closed: int | None = None

    def send(self, message: ClientMessage) -> None:
        """Send ``message``. All resulting messages are in the inboxes when this returns."""
        self._server.carry_out(self._server.lobby.receive(self.conn, plain(message), self._server.now))

    def close(self) -> None:
        """Cut the connection."""
        self._server.disconnect(self.conn)


class Local:
    """A server without sockets. The same ``seed`` and the same calls give the same bytes."""

    def __init__(
        self, seed: int = 0, *, installed: dict[str, AnyGame] | None = None, randomness: Randomness = Fair
    ) -> None:
        self.now = 0
        self.log: dict[str, list[str]] = {}
        """The lines of each room."""
        self.matches: list[persistence.SaveMatch] = []
        self._peers: dict[int, Peer] = {}
        self._conns = 0
        self._wakes: dict[str, int] = {}
        self._timers: list[tuple[int, str]] = []
        entropy = random.Random(seed)
        wall = lambda: self.now  # noqa: E731
        self.lobby = Lobby(installed or games(), entropy.randbytes, server="local", randomness=randomness, wall=wall)

    def connect(
        self,
        name: str,
        kind: Kind = "bot",
        *,
        token: str | None = None,
        can: list[str] | None = None,
        address: str | None = None,
    ) -> Peer:
        """Return a client that has said hello. ``address``: where it connects from; None: unknown."""
        peer = self.open(name, address)
        peer.send(Hello(name, kind, token=token, can=can))
        welcome = peer.inbox.popleft()
        if not isinstance(welcome, Welcome):
            raise ConnectionError(f"{name} was not welcome: {welcome}")
        peer.token = welcome.token
        return peer

    def open(self, name: str, address: str | None = None) -> Peer:
        """Return a client that has not sent anything yet."""
        self._conns += 1
        peer = self._peers[self._conns] = Peer(name, self._conns, self)
        self.carry_out(self.lobby.connect(peer.conn, self.now, address))
        return peer

    def disconnect(self, conn: int) -> None:
        """Cut a connection."""
        self.carry_out(self._gone(conn))

    def step(self) -> bool:
        """Advance time to the next timer, and fire it. Returns False if none is set."""
        at = self._next_timer()
        if at is None:
            return False
        _, room = heapq.heappop(self._timers)
        del self._wakes[room]
        self.now = max(self.now, at)
        self.carry_out(self.lobby.wake(room, self.now))
        return True

    def wait(self, ms: int) -> None:
        """Advance time by ``ms`` milliseconds, and fire the timers in between."""
        until = self.now + ms
        while (at := self._next_timer()) is not None and at <= until:
            self.step()
        self.now = until

    def carry_out(self, wanted: list[Effect]) -> None:
        """Carry out effects, then the effects that result from them."""
        due = deque(wanted)
        while due:
            match due.popleft():
                case effects.Post(to, message):
                    for conn in to:
                        if conn in self._peers:
                            self._peers[conn].inbox.append(message)
                case persistence.Append(room, _, _, line):
                    self.log.setdefault(room, []).append(line)
                case effects.Wake(room, at):
                    self._wake(room, at)
                case effects.Disconnect(conn, code):
                    if conn in self._peers:
                        self._peers[conn].closed = code
                    due.extend(self._gone(conn))
                case Compute() as work:
                    due.extend(self._done(work))
                case persistence.SaveMatch() as match:
                    self.matches.append(match)
                case _:
                    pass

    def game_file(self, match: int = -1) -> list[str]:
        """Return the lines of the match file of a finished match, the last one by default."""
        saved = self.matches[match]
        return list(game_file(self.log[saved.room][saved.match.first : saved.match.last + 1]))

    def _gone(self, conn: int) -> list[Effect]:
        return self.lobby.disconnect(conn, self.now) if self._peers.pop(conn, None) else []

    def _done(self, work: Compute) -> list[Effect]:
        """Run a computation, which takes no virtual time."""
        live = self.lobby.rooms.loaded.get(work.room)
        if live is None:
            return []
        return self.lobby.settle(work, live.room.state.game.compute(work.name, work.args), self.now)

    def _wake(self, room: str, at: int | None) -> None:
        if at is None:
            self._wakes.pop(room, None)
        else:
            self._wakes[room] = at
            heapq.heappush(self._timers, (at, room))

    def _next_timer(self) -> int | None:
        while self._timers and self._wakes.get(self._timers[0][1]) != self._timers[0][0]:
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None
