"""The records of a room's log. Folding them in order gives the room.

A record says what was decided; folding it needs no clock, socket or random generator. Each has ``at``, the room time
in milliseconds, and gets ``n``, its place in the room's log, when it is written. On disk a record is one line of
canonical JSON (keys sorted, no spaces, fields that are None left out).

A *game file* is the lines of one match, ``begun`` to ``over``, each with ``h`` added::

    h = hex of SHA-256(h of the line before, as 32 bytes; nothing before the first ‖ the line without h)

The last ``h`` is the match's digest.
"""

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from operator import attrgetter
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import attrs
import msgspec

from parlour_protocol.messages import Clock, Deal, Kind, Kinds, Plain, Starts
from parlour_protocol.wire import strict, tagged

ROOM_VERSION = 2
"""The version of how records are folded; every change raises it. A match keeps the one that it began with."""
LISTS_COMPARED = 2
"""The first version in which a decision keeps its rid while its list of legal actions stays the same."""


@attrs.frozen
class Opened:
    """The room was opened.

    ``master`` is the room's secret in hex, from which the secret S of each match is derived. A ``kept`` room belongs
    to the server and does not expire. A room of a ``contest`` is for its pairing number ``pairing``. Every match of a
    room with a ``deal`` has that deal; ``daily`` is the day that it belongs to.
    ``pace``: milliseconds that house bots take for a card or click; None: as long as the server has them take.
    """

    r: ClassVar = "opened"
    at: int
    code: str
    game: str
    options: Plain
    seats: int
    private: bool
    kinds: Kinds
    watch: bool
    hints: bool
    standin: bool
    start: Starts
    master: str
    clock: Clock | None = None
    kept: bool = False
    version: int = ROOM_VERSION
    contest: str | None = None
    pairing: int = 0
    pace: int | None = None
    deal: Deal | None = None
    daily: str | None = None


@attrs.frozen
class Owned:
    """A node has loaded the room; running clocks restart with what they had when they began."""

    r: ClassVar = "owned"
    at: int
    epoch: int


@attrs.frozen
class Taken:
    """Identity ``who`` has taken a seat."""

    r: ClassVar = "taken"
    at: int
    seat: int
    who: str
    name: str
    kind: Kind


@attrs.frozen
class Vacated:
    """The owner has left for good: in a match a stand-in plays on, or the game goes on without the seat."""

    r: ClassVar = "vacated"
    at: int
    seat: int


@attrs.frozen
class Control:
    """The seat has changed hands. For a stand-in without ``who`` the default action plays."""

    r: ClassVar = "control"
    at: int
    seat: int
    by: str
    who: str | None = None


@attrs.frozen
class Readied:
    """The seat is ready or not, with a nonce for the next match."""

    r: ClassVar = "ready"
    at: int
    seat: int
    ready: bool
    nonce: str | None = None


@attrs.frozen
class Hosted:
    """``who`` has become the host; None: the room has no host."""

    r: ClassVar = "host"
    at: int
    who: str | None = None


@attrs.frozen
class Ruled:
    """The host has banned, muted or unmuted ``who``, or given a seat more time."""

    r: ClassVar = "ruled"
    at: int
    do: str
    who: str


@attrs.frozen
class Player:
    """A seat as the match begins."""

    who: str
    name: str
    kind: Kind


@attrs.frozen
class Begun:
    """A match has begun: everything that its randomness and rids depend on. The first line of a game file.

    ``standin``: whether a stand-in plays on for a player who leaves for good; if not, the game removes the seat.
    ``deal``: the deal was not drawn for this match, but chosen by the creator of the room, or that of a day.
    """

    r: ClassVar = "begun"
    at: int
    match: int
    game: str
    rules: int
    room: int
    context: str
    secret: str
    commit: str
    nonces: list[str]
    options: Plain
    players: list[Player]
    rids: list[int]
    banks: list[int]
    clock: Clock | None = None
    standin: bool = False
    deal: Literal["chosen", "daily"] | None = None


@attrs.frozen
class Acted:
    """A seat has answered decision ``rid``. ``why`` is the player's note, private until the match is over."""

    r: ClassVar = "act"
    at: int
    seat: int
    rid: int
    act: Plain
    why: str | None = None


@attrs.frozen
class TimedOut:
    """The default action has answered decision ``rid``: time was up, or it stands in for the player."""

    r: ClassVar = "timeout"
    at: int
    seat: int
    rid: int


@attrs.frozen
class TimerFired:
    """A timer of the game has run out, or the players ended it early."""

    r: ClassVar = "timer"
    at: int
    name: str


@attrs.frozen
class JobDone:
    """A computation that the game asked for has a result."""

    r: ClassVar = "job"
    at: int
    name: str
    result: Plain


@attrs.frozen
class Ended:
    """The match is over. ``state`` is the SHA-256 of its canonical final state. The last line of a game file."""

    r: ClassVar = "over"
    at: int
    ranks: list[int]
    scores: list[int]
    why: str
    state: str
    stats: Plain | None = None


@attrs.frozen
class Closed:
    """The room is closed."""

    r: ClassVar = "closed"
    at: int
    why: str


Record: TypeAlias = (
    Opened | Owned | Taken | Vacated | Control | Readied | Hosted | Ruled | Begun | Acted | TimedOut | TimerFired
    | JobDone | Ended | Closed
)  # fmt: skip

_CLASSES = tagged(get_args(Record), "r")
_NAMES = {cls: tuple(field.name for field in attrs.fields(cls)) for cls in _CLASSES.values()}
_VALUES = {cls: attrgetter(*names) for cls, names in _NAMES.items()}
_encode = msgspec.json.Encoder(order="sorted").encode


def canonical(value: Any) -> str:
    """Return plain data as canonical JSON."""
    return _encode(value).decode()


def line(record: Record, n: int) -> str:
    """Return ``record`` as line ``n`` of a room's log."""
    cls = type(record)
    fields = {name: value for name, value in zip(_NAMES[cls], _VALUES[cls](record), strict=True) if value is not None}
    fields["n"], fields["r"] = n, record.r
    return canonical(fields)


def size(text: str) -> int:
    """Return the number of bytes of a line of the log."""
    return len(text) if text.isascii() else len(text.encode())


def parse(text: str) -> Record:
    """Return the record on a line of the log. Raises BadMessage."""
    fields = json.loads(text)
    fields.pop("n")
    record: Record = strict(_CLASSES[fields.pop("r")])(fields)
    return record


def link(before: bytes, text: str) -> bytes:
    """Return the next hash of a record chain."""
    return sha256(before + text.encode()).digest()


def game_file(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a game file from the lines of a match in a room's log."""
    chain = b""
    for text in lines:
        chain = link(chain, text)
        yield canonical({**json.loads(text), "h": chain.hex()})
