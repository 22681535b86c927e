"""The state of a joined room, built from its messages.

``JoinedRoom.apply`` handles the messages that the session found to be news, in order. It does not know the rules of any
game: each message of a match carries the complete view and lists the open decisions; a decision that is no longer
listed is closed.
"""

import attrs

from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.url import whole_code
from parlour_protocol.messages import (
    ChatRow,
    Error,
    Joined,
    Offer,
    Ok,
    Over,
    Plain,
    Said,
    SeatRow,
    Seats,
    SeatsChanged,
    ServerMessage,
    StandingsRow,
    Table,
    Turn,
    Update,
)

_CHAT_KEPT = 50
LEVELS = ("easy", "normal", "hard")
"""The styles of house bots that are levels, in ascending order."""
LLM = "llm"
"""The style of language models. It is a label, not a way to choose."""


@attrs.define
class Question:
    """An open decision: answer ``rid`` with one of ``legal``. ``left``: milliseconds on our clock when it was asked."""

    rid: int
    legal: list[Plain]
    left: int | None


@attrs.frozen
class Attempt:
    """An attempt at a match of the day. ``first``: whether it counts. ``result``: that of the first one, if any."""

    first: bool
    result: str | None = None


@attrs.define
class JoinedRoom:
    """A room and our place in it. ``seat`` is ours, None while we watch."""

    code: str
    game: str
    seat: int | None
    table: Table
    view: Plain | None
    events: list[Plain]
    """The game events of the last message."""
    may: list[Offer]
    clocks: Seats
    chat: list[ChatRow]
    question: Question | None = None
    over: Over | None = None
    """The result of the last match, until the next one starts."""
    players: dict[int, str] = attrs.field(factory=dict)
    """The names of those who have played in the last match, by seat, also of those who have left."""
    seat_code: str | None = None
    """The code for the seats, if the room has one and we know it."""
    late: bool = False
    """Whether we took a seat after the last match. Its final view and result are not shown then."""
    attempt: Attempt | None = None
    """The server's answer about the match of the day, while that is what we play."""
    remembered: bool = False
    """Whether the server keeps our results."""
    helped: bool = False
    """Whether we were shown odds in this match."""
    private: bool = False
    """Whether no one else reaches the server: its code, and why nothing is rated, do not matter."""

    @classmethod
    def of(cls, joined: Joined) -> "JoinedRoom":
        """Return the room that ``joined`` describes."""
        late = joined.why in ("join", "invited") and joined.seat is not None and joined.table["state"] == "finished"
        room = cls(
            code=joined.room,
            game=joined.game,
            seat=joined.seat,
            table=joined.table,
            view=None if late else joined.view,
            events=[] if late else joined.events,
            may=joined.may,
            clocks=joined.clocks,
            chat=joined.chat,
            seat_code=joined.seat_code,
            late=late,
        )
        room._note_players()
        return room

    def resume(self, before: "JoinedRoom") -> None:
        """Keep what is known from ``before``: the attempt, and the names of those who have left the match meanwhile."""
        self.attempt, self.helped = before.attempt, before.helped
        if self.under_way and before.under_way:
            self.players = {**before.players, **self.players}

    @property
    def whole_code(self) -> str:
        """The code to give to others: with the code for the seats, if we know it."""
        return whole_code(self.code, self.seat_code)

    @property
    def under_way(self) -> bool:
        """Whether a match is in progress. ``over`` arrives before the table with the new state."""
        return self.over is None and self.table["state"] in ("playing", "pause")

    @property
    def counts(self) -> bool:
        """Whether a match is in progress that counts. Until it is over, players stay and keep their seats."""
        return self.under_way and self.table.get("unrated") in (None, "alone")

    @property
    def rated(self) -> bool:
        """Whether a match is in progress that counts for ratings: the host cannot add time, either."""
        return self.counts and self.table.get("unrated") is None

    @property
    def stood_in(self) -> bool:
        """Whether a stand-in plays at our seat."""
        row = self.row(self.seat) if self.seat is not None else None
        return row is not None and row["by"] == "standin"

    @property
    def may_get_ready(self) -> bool:
        """Whether we may say that we are ready for what comes next, or take our seat back from a stand-in."""
        return self.seat is not None and (self.table["state"] != "playing" or self.stood_in)

    def help(self) -> bool:
        """Note that odds are shown to us. Return whether this match might have been a record until now."""
        before, self.helped = self.helped, True
        return not (before or self.remembered or "deal" in self.table["fair"])

    def row(self, seat: int) -> SeatRow | None:
        """Return the row of a seat, None if it is empty."""
        return next((row for row in self.table["seats"] if row["seat"] == seat), None)

    def name(self, seat: int) -> str:
        """Return the name of the player at ``seat``, in a match or its result of the one who has played it."""
        if seat in self.players and (self.over is not None or self.under_way):
            return self.players[seat]
        row = self.row(seat)
        return row["name"] if row else say("room.seat", seat=seat)

    def seat_of(self, name: str) -> int | None:
        """Return the seat of ``name``, ignoring case. A prefix is enough if it is unique."""
        rows = self.table["seats"]
        wanted = name.casefold()
        exact = [row["seat"] for row in rows if row["name"].casefold() == wanted]
        begun = [row["seat"] for row in rows if wanted and row["name"].casefold().startswith(wanted)]
        found = exact or begun
        return found[0] if len(found) == 1 else None

    def apply(self, message: ServerMessage) -> None:
        """Apply the next message of this room; ignore others. For a ``joined``, create a new JoinedRoom instead."""
        if getattr(message, "room", None) != self.code:
            return
        match message:
            case Over() if self.late:
                return
            case Update() | Turn() | Over():
                self._game(message)
            case SeatsChanged():
                self._seats(message.table)
            case Said():
                line: ChatRow = {"from": message.from_["name"], "text": message.text}
                self.chat = [*self.chat, line][-_CHAT_KEPT:]
            case Ok(rid=int(rid)) | Error(code="stale" | "no_such_rid", rid=int(rid)):
                self.answered(rid)
            case Error(code="illegal_action", rid=int(rid)):
                self._refused(message, rid)

    def answered(self, rid: int) -> None:
        """Close decision ``rid``."""
        self.may = [offer for offer in self.may if offer["rid"] != rid]
        if self.question and self.question.rid == rid:
            self.question = None

    def _seats(self, table: Table) -> None:
        if (self.table["state"], table["state"]) == ("finished", "playing"):
            self.over = None
            self.helped, self.attempt = False, self.attempt and attrs.evolve(self.attempt, first=False)
        if not self.under_way and self.over is None:
            self.players = {}
        self.table = table
        self._note_players()
        if self.stood_in:
            self.question = None  # the stand-in answers it

    def _note_players(self) -> None:
        if self.under_way:
            self.players |= {row["seat"]: row["name"] for row in self.table["seats"]}

    def _game(self, message: Update | Turn | Over) -> None:
        self.late = False
        self.view, self.events, self.clocks = message.view, message.events, message.clocks
        self.over = message if isinstance(message, Over) else None
        self.may = [] if isinstance(message, Over) else message.may
        if isinstance(message, Turn):
            self.seat = message.seat
            self.question = Question(message.rid, message.legal or [], message.left)
        elif isinstance(message, Over) or message.view.get("turn", self.seat) != self.seat:
            self.question = None  # games with turns name the active seat as ``turn`` in the view
        if message.ok and "rid" in message.ok:
            self.answered(message.ok["rid"])

    def _refused(self, error: Error, rid: int) -> None:
        if self.question and self.question.rid == rid:
            self.question = Question(rid, error.legal or self.question.legal, error.left)


def kind_of(row: SeatRow | StandingsRow) -> str:
    """Return what sits on a seat, or has played: a person, or a bot with its level or style."""
    style = row.get("style")
    return say("line.kind", style=None if style is None else clean(style), kind=row["kind"])


def style_name(style: str) -> str:
    """Return the style of a bot in words, if it is a level."""
    return say(f"line.level.{style}") if style in LEVELS else style
