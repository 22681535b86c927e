"""Connect for a room under a free name, for line mode and screens.

::

    async with connected(entry, on_state) as connection:
        await connection.send(entry.enter)
"""

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager

import attrs
from msgspec import structs

from parlour_client.core import queries
from parlour_client.core.connection import Connection, ConnectionState
from parlour_client.core.errors import Fault, Refused
from parlour_client.core.phrases import refused_by, say
from parlour_client.core.session import Session
from parlour_client.play.room_events import Offered
from parlour_client.storage import credentials
from parlour_client.storage.kept_matches import KeptMatch
from parlour_client.text.base import add_words
from parlour_protocol.codec import MSGPACK
from parlour_protocol.messages import (
    ClientMessage,
    Create,
    Daily,
    Error,
    Join,
    Joined,
    List,
    PresetRow,
    Presets,
    ReplyT,
    Request,
    Rooms,
)
from parlour_protocol.names import valid

PATIENCE = 300.0
"""Seconds of reconnecting after which the match is given up."""
GOODBYE = 3.0
"""Seconds to wait for the answer to ``leave``."""

_TAKEN = ("name_taken", "bad_key")
_NAMES_TRIED = 9


@attrs.frozen
class Entry:
    """The room to enter, under which name, and what to do there for the player.

    Without ``own_name`` the name is a guess, and ``name-2`` … are tried if it is taken. ``once`` leaves after one
    match. ``invite`` lists bots to invite (None: any available one); then ``ready`` is sent if set. ``keep`` uses the
    stored key and token of the name, and stores the next token.
    """

    url: str
    enter: Join | Create | Daily
    name: str
    own_name: bool = True
    key: str | None = None
    once: bool = False
    invite: tuple[str | None, ...] = ()
    ready: bool = False
    encoding: str = MSGPACK
    look: bool = False
    """Whether to show how a room is played before the seat is taken."""
    keep: bool = True
    ends: bool = False
    """Whether the server stops when the player leaves."""
    private: bool = False
    """Whether no one else reaches the server."""
    kept: KeptMatch | None = None
    """The match that the start screen offers to continue until it is over."""
    troubles: list[str] = attrs.field(factory=list)
    """Problems on this machine, such as a failed bot of the player's. The view of the room takes and shows them."""

    @property
    def names(self) -> list[str]:
        """The names to try, in order: those with stored credentials, then the wanted one."""
        if self.own_name:
            return [self.name]
        names = [self.name, *(valid(self.name, f"-{n}") for n in range(2, _NAMES_TRIED + 1))]
        return credentials.in_order(self.url, names) if self.keep else names


@asynccontextmanager
async def connected(entry: Entry, on_state: Callable[[ConnectionState], None]) -> AsyncIterator[Connection]:
    """Connect to the server of ``entry`` under the first free name. Raises Fault.

    ``on_state`` is called for state changes from then on.
    """
    with ExitStack() as stack:
        connection = await _open(entry, on_state, stack)
        try:
            yield connection
        finally:
            await connection.close()


async def _open(entry: Entry, on_state: Callable[[ConnectionState], None], stack: ExitStack) -> Connection:
    """Return the connection. Its credentials stay locked in ``stack``."""
    inside = False
    fault: Fault | None = None

    def report(state: ConnectionState) -> None:
        if inside:  # attempts with taken names are not reported
            on_state(state)

    for name in entry.names:
        with ExitStack() as mine:
            try:
                found = mine.enter_context(credentials.held(entry.url, name, keep=entry.keep))
                session = found.session(entry.enter, entry.key)
                connection = Connection(entry.url, session, encoding=entry.encoding, on_state=report, patience=PATIENCE)
                await connection.__aenter__()
            except (Refused, credentials.InUse) as refused:
                if entry.own_name or (isinstance(refused, Refused) and refused.code not in _TAKEN):
                    raise
                fault = refused
            else:
                inside = True
                stack.push(mine.pop_all())
                return connection
    assert fault is not None, "at least one name was tried"
    raise fault


async def offered_presets(server: str) -> list[PresetRow] | None:
    """Return the presets of a server; None if it keeps none. Raises Fault."""
    async with queries.visiting(server) as connection:
        if "presets" not in connection.can:
            return None
        return (await queries.ask(connection, Presets())).presets


async def asked_as(server: str, name: str, key: str | None, wanted: Request[ReplyT]) -> ReplyT:
    """Return the answer to a request of the player ``name``, such as to save a preset. Raises Fault.

    ``key`` replaces the stored one.
    """
    with credentials.held(server, name) as mine:
        return await queries.asked_in(server, mine.session(None, key), wanted)


LOOK = "look"
"""The id of the request how a room is played."""


class Arrival:
    """The way into the room: ask how it is played, take a seat or watch, and why we are not let in."""

    def __init__(self, entry: Entry, session: Session, url: str, outgoing: deque[ClientMessage]) -> None:
        """``url``: as error messages show it. ``outgoing``: takes the messages to send."""
        self._enter = entry.enter
        self._session = session
        self._url = url
        self._outgoing = outgoing
        self._look = entry.look and isinstance(entry.enter, Join)
        """Whether the room is still to be shown before we sit down."""
        self._offered = False
        """Whether it has been shown, and the player has not answered yet."""
        self._entering = False
        """Whether the answer to our request to enter is still to come."""

    def greeted(self, held: list[str]) -> None:
        """Ask how the room is played, or enter it. ``held``: the rooms in which we have a seat."""
        enter = self._enter
        if self._look and isinstance(enter, Join) and enter.room.upper() not in held:
            if not self._session.waits_for(List):
                self._outgoing.append(List(room=enter.room, id=LOOK))
        elif not self._offered:
            self.sit()

    def sit(self) -> None:
        """Enter the room, with a seat if it was shown."""
        self._offered, self._entering = False, True
        self._outgoing.append(self._enter)

    def watch(self) -> None:
        """Watch the room that was shown."""
        assert isinstance(self._enter, Join)
        self._enter = structs.replace(self._enter, as_="spectator")
        self.sit()

    def listed(self, found: Rooms) -> Iterator[Offered]:
        """Offer the room that was listed. An older server lists other rooms: then enter it unseen."""
        assert isinstance(self._enter, Join)
        code = self._enter.room.upper()
        self._look = False
        for row in found.rooms:
            if row["room"] == code:
                self._offered = True
                yield Offered(row)
                return
        self.sit()

    def answers(self, joined: Joined) -> bool:
        """Return whether ``joined`` answers our request to enter."""
        answers = self._entering and joined.re is not None
        self._entering = self._entering and not answers
        return answers

    def refused(self, error: Error) -> None:
        """Raise Refused, after a look at how many rooms the server has if ours is not among them."""
        if error.code != "no_room" or not isinstance(self._enter, Join):
            hint = say("fault.bad_options") if error.code == "bad_options" else error.hint  # that one is for programs
            game = self._enter.game if isinstance(self._enter, Create) else None
            if game is not None:
                add_words(game)
            raise Refused(error.code, refused_by(self._url, error, hint, game))
        self._outgoing.append(List())

    def missing(self, rooms: Rooms) -> Refused:
        """Return the refusal for a room that is not among those of the server."""
        n, more = len(rooms.rooms), rooms.after is not None
        room = self._enter.room if isinstance(self._enter, Join) else "?"
        return Refused("no_room", say("fault.no_room", room=room, url=self._url, n=n, more=more))
