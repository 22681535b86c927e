"""The Textual application. It opens screens: the start screen and those behind it, a single room, or a replay."""

import asyncio
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any, ClassVar

import attrs
from textual import constants
from textual.app import App
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.screen import Screen

from parlour_client.core.errors import INTERRUPTED_BY_USER, OK, Fault
from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.terminal import Answers, asked
from parlour_client.storage.settings import Settings, load, speak
from parlour_client.tui.screens.base import Back, Continuing, StartOptions, Way
from parlour_client.tui.screens.dialogs import ActionPalette, Actions
from parlour_client.tui.screens.room import RoomScreen
from parlour_client.tui.screens.start import StartScreen
from parlour_client.tui.theme import Appearance, look_for, names_colours

_LOOKS_EVERY = 500
"""Milliseconds between checks whether to stop watching. A hang-up is noticed immediately."""


@contextmanager
def exit_on_signals(end: Callable[[], object]) -> Iterator[None]:
    """Within the context, call ``end`` in the running loop on SIGTERM, SIGHUP, and loss of the terminal."""
    loop, over = asyncio.get_running_loop(), Event()
    terminals = [file for file in (0, 1, 2) if os.isatty(file)]

    def gone() -> None:
        _redirect_to_null(terminals)
        loop.call_soon_threadsafe(end)

    with suppress(NotImplementedError, AttributeError):  # not available on Windows
        loop.add_signal_handler(signal.SIGTERM, end)
        loop.add_signal_handler(signal.SIGHUP, gone)
        if 0 in terminals:
            Thread(target=_watch, args=(select.poll(), gone, over), name="hangup", daemon=True).start()
    try:
        yield
    finally:
        over.set()
        with suppress(NotImplementedError, AttributeError):
            loop.remove_signal_handler(signal.SIGTERM)
            loop.remove_signal_handler(signal.SIGHUP)


def _watch(poll: "select.poll", gone: Callable[[], None], over: Event) -> None:
    """Wait for the hang-up of standard input, or until it is ``over``."""
    poll.register(0, 0)  # poll always reports a hang-up, without any event requested
    while not over.is_set():
        if poll.poll(_LOOKS_EVERY):
            gone()
            return


def _redirect_to_null(files: list[int]) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for file in files:
        os.dup2(null, file)
    os.close(null)


_NO_COMMANDS = ("linux", "dumb")
"""Terminals that may print operating system commands instead of obeying them."""


@attrs.frozen
class MatchFile:
    """The file of a match to replay. ``viewer``: a seat, a name, or None for a spectator.

    ``continuing``: as for the start screen.
    """

    path: Path
    viewer: int | str | None = None
    continuing: Continuing | None = None


