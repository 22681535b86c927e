"""The room screen: context bar, the game or the waiting room, event log, results, key hints."""

from collections.abc import Callable
from time import monotonic
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.widget import Widget

from parlour_client.core.errors import Fault, Usage
from parlour_client.core.options import can_repeat
from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.room import JoinedRoom
from parlour_client.play.game_form import form_of
from parlour_client.play.room_events import (
    ActAnswered,
    Chatted,
    Completed,
    Downloaded,
    Entered,
    Latency,
    Note,
    PresetsListed,
    Rejected,
    Resumed,
    RoomChanged,
    RoomEvent,
    RoomsListed,
    SeatGiven,
)
from parlour_client.storage import history
from parlour_client.text.base import event_lines, lines_for
from parlour_client.tui.games.base import GameWidget, widget_for
from parlour_client.tui.screens.base import HelpDialog, Way
from parlour_client.tui.screens.create import ConfigureScreen
from parlour_client.tui.screens.people import PeopleMenu
from parlour_client.tui.screens.room_base import ConnectedScreen
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.common import InputLine, PersonClicked
from parlour_client.tui.widgets.event_log import ChatInput, EventLog
from parlour_client.tui.widgets.header import ContextBar, title_of
from parlour_client.tui.widgets.keys import explained, labelled
from parlour_client.tui.widgets.results import Results
from parlour_client.tui.widgets.waiting_room import WaitingRoom
from parlour_protocol.messages import Chat, Configure, Create, Plain, Presets, Ready


