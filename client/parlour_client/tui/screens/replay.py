"""Replay of a match file: any act, from any seat, at any speed.

Other processes read and verify the file; the screen draws from a ``Timeline``.
"""

import asyncio
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.worker import Worker

from parlour_client import replays
from parlour_client.core.errors import Fault
from parlour_client.core.phrases import say
from parlour_client.replays import ShownVerdict, Timeline, TimelinePosition
from parlour_client.text.review import remarks
from parlour_client.tui.games.base import GameWidget, widget_for
from parlour_client.tui.screens.base import Continuing, EnterRoom, HelpDialog, ParlourScreen, stopped
from parlour_client.tui.screens.replay_parts import ReplayLog, Scrubber, act_line, follow, heading
from parlour_client.tui.screens.sheets import ReviewScreen
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.common import Line
from parlour_client.tui.widgets.keys import explained, labelled
from parlour_client.tui.widgets.results import Results
from parlour_protocol.messages import Plain

_STORY = 120
"""Lines of the log that are shown after a jump."""


class ReplayScreen(ParlourScreen[Fault | None]):
    """The replay of a match. It is dismissed with the fault if the file cannot be read."""

    DEFAULT_CSS = """
    ReplayScreen { align: center middle; }
    ReplayScreen.moment Results { margin-top: 2; }
    ReplayScreen #body { width: 100%; height: 1fr; }
    ReplayScreen #stage { width: 1fr; height: 100%; align: center middle; }
    ReplayScreen #stage GameWidget { width: 100%; height: 100%; }
    ReplayScreen #stage *:disabled { opacity: 1; }
    ReplayScreen.filmed Scrubber, ReplayScreen.filmed HintBar { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "eyes(1)", id="replay.eyes"),
        Binding("V", "eyes(-1)", id="replay.eyes_back"),
        Binding("H", "widget('odds')", id="replay.odds"),
        Binding("z", "widget('zoom')", id="replay.zoom"),
        Binding("L,l", "log", id="replay.log"),
        Binding("r", "results", id="replay.results"),
        Binding("R", "review", id="replay.review"),
        Binding("n", "mistake(1)", id="replay.mistake"),
        Binding("N", "mistake(-1)", id="replay.mistake_before"),
        Binding("P", "continue", id="replay.continue"),
        Binding("question_mark", "help", id="replay.help"),
        Binding("q,ctrl+c,escape", "back", id="replay.back"),
    ]
    ABOUT = "tui.title.replay"
    KEYS: ClassVar[list[tuple[str, str]]] = [
        ("space", "tui.help.replay.play"),
        ("+ = -", "tui.help.replay.speed"),
        ("left right", "tui.help.replay.step"),
        ("shift+left shift+right", "tui.help.replay.far"),
        ("page_up, page_down", "tui.help.replay.round"),
        ("home end", "tui.help.replay.ends"),
        ("click, drag", "tui.help.replay.scrub"),
        ("v, V", "tui.help.replay.eyes"),
        ("H", "tui.help.replay.odds"),
        ("z", "tui.help.replay.zoom"),
        ("L, l", "tui.help.replay.log"),
        ("r", "tui.help.replay.results"),
        ("R", "tui.help.replay.review"),
        ("n, N", "tui.help.replay.mistake"),
        ("P", "tui.help.replay.continue"),
        ("?", "tui.help.keys"),
        ("q, esc, ctrl+c", "tui.help.back"),
    ]

    def __init__(
        self,
        look: Appearance,
        path: Path,
        viewer: int | str | None = None,
        enter_room: EnterRoom | None = None,
        continuing: Continuing | None = None,
    ) -> None:
        """``viewer``: a seat, a name, or None for a spectator.

        ``enter_room`` opens the room of ``continuing``; without them the match cannot be played on.
        """
        super().__init__(look)
        self._enter_room, self._continuing = enter_room, continuing
        self._path = path
        self._wanted = viewer
        self.timeline: Timeline | None = None
        self.game_widget: GameWidget | None = None
        self.position: TimelinePosition | None = None
        """What is shown, once the file is read."""
        self.viewer: int | None = None
        """The seat whose view is shown, None for a spectator."""
        self.verdict: ShownVerdict | None = None
        self._timelines: dict[int | None, Timeline] = {}
        self._remarks: dict[int, str] = {}
        """The remarks of a review, by act."""
        self._drawn: int | None = None
        self._checking: Worker[None]
        self._bar = Line(look, self._heading, "panel")
        self._told = Line(look, self._telling, "table")
        self._log_widget = ReplayLog(look)
        self._results = Results(look)
        self.scrubber = Scrubber(look)

    def compose(self) -> ComposeResult:
        """Yield the zones."""
        yield self._bar
        with Horizontal(id="body"):
            yield Container(id="stage", disabled=True)
            yield self._log_widget
        yield self._results
        yield self._told
        yield self.scrubber
        yield self._hints

    def on_mount(self) -> None:
        """Read and verify the file."""
        self.scrubber.focus()
        self.watch(self.scrubber, "at", self._show, init=False)
        self.watch(self.scrubber, "playing", self._show_hints, init=False)
        self.run_worker(self._look_through(self._wanted), group="reading")
        self._checking = self.run_worker(self._verify())

    async def on_unmount(self) -> None:
        """Wait for the verifying process to end before the event loop does."""
        await stopped(self._checking)

    # --- the file ---

    async def _look_through(self, viewer: int | str | None) -> None:
        """Load the match as seen by ``viewer``, and show it."""
        try:
            timeline = await asyncio.to_thread(lambda: Timeline(replays.read(self._path, viewer)))
        except Fault as fault:
            while self.app.screen is not self:
                self.app.pop_screen()
            self.dismiss(fault)
            return
        self._see(timeline)

    def _see(self, timeline: Timeline) -> None:
        self.viewer = timeline.positions[0].room.seat
        self._timelines[self.viewer] = self.timeline = timeline
        self._drawn = None
        self.scrubber.follow(timeline)
        self.position = timeline.positions[self.scrubber.at]
        if self.game_widget is None:
            self._open(timeline.game)
        else:
            self._show()

    async def _verify(self) -> None:
        self.verdict = await replays.verdict(self._path)
        self._bar.refresh()

    def _open(self, game: str) -> None:
        """Mount the game's widget, with the clock of the match."""
        parts = self._bar, self._told, self._log_widget, self._results, self.scrubber, self._hints
        look = self._dress(game, *parts)
        self.game_widget = widget_for(game)(look, now=lambda: self.position.ms / 1000 if self.position else 0.0)
        self._log_widget.colour_line = self.game_widget.colour_line
        self.query_one("#stage").mount(self.game_widget)

    def on_game_widget_ready(self) -> None:
        """Draw: the game's widget is mounted."""
        self._show()

    # --- showing ---

    def _show(self) -> None:
        """Draw the position."""
        timeline, widget, at = self.timeline, self.game_widget, self.scrubber.at
        if timeline is None or widget is None or not widget.is_mounted:
            return
        if self._drawn is not None and at == self._drawn + 1:
            for line in timeline.positions[at].lines:
                self._log_widget.event(line, "event")
        elif at != self._drawn:
            self._log_widget.reset(timeline.story(at, _STORY))
            for earlier in timeline.positions[: min(2, at)]:  # resets what the widget derives, such as its stopwatch
                self._draw(earlier, widget)
        self._draw(timeline.positions[at], widget)
        self._drawn = at
        room = timeline.positions[at].room
        self._results.show(
            room, widget.standings(room), widget.statistics(room), fair=timeline.fair, ranked=widget.RANKS
        )
        self._bar.refresh()
        self._told.refresh()
        self._show_hints()

    def _draw(self, position: TimelinePosition, widget: GameWidget) -> None:
        self.position = position
        widget.handle_events(position.room, position.room.events)
        widget.show(position.room)
        follow(widget, position.room.events)

    def _heading(self, width: int) -> Text:
        look = self._bar.look
        if self.position is None:
            reading = f"  {say('tui.replay.reading', name=self._path.name)}{look.glyphs.more}"
            return look.text((" parlour", "gold"), (reading, "dim"))
        return heading(look, self.position, self.viewer, self.verdict, width)

    def _telling(self, width: int) -> Text:
        return act_line(self._told.look, self.position, self.verdict, self._remarks.get(self.scrubber.at, ""))

    def _show_hints(self) -> None:
        next_view = say(f"tui.results.next.{self._results.next_view}")
        wanted = [("replay.results", next_view)] if self._results.shown else []
        wanted.append(("replay.play", say("tui.replay.pause" if self.scrubber.playing else "tui.replay.start")))
        wanted += labelled("replay.next", "replay.eyes")
        wanted += labelled("replay.odds") if self.game_widget and "odds" in self.game_widget.REPLAYED else []
        wanted += labelled("replay.review") if self._can_review else []
        wanted += labelled("replay.mistake") if self._remarks else []
        wanted += labelled("replay.continue") if self._can_continue else []
        wanted += labelled("replay.faster", "replay.log")
        self._hints.show(wanted, labelled("replay.help", "replay.back"))

    # --- what the person does ---

    def action_eyes(self, by: int) -> None:
        """Show the view of the next seat; after the last one, of a spectator."""
        if self.timeline is None:
            return
        rows = self.timeline.positions[0].room.table["seats"]
        everybody = [None, *(row["seat"] for row in rows)]
        viewer = everybody[(everybody.index(self.viewer) + by) % len(everybody)]
        if viewer in self._timelines:
            self._see(self._timelines[viewer])
        else:
            self.run_worker(self._look_through(viewer), group="reading", exclusive=True)

    async def action_widget(self, what: str) -> None:
        """Do an action of the game's widget if it is for replays, such as showing the odds."""
        if self.timeline is not None and self.game_widget is not None and what in self.game_widget.REPLAYED:
            await self.app.run_action(what, default_namespace=self.game_widget)

    def action_log(self) -> None:
        """Show or hide the log."""
        self.toggle_class("log" if self.has_class("narrow") else "quiet")

    def action_results(self) -> None:
        """Go from the results to their details, to the table beneath, and back."""
        self._results.toggle()
        self._show_hints()

    @property
    def _can_review(self) -> bool:
        widget, position = self.game_widget, self.position
        return widget is not None and position is not None and widget.reviewable(position.room)

    def action_review(self) -> None:
        """Review the decisions of the viewer; for a spectator, of every person."""
        if self.position is not None and self._can_review:
            self.scrubber.playing = False
            self.app.push_screen(ReviewScreen(self.look, self._path, self.viewer, self.position.room, self._remark))

    def action_mistake(self, by: int) -> None:
        """Go to the next mistake that a review has found, or the one before."""
        others = [at for at in sorted(self._remarks) if (at - self.scrubber.at) * by > 0]
        if others:
            self.scrubber.playing = False
            self.scrubber.go(others[0 if by > 0 else -1])

    @property
    def _can_continue(self) -> bool:
        return self._continuing is not None and self.scrubber.at < self.scrubber.last

    def action_continue(self) -> None:
        """Play on from here, against bots: at the seat of the viewer, or as the first person."""
        if self._can_continue and self._continuing is not None and self._enter_room is not None:
            self.scrubber.playing = False
            viewer = None if self.viewer is None else str(self.viewer)
            self._enter_room(self._continuing(self._path, self.scrubber.at + 1, viewer), self._returned)

    def _returned(self, fault: Fault | None) -> None:
        if fault is not None:
            self.notify(str(fault), severity="warning", markup=False, timeout=6)

    def _remark(self, players: list[Plain]) -> None:
        if self.position is not None:
            self._remarks |= remarks(self.position.room, players)
            self._show_hints()
        self._told.refresh()

    def action_help(self) -> None:
        """Show the keys, and the results of verifying the file."""
        proved = [(self.look.glyphs.ready, sentence) for sentence in self.verdict.proved] if self.verdict else []
        keys = say(self.ABOUT), explained(self.KEYS)
        self.app.push_screen(HelpDialog(self.look, [keys, (say("tui.help.replay.proved"), proved)]))