class ParlourApp(App[int]):
    """All screens, in one look. ``fault`` is the error that ended a single room or replay."""

    TITLE = "parlour"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {Actions}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "end", id="app.end", priority=True),
        Binding("ctrl+z", "suspend_process", id="app.suspend", priority=True),
    ]
    CSS = """
    ToastRack { dock: top; align: right top; margin: 1 1 0 0; }
    ToastHolder { align-horizontal: right; }
    Toast { background: $panel; color: $ink; border: $frame $gold; padding: 0 1; }
    Toast.-warning, Toast.-error { border: $frame $coral; }
    CommandPalette SearchIcon { display: none; }
    CommandPalette > Vertical { background: $panel; }
    CommandPalette #--input, CommandPalette #--input.--list-visible { border: $frame $gold; background: $panel; }
    CommandPalette CommandList, CommandPalette CommandList:focus { border: $frame $edge; background: $panel; }
    """

    def __init__(
        self,
        look: Appearance,
        begin: Way | StartOptions | MatchFile,
        settings: Settings | None = None,
        answers: Answers | None = None,
    ) -> None:
        """``begin``: the options of the start screen, or the room or match to show instead of it.

        ``answers``: of the terminal, if it was asked.
        """
        super().__init__(driver_class=_driver(answers), ansi_color=None if look.coloured else True)
        self.fault: Fault | None = None
        self.farewell: Fault | None = None
        """Why a single room was closed, if the player did not leave it."""
        self._begin = begin
        self._color_system = self.console._color_system
        self.settings = settings or Settings()
        self._apply_look(look)
        self._apply_settings(self.settings)

    def on_mount(self) -> None:
        """Open the first screen."""
        match self._begin:
            case StartOptions() as options:
                self.push_screen(StartScreen(self.look, self.enter_room, options))
            case MatchFile(path, viewer):
                self._open_replay(path, viewer, self._exit_with)
            case way:
                screen = self._room(way)
                self.push_screen(screen, partial(self._exit_from, screen))

    def enter_room(self, way: Way, back: Back) -> None:
        """Open the room screen. ``back`` is called at its end, with the fault unless the player left."""
        screen = self._room(way)

        def returned(fault: Fault | None) -> None:
            self.theme, self.title = self.look.theme_name, self.TITLE
            back(fault or screen.farewell)

        self._open(screen, returned)

    def replay(self, path: Path, viewer: int | None, back: Back) -> None:
        """Replay a match as seen by ``viewer``. ``back`` is called at the end, with the fault if it cannot be read."""

        def returned(fault: Fault | None) -> None:
            self.theme = self.look.theme_name
            back(fault)

        self._open_replay(path, viewer, returned)

    def _open_replay(self, path: Path, viewer: int | str | None, back: Back) -> None:
        from parlour_client.tui.screens.replay import ReplayScreen  # see on_start_screen_wanted

        begin = self._begin
        continuing = begin.continuing if isinstance(begin, StartOptions | MatchFile) else None
        self._open(ReplayScreen(self.look, path, viewer, self.enter_room if continuing else None, continuing), back)

    def _open(self, screen: Screen[Any], back: Callable[[Any], None] | None = None) -> None:
        """Open ``screen`` unless one of its class is in front: a double key press opens it only once."""
        if type(self.screen) is not type(screen):
            self.push_screen(screen, back)

    def on_start_screen_wanted(self, message: StartScreen.Wanted) -> None:
        """Open the screen chosen on the start screen."""
        # Loading these screens and the replay screen early would delay the start screen by half.
        from parlour_client.tui.screens import create, lobby, saved_matches, settings, sheets

        options = message.options
        match message.what:
            case "lobby":
                self._open(lobby.LobbyScreen(self.look, self.enter_room, options))
            case "host" | "create" as where:
                self._open(create.CreateScreen(self.look, self.enter_room, options, here=where == "host"))
            case "daily":
                self._open(sheets.DailyScreen(self.look, self.enter_room, options))
            case "profile":
                self._open(sheets.ProfileScreen(self.look, options))
            case "replays":
                self._open(saved_matches.SavedMatchesScreen(self.look, self.replay, options.name))
            case "settings":
                self._open(settings.SettingsScreen(self.look, self.settings, self.apply), self._back_to_start)

    def apply(self, settings: Settings) -> Appearance:
        """Apply ``settings`` and return the new look. PARLOUR_LOOK takes precedence over them. Raises Usage."""
        look = own_look(settings)
        self.settings = settings
        self._apply_settings(settings)
        if (look.glyphs, look.name, look.palette) != (self.look.glyphs, self.look.name, self.look.palette):
            self._apply_look(look)
        return self.look

    def bell(self) -> None:
        """Ring the bell, with the title as a desktop notification (OSC 9), unless the settings disable it."""
        if self.settings.bell:
            super().bell()
            self._command(f"9;{self.title}")

    def watch_title(self, title: str) -> None:
        """Show the title in the window's."""
        self._command(f"2;{title}")

    def _command(self, words: str) -> None:
        """Write an operating system command to a terminal that knows them."""
        if self._driver is not None and os.environ.get("TERM") not in _NO_COMMANDS:
            self._driver.write(f"\x1b]{clean(words)}\x07")

    def _apply_settings(self, settings: Settings) -> None:
        speak(settings)
        self.set_keymap(settings.keys)
        self.animation_level = "none" if settings.reduced_motion else constants.TEXTUAL_ANIMATIONS

    def _apply_look(self, look: Appearance) -> None:
        """Switch to ``look``."""
        self.look = look
        self.console._color_system = look.color_system or self._color_system
        self.register_theme(look.theme(look.theme_name))
        self.ansi_color = None if look.coloured else True
        self.theme = look.theme_name

    def _room(self, way: Way) -> RoomScreen:
        return RoomScreen(self.look, way, auto_pass=self.settings.auto_pass)

    def _back_to_start(self, _: None) -> None:
        """Show the start screen again, with the current look, name and server."""
        if isinstance(self._begin, StartOptions):
            server, name = self.settings.server or self._begin.server, self.settings.name or self._begin.name
            self._begin = attrs.evolve(self._begin, server=server, name=name)
            self.switch_screen(StartScreen(self.look, self.enter_room, self._begin))

    def action_command_palette(self) -> None:
        """Open the command palette."""
        if not isinstance(self.screen, ActionPalette):
            self.push_screen(ActionPalette(placeholder=say("tui.palette")))

    def action_suspend_process(self) -> None:
        """Suspend the program, if there is a shell that can resume it."""
        if os.name != "nt" and os.getsid(0) != os.getpid():
            super().action_suspend_process()

    def action_end(self) -> None:
        """Quit immediately."""
        self.exit(INTERRUPTED_BY_USER)

    def _exit_from(self, screen: RoomScreen, fault: Fault | None) -> None:
        self.farewell = screen.farewell
        self._exit_with(fault)

    def _exit_with(self, fault: Fault | None) -> None:
        self.fault = fault
        self.exit(fault.exit_code if fault else OK)


