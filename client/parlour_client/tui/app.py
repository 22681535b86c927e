"""The application: a start screen and where it leads to; or one room, or one finished match, and out."""

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from typing import Any, ClassVar

import attrs
from textual import constants
from textual.app import App
from textual.binding import Binding, BindingType
from textual.command import CommandPalette, Provider
from textual.screen import Screen

from parlour_client.core.errors import INTERRUPTED_BY_USER, OK, Fault
from parlour_client.play.entry import Entry
from parlour_client.storage.settings import Settings, load
from parlour_client.tui.screens.command_palette import Actions
from parlour_client.tui.screens.room import RoomScreen
from parlour_client.tui.screens.start import Practice, StartScreen
from parlour_client.tui.signals import heeded
from parlour_client.tui.theme.theme import Look, look_for
from parlour_client.tui.widgets.common import Hosting
from parlour_protocol.messages import Create, Join


@attrs.frozen
class Home:
    """What the start screen begins with.

    ``practice`` opens a server of one's own, ``hosting`` one for the network; what is missing is not offered.
    """

    server: str
    name: str
    key: str | None = None
    practice: Practice | None = None
    hosting: Hosting | None = None


@attrs.frozen
class Film:
    """A finished match to look at, in a file. ``viewer``: a seat, a name, or None: a spectator."""

    path: Path
    viewer: int | str | None = None


class ParlourApp(App[int]):
    """Screens in one look. ``fault`` is what ended the only room, if something did."""

    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {Actions}
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "end", "End at once", id="app.end", priority=True)]
    CSS = """
    ToastRack { dock: top; align: left top; margin: 1 0 0 0; }
    ToastHolder { align-horizontal: left; }
    Toast { background: $panel; color: $ink; border: $frame $coral; padding: 0 1; }
    CommandPalette SearchIcon { display: none; }
    CommandPalette > Vertical { background: $panel; }
    CommandPalette #--input, CommandPalette #--input.--list-visible { border: $frame $gold; background: $panel; }
    CommandPalette CommandList, CommandPalette CommandList:focus { border: $frame $edge; background: $panel; }
    """

    def __init__(
        self, look: Look, begin: AbstractAsyncContextManager[Entry] | Home | Film, settings: Settings | None = None
    ) -> None:
        """``begin``: what the start screen needs; or a way to a room, or a match to look at, and that is all."""
        super().__init__(ansi_color=None if look.coloured else True)
        self.fault: Fault | None = None
        self._begin = begin
        self.settings = settings or Settings()
        self._wear(look)
        self._use(self.settings)

    def on_mount(self) -> None:
        """Open the first screen."""
        match self._begin:
            case Home() as home:
                self.push_screen(self._start(home))
            case Film(path, viewer):
                self._look_at(path, viewer, self._out)
            case way:
                self.push_screen(RoomScreen(self.look, way), self._out)

    def visit(self, way: AbstractAsyncContextManager[Entry], back: Callable[[Fault | None], None]) -> None:
        """Go to a room; ``back`` is called with what ended the visit, if that was not our wish."""
        screen = RoomScreen(self.look, way)

        def returned(fault: Fault | None) -> None:
            self.theme = self.look.theme_name
            back(fault or screen.farewell)

        self._go_to(screen, returned)

    def replay(self, path: Path, viewer: int | None, back: Callable[[Fault | None], None]) -> None:
        """Look at a match in a file by the eyes of ``viewer``; ``back`` is called with what kept it from being read."""

        def returned(fault: Fault | None) -> None:
            self.theme = self.look.theme_name
            back(fault)

        self._look_at(path, viewer, returned)

    def _look_at(self, path: Path, viewer: int | str | None, back: Callable[[Fault | None], None]) -> None:
        from parlour_client.tui.screens.replay import ReplayScreen  # see on_start_screen_wanted

        self._go_to(ReplayScreen(self.look, path, viewer), back)

    def _go_to(self, screen: Screen[Any], back: Callable[[Any], None] | None = None) -> None:
        """Open ``screen``, unless one of its kind is in front: what was chosen twice in one breath is opened once."""
        if type(self.screen) is not type(screen):
            self.push_screen(screen, back)

    def on_start_screen_wanted(self, message: StartScreen.Wanted) -> None:
        """Open what the start screen leads to besides rooms."""
        # With these screens and that of replays the start screen would take half as long again to appear.
        from parlour_client.tui.screens import create, lobby, saved_matches, settings

        key = self._begin.key if isinstance(self._begin, Home) else None
        where: dict[str, Any] = {"server": message.server, "name": message.name, "key": key}
        match message.what:
            case "lobby":
                self._go_to(lobby.LobbyScreen(self.look, self.visit, **where))
            case "host" if isinstance(self._begin, Home):
                self._go_to(create.CreateScreen(self.look, self.visit, hosting=self._begin.hosting, **where))
            case "create":
                self._go_to(create.CreateScreen(self.look, self.visit, **where))
            case "replays":
                self._go_to(saved_matches.SavedScreen(self.look, self.replay, message.name))
            case "settings":
                self._go_to(settings.SettingsScreen(self.look, self.settings, self.apply), self._home_again)

    def apply(self, settings: Settings) -> Look:
        """Let ``settings`` take effect, and return the look from now on; PARLOUR_LOOK outweighs theirs."""
        self.settings = settings
        self._use(settings)
        look = own_look(settings)
        if (look.glyphs, look.name) != (self.look.glyphs, self.look.name):
            self._wear(look)
        return self.look

    def bell(self) -> None:
        """Ring, unless that is not wanted."""
        if self.settings.bell:
            super().bell()

    def _use(self, settings: Settings) -> None:
        self.set_keymap(settings.keys)
        self.animation_level = "none" if settings.reduced_motion else constants.TEXTUAL_ANIMATIONS

    def _wear(self, look: Look) -> None:
        """Draw in ``look`` from now on."""
        self.look = look
        for each in look.cloths:
            self.register_theme(each.theme(each.theme_name))
        self.ansi_color = None if look.coloured else True
        self.theme = look.theme_name

    def _start(self, home: Home) -> StartScreen:
        return StartScreen(
            self.look,
            self.visit,
            server=home.server,
            name=home.name,
            key=home.key,
            practice=home.practice,
            hosting=home.hosting,
        )

    def _home_again(self, _: None) -> None:
        """Show the start screen in the look of now, with the name and server of now."""
        if isinstance(self._begin, Home):
            server, name = self.settings.server or self._begin.server, self.settings.name or self._begin.name
            self._begin = attrs.evolve(self._begin, server=server, name=name)
            self.switch_screen(self._start(self._begin))

    def action_command_palette(self) -> None:
        """Let the person find an action by its name."""
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(placeholder="what to do"))

    def action_end(self) -> None:
        """End at once, whatever is going on."""
        self.exit(INTERRUPTED_BY_USER)

    def _out(self, fault: Fault | None) -> None:
        self.fault = fault
        self.exit(fault.exit_code if fault else OK)


