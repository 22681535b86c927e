"""The people in a room, and the actions of hosts and admins on them.

The dialogs open with a key, or with a click at a player: a seat, a box, or a chat line. Harmful actions are confirmed.
"""

from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar, Literal

import attrs
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from parlour_client.core.errors import Usage
from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.room import JoinedRoom, kind_of
from parlour_client.play.room_client import RoomClient
from parlour_client.storage import credentials
from parlour_client.tui.screens.base import box_style
from parlour_client.tui.screens.dialogs import ConfirmDialog
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.list_view import Listing, columns
from parlour_protocol.messages import Admin, ClientMessage, Handover, Join, Manage, Queue

_NAME = 22
"""Columns for a name."""
_ROWS = 12
"""Rows of a list at most; it scrolls."""


@attrs.frozen
class PersonAction:
    """An action on a person: its label, the message to send, and the text to show on success.

    ``question`` confirms a harmful action; "" for others.
    """

    label: str
    message: ClientMessage
    done: str
    question: str = ""


@attrs.frozen
class PeopleRow:
    """A person in a room, or (without a ``name``) the room itself. ``about`` is a short description."""

    name: str
    about: str
    actions: Sequence[PersonAction] = ()


def people(
    room: JoinedRoom,
    me: str,
    token: str | None,
    muted: Container[str] = (),
    *,
    hands_over: bool = False,
    queue: bool = False,
    seat_code: str | None = None,
) -> list[PeopleRow]:
    """Return the players and chatting spectators of ``room``, with the actions that ``me`` may take.

    ``token``: the admin token, if we have one; then the room itself comes last. ``muted``: names that we muted in this
    room, as the server does not list them. ``hands_over``: whether seats may change hands. ``queue``: whether
    spectators can wait for a seat. ``seat_code``: the code for the seats, if we have given one.
    """
    seated = {row["name"]: row for row in room.table["seats"]}
    asking = [*room.table.get("queue", []), *(request["name"] for request in room.table.get("requests", []))]
    watching = dict.fromkeys(name for name in [*asking, *(line["from"] for line in room.chat)] if name not in seated)
    names = [*seated, *(name for name in watching if name != me)]
    found = [
        PeopleRow(
            name,
            _about(room, me, name),
            [*(_of_seats(room, me, name) if hands_over else []), *_deeds(room, me, name, token, muted)],
        )
        for name in names
    ]
    if room.seat is None and (own := _of_spectator(room, me, queue, seat_code)):
        found.insert(0, PeopleRow(me, _about(room, me, me), own))
    if token is not None:
        found.append(PeopleRow("", say("tui.people.room"), [_close(room, token)]))
    return found


def token_for(url: str) -> str | None:
    """Return our admin token for the server at ``url``, None if we have none."""
    with suppress(Usage):
        return credentials.find_admin_token(url, None, None).token
    return None


def _about(room: JoinedRoom, me: str, name: str) -> str:
    row = next((row for row in room.table["seats"] if row["name"] == name), None)
    if row is None and name in room.table.get("queue", []):
        return say("tui.people.waits")
    if row is None:
        asks = any(
            request["name"] == name and request["seat"] == room.seat for request in room.table.get("requests", [])
        )
        return say("tui.people.asks" if asks else "tui.people.no_seat")
    words = [say("you") if name == me else kind_of(row), *([say("tui.host")] if name == room.table["host"] else [])]
    return ", ".join([*words, *([] if row["here"] else [say("tui.away")])])


def _action(do: str, message: ClientMessage, *, confirm: bool = False, lost: str = "", **who: str) -> PersonAction:
    """Return an action. ``confirm``: it is harmful; ``lost``: what else it ends. ``who`` is named in the texts."""
    key = f"tui.people.{do}"
    return PersonAction(say(key), message, say(f"{key}.done", who), say(f"{key}.ask", who) + lost if confirm else "")