async def run_room(way: Way) -> int:
    """Show a single room, entered through ``way``. Returns the exit code. Raises Fault."""
    app, code = await _run(way)
    if app.fault:
        raise app.fault
    if app.farewell:
        sys.stdout.write(f"{clean(str(app.farewell))}\n")
    return code if code is not None else INTERRUPTED_BY_USER


async def start(options: StartOptions) -> int:
    """Show the start screen. Returns the exit code."""
    _, code = await _run(options)
    return code or OK


async def replay(path: Path, viewer: int | str | None = None, continuing: Continuing | None = None) -> int:
    """Replay a match. Returns the exit code. Raises Fault if the file is invalid."""
    app, code = await _run(MatchFile(path, viewer, continuing))
    if app.fault:
        raise app.fault
    return code if code is not None else INTERRUPTED_BY_USER


def own_look(settings: Settings) -> Appearance:
    """Return the look for this terminal from PARLOUR_LOOK or the settings. Raises Usage."""
    return look_for(os.environ, _choice(settings), settings.theme)


def _choice(settings: Settings) -> str:
    return os.environ.get("PARLOUR_LOOK") or settings.look


async def _run(begin: Way | StartOptions | MatchFile) -> tuple[ParlourApp, int | None]:
    """Show screens; return the application that has shown them and its exit code.

    The terminal is asked for its colours if nothing else says how many it has. SIGTERM and a lost terminal end the
    application like the quit key, which restores the terminal.
    """
    settings = load()
    with nullcontext(Answers()) if names_colours(_choice(settings)) else asked(os.environ) as answers:
        app = ParlourApp(own_look(settings), begin, settings, answers)
        with exit_on_signals(app.action_end), _own_title():
            return app, await app.run_async()


def _driver(answers: Answers | None) -> Any:
    """Return the driver for a terminal after a question, None for the usual one."""
    if answers is None or (answers.complete and not answers.keys):
        return None
    from parlour_client.tui.driver import AskedDriver  # not available on Windows, where nothing is asked

    return partial(AskedDriver, answers)


@contextmanager
def _own_title() -> Iterator[None]:
    """Give the window its title back at the end, where the terminal can."""
    kept = sys.stdout.isatty() and os.environ.get("TERM") not in _NO_COMMANDS
    sys.stdout.write("\x1b[22;2t" if kept else "")
    sys.stdout.flush()
    try:
        yield
    finally:
        sys.stdout.write("\x1b[23;2t" if kept else "")
        sys.stdout.flush()
