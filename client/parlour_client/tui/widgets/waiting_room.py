"""The waiting room: seats, readiness, bots to invite, and the command for others to join."""

from collections import deque
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget

from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.room import LEVELS, LLM, JoinedRoom, kind_of, style_name
from parlour_client.core.url import is_loopback, page_of, ssh_to
from parlour_client.text.room_lines import terms_of
from parlour_client.tui.glyphs import ASCII
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.common import PersonClicked
from parlour_client.tui.widgets.header import in_force, title_of
from parlour_client.tui.widgets.keys import label_of, labelled
from parlour_protocol.messages import BotRow, ClientMessage, Invite, List, SeatRow, Start
from parlour_protocol.names import padded
from parlour_protocol.standard_output import qr

BOTS_AGAIN = 2.0
"""Seconds."""
_BOTS_SHOWN = 9
_BOTS_A_LINE = 5
_HEARD = 2
"""Chat lines shown while the log is hidden."""
_ABOVE = 2
"""Rows of the box above the title: border and padding."""
_GAP, _AROUND = 3, (8, 4)
"""Columns before a QR code beside the text, and the columns and rows around both."""
_NAME, _ROW = 22, 60
"""Columns for a name, and for the whole line of a player."""


class WaitingRoom(Widget, can_focus=True):
    """A list of seats with a selected one, and the actions of the host."""

    DEFAULT_CSS = """
    WaitingRoom {
        width: auto; height: auto; max-width: 100%; max-height: 100%; padding: 1 3;
        background: $panel; border: $frame $edge;
    }
    WaitingRoom.code { padding: 0 3; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "invite", id="waiting.invite"),
        Binding("s", "start", id="waiting.start"),
        Binding("x", "kick", id="waiting.kick"),
        Binding("y", "copy", id="waiting.copy"),
        Binding("b", "scan", id="waiting.scan"),
        Binding("escape", "scan(True)"),
        Binding("up,k", "point(-1)", id="waiting.up", system=True),
        Binding("down,j", "point(1)", id="waiting.down", system=True),
        *(Binding(str(n), f"invite({n})", id=f"waiting.bot{n}", system=True) for n in range(1, _BOTS_SHOWN + 1)),
    ]
    KEYS: ClassVar[list[tuple[str, str]]] = [
        ("r", "tui.help.waiting.ready"),
        ("i, 1 to 9", "tui.help.waiting.invite"),
        ("s", "tui.help.waiting.start"),
        ("up down, k j", "tui.help.waiting.point"),
        ("x", "tui.help.waiting.kick"),
        ("y", "tui.help.waiting.copy"),
        ("b, esc", "tui.help.waiting.scan"),
    ]

    class Asked(Message):
        """The host asks something of the server."""

        def __init__(self, request: ClientMessage) -> None:
            super().__init__()
            self.request = request

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self.look = look
        self._room: JoinedRoom | None = None
        self._line = self._link = self._ssh = ""
        self._code: list[str] = []
        """The lines of the QR code."""
        self._scanning = self._code_is_shown = False
        """Whether the code is shown alone, and whether it is shown."""
        self._only_here = self._own = False
        self._heard: deque[tuple[str, str]] = deque(maxlen=_HEARD)
        self._beside = False
        self._bots: list[BotRow] = []
        self._listed: tuple[str, list[str]] | None = None
        """The room and its players when the bots were listed."""
        self._pointed = 0
        self._gap = 1
        """Blank lines between sections."""
        self._seats: int | None = None

    def show(
        self, room: JoinedRoom, url: str, name: str, seats: int | None, *, own: bool = False, ssh: int | None = None
    ) -> None:
        """Show ``room`` to ``name``. ``url``: for others to join; ``seats``: their number, if known.

        ``own``: the server was started for the network, with this room. ``ssh``: the port at which it serves screens.
        """
        self._room, self._me, self._seats = room, name, seats
        self._line = f"parlour join {room.whole_code} --server {url}"
        self._only_here = is_loopback(url)
        link = page_of(url, room.whole_code)
        if link != self._link:
            self._link = link
            self._code = [] if room.private or self._only_here else qr(link).split("\n")
        self._ssh = "" if ssh is None else ssh_to(url, ssh, room.whole_code)
        self._own = own
        self.set_class(self._scanning and self.can_scan, "code")
        self._pointed = min(self._pointed, max(0, len(room.table["seats"]) - 1))
        self.refresh(layout=True)

    def chat(self, name: str, text: str) -> None:
        """Add a chat message to the last ones, which show while no log does."""
        self._heard.append((name, text))
        self.refresh(layout=True)

    def stand_beside(self, log: bool) -> None:
        """Show the last chat messages only while no ``log`` shows them."""
        self._beside = log
        self.refresh(layout=True)

    def lobby(self, bots: list[BotRow]) -> None:
        """Show the bots to invite. If there are none, ask again later."""
        self._bots = bots
        self.refresh(layout=True)
        if not self.bots:
            self._listed = None
            self.set_timer(BOTS_AGAIN, self.ask_for_bots)

    def ask_for_bots(self) -> None:
        """List the available bots if we are the host, this is shown, and the players have changed."""
        if self._room is None or not self.hosting or not self.has_class("on"):
            return
        here = self._room.code, [row["name"] for row in self._room.table["seats"]]
        if here != self._listed:
            self._listed = here
            self.post_message(self.Asked(List(self._room.game)))

    @property
    def bots(self) -> list[Invite]:
        """The invitations on offer: levels, then bots by name, then other styles.

        The bots play this game, are available, and not in the room. Those with styles to choose from are offered
        by style. The server lists the least busy ones first; sorted, the numbers stay the same for as long as possible.
        """
        if self._room is None:
            return []
        code, game, here = self._room.code, self._room.game, {row["name"] for row in self._room.table["seats"]}
        fit = [bot for bot in self._bots if bot["free"] and game in bot["games"] and bot["name"] not in here]
        ways = {bot["name"]: [style for style in bot.get("styles", ()) if style != LLM] for bot in fit}
        styles = dict.fromkeys(style for each in ways.values() for style in each)
        levels, others = [each for each in LEVELS if each in styles], sorted(styles.keys() - set(LEVELS))
        named = [Invite(code, name) for name in sorted(name for name, each in ways.items() if not each)]
        offered = [*(Invite(code, style=level) for level in levels), *named]
        return [*offered, *(Invite(code, style=style) for style in others)][:_BOTS_SHOWN]

    @property
    def hosting(self) -> bool:
        """Whether we are the host."""
        return self._room is not None and self._room.table["host"] == self._me and self._room.seat is not None

    @property
    def full(self) -> bool:
        """Whether no one else can sit down."""
        size = self._room.table.get("size") if self._room else None
        return size is not None and self._room is not None and len(self._room.table["seats"]) >= size

    def hints(self) -> list[tuple[str, str]]:
        """Return (binding id, label) of the available actions."""
        ready = [("room.ready", say("tui.room.not_ready"))] if self._own_ready() else labelled("room.ready")
        invite = [] if self.full else labelled("waiting.invite")
        return [*(ready if self._seated() else []), *([*invite, *labelled("waiting.start")] if self.hosting else [])]

    def more_hints(self) -> list[tuple[str, str]]:
        """Return further hints for wide screens."""
        scan = ["waiting.scan"] if self.can_scan and (self._scanning or not self._code_is_shown) else []
        return labelled(*scan, "waiting.copy", *(["waiting.kick"] if self.hosting else []))

    def render(self) -> Text:
        """Return the content."""
        room = self._room
        if room is None:
            return Text()
        space = self.parent.size if isinstance(self.parent, Widget) else self.app.size
        columns, rows = space.width - _AROUND[0], space.height - _AROUND[1]
        told = self._told(room, columns, rows)
        if not self.can_scan:
            return told
        lines = list(told.split("\n", allow_blank=True))
        width = max(line.cell_len for line in lines)
        code = [Text(line, "#ffffff on #000000" if self.look.coloured else "") for line in self._code]
        self._code_is_shown = True
        if self._scanning:
            return Text("\n").join([*code, self.look.text(self._link)])
        if width + _GAP + code[0].cell_len <= columns and len(code) <= rows:
            lines += [Text()] * (len(code) - len(lines))
            for line, part in zip(lines, code, strict=False):
                line.pad_right(width + _GAP - line.cell_len)
                line.append_text(part)
            return Text("\n").join(lines)
        if len(lines) + 1 + len(code) <= rows:
            return Text("\n").join([*lines, Text(), *code])
        self._code_is_shown = False
        return self._told(room, columns, rows, scan=True)

    def _told(self, room: JoinedRoom, columns: int, rows: int, *, scan: bool = False) -> Text:
        """Return all sections; where space is short, those without blank lines, then the most important ones.

        ``scan`` names the key that shows the QR code.
        """
        title, seats, end = self._title(room), self._rows(room, brief=columns < _ROW), self._prompt()
        share, bots, heard = self._share(columns, scan=scan), self._invitations(), self._said()
        fewer = [share, bots, heard], [share, bots], [share]
        for self._gap, between in ((1, fewer[0]), *((0, each) for each in fewer)):
            sections = [section for section in (title, seats, *between, end) if section]
            text = Text("\n" * (1 + self._gap)).join(Text("\n").join(section) for section in sections)
            if len(text.wrap(self.app.console, max(1, columns))) <= rows:
                return text
        return Text("\n").join([*title, *end, *seats, *share])

    @property
    def can_scan(self) -> bool:
        """Whether others may join by the QR code."""
        return bool(self._code) and not self.full and self.look.glyphs is not ASCII

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether ``action`` is possible: esc closes only the QR code."""
        return self._scanning if (action, *parameters) == ("scan", True) else True

    def action_scan(self, close: bool = False) -> None:
        """Show the QR code alone, or everything again; ``close``: only the latter."""
        self._scanning = self.can_scan and not (self._scanning or close)
        self.set_class(self._scanning, "code")
        self.refresh(layout=True)

    def action_invite(self, number: int | None = None) -> None:
        """Invite bot ``number`` of the list, or any."""
        if self._room is not None and self.hosting and not self.full and (number or 0) <= len(self.bots):
            self.post_message(self.Asked(self.bots[number - 1] if number else Invite(self._room.code)))
            self._listed = None

    def action_start(self) -> None:
        """Start the match."""
        if self._room is not None and self.hosting:
            self.post_message(self.Asked(Start(self._room.code)))

    def action_kick(self) -> None:
        """Kick the selected player."""
        rows = self._room.table["seats"] if self._room else []
        if self.hosting and rows and rows[self._pointed]["name"] != self._me:
            self.post_message(PersonClicked(rows[self._pointed]["name"], kick=True))

    def action_copy(self) -> None:
        """Copy the command for others to the clipboard, if the terminal supports that."""
        self.app.copy_to_clipboard(self._line)
        self.notify(say("tui.waiting.copied"), timeout=3)

    def action_point(self, by: int) -> None:
        """Select the next seat."""
        rows = self._room.table["seats"] if self._room else []
        if rows:
            self._pointed = (self._pointed + by) % len(rows)
            self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Report the clicked seat."""
        if self._room is None:
            return
        rows, row = self._room.table["seats"], event.y - _ABOVE - self._gap - len(self._title(self._room))
        if 0 <= row < len(rows):
            self._pointed = row
            self.post_message(PersonClicked(rows[row]["name"]))

    # --- the parts ---

    def _title(self, room: JoinedRoom) -> list[Text]:
        look = self.look
        title = look.text(look.text((title_of(room.game), "gold"), bold=True))
        if not room.private:
            title.append_text(look.text((f"  {say('tui.header.room')} ", "dim"), look.text(room.code, bold=True)))
        rules = f" {look.glyphs.dot} ".join(in_force(room, look.glyphs.times))
        terms = [] if room.private else terms_of(room.table, room.table.get("size", 2))
        if room.under_way and (delay := room.table.get("delay", 0)):
            said = say("line.delayed", s=delay // 1000)
        else:
            said = say("tui.waiting.again" if room.over else "tui.waiting.players")
        told = look.text((f"{rules}   {said}" if rules else said, "dim"))
        return [title, told, *([look.text((f" {look.glyphs.dot} ".join(terms), "dim"))] if terms else [])]

    def _rows(self, room: JoinedRoom, *, brief: bool) -> list[Text]:
        taken = room.table["seats"]
        rows = [self._row(room, row, n, brief) for n, row in enumerate(taken)]
        free = max(0, (self._seats or 0) - len(taken))
        if free:
            rows.append(self.look.text((f"    {say('tui.waiting.free', n=free)}", "dim")))
        watchers = room.table["watchers"]
        return [
            *rows,
            *([self.look.text((f"    {say('tui.waiting.watching', n=watchers)}", "dim"))] if watchers else []),
        ]

    def _row(self, room: JoinedRoom, row: SeatRow, n: int, brief: bool) -> Text:
        """Return the line of a player. ``brief``: whether they are ready is only a sign."""
        look, glyphs = self.look, self.look.glyphs
        mine = row["seat"] == room.seat
        pointer = glyphs.pointer if self.hosting and n == self._pointed else " "
        host, away = row["name"] == room.table["host"], not row["here"]
        words = [say("you") if mine else kind_of(row), *[say("tui.host")] * host, *[say("tui.away")] * away]
        said = f"{f' {glyphs.dot} '.join(words):<20}"
        ready = (glyphs.ready if brief else f"{glyphs.ready} {say('tui.waiting.ready')}", "ink")
        if room.under_way:
            ready = ("", "ink")
        elif not row["ready"]:
            ready = (glyphs.dot if brief else f"{glyphs.dot} {say('tui.waiting.not_yet')}", "dim")
        name = look.text((padded(clean(row["name"], _NAME), _NAME), "gold" if mine else "ink"), bold=mine)
        return look.text((f"  {pointer} ", "gold"), name, (said, "dim"), ready)

    def _share(self, columns: int, *, scan: bool) -> list[Text]:
        if self.full or (self._room is not None and self._room.private):
            return []
        whom = say("tui.waiting.share_here" if self._only_here else "tui.waiting.share")
        ways = [self._line] if self._only_here else list(filter(None, [self._line, self._link, self._ssh]))
        ways.sort(key=lambda way: len(way) + 2 > columns)  # a line that is wrapped may be cut
        code = self.look.key("b", label_of("waiting.scan")) if scan else Text()
        head = self.look.joined(self.look.text((whom, "dim")), code, gap=3)
        lines = [head, *(self.look.text(f"  {way}") for way in ways)]
        network = (say("tui.waiting.no_network" if self._own else "tui.waiting.only_here"), "dim")
        return [*lines, *([self.look.text(network)] if self._only_here else [])]

    def _said(self) -> list[Text]:
        if self._beside:
            return []
        opening, closing = self.look.glyphs.quotes
        return [
            self.look.text((clean(name, _NAME), "gold"), f" {opening}{text}{closing}") for name, text in self._heard
        ]

    def _invitations(self) -> list[Text]:
        if not self.hosting or not self.bots or self.full:
            return []
        look = self.look
        words = [clean(each.bot or style_name(each.style or ""), _NAME) for each in self.bots]
        offers = [
            look.text(("  ", "dim"), look.text((str(n), "gold"), bold=True), f" {word}")
            for n, word in enumerate(words, 1)
        ]
        rows = (offers[:_BOTS_A_LINE], offers[_BOTS_A_LINE:])
        return [look.text((say("tui.waiting.bots"), "dim")), *(look.joined(*row, gap=1) for row in rows if row)]

    def _prompt(self) -> list[Text]:
        if not self._seated():
            delay = self._room.table.get("delay", 0) // 1000 if self._room else 0
            return [self.look.text((say("tui.waiting.you_watch", delay=delay), "dim"))]
        if self._own_ready():
            return [self.look.text((say("tui.waiting.soon"), "dim"))]
        return [self.look.joined(self.look.key("r", say("tui.waiting.press")), gap=1)]

    def _seated(self) -> bool:
        return self._room is not None and self._room.seat is not None

    def _own_ready(self) -> bool:
        row = self._room.row(self._room.seat) if self._room and self._room.seat is not None else None
        return bool(row and row["ready"])
