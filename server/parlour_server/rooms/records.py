"""The records of a room's log. Folding them in order gives the room.

A record says what was decided; folding it needs no clock, socket or random generator. Each has ``at``, the room time
in milliseconds, and gets ``n``, its place in the room's log, when it is written. On disk a record is one line of
canonical JSON (keys sorted, no spaces, fields that are None left out).

A *match file* is the lines of one match, ``begun`` to ``over``, each with ``h`` added::

    h = hex of SHA-256(h of the line before, as 32 bytes; nothing before the first ‖ the line without h)

The last ``h`` is the match's digest.

An allowance limits how much a room writes to its log without getting anywhere.

An allowance is spent by the lines of records and comes back with room time, so it follows from the log alone: a room
that is loaded again has left what it had.
"""

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import attrs
import msgspec
from msgspec import Struct, to_builtins

from parlour_protocol.messages import BeaconRound, Clock, Deal, Integer, Kind, Kinds, Plain, Starts, Tag, Unrated
from parlour_protocol.wire import structured, tagged

DealtBy: TypeAlias = Literal["chosen", "daily"]
MS_PER_BYTE = 10
"""Milliseconds of room time in which one byte of an allowance comes back."""
POINTLESS = 1 << 20
"""Bytes that a seat may spend in a match on acts that do not advance it: about 11,000 flags set one by one."""
ORDINARY = 256
"""Bytes of an act that are free if it advances the match. Long notes and long lists of moves are longer."""
HOUSEKEEPING = 128 << 10
"""Bytes that a room may spend between two matches on seats, hosts and readiness: over a thousand changes."""
LONGEST = 500_000
"""Records after which a match takes no more acts. Two random players of UNO need about 160,000 to 10,000 points."""


@attrs.define
class Allowance:
    """A number of bytes that may be spent. They come back, one in ``MS_PER_BYTE``."""

    size: int
    _back_at: int = 0
    """The room time at which all of it has come back."""

    def spend(self, at: int, count: int) -> None:
        """Spend ``count`` bytes, even if less is left: records are always folded."""
        self._back_at = max(self._back_at, at) + count * MS_PER_BYTE

    def wait(self, now: int) -> int:
        """Return the milliseconds until something may be spent; 0 or less: something is left."""
        return self._back_at - now - self.size * MS_PER_BYTE


ROOM_VERSION = 4
"""The version of how records are folded; every change raises it. A match keeps the one that it began with."""
LISTS_COMPARED = 2
"""The first version in which a decision keeps its rid while its list of legal actions stays the same."""
OWNERS_REFILLED = 3
"""The first version in which an owner who takes a seat back has time in its bank."""
HEIRS_REFILLED = 4
"""The first version in which a person who is given a seat has a full clock."""


class RoomRecord(Struct, frozen=True, tag_field="r", forbid_unknown_fields=True):
    """The base of all records."""

    r: ClassVar = Tag()


class RoomOpened(RoomRecord, frozen=True, tag="opened"):
    """The room was opened.

    ``master`` is the room's secret in hex, from which the secret S of each match is derived. A ``kept`` room belongs
    to the server and does not expire. A room of a ``contest`` is for its pairing number ``pairing``. Every match of a
    room with a ``deal`` has that deal; ``daily`` is the day that it belongs to.
    ``pace``: milliseconds that house bots take for a card or click; None: as long as the server has them take.
    ``delay``: milliseconds later than the players that spectators see a match. ``seat_code``: the code that a client
    needs, beside that of the room, to take a seat; None: it needs none. ``casual``: no match of the room counts.
    ``beacon``: rooms of earlier versions could wait for a public beacon before each match. It has no effect now.
    """

    at: Integer
    code: str
    game: str
    options: Plain
    seats: Integer
    private: bool
    kinds: Kinds
    watch: bool
    hints: bool
    standin: bool
    start: Starts
    master: str
    clock: Clock | None = None
    kept: bool = False
    version: Integer = ROOM_VERSION
    contest: str | None = None
    pairing: Integer = 0
    pace: Integer | None = None
    deal: Deal | None = None
    daily: str | None = None
    delay: Integer = 0
    seat_code: str | None = None
    beacon: bool | None = None
    casual: bool | None = None

    @property
    def dealt_by(self) -> DealtBy | None:
        """Where the deal of every match of the room comes from; None: each match has a new one."""
        if self.deal is None:
            return None
        return "daily" if self.daily else "chosen"

    @property
    def unrated(self) -> Unrated | None:
        """Why no match of the room is rated, whoever plays; None: some may be."""
        if self.dealt_by or self.casual:
            return self.dealt_by or "casual"
        return "clock" if self.clock is None and self.seats > 1 else None


class Owned(RoomRecord, frozen=True, tag="owned"):
    """A node has loaded the room; running clocks restart with what they had when they began."""

    at: Integer
    epoch: Integer


class Taken(RoomRecord, frozen=True, tag="taken"):
    """Identity ``who`` has taken a seat. ``style``: how a bot is to play there."""

    at: Integer
    seat: Integer
    who: str
    name: str
    kind: Kind
    style: str | None = None


class Vacated(RoomRecord, frozen=True, tag="vacated"):
    """The owner has left for good: in a match a stand-in plays on, or the game goes on without the seat."""

    at: Integer
    seat: Integer


class Control(RoomRecord, frozen=True, tag="control"):
    """The seat has changed hands. For a stand-in without ``who`` the default action plays."""

    at: Integer
    seat: Integer
    by: str
    who: str | None = None


class Handed(RoomRecord, frozen=True, tag="handed"):
    """The owner has given its seat to ``who``, who plays on in a match."""

    at: Integer
    seat: Integer
    who: str
    name: str
    kind: Kind


