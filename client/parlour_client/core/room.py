"""A room as its messages tell it: what a screen, a line mode or a bot would draw from.

``Room.apply`` takes in the messages that the session found to be news, in order. Nothing is derived from
the game's rules: the view is whole in every table message, the open decisions are listed, and whatever is
not listed any more is closed.
"""

import attrs

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
    Table,
    Turn,
    Update,
)

_CHAT_KEPT = 50


@attrs.define
class Question:
    """An open obligation of ours: answer ``rid`` by one of ``legal``. ``left``: ms it had when it was asked."""

    rid: int
    legal: list[Plain]
    left: int | None


@attrs.define
class JoinedRoom:
    """What is known of one room. ``seat`` is ours, None while we watch."""

    code: str
    game: str
    seat: int | None
    table: Table
    view: Plain | None
    events: list[Plain]
    """What the last message told of the game."""
    may: list[Offer]
    clocks: Seats
    chat: list[ChatRow]
    question: Question | None = None
    over: Over | None = None
    """The end of the last match, until the next one begins."""
    late: bool = False
    """Whether we sat down after the last match had ended: it is none of ours, so nothing of it is shown."""

    @classmethod
    def of(cls, joined: Joined) -> "JoinedRoom":
        """Return the room that ``joined`` tells of."""
        late = joined.why in ("join", "invited") and joined.seat is not None and joined.table["state"] == "finished"
        return cls(
            code=joined.room,
            game=joined.game,
            seat=joined.seat,
            table=joined.table,
            view=None if late else joined.view,
            events=[] if late else joined.events,
            may=joined.may,
            clocks=joined.clocks,
            chat=joined.chat,
            late=late,
        )

    @property
    def under_way(self) -> bool:
        """Whether a match is being played. Its end comes before the table that tells it."""
        return self.over is None and self.table["state"] in ("playing", "pause")

    def row(self, seat: int) -> SeatRow | None:
        """Return the table's row of a seat, None if nobody has it."""
        return next((row for row in self.table["seats"] if row["seat"] == seat), None)

    def name(self, seat: int) -> str:
        """Return the name of who sits at ``seat``."""
        row = self.row(seat)
        return row["name"] if row else f"seat {seat}"

    def seat_of(self, name: str) -> int | None:
        """Return the seat of ``name``, whatever its case; a beginning of the name will do if it fits one only."""
        rows = self.table["seats"]
        wanted = name.casefold()
        exact = [row["seat"] for row in rows if row["name"].casefold() == wanted]
        begun = [row["seat"] for row in rows if wanted and row["name"].casefold().startswith(wanted)]
        found = exact or begun
        return found[0] if len(found) == 1 else None

    def apply(self, message: ServerMessage) -> None:
        """Take in the next message of this room; others are ignored. After a ``joined`` the room is made anew."""
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
        """Decision ``rid`` is closed."""
        self.may = [offer for offer in self.may if offer["rid"] != rid]
        if self.question and self.question.rid == rid:
            self.question = None

    def _seats(self, table: Table) -> None:
        if (self.table["state"], table["state"]) == ("finished", "playing"):
            self.over = None
        self.table = table
        own = self.row(self.seat) if self.seat is not None else None
        if own and own["by"] == "standin":
            self.question = None  # it is the stand-in's

    def _game(self, message: Update | Turn | Over) -> None:
        self.late = False
        self.view, self.events, self.clocks = message.view, message.events, message.clocks
        self.over = message if isinstance(message, Over) else None
        self.may = [] if isinstance(message, Over) else message.may
        if isinstance(message, Turn):
            self.seat = message.seat
            self.question = Question(message.rid, message.legal or [], message.left)
        elif isinstance(message, Over) or message.view.get("turn", self.seat) != self.seat:
            self.question = None  # a game in turns names the seat that is asked as ``turn`` in its view
        if message.ok and "rid" in message.ok:
            self.answered(message.ok["rid"])

    def _refused(self, error: Error, rid: int) -> None:
        if self.question and self.question.rid == rid:
            self.question = Question(rid, error.legal or self.question.legal, error.left)
