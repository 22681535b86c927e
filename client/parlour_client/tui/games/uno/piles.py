"""The middle of the table: deck, discards, colour, direction and pending cards, and the cards that travel over it."""

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Offset
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.uno.words import colour_name
from parlour_client.tui.games.uno.cards import SHORT, TALL, Size, back, block, card, symbol_of
from parlour_client.tui.games.uno.hand import Hand
from parlour_client.tui.games.uno.opponents import Opponents
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets import canvas
from parlour_client.tui.widgets.canvas import TARGET, Canvas, placed, target
from parlour_games.uno.options import Options
from parlour_protocol.messages import Plain

USUAL_TARGET = Options().target
_GAP = 3
_NOTES = 20
"""Columns of the text beside the cards."""


class Piles(Canvas):
    """The piles. In three rows or less they are text only."""

    class Deck(Message):
        """The deck was clicked: draw."""

    def __init__(self, look: Appearance) -> None:
        super().__init__(look)
        self._view: Plain | None = None
        self._seat: int | None = None
        self._wanted = ""
        self.card_size = TALL
        """The largest size of cards here."""
        self._covered: int | None = None
        """The card that is shown on top in place of that of the room."""
        self.deck = range(0)
        """The columns of the deck; empty if it is shown as text."""
        self._rows = range(0)
        """The rows of the deck."""

    def show(self, room: JoinedRoom) -> None:
        """Show the piles in ``room``."""
        self._view, self._seat = room.view, room.seat
        options = room.table["options"]
        self._target = None if options.get("scoring") == "single" else options.get("target", USUAL_TARGET)
        self.repaint()

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the piles, centred in ``height`` rows: cards or text, depending on space."""
        if self._view is None:
            return []
        size = self.card_size if height >= self.card_size.rows + 3 else SHORT
        if height <= size.rows:
            self.deck = range(0)
            return self._words(self._view, width)
        first = max(0, (width - 2 * size.width - 2 * _GAP - _NOTES) // 2)
        columns = [first, first + size.width + _GAP, first + 2 * (size.width + _GAP)]
        self.deck = range(first, first + size.width)
        top = self._view["top"] if self._covered is None else self._covered
        deck = [line.apply_meta({TARGET: "deck"}) for line in back(self.look, size)]
        discard = card(self.look, top, size)
        notes = [self.look.strip(note, max(0, min(_NOTES, width - columns[2])), ground=None) for note in self._notes()]
        notes = [*[Strip([])] * ((size.rows - len(notes)) // 2), *notes]
        under = self._under("deck", size), self._under("discard", size)
        zones = [(*deck, under[0]), (*discard, under[1]), (*notes, *[Strip([])] * size.rows)]
        above = (height - size.rows) // 2
        self._rows = range(above, above + size.rows)
        lines = [placed(zip(columns, row, strict=True)) for row in zip(*zones, strict=False)]
        return [*[Strip([])] * above, *lines]

    def cover(self) -> None:
        """Keep showing the present top card while another one is on its way."""
        self._covered = self._view["top"] if self._view else None

    def uncover(self, card: int | None) -> None:
        """Show ``card`` on top, or with None the top card of the room."""
        self._covered = card
        self.repaint()

    def place(self, pile: str) -> Offset | None:
        """Return the column and row of ``deck`` or ``discard``, None if it is shown as text."""
        if not self.deck:
            return None
        size = len(self.deck)
        return Offset(self.deck.start + (0 if pile == "deck" else size + _GAP), self._rows.start)

    @property
    def shown_size(self) -> Size:
        """The size of the cards that are shown."""
        return self.card_size if len(self._rows) == self.card_size.rows else SHORT

    def on_click(self, event: events.Click) -> None:
        """Report a click on the deck."""
        if target(event) == "deck":
            self.post_message(self.Deck())

    def _under(self, pile: str, size: Size) -> Strip:
        """Return the name of a pile; that of the deck is underlined under the mouse."""
        number = f" {self._view['deck']}" if self._view and pile == "deck" else ""
        name = self.look.text((say(f"tui.uno.{pile}") + number, "dim"))
        if pile == self.pointed:
            name.stylize(Style(underline=True))
        return self.look.strip(name, size.width, ground=None)

    def _colour(self) -> Text:
        colour = (self._view or {})["colour"]
        if colour is None:
            return self.look.text((say("tui.uno.no_colour"), "dim"))
        return Text(f" {self.look.glyphs.suit(colour)} {colour_name(colour).upper():<6}", block(self.look, colour))

    def _direction(self, words: bool) -> Text:
        onward = (self._view or {})["direction"] == 1
        sign = self.look.glyphs.clockwise if onward else self.look.glyphs.reverse
        if not words:
            return self.look.text((sign, "gold"), bold=True)
        return self.look.text((f"{sign} {say('tui.uno.direction', clockwise=onward)}", "gold"))

    def _pending(self) -> Text:
        pending = (self._view or {}).get("pending", 0)
        return self.look.text((say("tui.uno.pending", n=pending) if pending else "", "coral"), bold=True)

    def _round(self) -> Text:
        """Return our points and the target; for spectators the round."""
        view = self._view or {}
        if self._seat is None:
            return self.look.text((say("tui.header.round", n=view["round"]), "dim"))
        return self.look.text((say("tui.uno.own_score", n=view["scores"][self._seat], target=self._target), "dim"))

    def _notes(self) -> list[Text]:
        colour = self.look.text((say("tui.uno.colour"), "dim"))
        return [colour, self._colour(), self._pending(), self._direction(words=True), self._round()]

    def _words(self, view: Plain, width: int) -> list[Strip]:
        look = self.look
        deck = look.text((f"{say('tui.uno.deck')} ", "dim"), f"{view['deck']}")
        top = look.text((f"{say('tui.uno.on_top')} ", "dim"), f"{symbol_of(look, view['top'])}", bold=True)
        parts = [deck, top, self._colour(), self._direction(words=False), self._pending()]
        return [look.strip(look.joined(*parts, gap=2), width, ground=None, align="center")]


class Flight(Widget):
    """One card at a time: the next one ends the flight of the one before."""

    DEFAULT_CSS = "Flight { layer: above; position: absolute; display: none; }"

    def __init__(self, look: Appearance, opponents: Opponents, piles: Piles, hand: Hand) -> None:
        super().__init__()
        self.look = look
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

    def render_line(self, y: int) -> Strip:
        """Return a line of the card, also before the layout has given it a place."""
        return self._picture[y] if y < len(self._picture) else Strip.blank(self.size.width)

    def _play(self, played: int, start: Offset | None) -> None:
        self._piles.cover()
        self._fly(played, card(self.look, played, self._piles.shown_size), start, self._pile("discard"))

    def _fly(self, played: int | None, picture: Sequence[Strip], start: Offset | None, end: Offset | None) -> None:
        """Let a picture travel between two places of the screen, if they are visible and things may move."""
        self.land()
        if start is None or end is None or not canvas.moves(self):
            self._piles.uncover(None)
            return
        ground = self.look.style("ink", "table")
        self._picture, self._card, self.flying = [line.apply_style(ground) for line in picture], played, True
        self.styles.width, self.styles.height = picture[0].cell_length, len(picture)
        table = self._table.region.offset
        self.offset, self.display = start - table, True
        self.refresh()
        self.animate("offset", end - table, duration=canvas.FLIGHT, easing="out_cubic", on_complete=self.land)

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
