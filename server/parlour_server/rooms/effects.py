"""What rooms and the lobby ask of the world. They do nothing themselves: they return lists of these.

A room speaks of people (identity ids) and room time; the lobby translates for the node, which knows
sockets and its own clock. Order matters: whatever is sent after an ``Append`` leaves after its commit.
"""

from typing import TypeAlias

import attrs

from parlour_protocol.messages import Id, Plain, ServerMessage

# --- a room asks ------------------------------------------------------------------------------------


@attrs.frozen
class Append:
    """Store line ``n`` of ``room``, whose owner's epoch is ``epoch``."""

    room: str
    epoch: int
    n: int
    line: str


@attrs.frozen
class Send:
    """Tell the people ``to``."""

    to: tuple[str, ...]
    message: ServerMessage


@attrs.frozen
class WakeAt:
    """Call ``wake`` at room time ``at``; replaces the wake-up asked for before; None: not at all."""

    at: int | None


@attrs.frozen
class Work:
    """Do this computation for ``room`` off the event loop, then call ``settle``."""

    room: str
    name: str
    args: Plain


@attrs.frozen
class WantBot:
    """A house bot would be welcome to stand in at ``seat``."""

    seat: int


@attrs.frozen
class Member:
    """``who`` now owns a seat here, or no longer does."""

    who: str
    seated: bool


@attrs.frozen
class Row:
    """One seat's part in a finished match."""

    seat: int
    who: str
    name: str
    kind: str
    rank: int
    score: int


@attrs.frozen
class Finished:
    """A match has ended; lines ``first`` to ``last`` of the room are its game file."""

    digest: str
    game: str
    first: int
    last: int
    rated: bool
    rows: tuple[Row, ...]


@attrs.frozen
class Shut:
    """The room is closed and can be forgotten."""


RoomEffect: TypeAlias = Append | Send | WakeAt | Work | WantBot | Member | Finished | Shut

# --- the lobby asks of the node -----------------------------------------------------------------------


@attrs.frozen
class SaveRoom:
    """Store that ``room`` is open (or no longer)."""

    room: str
    epoch: int
    open: bool
    kept: bool = False


@attrs.frozen
class SaveSeat:
    """Store that ``who`` owns a seat in ``room`` (or no longer)."""

    room: str
    who: str
    seated: bool


@attrs.frozen
class SaveIdentity:
    """Store an identity. Token and key are hashes."""

    who: str
    name: str
    kind: str
    token: str | None
    previous: str | None
    key: str | None
    banned: bool = False
    muted: bool = False
    house: bool = False


@attrs.frozen
class DropIdentity:
    """Forget an identity; its name in old results stays, unless it is ``erased`` there, too, with its ratings."""

    who: str
    erased: bool = False


@attrs.frozen
class Rated:
    """Somebody's rating at a game, as it is shown: what a stored match has made of it."""

    who: str
    game: str
    rating: int


@attrs.frozen
class SaveMatch:
    """Store a finished match for files and standings."""

    room: str
    match: Finished


@attrs.frozen
class SaveContest:
    """Store a contest: its ``plan`` as JSON. ``resumed``: it was stopped before."""

    name: str
    plan: str
    stopped: bool
    resumed: bool = False


@attrs.frozen
class SavePairing:
    """Store that table ``number`` of a contest is played in ``room``, or with a ``result`` (JSON) how it ended."""

    contest: str
    number: int
    room: str
    result: str | None


@attrs.frozen
class SaveTicket:
    """Store the ``hash`` of a ticket with which ``who`` may come to ``room`` at another node, once, within ``ms``."""

    hash: str
    who: str
    room: str
    ms: int


Write: TypeAlias = (
    Append | SaveRoom | SaveSeat | SaveIdentity | DropIdentity | SaveMatch | SaveContest | SavePairing | SaveTicket
)


@attrs.frozen
class Post:
    """Send ``message`` to these connections."""

    to: tuple[int, ...]
    message: ServerMessage


@attrs.frozen
class Hang:
    """Close the connection with a WebSocket close code."""

    conn: int
    code: int
    reason: str


@attrs.frozen
class Wake:
    """Call ``wake(room)`` at the node's time ``at`` in ms; replaces the one before; None: not at all."""

    room: str
    at: int | None


@attrs.frozen
class FetchFile:
    """Answer ``re`` on ``conn`` with lines of a game file, from line ``after`` on."""

    conn: int
    re: Id | None
    digest: str
    after: int


@attrs.frozen
class FetchStandings:
    """Answer ``re`` on ``conn`` with a leaderboard."""

    conn: int
    re: Id | None
    game: str | None
    after: str | None


@attrs.frozen
class Relay:
    """Pass on what ``conn`` and ``room``, which lives at the node ``peer``, say to each other.

    ``hello``: what to greet with there. ``join``: the request that is to be answered from there; None: it is in the
    room already, and nothing but its end ends that.
    """

    conn: int
    room: str
    peer: str
    hello: Plain
    join: Plain | None


@attrs.frozen
class Forward:
    """Pass on a message of ``conn`` about a room that is relayed to it."""

    conn: int
    room: str
    data: Plain


@attrs.frozen
class EndRelays:
    """``conn`` is there no more: pass nothing on."""

    conn: int


@attrs.frozen
class Fault:
    """Our own code failed in a room; ``where`` says in which line. Nothing of the input was done."""

    room: str
    error: str
    where: str


@attrs.frozen
class Told:
    """Something for the server's log: no cards, no tokens, no addresses."""

    event: str
    about: Plain


@attrs.frozen
class Drain:
    """The operator wants the server to stop."""


Effect: TypeAlias = (
    Write | Post | Hang | Wake | Work | FetchFile | FetchStandings | Relay | Forward | EndRelays | Fault | Told | Drain
)