def _deeds(room: JoinedRoom, me: str, name: str, token: str | None, muted: Container[str]) -> list[PersonAction]:
    of_host = _of_host(room, me, name, name in muted) if room.table["host"] == me else []
    return [*of_host, *(_of_admin(name, token) if token and name != me else [])]


def _of_host(room: JoinedRoom, me: str, name: str, muted: bool) -> list[PersonAction]:
    def action(do: Literal["kick", "ban", "mute", "unmute", "host", "addtime"], **how: Any) -> PersonAction:
        return _action(do, Manage(room.code, do, name), name=name, **how)

    time = [action("addtime")] if room.under_way and room.clocks and not room.rated else []
    if name == me:
        return time
    lost = say("tui.people.lost_seat") if room.under_way else ""
    seated = [row["kind"] for row in room.table["seats"] if row["name"] == name]
    return [
        *time,
        action("unmute" if muted else "mute"),
        *([] if seated == ["bot"] else [action("host", confirm=True)]),
        *([] if room.counts and seated else [action(do, confirm=True, lost=lost) for do in ("kick", "ban")]),
    ]


def _of_seats(room: JoinedRoom, me: str, name: str) -> list[PersonAction]:
    """Return the actions of a handover: a spectator asks for a seat, and its owner gives it."""
    asked = {request["name"]: request["seat"] for request in room.table.get("requests", [])}
    row = next((row for row in room.table["seats"] if row["name"] == name), None)
    if room.seat is None and row is not None and row["kind"] == "human":
        if asked.get(me) == row["seat"]:
            return [_action("unask", Handover(room.code), name=name)]
        return [_action("ask", Handover(room.code, row["seat"]), name=name)]
    if room.seat is not None and asked.get(name) == room.seat:
        give = _action("give", Handover(room.code, to=name), name=name, confirm=True)
        return [*([] if room.counts else [give]), _action("decline", Handover(room.code), name=name)]
    return []


def _of_spectator(room: JoinedRoom, me: str, queue: bool, seat_code: str | None) -> list[PersonAction]:
    """Return the actions of a spectator: take a free seat, wait for one, or wait no longer."""
    if room.table["state"] in ("waiting", "finished") and len(room.table["seats"]) < room.table.get("size", 0):
        return [_action("sit", Join(room.code, seat_code=seat_code))]
    wait = me not in room.table.get("queue", [])
    return [_action("wait" if wait else "unwait", Queue(room.code, wait, seat_code))] if queue else []


def _of_admin(name: str, token: str) -> list[PersonAction]:
    mute, unmute = (_action(f"admin.{do}", Admin(token, do, name), name=name) for do in ("mute", "unmute"))
    return [mute, unmute, _action("admin.ban", Admin(token, "ban", name), name=name, confirm=True)]


def _close(room: JoinedRoom, token: str) -> PersonAction:
    lost = say("tui.people.lost_match") if room.under_way else ""
    return _action("close", Admin(token, "close", room=room.code), room=room.code, confirm=True, lost=lost)


class ListBox(ModalScreen[int | None]):
    """A list in a box. It is dismissed with the index of the chosen row, or None."""

    DEFAULT_CSS = box_style("ListBox", 56)
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,o", "dismiss")]

    def __init__(self, look: Appearance, title: str, rows: Sequence[tuple[str, str]], empty: str) -> None:
        """``rows``: (name, description). ``empty``: the text for an empty list."""
        super().__init__()
        self._look = look
        self._title = title
        self._rows = rows
        self._list = Listing(look, self._row, empty=empty, ground="panel")

    def compose(self) -> ComposeResult:
        """Yield the list."""
        box = Vertical(self._list)
        box.border_title = Content(clean(self._title))
        choose = f"{self._look.glyphs.enter} {say('tui.people.choose')}   " if self._rows else ""
        box.border_subtitle = f"{choose}{say('tui.esc_back')}"
        self._list.styles.height = max(1, min(len(self._rows), _ROWS))
        yield box

    def on_mount(self) -> None:
        """Show the rows."""
        self._list.show(len(self._rows))
        self._list.focus()

    def on_listing_chosen(self) -> None:
        """Close with the chosen row."""
        self.dismiss(self._list.pointed)

    def _row(self, row: int, here: bool, width: int) -> Text:
        name, about = self._rows[row]
        pointer = self._look.glyphs.pointer if here else " "
        ink = "gold" if here else "ink"
        if not about:
            return columns(self._look, [(f"{pointer} {name}", width, ink)], bold=here)
        return columns(self._look, [(f"{pointer} {name}", _NAME, ink), (about, width - _NAME - 2, "dim")], bold=here)


