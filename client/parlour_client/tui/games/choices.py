"""The legal actions of any game: numbered buttons, and for many of a kind one with a stepper for each field."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import attrs
from rich.text import Text
from textual import events
from textual.message import Message
from textual.strip import Strip

from parlour_client.core.phrases import say
from parlour_client.text.actions import Group, Item, Way
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.canvas import Canvas, placed

_GAP = 2
_LONGEST = 40
KEYS = "1234567890"


@attrs.frozen
class Stepper:
    """A field of a group, with the value that the action of the group's button has."""

    group: Group
    at: int


Spot: TypeAlias = Item | Stepper
Words: TypeAlias = Callable[[Way, str], str]
"""Returns something in words about a field of an action."""


class Choices(Canvas):
    """Actions to choose from. One button or stepper is selected."""

    class Clicked(Message):
        """An action was clicked."""

        def __init__(self, way: Way) -> None:
            super().__init__()
            self.way = way

    def __init__(self, look: Appearance, name_of: Words, value_of: Words) -> None:
        super().__init__(look)
        self._name_of, self._value_of = name_of, value_of
        self._shown: Sequence[Item] = ()
        self._items: list[Item] = []
        """The single actions, then the groups."""
        self._set: dict[int, Way] = {}
        """The action of each group's button, by the place of the group."""
        self._pointed: Spot | None = None
        self._rows: list[list[Spot]] = []
        self._top = 0
        self._places: list[tuple[int, range, Spot]] = []

    def show(self, items: Sequence[Item]) -> None:
        """Show buttons and groups, and keep the selection if they are the same as before."""
        if items != self._shown:
            self._shown = items
            self._items = [*(each for each in items if isinstance(each, Way)), *_groups(items)]
            self._set = {id(group): group.ways[0] for group in _groups(items)}
            self._pointed, self._top = next(iter(self._items), None), 0
        self._lay_out(self.size.width)
        self.repaint()

    @property
    def ways(self) -> list[Way]:
        """The actions of the buttons."""
        return [self._way(item) for item in self._items]

    @property
    def way(self) -> Way | None:
        """The selected action."""
        return None if self._pointed is None else self._way(self._pointed)

    def height(self, width: int) -> int:
        """Return how many rows all choices take in ``width`` columns."""
        self._lay_out(width)
        return len(self._rows)

    def move(self, across: int, down: int) -> None:
        """Select a neighbour. On a stepper, left and right change the value, and up and down leave it."""
        if self._pointed is None:
            return
        if across and isinstance(self._pointed, Stepper):
            self._step(self._pointed, across)
            return
        row, column = self._here()
        if across or not isinstance(self._pointed, Way):
            spots = [spot for spots in self._rows for spot in spots]
            wanted = spots.index(self._pointed) + across + down
            self._pointed = spots[wanted] if 0 <= wanted < len(spots) else self._pointed
        elif 0 <= row + down < len(self._rows):
            there = self._rows[row + down]
            self._pointed = there[min(column, len(there) - 1)] if isinstance(there[0], Way) else there[0]
        self.repaint()

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the rows around the selected button."""
        self._places = []
        here, _ = self._here()
        self._top = max(min(self._top, here), here - height + 1, 0)
        shown = self._rows[self._top : self._top + height]
        strips = [self._row(y, spots, width) for y, spots in enumerate(shown)]
        hidden = [spot for spots in self._rows[self._top + height :] for spot in spots]
        if hidden and strips:
            more = say("any.more", n=len(hidden) + len(shown[-1]))
            strips[-1] = self.look.strip(self.look.text((more, "dim")), width, ground=None, align="center")
        return strips

    def on_click(self, event: events.Click) -> None:
        """Report the clicked action, or change the value of the clicked stepper: its left half goes back."""
        for y, columns, spot in self._places:
            if y == event.y and event.x in columns:
                if isinstance(spot, Stepper):
                    self._pointed = spot
                    self._step(spot, 1 if event.x >= columns.start + len(columns) // 2 else -1)
                else:
                    self.post_message(self.Clicked(self._way(spot)))
                return

    def _way(self, spot: Spot) -> Way:
        if isinstance(spot, Way):
            return spot
        return self._set[id(spot.group if isinstance(spot, Stepper) else spot)]

    def _step(self, stepper: Stepper, by: int) -> None:
        self._set[id(stepper.group)] = stepper.group.step(self._way(stepper), stepper.at, by)
        self.repaint()

    def _lay_out(self, width: int) -> None:
        """Put the buttons into columns, and each group with its steppers into rows of its own."""
        single, columns = self._single, self._fitting(width)
        self._rows = [list[Spot](single[at : at + columns]) for at in range(0, len(single), columns)]
        for group in _groups(self._items):
            row, used = list[Spot]([group]), self._wide(group)
            for stepper in (Stepper(group, at) for at in range(len(group.fields))):
                if used + _GAP + self._wide(stepper) > width:
                    self._rows.append(row)
                    row, used = [], -_GAP
                row.append(stepper)
                used += _GAP + self._wide(stepper)
            self._rows.append(row)

    def _here(self) -> tuple[int, int]:
        """Return row and column of the selected button."""
        found = ((y, x) for y, row in enumerate(self._rows) for x, spot in enumerate(row) if spot == self._pointed)
        return next(found, (0, 0))

    def _row(self, y: int, spots: list[Spot], width: int) -> Strip:
        wide = [self._wide(spot) for spot in spots]
        columns = min(self._fitting(width), len(self._single)) if isinstance(spots[0], Way) else 0
        taken = columns * (wide[0] + _GAP) or sum(wide) + _GAP * len(wide)
        x, pieces = max(0, (width - taken + _GAP) // 2), []
        for spot, each in zip(spots, wide, strict=True):
            self._places.append((y, range(x, x + each), spot))
            pieces.append((x, self.look.strip(self._drawn(spot), each, ground=None)))
            x += each + _GAP
        return placed(pieces)

    def _drawn(self, spot: Spot) -> Text:
        look, here = self.look, spot == self._pointed
        if isinstance(spot, Stepper):
            way, field, glyphs = self._way(spot), spot.group.fields[spot.at], look.glyphs
            value = look.text((self._value_of(way, field)[:_LONGEST], "gold" if here else "ink"), bold=here)
            name, ends = look.text((self._name_of(way, field)[:_LONGEST], "dim")), "gold" if here else "dim"
            return look.joined(
                name, look.text((glyphs.more_left, ends)), value, look.text((glyphs.more_right, ends)), gap=1
            )
        number = self._items.index(spot)
        key = KEYS[number] if number < len(KEYS) else " "
        label = look.text((self._way(spot).words[: _LONGEST - 1], "gold" if here else "ink"), bold=here)
        pointer = look.text((look.glyphs.pointer if here else " ", "gold"))
        return look.joined(pointer, look.text((key, "gold"), bold=True), label, gap=1)

    def _wide(self, spot: Spot) -> int:
        """Return how many columns a spot takes, whatever its value is."""
        if isinstance(spot, Stepper):
            field, ways = spot.group.fields[spot.at], spot.group.ways
            values = max(len(self._value_of(way, field)) for way in ways)
            return min(_LONGEST, len(self._name_of(ways[0], field))) + min(_LONGEST, values) + 6
        ways = spot.ways if isinstance(spot, Group) else self._single
        return min(_LONGEST, max(len(way.words) for way in ways)) + 4

    def _fitting(self, width: int) -> int:
        """Return how many buttons of single actions stand side by side."""
        return max(1, (width + _GAP) // (self._wide(self._single[0]) + _GAP)) if self._single else 1

    @property
    def _single(self) -> tuple[Way, ...]:
        return tuple(item for item in self._items if isinstance(item, Way))


def _groups(items: Sequence[Item]) -> list[Group]:
    return [item for item in items if isinstance(item, Group)]
