"""Drivers for conversations: the rooms in process, or a server behind sockets."""

from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

from tests.conversations.fixed_boards import FixedBoardFair
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
"""The prefix of a deal that gives the secret of every match, in hex."""


class Closed(Exception):
    def __init__(self, code: int | None) -> None:
        super().__init__(f"closed with {code}")
        self.code = code


def stacked(deal: str | None, dealer: int) -> Any:
    """Return the randomness of matches with the cards or mines of ``deal``."""
    if deal is None:
        return Fair
    if deal.startswith(SECRET):
        return lambda *_: Fair(bytes.fromhex(deal.removeprefix(SECRET)), "TEST/1", [])
    if deal.startswith(MINES):
        return lambda *_: FixedBoardFair(deal.removeprefix(MINES))
    return lambda *_: StackedFair(deal, dealer)


class LocalDriver:
    """The rooms in process. Time advances only when nothing else can happen."""

    admin = "the admin token"

    def __init__(self, subprotocol: str, deal: str | None = None, dealer: int = 0) -> None:
        self._codec = CODECS[subprotocol]
        self._server = Local(1, installed=games(), randomness=stacked(deal, dealer))
        self._server.lobby.admin.token = self.admin
        self._peers: list[Peer] = []

    def open(self) -> int:
        """Open a socket; return its number."""
        self._peers.append(self._server.open("client"))
        return len(self._peers) - 1

    def send(self, conn: int, message: Plain) -> None:
        server = self._server
        data = self._codec.decode(self._codec.encode(message))
        server.carry_out(server.lobby.receive(self._peers[conn].conn, data, server.now))

    def receive(self, conn: int) -> Plain:
        """Return the next message on a socket, advancing time if needed. Raises Closed, TimeoutError."""
        peer = self._peers[conn]
        while not peer.inbox:
            if peer.closed is not None:
                raise Closed(peer.closed)
            if not self._server.step():
                raise TimeoutError("no message is coming")
        return self._codec.decode(self._codec.encode(plain(peer.inbox.popleft())), FROM_SERVER)

    def close(self, conn: int) -> None:
        """Lose a socket and all messages in transit to it."""
        self._peers[conn].close()


class SocketDriver:
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
        """Delete these identities from the server, to free their names."""
        conn = self.open()
        self.send(conn, {"t": "hello", "name": "admin", "kind": "bot"})
        for name in (*names, "admin"):
            self.send(conn, {"t": "admin", "token": self.admin, "do": "delete", "name": name, "id": name})
        try:
            while self.receive(conn).get("re") != "admin":
                pass
        except Closed:
            return  # deleted, too

    def close_all(self) -> None:
        self._stack.close()


Driver = LocalDriver | SocketDriver
