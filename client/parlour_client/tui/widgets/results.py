"""The results of a round or match: first who has won, over the table; then statistics, fairness and digest."""

from collections.abc import Sequence

from rich.text import Text
from textual.widgets import Static

from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import lines_for
from parlour_client.text.profile import evening
from parlour_client.text.room_lines import reason, unrated
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets import canvas
from parlour_client.tui.widgets.common import Scrolling
from parlour_games.uno.cards import COLOURS
from parlour_protocol.messages import Over
from parlour_protocol.names import padded

_SPARKS = 16
"""Pictures of a celebration."""
_NAME = 20
"""Columns for a name."""
_WIDEST, _TIGHT = 71, 52
"""Columns of the longest lines, and of those on small screens."""


class Results(Scrolling):
    """A box with the results, over the table or beside it.

    At the end of a match it is brief and leaves the table in sight: the screen has the class ``moment``, and shows it
    at the top.
    """

    DEFAULT_CSS = """
    Results {
        layer: above; display: none; width: auto; min-width: 38; max-width: 96%; height: auto; max-height: 92%;
        background: $panel; color: $ink; border: $frame $gold; border-title-color: $gold; padding: 0 1;
        scrollbar-size-vertical: 1;
    }
    Results.open { display: block; }
    Results Static { width: auto; height: auto; }
    """

    def __init__(self, look: Appearance) -> None:
        self._text = Static()
        super().__init__(self._text, more=say("tui.results.more"))
        self.look = look
        self._told: object = None
        self._brief: list[Text] = []
        self._details: list[Text] = []
        self._detailed = False
        self._last = ""
        self._heading = ""
        self._sparks = 0
        """The number of pictures of the celebration that are left."""

    def on_resize(self) -> None:
        """Fit the lines to the screen."""
        self._open(self.covering)

    def show(
        self,
        room: JoinedRoom,
        standings: list[Text],
        statistics: list[Text],
        *,
        fair: bool,
        ranked: bool = False,
        moment: Sequence[str] = (),
        last: str = "",
    ) -> None:
        """Show the results in ``room``, if there are any.

        ``standings``, ``statistics``: lines of the game; ``ranked``: the standings include places and points.
        ``moment``: what the match brought. ``last``: the play that ended it, which the results may cover.
        """
        pausing = room.table["state"] == "pause"
        told = room.over.digest if room.over else (room.view or {}).get("round", 0) if pausing else None
        if told != self._told:
            self._told = told
            self._detailed, self._last = False, last
            self._sparks = _SPARKS if _won(room) and canvas.moves(self) else 0
            self._open(told is not None)
        if told is None:
            return
        ended_by = [self.look.wrapped((self._last, "dim"))] if self._last else []
        self._brief, self._details = [*ended_by, *standings], []
        if room.over:
            news = [*moment, *filter(None, [evening(room)])]
            gold = [self.look.wrapped(self.look.text((line, "gold"), bold=True)) for line in news]
            told_last = ended_by if len(room.over.result["ranks"]) > 1 else []
            self._brief = [*gold, *told_last, *self._match(room, room.over, standings, ranked)]
            self._details = self._more(room, room.over, statistics, fair)
        self._heading = self._title(room)
        self._sparkle()
        self._open(self.covering)

    @property
    def shown(self) -> bool:
        """Whether there are results."""
        return self._told is not None

    @property
    def next_view(self) -> str:
        """What ``toggle`` shows: ``details``, ``table`` or ``results``."""
        if not self.covering:
            return "results"
        return "details" if self._details and not self._detailed else "table"

    def toggle(self) -> None:
        """Go from the results to their details, to the table beneath, and back."""
        if self.shown:
            goal = self.next_view
            self._detailed = goal == "details"
            self._open(goal != "table")

    def _open(self, opened: bool) -> None:
        """Show the lines, or the table beneath."""
        self.set_class(opened, "open")
        self.screen.set_class(opened and bool(self._details) and not self._detailed, "moment")
        widest = _TIGHT if self.screen.has_class("tight") else _WIDEST
        lines = [line.copy() for line in (*self._brief, *(self._details if self._detailed else ()))]
        for row in lines:
            if row.no_wrap:  # of a table
                row.truncate(widest)
        self._text.styles.max_width = widest
        self._text.update(Text("\n").join(lines))
        self.tell_more()

    @property
    def longer(self) -> bool:
        """Whether the results cover the table and have more lines than fit."""
        return self.covering and self.show_vertical_scrollbar

    def _sparkle(self) -> None:
        """Show the title, and while a win is celebrated the suits that go around it."""
        if not self._sparks:
            self.border_title = self._heading
            return
        self._sparks -= 1
        suits = [COLOURS[(self._sparks + at) % len(COLOURS)] for at in range(len(COLOURS))]
        sparks = [self.look.text((self.look.glyphs.suit(suit), suit)) for suit in suits]
        title = self.look.text((self._heading.upper(), "gold"), bold=True)
        self.border_title = self.look.joined(*sparks[:2], title, *sparks[2:], gap=1)
        self.set_timer(canvas.CONFETTI, self._sparkle)

    def _title(self, room: JoinedRoom) -> str:
        if room.over is None:
            return say("tui.results.round", n=(room.view or {}).get("round", ""))
        ranks = room.over.result["ranks"]
        winners = [int(seat) for seat, rank in ranks.items() if rank == 1]
        if room.seat in winners:
            return say("tui.results.you_win" if len(winners) == 1 else "tui.results.shared")
        if len(winners) == 1:
            return say("tui.results.wins", name=clean(room.name(winners[0]), _NAME))
        return say("tui.results.lost" if room.seat is not None and not winners else "tui.results.over")

    @property
    def covering(self) -> bool:
        """Whether the results cover the table."""
        return self.shown and self.has_class("open")

    def _match(self, room: JoinedRoom, over: Over, standings: list[Text], ranked: bool) -> list[Text]:
        """Return why the match is over, and the places; for one seat only what the title lacks."""
        why = self.look.wrapped((f" {self.look.glyphs.dot} ".join([reason(room, over), *unrated(room, over)]), "dim"))
        if len(over.result["ranks"]) == 1:
            return standings or [why]
        places = [] if ranked and standings else [Text(), *self._ranks(room, over)]
        return [why, *places, *([Text(), *standings] if standings else [])]

    def _more(self, room: JoinedRoom, over: Over, statistics: list[Text], fair: bool) -> list[Text]:
        """Return the details of a match."""
        look = self.look
        told = statistics or [look.wrapped((line, "dim")) for line in lines_for(room.game).review(room, over)]
        check = [look.wrapped(f"{look.glyphs.ready} {say('line.fair')}")] if fair else []
        digest = look.wrapped((f"{say('tui.results.digest')}{over.digest}", "dim"))
        return [Text(), *([*told, Text()] if told else []), *check, digest]

    def _ranks(self, room: JoinedRoom, over: Over) -> list[Text]:
        ranks, scores = over.result["ranks"], over.result["scores"]
        order = sorted(ranks, key=lambda seat: (ranks[seat], int(seat)))
        head = self.look.text((f"{'':<{_NAME + 9}}{say('tui.results.score'):>7}", "dim"))
        return [head, *(self._rank(room, int(seat), ranks[seat], scores.get(seat, 0)) for seat in order)]

    def _rank(self, room: JoinedRoom, seat: int, rank: int, score: int) -> Text:
        look, mine = self.look, seat == room.seat
        you = f" ({say('you')})" if mine else ""
        name = clean(room.name(seat), _NAME) + you
        colour = "gold" if mine else "ink"
        return look.text(look.text((f"{rank}. ", "dim"), (padded(name, _NAME + 6), colour), bold=mine), f"{score:>7}")


def _won(room: JoinedRoom) -> bool:
    """Return whether we have won the match, alone or with others."""
    return room.over is not None and room.over.result["ranks"].get(str(room.seat)) == 1
