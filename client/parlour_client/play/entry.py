"""Connect for a room under a free name, for line mode and screens.

::

    async with connected(entry, on_state) as connection:
        await connection.send(entry.enter)
"""

from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager

import attrs

from parlour_client.core import queries
from parlour_client.core.connection import Connection, ConnectionState
from parlour_client.core.errors import Fault, Refused
from parlour_client.storage import credentials
from parlour_client.storage.credentials import held
from parlour_client.storage.kept_matches import KeptMatch
from parlour_protocol.codec import MSGPACK
from parlour_protocol.messages import Create, Daily, Join, PresetRow, Presets
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


_PATIENCE = 10.0


async def offered_presets(server: str) -> list[PresetRow] | None:
    """Return the presets of a server; None if it keeps none. Raises Fault."""
    async with queries.visiting(server) as connection:
        if "presets" not in connection.can:
            return None
        return (await queries.ask(connection, Presets())).presets


async def changed_presets(server: str, name: str, key: str | None, change: Presets) -> list[PresetRow]:
    """Save or remove a preset as ``name``; return those of its game then. Raises Fault."""
    with held(server, name) as credentials:
        session = credentials.session(None, key)
        async with Connection(server, session, patience=_PATIENCE) as connection:
            return (await queries.ask(connection, change)).presets