class Readied(RoomRecord, frozen=True, tag="ready"):
    """The seat is ready or not, with a nonce for the next match."""

    at: Integer
    seat: Integer
    ready: bool
    nonce: str | None = None


class Hosted(RoomRecord, frozen=True, tag="host"):
    """``who`` has become the host; None: the room has no host."""

    at: Integer
    who: str | None = None


class Absent(RoomRecord, frozen=True, tag="absent"):
    """The seat's owner has been away since ``since``; None: the owner is back."""

    at: Integer
    seat: Integer
    since: Integer | None = None


class Ruled(RoomRecord, frozen=True, tag="ruled"):
    """The host has banned, muted or unmuted ``who``, or given a seat more time."""

    at: Integer
    do: str
    who: str


class Changed(RoomRecord, frozen=True, tag="changed"):
    """The host has changed options, number of seats and clock for the next match."""

    at: Integer
    options: Plain
    seats: Integer
    clock: Clock | None = None


class Sealed(RoomRecord, frozen=True, tag="sealed"):
    """A match waited for a round of a public beacon. Only rooms of earlier versions have it; it has no effect now."""

    at: Integer
    chain: str
    round: Integer


class Round(Struct, frozen=True, forbid_unknown_fields=True):
    """A round of a public beacon, in matches of earlier versions. Its randomness is the last of the nonces."""

    chain: str
    round: Integer


class StartingSeat(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A seat as the match begins. ``house``: a house bot has it."""

    who: str
    name: str
    kind: Kind
    house: bool = False


class Begun(RoomRecord, frozen=True, tag="begun"):
    """A match has begun: everything that its randomness and rids depend on. The first line of a match file.

    ``standin``: whether a stand-in plays on for a player who leaves for good; if not, the game removes the seat.
    ``deal``: the deal was not drawn for this match, but chosen by the creator of the room, or that of a day.
    ``nonces``: by seat; with a ``beacon`` its randomness follows them. ``unrated``: why the match is not rated, unless
    its ``deal`` says so.
    """

    at: Integer
    match: Integer
    game: str
    rules: Integer
    room: Integer
    context: str
    secret: str
    commit: str
    nonces: list[str]
    options: Plain
    players: list[StartingSeat]
    rids: list[Integer]
    banks: list[Integer]
    clock: Clock | None = None
    standin: bool = False
    deal: DealtBy | None = None
    beacon: Round | None = None
    unrated: Unrated | None = None


class Acted(RoomRecord, frozen=True, tag="act"):
    """A seat has answered decision ``rid``. ``why`` is the player's note, private until the match is over."""

    at: Integer
    seat: Integer
    rid: Integer
    act: Plain
    why: str | None = None


class TimedOut(RoomRecord, frozen=True, tag="timeout"):
    """The default action has answered decision ``rid``: time was up, or it stands in for the player."""

    at: Integer
    seat: Integer
    rid: Integer


class TimerFired(RoomRecord, frozen=True, tag="timer"):
    """A timer of the game has run out, or the players ended it early."""

    at: Integer
    name: str


class JobDone(RoomRecord, frozen=True, tag="job"):
    """A computation that the game asked for has a result."""

    at: Integer
    name: str
    result: Plain


class MatchOver(RoomRecord, frozen=True, tag="over"):
    """The match is over. ``state`` is the SHA-256 of its canonical final state. The last line of a match file."""

    at: Integer
    ranks: list[Integer]
    scores: list[Integer]
    why: str
    state: str
    stats: Plain | None = None


class Closed(RoomRecord, frozen=True, tag="closed"):
    """The room is closed."""

    at: Integer
    why: str


Record: TypeAlias = (
    RoomOpened | Owned | Taken | Vacated | Control | Handed | Readied | Hosted | Absent | Ruled | Changed | Sealed
    | Begun | Acted | TimedOut | TimerFired | JobDone | MatchOver | Closed
)  # fmt: skip

_CLASSES = tagged(get_args(Record), "r")
_encode = msgspec.json.Encoder(order="sorted").encode


def canonical(value: Any) -> str:
    """Return plain data as canonical JSON."""
    return _encode(value).decode()


def line(record: Record, n: int) -> str:
    """Return ``record`` as line ``n`` of a room's log."""
    fields = {name: value for name, value in to_builtins(record).items() if value is not None}
    fields["n"] = n
    return canonical(fields)


def deal_of(begun: Begun) -> Deal:
    """Return what the deals of a match follow from."""
    seats = len(begun.players)
    deal: Deal = {"secret": begun.secret, "context": begun.context, "nonces": begun.nonces[:seats]}
    if begun.beacon is not None:
        named: BeaconRound = {"chain": begun.beacon.chain, "round": begun.beacon.round}
        deal["beacon"] = {**named, "randomness": begun.nonces[-1]}
    return deal


def deal_nonces(deal: Deal, seats: int) -> list[str]:
    """Return the nonces of a match with this deal: one for each seat, and that of the beacon."""
    nonces = [*deal["nonces"], *[""] * seats][:seats]
    return [*nonces, deal["beacon"]["randomness"]] if "beacon" in deal else nonces


def size(text: str) -> int:
    """Return the number of bytes of a line of the log."""
    return len(text) if text.isascii() else len(text.encode())


def parse(text: str) -> Record:
    """Return the record on a line of the log. Raises BadMessage."""
    fields = json.loads(text)
    fields.pop("n")
    record: Record = structured(fields, _CLASSES[fields["r"]])
    return record


def link(before: bytes, text: str) -> bytes:
    """Return the next hash of a record chain."""
    return sha256(before + text.encode()).digest()


def game_file(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a match file from the lines of a match in a room's log."""
    chain = b""
    for text in lines:
        chain = link(chain, text)
        yield canonical({**json.loads(text), "h": chain.hex()})
