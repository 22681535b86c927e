"""The seats of a room: who has them, who plays them, and who is away."""

import attrs

from parlour_protocol.messages import Kind
from parlour_server.rooms.records import Absent, Readied


@attrs.define
class TakenSeat:
    """A taken seat. ``who`` is None if its owner has left for good during the match."""

    who: str | None
    name: str
    kind: Kind
    ready: bool = False
    nonce: str | None = None
    by: str = "owner"
    standin: str | None = None
    style: str | None = None

    @property
    def player(self) -> str | None:
        """The identity that plays this seat; None: the default action does."""
        return self.who if self.by == "owner" else self.standin


class RoomSeats(list[TakenSeat | None]):
    """The seats by number. None is a free seat."""

    def __init__(self, size: int) -> None:
        super().__init__([None] * size)
        self.away: dict[int, int] = {}
        """By seat: since when its owner has not been connected, if that is recorded."""

    def taken(self) -> list[tuple[int, TakenSeat]]:
        """Return the taken seats with their numbers."""
        return [(number, seat) for number, seat in enumerate(self) if seat is not None]

    def of(self, who: str) -> int | None:
        """Return the seat that ``who`` owns."""
        return next((number for number, seat in enumerate(self) if seat is not None and seat.who == who), None)

    def owners(self) -> list[str]:
        """Return the identities that own a seat."""
        return [seat.who for seat in self if seat is not None and seat.who is not None]

    def deciding(self, who: str) -> int | None:
        """Return the seat that ``who`` owns or stands in for."""
        for number, seat in enumerate(self):
            if seat is not None and (seat.who == who or seat.standin == who):
                return number
        return None

    def at(self, number: int) -> TakenSeat:
        """Return a taken seat. Raises LookupError."""
        seat = self[number]
        if seat is None:
            raise LookupError(f"seat {number} is not taken")
        return seat

    def give(self, number: int, seat: TakenSeat) -> None:
        """Give a seat to its next owner, who is here."""
        self[number] = seat
        self.away.pop(number, None)

    def vacate(self, number: int, *, playing: bool) -> None:
        """Free a seat of its owner. In a match it stays taken."""
        if playing:
            self.at(number).who = None
        else:
            self[number] = None
        self.away.pop(number, None)

    def note_absence(self, record: Absent) -> None:
        """Note that the owner of a seat is away, or back."""
        self.at(record.seat)
        if record.since is None:
            self.away.pop(record.seat, None)
        else:
            self.away[record.seat] = record.since

    def note_readiness(self, record: Readied) -> None:
        """Note that a seat is ready or not, and its nonce."""
        seat = self.at(record.seat)
        seat.ready = record.ready
        seat.nonce = record.nonce or seat.nonce

    def forget_readiness(self) -> None:
        """Let no seat be ready."""
        for _, seat in self.taken():
            seat.ready = False

    def resize(self, size: int) -> None:
        """Add or remove free seats at the end. People have to get ready again."""
        self[size:] = [None] * (size - len(self))
        for _, seat in self.taken():
            seat.ready = seat.ready and seat.kind == "bot"

    def begin(self) -> None:
        """Close the gaps between the taken seats for a match."""
        taken = self.taken()
        self.away = {new: self.away[old] for new, (old, _) in enumerate(taken) if old in self.away}
        self[:] = [*(seat for _, seat in taken), *[None] * (len(self) - len(taken))]
        self.forget_readiness()

    def end(self) -> None:
        """Return the seats to their owners after a match, and free those whose owners have left."""
        self.forget_readiness()
        for number, seat in self.taken():
            seat.nonce, seat.by, seat.standin = None, "owner", None
            if seat.who is None:
                self[number] = None
