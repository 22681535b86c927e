"""The turn line: whose turn it is, the time left, and the rule to follow.

``YOUR TURN ━━━━━━━━──── 14s   match ▲ red or 7``
"""

from collections.abc import Callable
from time import monotonic

import attrs
from rich.text import Text
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from parlour_client.core.printing import clean, time_left
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets import canvas

_BAR_LONGEST, _BAR_SHORTEST = 32, 6
"""Columns."""
_HURRY = 10
"""Seconds left below which the clock is shown as urgent."""
_REMARK_STAYS = 4.0
"""Seconds for which a remark replaces the rule."""


@attrs.define
class _Clock:
    """A running clock: its end, and the length of the full bar, in seconds."""

    ends: float
    full: float


class TurnLine(Widget):
    """The line above the hand or board. Timers run only while a clock does."""

    DEFAULT_CSS = "TurnLine { height: 1; width: 100%; }"

    def __init__(self, look: Appearance, *, now: Callable[[], float] = monotonic) -> None:
        """``now``: a monotonic clock in seconds."""
        super().__init__()
        self._look = look
        self._now = now
        self._headline = ""
        self._rule = Text()
        self._mine = False
        self._flashing = False
        """Whether our turn has just begun."""
        self._clock: _Clock | None = None
        self._remark: tuple[str, str] | None = None
        self._fading: Timer | None = None

    @property
    def words(self) -> str:
        """The current headline and rule or remark, as plain text."""
        said = self._remark[0] if self._remark else self._rule.plain
        return f"{self._headline}  {said}".strip()

    def set(self, headline: str, left_ms: int | None, rule: Text, mine: bool) -> None:
        """Show whose turn it is, ``left_ms`` on the clock (None: no clock), and the rule. ``mine``: it is our turn."""
        headline = clean(headline)
        same = (headline, mine) == (self._headline, self._mine)
        if (headline, rule.plain, mine) != (self._headline, self._rule.plain, self._mine):
            self._forget_remark()
        if mine and not self._mine and canvas.moves(self):
            self._flashing = True
            self.set_timer(canvas.FLASH, self._dim)
        self._headline, self._rule, self._mine = headline, rule, mine
        self._set_clock(left_ms, same)
        self.refresh()

    def remark(self, text: str, kind: str = "info") -> None:
        """Show ``text`` briefly in place of the rule. ``kind``: info or refused."""
        self._forget_remark()
        self._remark = clean(text), kind
        if self.is_mounted:
            self._fading = self.set_timer(_REMARK_STAYS, self._forget_remark)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return the line."""
        return self._look.strip(self._line(self.size.width), self.size.width, align="center")

    def _set_clock(self, left_ms: int | None, same: bool) -> None:
        if left_ms is None:
            self._clock = None
        else:
            left = left_ms / 1000
            full = max(self._clock.full if same and self._clock else 0.0, left, 1.0)
            self._clock = _Clock(self._now() + left, full)
        canvas.tick(self, self._clock is not None)

    def _dim(self) -> None:
        """End the flash."""
        self._flashing = False
        self.refresh()

    def _forget_remark(self) -> None:
        self._remark = None
        if self._fading is not None:
            self._fading.stop()
            self._fading = None
        self.refresh()

    def _line(self, width: int) -> Text:
        look = self._look
        headline = look.text((self._headline, "gold" if self._mine else "dim"), bold=self._mine)
        if self._flashing and self._mine:
            headline.stylize(look.style("table", "gold", bold=True, reverse=True))
        said = self._said()
        if self._clock is None:
            return look.joined(headline, said, gap=3)
        left = max(0.0, self._clock.ends - self._now())
        colour = ("coral" if left <= _HURRY else "gold") if self._mine else "dim"
        seconds = look.text((time_left(1000 * left).replace(" ", ""), colour))
        room = width - headline.cell_len - seconds.cell_len - said.cell_len - 9
        length = min(room, _BAR_LONGEST)
        bar = Text() if length < _BAR_SHORTEST else look.bar(left / self._clock.full, length, colour)
        return look.joined(headline, bar, seconds, look.joined(Text(" "), said, gap=0) if said else said, gap=2)

    def _said(self) -> Text:
        if self._remark is None:
            return self._rule
        text, kind = self._remark
        return self._look.text((text, "coral" if kind == "refused" else "ink"), bold=kind == "refused")
