"""Coming into a room and being put out of it: what the line mode and the screens have in common.

::

    async with connected(entry, on_state) as connection:
        await connection.send(entry.enter)
"""

from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager

import attrs

from parlour_client.core.connection import Connection, State
from parlour_client.core.errors import Fault, Interrupted, Refused
from parlour_client.core.room import Room
from parlour_client.core.session import Report
from parlour_client.storage import credentials
from parlour_games.plural import counted
from parlour_protocol.messages import ClientMessage, Create, Error, Invite, Join, Left, List, Ready, Rooms
from parlour_protocol.version import MSGPACK

PATIENCE = 300.0
"""Seconds of trying to come back after which a person is told that the match is lost."""
_FOR_PEOPLE = {"bad_options": "all options are in: parlour protocol"}
"""What is said to people in place of hints that are for programs, by code."""
GOODBYE = 3.0
"""Seconds that the server has to answer ``leave``."""
FAIR = "Fair: the secret behind the deals fits the commitment shown before the match."

_TAKEN = ("name_taken", "bad_key")
_NAMES_TRIED = 9
_NAME_LONGEST = 20


@attrs.frozen
class Entry:
    """Who enters which room of which server, and what is to be done for them there.

    ``own_name`` False: the name is a guess, and ``name-2`` … will do if it is taken. ``once``: leave after one
    match. ``invite``: bots to ask in (None: any free one); then, with ``ready``, that is said for the person.
    ``keep``: use what this machine keeps for the name, its key and the token of the last time, and keep the next one.
    """

    url: str
    enter: Join | Create
    name: str
    own_name: bool = True
    key: str | None = None
    once: bool = False
    invite: tuple[str | None, ...] = ()
    ready: bool = False
    encoding: str = MSGPACK
    keep: bool = True
    ends: bool = False
    """Whether the server ends with the visit."""
    troubles: list[str] = attrs.field(factory=list)
    """What has gone wrong here, such as with a bot of one's own: whoever shows the room takes and tells it."""

    @property
    def names(self) -> list[str]:
        """The names to try, the wanted one first, unless the server may know us by another."""
        if self.own_name:
            return [self.name]
        names = [self.name, *(f"{self.name[: _NAME_LONGEST - 3]}-{n}" for n in range(2, _NAMES_TRIED + 1))]
        return credentials.in_order(self.url, names) if self.keep else names


@asynccontextmanager
async def connected(entry: Entry, on_state: Callable[[State], None]) -> AsyncIterator[Connection]:
    """Be connected to the server of ``entry``, under the first of its names that is free. Raises Fault.

    ``on_state`` hears of changes from then on.
    """
    with ExitStack() as stack:
        connection = await _open(entry, on_state, stack)
        try:
            yield connection
        finally:
            await connection.close()


async def _open(entry: Entry, on_state: Callable[[State], None], stack: ExitStack) -> Connection:
    """Return the connection; what is held for its name is in ``stack``."""
    inside = False
    fault: Fault | None = None

    def tell(state: State) -> None:
        if inside:  # what becomes of a name that is taken is nobody's business
            on_state(state)

    for name in entry.names:
        with ExitStack() as mine:
            try:
                found = mine.enter_context(credentials.held(entry.url, name, keep=entry.keep))
                session = found.session(entry.enter, entry.key)
                connection = Connection(entry.url, session, encoding=entry.encoding, on_state=tell, patience=PATIENCE)
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


class Errands:
    """What is still to be done for a person who has come in: bots are invited one by one, then ``ready`` is said."""

    def __init__(self, invite: tuple[str | None, ...] = (), *, ready: bool = False) -> None:
        self._invite = list(invite)
        self.ready = ready

    def next(self, room: str) -> ClientMessage | None:
        """Return what to send next: after coming in, and after each ``ok`` to the one before."""
        if self._invite:
            return Invite(room, self._invite.pop(0))
        ready, self.ready = self.ready, False
        return Ready(room) if ready else None

    def give_up(self) -> None:
        """Forget the rest: one of them was refused."""
        self._invite, self.ready = [], False


def no_entry(url: str, enter: Join | Create, error: Error) -> ClientMessage:
    """Return the question that makes a better error of ``error``, which refused ``enter``. Raises Refused."""
    if error.code != "no_room" or not isinstance(enter, Join):
        hint = _FOR_PEOPLE.get(error.code) or error.hint
        hint = f" ({hint})" if hint else ""
        raise Refused(error.code, f"{url} refuses: {error.msg}{hint}")
    return List()  # for an error that says how many rooms are there


def not_there(url: str, enter: Join | Create, rooms: Rooms) -> Refused:
    """Return the fault for a room that is none of ``rooms``."""
    n = len(rooms.rooms)
    there = f"{n} or more rooms are" if rooms.after else counted(n, "room is", "rooms are")
    room = getattr(enter, "room", "?")
    return Refused("no_room", f"Room {room} isn't on {url} ({there}). See: parlour rooms --server {url}")


def put_out(room: Room | None, left: Left) -> Fault | None:
    """Return the fault that ``left`` amounts to for who was in ``room``; None if it is an end in good order."""
    if left.why in ("kicked", "banned"):
        return Refused(left.why, f"the host has {left.why} you from room {left.room}")
    if left.why != "left" and room is not None and room.under_way and room.seat is not None:
        return Interrupted(f"the match in room {left.room} was cut off: {left.why}")
    return None


def noted(report: Report) -> str:
    """Return what a person is told of ``report``. Raises Interrupted if it is that the seat is lost."""
    if report.code == "seat_lost":
        raise Interrupted(f"{report.text}: it was given up while the connection was lost")
    return f"{'WARNING' if report.code == 'fairness' else 'Note'}: {report.text}."