async def play(
    url: str,
    room: str | None = None,
    *,
    create: Create | None = None,
    name: str,
    own_name: bool = True,
    key: str | None = None,
    watch: bool = False,
    once: bool = False,
    invite: Sequence[str | None] = (),
    ready: bool = False,
    keep: bool = True,
) -> int:
    """Enter ``room``, or open one by ``create``, on the screen. The same as the line mode's. Raises Fault."""
    enter = create or Join((room or "").upper(), as_="spectator" if watch else "player")
    return await visit(nullcontext(Entry(url, enter, name, own_name, key, once, tuple(invite), ready, keep=keep)))


async def visit(way: AbstractAsyncContextManager[Entry]) -> int:
    """Enter a room by ``way``, which the screen opens when it is there. Returns the exit code. Raises Fault."""
    app = _app(way)
    code = await _run(app)
    if app.fault:
        raise app.fault
    return code if code is not None else INTERRUPTED_BY_USER


async def start(home: Home) -> int:
    """Open the start screen, and return the exit code when the person has had enough."""
    return await _run(_app(home)) or OK


async def replay(path: Path, viewer: int | str | None = None) -> int:
    """Look at a finished match on the screen, and return the exit code. Raises Fault for a file that is wrong."""
    app = _app(Film(path, viewer))
    code = await _run(app)
    if app.fault:
        raise app.fault
    return code if code is not None else INTERRUPTED_BY_USER


def own_look(settings: Settings) -> Look:
    """Return the look of this terminal: what PARLOUR_LOOK asks for, else the settings. Raises Usage."""
    return look_for(os.environ, os.environ.get("PARLOUR_LOOK") or settings.look)


async def _run(app: ParlourApp) -> int | None:
    """Run ``app``. SIGTERM ends it like a key, so that the terminal is given back as it was; its loss ends it, too."""
    with heeded(app.action_end):
        return await app.run_async()


def _app(begin: AbstractAsyncContextManager[Entry] | Home | Film) -> ParlourApp:
    settings = load()
    return ParlourApp(own_look(settings), begin, settings)
