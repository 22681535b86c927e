"""The hand: one widget for all its cards.

It knows the cards, which of them can be played, the selected one, and those marked to be played together. UnoWidget
decides what a choice does.
"""

from collections.abc import Collection, Iterable, Sequence

import attrs
from rich.style import Style
from textual import events
from textual.geometry import Offset
from textual.message import Message
from textual.strip import Strip

from parlour_client.core.phrases import say
from parlour_client.tui.games.uno.buttons import NUMBERS
from parlour_client.tui.games.uno.cards import SHORT, Mark, card
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets import canvas
from parlour_client.tui.widgets.canvas import Canvas, line, placed
from parlour_games.uno.cards import SYMBOL, WILD
from parlour_protocol.messages import Plain

_TIGHTEST = 4
"""Visible columns of a covered card."""
MARGIN = 4
"""Columns on each side of a window, for the number of hidden cards."""


@attrs.frozen
class Fan:
    """The layout of a hand on one line.

    ``shown`` of ``count`` cards are visible, from card ``first``, which begins in column ``left``. ``card`` is the
    width of a card in columns.
    """

    count: int
    selected: int
    card: int
    left: int
    step: int
    first: int
    shown: int
    nudge: int = 0
    """Columns by which the selected card is shifted."""

    @property
    def seen(self) -> range:
        """The visible cards."""
        return range(self.first, self.first + self.shown)

    def column(self, index: int) -> int:
        """Return the column of the left edge of card ``index``."""
        return self.left + (index - self.first) * self.step + (self.nudge if index == self.selected else 0)

    def span(self, index: int) -> tuple[int, int]:
        """Return the columns (start, end) in which card ``index`` is not covered."""
        start, end = self.column(index), self.column(index) + self.card
        if index < self.selected and index + 1 in self.seen:
            end = min(end, self.column(index + 1))
        elif index > self.selected and index - 1 in self.seen:
            start = max(start, self.column(index - 1) + self.card)
        return start, end

    def at(self, column: int) -> int | None:
        """Return the card visible in ``column``, None if there is none."""
        for index in self.seen:
            start, end = self.span(index)
            if start <= column < end:
                return index
        return None


