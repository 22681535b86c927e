"""A card that travels over the table: from a hand to the pile, or from the deck to a hand."""

from collections.abc import Sequence

from textual.geometry import Offset
from textual.strip import Strip
from textual.widget import Widget

from parlour_client.core.room import JoinedRoom
from parlour_client.tui.games.uno.cards import back, card
from parlour_client.tui.games.uno.hand import Hand
from parlour_client.tui.games.uno.opponents import Opponents
from parlour_client.tui.games.uno.piles import Piles
from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets import motion
from parlour_client.tui.widgets.canvas import Canvas
from parlour_protocol.messages import Plain


class Flight(Canvas):
    """One card at a time: the next one ends the flight of the one before."""

    DEFAULT_CSS = "Flight { layer: above; position: absolute; display: none; }"

    def __init__(self, look: Look, opponents: Opponents, piles: Piles, hand: Hand) -> None:
        super().__init__(look)
        self._opponents = opponents
        self._piles = piles
        self._hand = hand
        self._picture: Sequence[Strip] = ()
        self._card: int | None = None
        self.flying = False

    def follow(self, room: JoinedRoom, events: list[Plain]) -> None:
        """Let the card that another player has played travel, or else one that was drawn."""
        for event in sorted(events, key=lambda event: event["e"] != "play"):
            if event["e"] == "play" and event["seat"] != room.seat:
                return self._play((event.get("cards") or [event["card"]])[-1], self._seat(room, event["seat"]))
            if event["e"] == "draw":
                picture = back(self.look, self._piles.shown_size)
                return self._fly(None, picture, self._pile("deck"), self._seat(room, event["seat"]))
        return None

    def set_out(self, played: int) -> None:
        """Let a card of ours travel. It stays on the pile until ``settle``."""
        place = self._hand.place(played)
        self._play(played, None if place is None else place + self._hand.region.offset)

    def settle(self) -> None:
        """Show the pile as it is in the room, unless a card is on its way to it."""
        if not self.flying:
            self._piles.uncover(None)

    def land(self) -> None:
        """End the flight."""
        if self.flying:
            self.flying = self.display = False
            self._piles.uncover(self._card)

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the card."""
        return [*self._picture]

    def _play(self, played: int, start: Offset | None) -> None:
        self._piles.cover()
        self._fly(played, card(self.look, played, self._piles.shown_size), start, self._pile("discard"))

    def _fly(self, played: int | None, picture: Sequence[Strip], start: Offset | None, end: Offset | None) -> None:
        """Let a picture travel between two places of the screen, if they are visible and things may move."""
        self.land()
        if start is None or end is None or not motion.moves(self):
            self._piles.uncover(None)
            return
        self._picture, self._card, self.flying = picture, played, True
        self.styles.width, self.styles.height = picture[0].cell_length, len(picture)
        table = self._table.region.offset
        self.offset, self.display = start - table, True
        self.repaint()
        self.animate("offset", end - table, duration=motion.FLIGHT, easing="out_cubic", on_complete=self.land)

    @property
    def _table(self) -> Widget:
        assert isinstance(self.parent, Widget), "a card flies over a widget"
        return self.parent

    def _pile(self, pile: str) -> Offset | None:
        place = self._piles.place(pile)
        return None if place is None else place + self._piles.region.offset

    def _seat(self, room: JoinedRoom, seat: int) -> Offset | None:
        """Return the place of a seat: of the opponent, or of our hand."""
        if seat == room.seat:
            return self._hand.region.offset + Offset(self._hand.size.width // 2, 1)
        place = self._opponents.place(seat)
        return None if place is None else place + self._opponents.region.offset
