"""The data that is written to the store, and that is read from it.

The lobby and its rooms ask for writes. The node commits them in order.
"""

from typing import TypeAlias

from msgspec import Struct

from parlour_games.statistics import BestTime
from parlour_protocol.messages import WebhookFormat


class Append(Struct, frozen=True):
    """Store line ``n`` of ``room``, whose owner's epoch is ``epoch``."""

    room: str
    epoch: int
    n: int
    line: str


class MatchRow(Struct, frozen=True):
    """One seat's row in a finished match. ``style``: how a bot played, as its seat shows it.

    ``house``: a house bot had the seat, which has no rating, profile or place in standings.
    """

    seat: int
    who: str
    name: str
    kind: str
    rank: int
    score: int
    style: str | None = None
    house: bool = False


class MatchFinished(Struct, frozen=True):
    """A match has ended; lines ``first`` to ``last`` of the room are its match file. ``rated``: its result counts."""

    digest: str
    game: str
    first: int
    last: int
    rated: bool
    rows: tuple[MatchRow, ...]
    time: BestTime | None = None


class SaveRoom(Struct, frozen=True):
    """Store that ``room`` is open (or no longer)."""

    room: str
    epoch: int
    open: bool
    kept: bool = False


class SaveSeat(Struct, frozen=True):
    """Store that ``who`` owns a seat in ``room`` (or no longer)."""

    room: str
    who: str
    seated: bool


class SaveIdentity(Struct, frozen=True):
    """Store an identity. Tokens and key are hashes; ``previous`` holds older tokens, separated by spaces."""

    who: str
    name: str
    kind: str
    token: str | None
    previous: str | None
    key: str | None
    banned: bool = False
    muted: bool = False
    house: bool = False


class DropIdentity(Struct, frozen=True):
    """Forget an identity. Its name stays in results, unless it is ``erased``, which also drops its ratings."""

    who: str
    erased: bool = False


class Rated(Struct, frozen=True):
    """The rating of an identity at a game after a stored match, as it is shown."""

    who: str
    game: str
    rating: int


class SaveMatch(Struct, frozen=True):
    """Store a finished match for files and standings."""

    room: str
    match: MatchFinished


class SaveContest(Struct, frozen=True):
    """Store a contest: its ``plan`` as JSON. ``resumed``: it was stopped before."""

    name: str
    plan: str
    stopped: bool
    resumed: bool = False


class SavePairing(Struct, frozen=True):
    """Store that pairing ``number`` of a contest is played in ``room``, or its ``result`` (JSON)."""

    contest: str
    number: int
    room: str
    result: str | None


class SaveDaily(Struct, frozen=True):
    """Store that a name plays the board of ``day`` in ``room``, or has finished it in ``ms`` with ``points``.

    Only the first room counts. A board that is ranked by time has no points.
    """

    day: str
    board: str
    room: str
    who: str
    name: str
    kind: str
    ms: int | None = None
    points: int | None = None


class SaveLink(Struct, frozen=True):
    """Add a link to the server's public chain: ``match`` begins, or is over (see ``parlour_games.chain``)."""

    match: str
    over: str | None = None


class SaveMissed(Struct, frozen=True):
    """Store that ``who`` was away when the match with this digest ended. The match itself is stored before."""

    who: str
    digest: str


class DropMissed(Struct, frozen=True):
    """Store that ``who`` has seen how these matches ended."""

    who: str
    digests: tuple[str, ...]


class SavePreset(Struct, frozen=True):
    """Store rules (JSON) of a game under a name, in place of those that ``who`` has saved under it before.

    Nothing is stored if the name is someone else's, or there are too many (see ``store.results``).
    """

    game: str
    name: str
    who: str
    by: str
    rules: str


class DropPreset(Struct, frozen=True):
    """Forget the rules that ``who`` has saved under a name."""

    game: str
    name: str
    who: str


class SaveWebhook(Struct, frozen=True):
    """Store the webhook of ``who`` in place of the one before. ``url`` is a secret of theirs."""

    who: str
    url: str
    format: WebhookFormat
    lang: str


class DropWebhook(Struct, frozen=True):
    """Forget the webhook of ``who``."""

    who: str


class SaveTicket(Struct, frozen=True):
    """Store the ``hash`` of a ticket with which ``who`` may enter ``room`` at another node, once, within ``ms``."""

    hash: str
    who: str
    room: str
    ms: int