Opener = Callable[[ModalScreen[Any], Callable[[Any], None]], object]
"""Opens a dialog and calls back with its result."""


class PeopleMenu:
    """Runs the dialogs: choose a person, choose an action, confirm."""

    def __init__(
        self,
        opener: Opener,
        look: Appearance,
        client: Callable[[], RoomClient | None],
        do: Callable[[ClientMessage, str], None],
    ) -> None:
        """``client`` knows who is in the room; ``do`` receives the message of an action, and the text of success."""
        self._client = client
        self._open = opener
        self._look = look
        self._do = do
        self.muted: set[str] = set()
        """The names that we muted in this room."""
        self.not_admin = False
        """Whether the server has refused our admin token: that on this machine may be another server's."""

    def choose(self) -> None:
        """Let the player choose a person."""
        found = self._here()
        rows = [(each.name or each.about, each.about if each.name else "") for each in found]
        self._choose(say("tui.people.title"), rows, say("tui.people.none"), lambda row: self._about(found[row]))

    def about(self, name: str, *, kick: bool = False) -> None:
        """Let the player choose an action on the person of this name, or confirm to put them out of the room."""
        for each in self._here():
            if each.name == name and not kick:
                self._about(each)
            for action in each.actions if each.name == name and kick else ():
                if isinstance(action.message, Manage) and action.message.do == "kick":
                    self._confirm(action)

    def commands(self) -> list[tuple[str, Callable[[], object]]]:
        """Return (label, callback) of the actions on people."""
        rows = [(each.name or each.about, action) for each in self._here() for action in each.actions]
        return [(f"{action.label}: {name}", partial(self._confirm, action)) for name, action in rows]

    def _here(self) -> list[PeopleRow]:
        """Return the people in the room."""
        client = self._client()
        if client is None or client.room is None:
            return []
        return people(
            client.room,
            client.name,
            None if self.not_admin or client.entry.private else token_for(client.url),
            self.muted,
            hands_over="handover" in client.can and "deal" not in client.room.table["fair"],
            queue="queue" in client.can,
            seat_code=client.seat_code,
        )

    def _about(self, who: PeopleRow) -> None:
        rows, title = [(action.label, "") for action in who.actions], who.name or who.about
        self._choose(title, rows, self._nothing(who.name), lambda row: self._confirm(who.actions[row]))

    def _choose(self, title: str, rows: Sequence[tuple[str, str]], empty: str, then: Callable[[int], None]) -> None:
        """Show a list, and go on with the row that is chosen."""

        def chosen(row: int | None) -> None:
            if row is not None:
                then(row)

        self._open(ListBox(self._look, title, rows, empty), chosen)

    def _nothing(self, name: str) -> str:
        """Say why there is no action on a person."""
        client = self._client()
        if client is None or client.room is None or client.name != name:
            return say("tui.people.nothing")
        return say("tui.people.yourself", host=client.room.table["host"] == name)

    def _confirm(self, action: PersonAction) -> None:
        """Carry out an action, after confirmation if it is harmful."""
        if not action.question:
            self._note(action.message)
            self._do(action.message, action.done)
            return

        def sure(yes: bool | None) -> None:
            if yes:
                self._do(action.message, action.done)

        self._open(ConfirmDialog(self._look, [action.question], action.label, say("tui.people.leave_it")), sure)

    def _note(self, message: ClientMessage) -> None:
        match message:
            case Manage(do="mute", name=name):
                self.muted.add(name)
            case Manage(do="unmute", name=name):
                self.muted.discard(name)