def fan_of(count: int, width: int, card: int, selected: int, first: int = 0, nudge: int = 0) -> Fan:
    """Return the fan of ``count`` cards, each ``card`` columns wide, in ``width`` columns.

    ``first``: the first card of the previous window.
    """
    step = min(card + 1, (width - card) // (count - 1)) if count > 1 else card + 1
    if step >= _TIGHTEST:
        taken = step * (count - 1) + card if count else 0
        return Fan(count, selected, card, max(0, (width - taken) // 2), step, 0, count, nudge)
    shown = max(1, min(count, (width - 2 * MARGIN - card) // _TIGHTEST + 1))
    first = min(max(first, selected - shown + 1, 0), max(0, selected), count - shown)
    return Fan(count, selected, card, MARGIN, _TIGHTEST, first, shown, nudge)


_FRAME = 0.06
"""Seconds per frame of the shake."""


class Hand(Canvas):
    """The cards in hand. ``selected`` is an index, 0 in an empty hand."""

    class Picked(Message):
        """A card was clicked. ``marking``: to play it together with others."""

        def __init__(self, card: int, marking: bool) -> None:
            super().__init__()
            self.card = card
            self.marking = marking

    def __init__(self, look: Appearance) -> None:
        super().__init__(look)
        self.cards: list[int] = []
        self.selected = 0
        self.card_size = SHORT
        """The widget has two rows more than a card, for raised cards and for the keys."""
        self.marked: list[int] = []
        """Cards to play together, in this order."""
        self._playable: Collection[int] = ()
        self.chosen = False
        """Whether the player has moved the cursor since the cards changed."""
        self._new: list[int] = []
        """The cards that were just drawn."""
        self._bluffs: Collection[int] = ()
        self._first = 0
        self._nudges: list[int] = []

    @property
    def card(self) -> int | None:
        """The selected card."""
        return self.cards[self.selected] if self.cards else None

    @property
    def fan(self) -> Fan:
        """The layout of the cards."""
        return self._fan(self.size.width)

    def place(self, card: int) -> Offset | None:
        """Return the column and row of a card in this widget, None if it is not visible."""
        index = self.cards.index(card) if card in self.cards else -1
        fan = self.fan
        return Offset(fan.column(index), 0 if self._raised(index) else 1) if index in fan.seen else None

    def hold(
        self,
        cards: Sequence[int],
        playable: Collection[int],
        bluffs: Collection[int] = (),
    ) -> None:
        """Set the cards. The cursor stays on its card or position. ``bluffs``: playable cards that lose a challenge."""
        before = self.card
        self.cards = [*cards]
        self.marked = [marked for marked in self.marked if marked in self.cards]
        if before in self.cards:
            self.selected = self.cards.index(before)
        self.selected = max(0, min(self.selected, len(self.cards) - 1))
        self._playable, self._bluffs = playable, bluffs
        self.repaint()

    def select(self, index: int) -> None:
        """Move the cursor to the card ``index``, if there is one."""
        if 0 <= index < len(self.cards):
            self.selected = index
            self.repaint()

    def select_card(self, card: int) -> None:
        """Move the cursor to ``card`` if it is in hand."""
        if card in self.cards:
            self.select(self.cards.index(card))

    def follow(self, events: Iterable[Plain], seat: int | None) -> None:
        """Note which cards ``seat`` draws: they are new until it plays or passes."""
        for event in events:
            if event["e"] in ("play", "pass", "deal") and event.get("seat", seat) == seat:
                self._new, self.chosen = [], False
            if event["e"] == "draw" and event["seat"] == seat:
                self._new, self.chosen = [*self._new, *event.get("cards", ())], False

    def move(self, by: int, *, playable: bool = False) -> None:
        """Move the cursor for the player, wrapping around. ``playable``: to the next card that can be played."""
        self.chosen = True
        if playable:
            self.next_playable(by)
        elif self.cards:
            self.select((self.selected + by) % len(self.cards))

    def next_playable(self, by: int = 1) -> None:
        """Move the cursor to the next card that can be played, if there is one."""
        n = len(self.cards)
        around = ((self.selected + by * step) % n for step in range(1, n + 1))
        self.select(next((index for index in around if self.cards[index] in self._playable), self.selected))

    def aim(self) -> None:
        """Move the cursor to a card that can be played, unless it is on one; to a wild only if nothing else fits."""
        plain = [card for card in self.cards if card in self._playable and SYMBOL[card] < WILD]
        if plain and self.card not in plain:
            self.select_card(plain[0])
        elif self.card not in self._playable:
            self.next_playable()

    def mark(self, card: int) -> None:
        """Mark ``card`` to be played together with others, or unmark it."""
        if card in self.marked:
            self.marked.remove(card)
        else:
            self.marked.append(card)
        self.repaint()

    def unmark(self) -> None:
        """Unmark all cards."""
        self.marked = []
        self.repaint()

    def shake(self) -> None:
        """Shake the selected card for two frames, unless animations are off."""
        if canvas.moves(self):
            self._nudges = [-1, 1]
            self._next_frame()

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the hand: a row for raised cards, the cards, the keys."""
        if not self.cards:
            return []
        fan, size = self._fan(width), self.card_size
        self._first = fan.first
        pictures = {index: self._picture(index) for index in fan.seen}
        lines = [self._row(fan, pictures, y) for y in range(size.rows + 1)]
        return [*lines, self._keys(fan, width)]

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Select the card under the mouse."""
        index = self.fan.at(event.x)
        if index is not None and index != self.selected:
            self.select(index)

    def on_click(self, event: events.Click) -> None:
        """Play the card under the mouse, or with shift or the right button mark it."""
        index = self.fan.at(event.x)
        if index is not None:
            self.chosen = True
            self.select(index)
            self.post_message(self.Picked(self.cards[index], event.shift or event.button == 3))

    def _fan(self, width: int) -> Fan:
        nudge = self._nudges[0] if self._nudges else 0
        return fan_of(len(self.cards), width, self.card_size.width, self.selected, self._first, nudge)

    def _next_frame(self) -> None:
        self.repaint()
        if self._nudges and self.is_mounted:
            self.set_timer(_FRAME, self._frame_over)

    def _frame_over(self) -> None:
        self._nudges = self._nudges[1:]
        self._next_frame()

    def _raised(self, index: int) -> bool:
        return index == self.selected or self.cards[index] in self.marked

    def _picture(self, index: int) -> tuple[Strip, ...]:
        held = self.cards[index]
        mark: Mark = "selected" if index == self.selected else "new" if held in (*self._new, *self.marked) else ""
        return card(self.look, held, self.card_size, mark, faded=held not in self._playable)

    def _row(self, fan: Fan, pictures: dict[int, tuple[Strip, ...]], y: int) -> Strip:
        """Return row ``y`` of the cards. Raised cards start at row 0, others at row 1."""
        pieces: list[tuple[int, Strip]] = []
        for index, picture in pictures.items():
            at = y if self._raised(index) else y - 1
            if 0 <= at < self.card_size.rows:
                start, end = fan.span(index)
                pieces.append((start, picture[at].crop(start - fan.column(index), end - fan.column(index))))
        return placed(pieces)

    def _keys(self, fan: Fan, width: int) -> Strip:
        pieces: list[tuple[int, Strip]] = []
        for index in fan.seen:
            start, end = fan.span(index)
            label, style = self._key(index, end - start)
            pieces.append((start + max(0, (end - start - len(label)) // 2), line((label[: end - start], style))))
        beyond = fan.count - fan.first - fan.shown
        if fan.first:
            pieces.insert(0, (0, line((f"{self.look.glyphs.more_left}{fan.first}", self._gold()))))
        if beyond:
            label = f"{beyond}{self.look.glyphs.more_right}"
            pieces.append((width - min(MARGIN, len(label)), line((label, self._gold()))))
        return placed(pieces)

    def _key(self, index: int, room: int) -> tuple[str, Style]:
        """Return the word below a card, which has ``room`` visible columns."""
        glyphs = self.look.glyphs
        key = NUMBERS[index] if index < len(NUMBERS) else ""
        held = self.cards[index]
        if held in self.marked:
            return f"{key}{glyphs.ready}", self._gold()
        if held in self._bluffs:
            mark = say("tui.uno.bluff_mark", key=key).strip()
            fits = len(mark) <= room
            return mark if fits else f"{key}{glyphs.playable}", self.look.style("coral", bold=True)
        if held in self._playable:
            return f"{key}{glyphs.playable}", self._gold()
        return key, self.look.style("dim", dim=True)

    def _gold(self) -> Style:
        return self.look.style("gold", bold=True)
