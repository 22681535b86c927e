"""Side sockets: follow rooms that live on other servers, transparently for the user of a connection.

``redirect`` on the main socket names the server and carries a ticket. A side socket serves that one room; ``next``
merges the messages of all sockets. A lost side socket is not reopened: ``next`` returns a ``DetachedRoom``, and the
main socket has to be asked where the room lives now.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

import attrs

from parlour_client.core.errors import CannotConnect, WrongProtocol
from parlour_client.core.session import Session
from parlour_protocol.messages import Bye, ClientMessage, Error, Joined, Redirect, ServerMessage, Welcome

MOST = 64
"""Side sockets at a time, and redirects that are followed in a burst: the rooms that one identity can be in."""
_FOLLOWED = 1.0
"""Redirects that are followed per second beyond the burst."""
_MOST_WAITING = 256
"""Unread messages after which no socket is read."""
FOR_GOOD = (4001, 4003, 4008)
"""Close codes after which reconnecting is wrong: replaced by another socket, banned, too many strikes."""
_ENDS_ALL = (4003, 4008)
"""Those that end more than one room when they come on a side socket."""


class SocketLost(Exception):
    """A socket was closed. ``code`` is the close code, None if the connection broke."""

    def __init__(self, text: str, code: int | None = None) -> None:
        super().__init__(text)
        self.code = code


class SideSocket(Protocol):
    """An open socket."""

    async def read(self) -> ServerMessage | None:
        """Return the next message, None for one of an unknown type. Raises SocketLost, WrongProtocol."""

    async def write(self, message: ClientMessage) -> None:
        """Send a message. On a lost socket this does nothing."""

    async def close(self) -> None:
        """Close the socket."""


@attrs.frozen
class DetachedRoom:
    """A room whose side socket is lost. ``tries``: attempts in a row."""

    room: str
    tries: int


@attrs.define
class RedirectLimit:
    """A limit on the redirects of a server that are followed, so that it cannot make us open endless sockets."""

    _left: float = MOST
    _at: float = 0.0

    def take(self, now: float) -> bool:
        """Whether one more may be followed at ``now``, in seconds."""
        self._left = min(float(MOST), self._left + (now - self._at) * _FOLLOWED)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class SideSockets:
    """The side sockets of one main socket."""

    def __init__(
        self, session: Session, connect: Callable[[str], Awaitable[SideSocket]], allowance: RedirectLimit
    ) -> None:
        """``connect`` opens a socket to a URL. Raises CannotConnect, WrongProtocol."""
        self._session = session
        self._connect = connect
        self._allowance = allowance
        self._heard: asyncio.Queue[ServerMessage | DetachedRoom | SocketLost | WrongProtocol | None] = asyncio.Queue(
            _MOST_WAITING
        )
        self._sockets: dict[str, SideSocket | None] = {}
        """The socket of each room on another server; None while it is lost."""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._tries: dict[str, int] = {}
        self._strays: set[str] = set()
        self._main: asyncio.Task[None] | None = None

    def __contains__(self, room: str) -> bool:
        return room.upper() in self._sockets

    def follow(self, redirect: Redirect) -> bool:
        """Open a side socket with the ticket of ``redirect``, in place of an older one for the room.

        Returns False, with nothing changed, if the server redirects us too often.
        """
        loop = asyncio.get_running_loop()
        if len(self._sockets.keys() | {redirect.room}) > MOST or not self._allowance.take(loop.time()):
            return False
        self.drop(redirect.room)
        self._sockets[redirect.room] = None
        self._tasks[redirect.room] = loop.create_task(self._run(redirect))
        return True

    def drop(self, room: str) -> None:
        """Close the side socket of a room that we left or that moved to the main server."""
        self._sockets.pop(room, None)
        self._strays.discard(room)
        task = self._tasks.pop(room, None)
        if task is not None:
            task.cancel()

    def joined(self, room: str) -> None:
        """Note a ``joined``: without a side socket the room is on the main socket from now on."""
        self._tries.pop(room, None)
        if room in self._strays:
            self.drop(room)

    async def write(self, room: str, message: ClientMessage) -> None:
        """Send a message about a room on another server. While its socket is lost this does nothing."""
        socket = self._sockets[room.upper()]
        if socket is not None:
            await socket.write(message)

    async def next(self, main: SideSocket) -> ServerMessage | DetachedRoom | None:
        """Return the next message of any socket. Raises WrongProtocol, and SocketLost for the main one."""
        if not self._tasks and self._main is None:
            return await main.read()
        if self._main is None:
            self._main = asyncio.get_running_loop().create_task(self._pump(main))
        heard = await self._heard.get()
        if isinstance(heard, SocketLost | WrongProtocol):
            raise heard
        if isinstance(heard, DetachedRoom):
            self._strays.add(heard.room)
        return heard

    async def close(self) -> None:
        """Close all side sockets."""
        tasks = [*self._tasks.values(), *([self._main] if self._main else [])]
        self._tasks.clear()
        self._sockets.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        while not self._heard.empty():
            self._heard.get_nowait()
        self._heard.put_nowait(SocketLost("closed"))

    async def _pump(self, main: SideSocket) -> None:
        try:
            while True:
                message = await main.read()
                if isinstance(message, Joined):  # the room is here now: its side socket is obsolete
                    self.drop(message.room)
                await self._heard.put(message)
        except (SocketLost, WrongProtocol) as end:
            await self._heard.put(end)

    async def _run(self, redirect: Redirect) -> None:
        """Follow one room on a side socket until the socket is lost."""
        room, end = redirect.room, None
        try:
            socket = await self._connect(redirect.url)
            try:
                await self._follow(room, socket, redirect)
            finally:
                self._forget(room, socket)
                await socket.close()
        except SocketLost as lost:
            end = lost if lost.code in _ENDS_ALL else None
        except (CannotConnect, WrongProtocol):
            pass
        self._tries[room] = self._tries.get(room, 0) + 1
        await self._heard.put(end or DetachedRoom(room, self._tries[room]))

    def _forget(self, room: str, socket: SideSocket) -> None:
        if self._sockets.get(room) is socket:
            self._sockets[room] = None

    async def _follow(self, room: str, socket: SideSocket, redirect: Redirect) -> None:
        await socket.write(self._session.side_hello(redirect))
        while True:
            message = await socket.read()
            match message:
                case Welcome():
                    self._sockets[room] = socket
                    for request in self._session.side_welcomed(room, message):
                        await socket.write(request)
                    if not self._session.follows(room):
                        return
                case Error() if self._sockets.get(room) is not socket:
                    raise SocketLost(message.msg)
                case Bye():
                    pass
                case _:
                    await self._heard.put(message)
