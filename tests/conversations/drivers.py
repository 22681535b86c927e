"""What conversations are played against: the room core in process, or a server behind sockets."""

from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any, Protocol

from tests.conversations.laying import LaidFair
from tests.conversations.notation import MINES
from tests.games.uno.tables import StackedFair
from tests.support.waiting import PATIENCE
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from parlour_games.fair import Fair
from parlour_games.registry import games
from parlour_protocol.codec import CODECS, FROM_SERVER
from parlour_protocol.wire import plain
from parlour_server.local import Local, Peer

Plain = dict[str, Any]
SECRET = "secret "
"""How a deal begins that is the secret of every match, in hex."""


class Closed(Exception):
    """The server has closed the socket."""

    def __init__(self, code: int | None) -> None:
        super().__init__(f"closed with {code}")
        self.code = code


class Driver(Protocol):
    """Some server, in one of the encodings."""

    admin: str
    """The operator's token."""

    def open(self) -> int:
        """Return the number of a new socket."""

    def send(self, conn: int, message: Plain) -> None:
        """Say ``message`` on a socket."""

    def receive(self, conn: int) -> Plain:
        """Return what comes next on a socket, letting time pass. Raises Closed, TimeoutError."""

    def close(self, conn: int) -> None:
        """Lose a socket and all that was on its way to it."""


def stacked(deal: str | None, dealer: int) -> Any:
    """Return the randomness of matches whose cards, or mines, lie as ``deal`` says."""
    if deal is None:
        return Fair
    if deal.startswith(SECRET):
        return lambda *_: Fair(bytes.fromhex(deal.removeprefix(SECRET)), "TEST/1", [])
    if deal.startswith(MINES):
        return lambda *_: LaidFair(deal.removeprefix(MINES))
    return lambda *_: StackedFair(deal, dealer)


class LocalDriver:
    """The room core in process. Time passes only when nothing else can happen."""

    admin = "the operator's token"

    def __init__(self, subprotocol: str, deal: str | None = None, dealer: int = 0) -> None:
        self._codec = CODECS[subprotocol]
        self._hall = Local(1, installed=games(), randomness=stacked(deal, dealer))
        self._hall.lobby.admin.token = self.admin
        self._peers: list[Peer] = []

    def open(self) -> int:
        self._peers.append(self._hall.open("somebody"))
        return len(self._peers) - 1

    def send(self, conn: int, message: Plain) -> None:
        hall = self._hall
        data = self._codec.decode(self._codec.encode(message))
        hall.carry_out(hall.lobby.receive(self._peers[conn].conn, data, hall.now))

    def receive(self, conn: int) -> Plain:
        peer = self._peers[conn]
        while not peer.inbox:
            if peer.closed is not None:
                raise Closed(peer.closed)
            if not self._hall.step():
                raise TimeoutError("nothing comes, however long one waits")
        return self._codec.decode(self._codec.encode(plain(peer.inbox.popleft())), FROM_SERVER)

    def close(self, conn: int) -> None:
        self._peers[conn].close()


class SocketDriver:
    """A server that listens at ``url``."""

    def __init__(self, subprotocol: str, url: str, admin: str) -> None:
        self.admin = admin
        self._codec = CODECS[subprotocol]
        self._url = url
        self._sockets: list[ClientConnection] = []
        self._stack = ExitStack()

    def open(self) -> int:
        socket = connect(self._url, subprotocols=[Subprotocol(self._codec.name)])
        self._sockets.append(self._stack.enter_context(socket))
        return len(self._sockets) - 1

    def send(self, conn: int, message: Plain) -> None:
        self._sockets[conn].send(self._codec.encode(message))

    def receive(self, conn: int) -> Plain:
        try:
            frame = self._sockets[conn].recv(PATIENCE)
        except ConnectionClosed as closed:
            raise Closed(closed.rcvd.code if closed.rcvd else None) from None
        return self._codec.decode(frame, FROM_SERVER)

    def close(self, conn: int) -> None:
        self._sockets[conn].close()

    def forget(self, names: Iterable[str]) -> None:
        """Let the server forget who was here, so that others can have their names."""
        conn = self.open()
        self.send(conn, {"t": "hello", "name": "operator", "kind": "bot"})
        for name in (*names, "operator"):
            self.send(conn, {"t": "admin", "token": self.admin, "do": "delete", "name": name, "id": name})
        try:
            while self.receive(conn).get("re") != "operator":
                pass
        except Closed:
            return  # it has been forgotten, too

    def close_all(self) -> None:
        """Lose all sockets."""
        self._stack.close()