Write: TypeAlias = (
    Append
    | SaveRoom
    | SaveSeat
    | SaveIdentity
    | DropIdentity
    | SaveMatch
    | SaveContest
    | SavePairing
    | SaveTicket
    | SaveDaily
    | SaveLink
    | SaveMissed
    | DropMissed
    | SavePreset
    | DropPreset
    | SaveWebhook
    | DropWebhook
)


class Index(Struct, frozen=True):
    """The state that is read at start: everything but the records of rooms."""

    open_rooms: tuple[str, ...]
    kept_rooms: tuple[str, ...]
    """Those of them that belong to the server itself."""
    codes: tuple[str, ...]
    """The codes of all listed rooms whose records are stored."""
    identities: tuple[SaveIdentity, ...]
    seats: tuple[tuple[str, str], ...]
    """(room, who) of the seats in open rooms."""
    ratings: tuple[Rated, ...] = ()
    contests: tuple[SaveContest, ...] = ()
    tables: tuple[SavePairing, ...] = ()
    """The last stored state of each pairing of a contest, in order."""
    daily: str = ""
    """The master secret of the daily boards, in hex."""
    unplayed: tuple[tuple[str, int], ...] = ()
    """Those of the identities that have not finished a match, and for how many ms nothing was stored of each."""
    complete: bool = True
    """Whether ``identities`` holds all of them. Otherwise the rest is read when a message names them: see ``Known``."""
    rooms: int = 0
    """The number of all rooms whose records are stored."""


class Pruned(Struct, frozen=True):
    """The result of one step of removing old rooms. ``after`` is where to go on; None: it was the last."""

    freed: tuple[str, ...]
    after: str | None
    names: int = 0
    """The identities that were forgotten."""


class Known(Struct, frozen=True):
    """What is stored of the identities that were asked for. Those not among ``identities`` do not exist."""

    identities: tuple[SaveIdentity, ...] = ()
    versions: dict[str, int] = {}
    """The version of each identity, by id: the transaction that changed it last."""
    seats: tuple[tuple[str, str], ...] = ()
    """(room, who) of their seats in open rooms, at any node."""
    abroad: frozenset[str] = frozenset()
    """Those who said hello last at another node that lives. They are its to forget: a commit that drops one of them

    here does nothing, unless it is to be ``erased``, and its name is not free.
    """
    unplayed: frozenset[str] = frozenset()
    """Those who have not finished a match."""
    ratings: tuple[Rated, ...] = ()
    """Their ratings."""


class StoredWebhook(Struct, frozen=True):
    """A webhook as it is stored. ``off``: why it was switched off."""

    url: str
    format: WebhookFormat
    lang: str
    off: str | None = None


class Member(Struct, frozen=True):
    """A node's part in a shared store: its name, its addresses, and its lease in ms.

    ``unplayed_kept``: seconds for which a key that never finished a match is kept after its last visit; None: for ever.
    """

    name: str
    url: str
    peer: str
    lease: int = 2_000
    unplayed_kept: int | None = None


class PeerNode(Struct, frozen=True):
    """Another living node: clients reach it at ``url``, nodes at ``peer``. ``rows`` is what it published."""

    name: str
    url: str
    peer: str
    rows: str = ""


Meeting: TypeAlias = tuple[str, str, int]
"""Two identities, and in how many rated matches between two they met."""
Loaded: TypeAlias = tuple[int, list[str]]
"""The epoch of a room, and all its lines."""


Change: TypeAlias = SaveIdentity | DropIdentity | Rated | SaveContest | SavePairing


class Sightings(Struct, frozen=True):
    """What a node sees when it renews its lease."""

    peers: tuple[PeerNode, ...] = ()
    """The other living nodes, by name."""
    orphans: tuple[str, ...] = ()
    """Open rooms without a living owner that this node may ``load``. Another may be faster (Elsewhere)."""
    lost: tuple[str, ...] = ()
    """Rooms of this node that other nodes have taken over."""
    changes: tuple[Change, ...] = ()
    """What other nodes have stored since the last time, in no order across classes, each as it is now.

    Of people who were dropped it has only those who are ``erased``.
    """
    contests: frozenset[str] = frozenset()
    """The contests that this node holds. Those of dead nodes are shared out among the living."""
    soonest: float = float("inf")
    """Seconds until the first of the peers' leases is over, unless that is renewed."""
