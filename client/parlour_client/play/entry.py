"""Coming into a room and being put out of it: what the line mode and the screens have in common.

::

    async with connected(entry, on_state) as connection:
        await connection.send(entry.enter)
"""

from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager

import attrs

from parlour_client.core.connection import Connection, State
from parlour_client.core.errors import Fault, Refused
from parlour_client.storage import credentials
from parlour_protocol.messages import Create, Join
from parlour_protocol.version import MSGPACK

PATIENCE = 300.0
"""Seconds of trying to come back after which a person is told that the match is lost."""
GOODBYE = 3.0
"""Seconds that the server has to answer ``leave``."""

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