class RoomScreen(ConnectedScreen):
    """A room, while waiting and playing."""

    DEFAULT_CSS = """
    RoomScreen { align: center middle; }
    RoomScreen #body { width: 100%; height: 1fr; layers: base above; }
    RoomScreen #stage { width: 1fr; height: 100%; align: center middle; }
    RoomScreen #stage > * { display: none; }
    RoomScreen #stage > GameWidget { width: 100%; height: 100%; }
    RoomScreen #stage > .on { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "chat", id="room.chat"),
        Binding("l,L", "log", id="room.log"),
        Binding("question_mark", "help", id="room.help"),
        Binding("r", "ready", id="room.ready"),
        Binding("v", "view", id="room.view"),
        Binding("S", "save", id="room.save"),
        Binding("y", "copy", id="room.copy"),
        Binding("A", "repeat", id="room.repeat"),
        Binding("C", "configure", id="room.configure"),
        Binding("o", "people", id="room.people"),
        Binding("q,ctrl+c", "leave", id="room.leave"),
        Binding("escape", "log(True)"),
        Binding("pageup", "scroll('log',-1)", id="room.log_up"),
        Binding("pagedown", "scroll('log',1)", id="room.log_down"),
        Binding("pageup", "scroll('results',-1)", priority=True),  # before a board that has these keys, too
        Binding("pagedown", "scroll('results',1)", priority=True),
    ]

    KEYS: ClassVar[list[tuple[str, str]]] = [
        ("t", "tui.help.room.chat"),
        ("L, l, esc", "tui.help.room.log"),
        ("page_up, page_down", "tui.help.room.scroll"),
        ("r", "tui.help.room.ready"),
        ("v", "tui.help.room.view"),
        ("S", "tui.help.room.save"),
        ("y", "tui.help.room.copy"),
        ("A", "tui.help.room.repeat"),
        ("C", "tui.help.room.configure"),
        ("o", "tui.help.room.people"),
        ("?", "tui.help.keys"),
        ("q, ctrl+c", "tui.help.room.leave"),
        ("ctrl+p", "tui.help.palette"),
        ("ctrl+q", "tui.help.room.quit"),
        ("ctrl+z", "tui.help.suspend"),
    ]

    def __init__(
        self,
        look: Appearance,
        way: Way,
        *,
        auto_pass: bool = False,
        now: Callable[[], float] = monotonic,
    ) -> None:
        """``way``: opens into the entry to use. ``auto_pass``: as in the settings.

        ``now``: a monotonic clock in seconds.
        """
        super().__init__(look, way, ContextBar(look, now=now), now=now)
        self.game_widget: GameWidget | None = None
        self._auto_pass = auto_pass
        self._waiting_room = WaitingRoom(look)
        self._event_log = EventLog(look)
        self._results = Results(look)
        self._chat = ChatInput()
        self._people_menu = PeopleMenu(
            lambda box, answered: self.app.push_screen(box, answered), look, lambda: self.client, self._send
        )
        self._pane: Widget | None = None
        self._widget_ready = False
        self._seated = False
        self._last_line = ""
        """What has happened last, in words."""

    def compose(self) -> ComposeResult:
        """Yield the zones."""
        yield self._bar
        with Horizontal(id="body"):
            yield Container(self._waiting_room, id="stage")
            yield self._event_log
        yield self._results
        yield self._hints
        yield self._chat

    # --- events of the room ---

    def present(self, event: RoomEvent) -> None:
        """Show ``event``."""
        match event:
            case Entered(room):
                for row in room.chat:
                    self._chatted(row["from"], row["text"])
            case Resumed(gap=True):
                self._event_log.event(say("tui.room.gap"), "note")
                if self.game_widget is not None:
                    self.game_widget.handle_gap(say("tui.room.gap"))
            case SeatGiven(text):
                self._completed(text, ok=True)
                if self.game_widget is not None:  # the question that comes next replaces the remark
                    self.game_widget.handle_gap(text)
            case RoomChanged(room, events):
                self._show_room(room, events)
            case Note(text, kind):
                self._event_log.event(text, kind)
                if kind == "warning":
                    self.notify(text, severity="warning", markup=False)
            case Chatted(name, text):
                self._chatted(name, text)
            case Rejected(room, text=text):
                if room.under_way and self.game_widget is not None and self._widget_ready:
                    self.game_widget.show_refusal(room, text)
                else:
                    self.notify(text, severity="warning", markup=False, timeout=4)
                self._event_log.event(text, "note")
            case Completed(text, ok, code):
                self._completed(text, ok=ok)
                self._people_menu.not_admin |= code == "not_admin"
            case Downloaded(download):
                try:
                    download.write()
                    self._completed(say("tui.room.saved", path=download.path), ok=True)
                except Usage as fault:
                    self._completed(say("line.not_saved", why=fault), ok=False)
            case RoomsListed(rooms):
                self._waiting_room.lobby(rooms.bots)
            case PresetsListed(rows):
                if isinstance(self.app.screen, ConfigureScreen):
                    self.app.screen.offer(rows)
            case ActAnswered() if self.game_widget is not None and self._widget_ready:
                self.game_widget.show_pending(None)
            case Latency(ms):
                self._bar.latency(ms)

    def _show_room(self, room: JoinedRoom, events: list[Plain]) -> None:
        if self.game_widget is None:
            self._open(room)
        self._bar.show(room)
        self._last_line = next(iter(event_lines(room)), "") if events else self._last_line
        if self.game_widget is not None and self._widget_ready and room.view is not None:
            if events:
                self.game_widget.handle_events(room, events)
            self.game_widget.show(room)
        self._arrange(room)
        self._waiting_room.ask_for_bots()
        if self._seated and room.seat is None:
            history.stand_up()
        self._seated = room.seat is not None
        if self._seated and self.client is not None and self.client.entry.keep:
            history.sit(history.HeldSeat(self.client.url, room.code, self.client.name, self.client.entry.ends))

    def _chatted(self, name: str, text: str) -> None:
        """Show a chat message; while the log is hidden, also briefly in the turn line, and count it as unread."""
        self._event_log.chat(name, text, mine=self.client is not None and name == self.client.name)
        self._waiting_room.chat(name, text)
        if self._event_log.display or self._pane is self._waiting_room:
            return
        self._event_log.unread += int(self.client is not None and name != self.client.name)
        if self._results.covering:
            self.notify(f"{name}: {text}", markup=False, timeout=4)
        elif self.game_widget is not None:
            self.game_widget.turn.remark(f"{name}: {text}", "info")
        self._show_hints()
        if not self.app.app_focus:
            self.app.bell()

    def _completed(self, text: str, *, ok: bool) -> None:
        """Show the outcome of a request that is not part of the game."""
        if not text:
            return
        if self.room is not None and self.room.under_way and not self._results.shown and self.game_widget is not None:
            self.game_widget.turn.remark(text, "info" if ok else "refused")  # a box would cover the hand
        else:
            self.notify(text, severity="information" if ok else "warning", markup=False, timeout=6)
        self._event_log.event(text, "note")

    # --- showing ---

    def _open(self, room: JoinedRoom) -> None:
        """Mount the widget of the room's game."""
        parts = self._bar, self._waiting_room, self._event_log, self._results, self._hints
        look = self._dress(room.game, *parts)
        self.game_widget = widget_for(room.game)(look, now=self._now)
        self.game_widget.auto_pass = self._auto_pass
        self._event_log.colour_line = self.game_widget.colour_line
        self.query_one("#stage").mount(self.game_widget)

    def on_game_widget_ready(self) -> None:
        """Draw: the game's widget is mounted."""
        self._widget_ready = True
        self.show_again()

    def _arrange(self, room: JoinedRoom) -> None:
        """Choose between game and waiting room, and update results and hints."""
        playing = room.view is not None and (room.under_way or room.table["state"] != "waiting")
        pane = self.game_widget if playing and self.game_widget is not None else self._waiting_room
        assert self.client is not None
        entry = self.client.entry
        seats = room.table.get("size", entry.enter.seats if isinstance(entry.enter, Create) else None)
        url, ssh = self.shared or self.client.url, self.client.ssh_port
        self._waiting_room.show(room, url, self.client.name, seats, own=entry.ends, ssh=ssh)
        told = self.game_widget if room.view is not None else None
        self._results.show(
            room,
            told.standings(room) if told else [],
            told.statistics(room) if told else [],
            fair=self.client.fair,
            ranked=told is not None and told.RANKS,
            moment=self.client.moment,
            last=self._last_line,
        )
        if pane is not self._pane:
            self._pane = pane
            for child in self.query_one("#stage").children:
                child.set_class(child is pane, "on")
            self.call_after_refresh(self._focus_pane)
        self._show_hints()

    def _focus_pane(self) -> None:
        if self._pane is not None and not self._chat.opened:
            inner = (child for child in self._pane.query("*") if child.focusable)
            self.set_focus(self._pane if self._pane.focusable else next(inner, None))
            self._show_hints()

    def _show_hints(self) -> None:
        client, room = self.client, self.room
        if client is None or room is None:
            return
        wanted: list[tuple[str, str]] = []
        if self._results.shown:
            again = "tui.room.go_on" if room.table["state"] == "pause" else "tui.room.again"
            again = "room.skip" if client.can_skip else again
            wanted += [("room.ready", say(again))] if room.seat is not None else []
            wanted.append(("room.view", say(f"tui.results.next.{self._results.next_view}")))
            wanted += labelled(*filter(self.possible, ("room.repeat", "room.configure", "room.save", "room.copy")))
        elif room.stood_in:
            wanted.append(("room.ready", say("tui.room.take_back")))
        elif client.can_skip:
            wanted.append(("room.ready", say("room.skip")))
        if self._pane is self._waiting_room:
            wanted += self._waiting_room.hints()
        elif self.game_widget is not None and self._widget_ready:
            wanted += self.game_widget.hints(room)
        log = labelled("room.log") if self.has_class("narrow") else []
        if (unread := self._event_log.unread) and not self._event_log.display:
            wanted, log = [("room.log", say("tui.room.unread", n=unread)), *wanted], []
        more = self._waiting_room.more_hints() if self._pane is self._waiting_room else []
        if self._pane is self._waiting_room and client.can_configure:
            wanted += labelled("room.configure")
        wanted += [*labelled("room.chat"), *log, *more, *labelled("room.people")]
        self._hints.show(wanted, labelled("room.help", "room.leave"))

    def on_event_log_toggled(self) -> None:
        """Leave what was said to the log while it is displayed."""
        self._waiting_room.stand_beside(self._event_log.display)

    # --- what the person does ---

    async def on_game_widget_chosen(self, message: GameWidget.Chosen) -> None:
        """Send the answer."""
        if self.client is not None and self.client.act(message.rid, message.act) and self.game_widget is not None:
            self.game_widget.show_pending(message.rid)
            await self._flush()

    def on_waiting_room_asked(self, message: WaitingRoom.Asked) -> None:
        """Send what the host asks."""
        self._send(message.request)

    def on_person_clicked(self, message: PersonClicked) -> None:
        """Show the actions for the clicked person."""
        self._people_menu.about(message.name, kick=message.kick)

    def action_people(self) -> None:
        """Show the people in the room."""
        self._people_menu.choose()

    def commands(self) -> list[tuple[str, Callable[[], object]]]:
        """Return (label, callback) of the actions on people."""
        return self._people_menu.commands()

    def possible(self, action: str) -> bool:
        """Return whether the action with this binding id is possible now."""
        client, room, widget = self.client, self.room, self.game_widget
        if client is None or room is None or widget is None:
            return True
        if action in widget.MOVES:
            return action in dict(widget.hints(room))
        if action.startswith("waiting."):
            return action in dict([*self._waiting_room.hints(), *self._waiting_room.more_hints()])
        situated = {
            "room.ready": room.may_get_ready or client.can_skip,
            "room.view": self._results.shown,
            "room.save": room.over is not None,
            "room.copy": bool(client.share),
            "room.repeat": can_repeat(room),
            "room.configure": client.can_configure,
        }
        return situated.get(action, True)

    def action_save(self) -> None:
        """Save the record of the finished match."""
        if self.client is not None:
            self._request(self.client.requests.save)

    def action_copy(self) -> None:
        """Copy the lines to share to the clipboard, if the terminal supports that."""
        if self.client is not None and (lines := self.client.share):
            self.app.copy_to_clipboard(lines)
            self._completed(say("tui.room.copied", line=lines.splitlines()[0]), ok=True)

    def action_repeat(self) -> None:
        """Play the deal of the finished match once more."""
        if self.client is not None:
            self._request(self.client.requests.repeat)

    def _request(self, ask: Callable[[JoinedRoom | None], None]) -> None:
        """Ask the server for something of the finished match, or say why that is not possible."""
        try:
            ask(self.room)
        except Usage as usage:
            self._completed(str(usage), ok=False)
        self.run_worker(self._flush())

    async def action_configure(self) -> None:
        """Change the rules of the next match, as the host."""
        client, room = self.client, self.room
        if client is None or room is None or not client.can_configure:
            return
        try:
            form = await form_of(client.url, room.game)
        except Fault as fault:
            self._completed(str(fault), ok=False)
            return

        def changed(configure: Configure | None) -> None:
            if configure is not None:
                self._send(configure, say("tui.configure.done"))

        def ask(change: Presets) -> None:
            done = {"save": "line.room.preset", "remove": "line.preset.removed"}.get(change.do)
            self._send(change, say(done, name=clean(change.name or "")) if done else "")

        presets = ask if "presets" in client.can else None
        self.app.push_screen(ConfigureScreen(self.look, room, form, presets), changed)

    def on_input_line_closed(self, message: InputLine.Closed) -> None:
        """Send the chat message, and go back to the game."""
        if message.text and self.room is not None:
            if self.lost:
                self._chat.keep(message.text)
                self._completed(say("tui.room.not_said"), ok=False)
            else:
                self._send(Chat(self.room.code, message.text))
        self._hints.display = True
        self._focus_pane()

    def action_chat(self) -> None:
        """Open the chat input."""
        self._hints.display = False
        self._chat.open()

    def action_log(self, close: bool = False) -> None:
        """Show or hide the log; ``close``: hide the one that covers the table."""
        if close:
            self.remove_class("log")
        else:
            self.toggle_class("log" if self.has_class("narrow") else "quiet")
            self._event_log.unread = 0
        self._show_hints()

    def action_scroll(self, part: Literal["log", "results"], pages: int) -> None:
        """Scroll a part by ``pages``."""
        (self._results if part == "results" else self._event_log).scroll_pages(pages)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether ``action`` is possible: results scroll where they are longer than their box."""
        return self._results.longer if (action, *parameters[:1]) == ("scroll", "results") else True

    def action_view(self) -> None:
        """Go from the results to their details, to the table beneath, and back."""
        self._results.toggle()
        self._show_hints()

    def action_ready(self) -> None:
        """Send ready, or withdraw it before the match. If out of the match, skip to its end."""
        room = self.room
        if self.client is not None and self.client.can_skip:
            self.client.skip()
            self.run_worker(self._flush())
            return
        row = room.row(room.seat) if room and room.seat is not None else None
        if room is not None and row is not None and room.may_get_ready:
            waiting = room.table["state"] in ("waiting", "finished")
            self._send(Ready(room.code, ready=not (row["ready"] and waiting)))

    def action_help(self) -> None:
        """Show the keys, and how the game is played."""
        room, widget = self.room, self.game_widget
        here = (say("tui.help.waiting"), explained(WaitingRoom.KEYS))
        if room and widget and self._pane is not self._waiting_room:
            here = (title_of(room.game), explained(widget.KEYS))
        rules = [*lines_for(room.game).how_to(room.game, room.table["options"])] if room else []
        parts = [here, (say("tui.help.here"), explained(self.KEYS))]
        self.app.push_screen(HelpDialog(self.look, parts, rules))
