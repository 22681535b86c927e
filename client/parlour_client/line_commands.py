"""Line mode without I/O: the events of a room client as lines, its commands, and typed answers to open decisions.

An invalid answer prints what is possible; the decision stays open.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from parlour_client.core.errors import Usage
from parlour_client.core.options import options_of
from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.play.download import Download
from parlour_client.play.game_form import reconfigured
from parlour_client.play.room_client import RoomClient
from parlour_client.play.room_events import (
    Chatted,
    Completed,
    Connected,
    DecisionOpened,
    Downloaded,
    Entered,
    MatchResult,
    Note,
    Offered,
    Rejected,
    Resumed,
    RoomChanged,
    RoomEvent,
    SeatGiven,
)
from parlour_client.text import room_lines
from parlour_client.text.base import UnclearInput, UnfinishedInput, lines_for
from parlour_client.text.text_view import sentences_for
from parlour_protocol.messages import Chat, Handover, Invite, Manage, Queue, Ready, ServerMessage, Start

_CHAT_SHOWN = 5


class Dialogue:
    """Lines about one room. The caller prints and empties ``out``, and writes ``files``."""

    def __init__(self, client: RoomClient) -> None:
        self.client = client
        self.out: list[str] = []
        self.files: list[Download] = []
        """Complete match files, to be written."""
        self._offered: set[int] = set()
        """The optional decisions that were shown."""

    def message(self, message: ServerMessage) -> None:
        """Handle a message that is news. Raises Fault as ``RoomClient.feed`` does."""
        for event in self.client.feed(message):
            self._present(event)

    def _present(self, event: RoomEvent) -> None:
        match event:
            case Connected(name):
                self.out.append(say("line.room.connected", server=self.client.url, name=name))
            case Offered(row):
                self.out += room_lines.offered(row)
                self.client.arrival.sit()
            case Entered(room):
                self._entered(room)
            case Resumed(room, gap):
                self.out.append(say("line.room.resumed", room=room.code, gap=gap))
                self.out += lines_for(room.game).state(room) if gap else []
            case RoomChanged(room):
                self._show_offers(room)
            case DecisionOpened(room):
                lines = lines_for(room.game)
                self.out += [*lines.board(room), *lines.question(room)]
            case MatchResult():
                self._ended(event)
            case Chatted(name, text):
                self.out.append(f"{name}: {text}")
            case Rejected(room, code, text):
                self.out += [text, *(lines_for(room.game).question(room) if code == "illegal_action" else [])]
            case Note(text) | Completed(text) | SeatGiven(text):
                self.out += [text] if text else []
            case Downloaded(download):
                self.files.append(download)

    def _entered(self, room: JoinedRoom) -> None:
        lines = lines_for(room.game)
        self._offered.clear()
        self.out += room_lines.present(room, self.client.name)
        self.out += [f"{row['from']}: {row['text']}" for row in room.chat[-_CHAT_SHOWN:]]
        if room.view is None:
            self.out += lines.state(room)
        if room.under_way:
            self.out += [*lines.state(room), *lines.board(room)]
            self.out += [lines.hand(room)] if room.seat is not None else []
        elif not self.client.entry.ready:
            self.out.append(say("line.room.join", room=room.whole_code, server=self.client.url))
            self.out += [say("line.room.begin")] if room.seat is not None else []

    def _show_offers(self, room: JoinedRoom) -> None:
        new = [offer for offer in room.may if offer["rid"] not in self._offered]
        self._offered |= {offer["rid"] for offer in new}
        self.out += [line for offer in new if (line := lines_for(room.game).offer(room, offer))]

    def _ended(self, ended: MatchResult) -> None:
        room, over, lines = ended.room, ended.over, lines_for(ended.room.game)
        self.out += [*lines.board(room), *room_lines.result(room, over), *lines.review(room, over)]
        if ended.proved:
            self.out.append(say("line.fair"))
        if self.client.entry.once:
            self.client.leave()
        elif room.seat is not None:
            self.out.append(say("line.room.once_more"))


_Command: TypeAlias = Callable[[Dialogue, JoinedRoom, str], None]
"""Carries out a command with the words after it. May raise Usage."""
_Task: TypeAlias = Literal["kick", "ban", "mute", "unmute", "host", "addtime"]

_CHAT_LONGEST = 200
_HELP = [*(f"line.help.{part}" for part in ("self", "read", "empty", "save")), "line.repeat.help", "line.help.more"]
_HELP_ROOM = [f"line.help.{part}" for part in ("invite", "manage", "rules", "presets", "handover")]


class Commands:
    """Carries out typed lines."""

    def __init__(self, dialogue: Dialogue) -> None:
        self._dialogue = dialogue
        self._asked_to_quit = False
        self._begun: tuple[int | None, str] | None = None
        """The decision to which an unfinished answer was typed, and the answer."""

    def line(self, text: str) -> None:
        """Carry out a typed line."""
        word, _, rest = text.strip().partition(" ")
        word, room, dialogue = word.lower(), self._dialogue.client.room, self._dialogue
        sure, self._asked_to_quit = self._asked_to_quit, False
        if word in ("quit", "q", "exit"):
            self._quit(sure=sure)
        elif room and word in _COMMANDS:
            try:
                _COMMANDS[word](dialogue, room, rest.strip())
            except Usage as usage:
                dialogue.out.append(str(usage))
        elif room and not word:
            lines = lines_for(room.game)
            dialogue.out += [*lines.board(room), *lines.question(room)]
        elif room:
            self._answer(room, text)

    def _quit(self, *, sure: bool) -> None:
        room = self._dialogue.client.room
        kept = self._dialogue.client.entry.kept is not None
        if room and room.under_way and room.seat is not None and not sure and not kept:
            self._asked_to_quit = True
            self._dialogue.out.append(say("line.room.quit"))
        else:
            self._dialogue.client.quit()

    def _answer(self, room: JoinedRoom, text: str) -> None:
        """Answer the open decision with the typed words, which may complete the answer typed before."""
        dialogue, (asked, begun) = self._dialogue, self._begun or (None, "")
        now, self._begun = room.question.rid if room.question else None, None
        wrong: list[UnclearInput] = []
        for words in [f"{begun} {text}", text] if begun and asked == now else [text]:
            try:
                rid, act = lines_for(room.game).choose(room, words)
            except UnclearInput as unclear:
                wrong.append(unclear)
                if isinstance(unclear, UnfinishedInput):
                    self._begun = now, words
                continue
            self._begun = None
            if not dialogue.client.act(rid, act):
                dialogue.out.append(say("line.room.wait"))
            return
        dialogue.out.append(str(wrong[-1] if self._begun else wrong[0]))


def _help(dialogue: Dialogue, room: JoinedRoom, about: str) -> None:
    if about == "room":
        fixed = [say("room.fixed", alone=not room.rated)] if room.counts else []
        dialogue.out += [*map(say, _HELP_ROOM), *fixed]
    else:
        lines = lines_for(room.game)
        dialogue.out += [*lines.how_to(room.game, room.table["options"]), *lines.manual(), *map(say, _HELP)]


def _hand(dialogue: Dialogue, room: JoinedRoom, _: str) -> None:
    lines = lines_for(room.game)
    dialogue.out += [*lines.board(room), lines.hand(room)]


def _say(dialogue: Dialogue, room: JoinedRoom, text: str) -> None:
    if 0 < len(text) <= _CHAT_LONGEST:
        dialogue.client.outgoing.append(Chat(room.code, text))
    else:
        dialogue.out.append(say("line.room.say", n=_CHAT_LONGEST))


def _ready(dialogue: Dialogue, room: JoinedRoom, _: str) -> None:
    """Be ready; if out of the match, skip to its end."""
    if dialogue.client.can_skip:
        dialogue.client.skip()
    else:
        dialogue.client.outgoing.append(Ready(room.code))


def _manage(do: _Task) -> _Command:
    """Return the command that lets the host do ``do`` to a player."""

    def command(dialogue: Dialogue, room: JoinedRoom, name: str) -> None:
        seated = name.casefold() in [row["name"].casefold() for row in room.table["seats"]]
        refused = room.rated if do == "addtime" else room.counts and do in ("kick", "ban") and seated
        if not name:
            dialogue.out.append(say("line.room.manage", do=do, players=room_lines.people(room)))
        elif refused:
            dialogue.out.append(say("room.fixed", alone=not room.rated))
        else:
            dialogue.client.outgoing.append(Manage(room.code, do, name))

    return command


def _rules(dialogue: Dialogue, room: JoinedRoom, words: str) -> None:
    """Change the rules given as NAME=VALUE, save them as a preset, take those of one, or show those in force."""
    if not words:
        dialogue.out.append(say("line.room.rules", rules=room_lines.written(room.table)))
        return
    do, _, name = words.partition(" ")
    if name and "=" not in words and do in ("save", "preset"):
        requests = dialogue.client.requests
        (requests.save_preset if do == "save" else requests.use_preset)(room, name.strip())
        return
    configure = reconfigured(room, options_of(words.split(), room.game))
    dialogue.client.requests.send(configure, say("tui.configure.done"))


def _invite(dialogue: Dialogue, room: JoinedRoom, whom: str) -> None:
    bot, _, style = f" {whom}".partition(" as ")
    dialogue.client.outgoing.append(Invite(room.code, bot.strip() or None, style=style.strip() or None))


def _ask(dialogue: Dialogue, room: JoinedRoom, name: str) -> None:
    """Ask a player for the seat, or withdraw the request."""
    seat = room.seat_of(name)
    if name and seat is None:
        dialogue.out.append(say("line.room.manage", do="ask", players=room_lines.people(room)))
    else:
        done = say("line.room.asked" if name else "line.room.not_asked")
        dialogue.client.requests.send(Handover(room.code, seat), done)


def _wait(dialogue: Dialogue, room: JoinedRoom, _: str) -> None:
    """Wait for a seat, or stop waiting."""
    wait = dialogue.client.name not in room.table.get("queue", [])
    queue = Queue(room.code, wait, dialogue.client.seat_code)
    dialogue.client.requests.send(queue, say("tui.people.wait.done" if wait else "tui.people.unwait.done"))


def _give(dialogue: Dialogue, room: JoinedRoom, name: str) -> None:
    """Give our seat to a spectator who has asked for it, or decline all requests."""
    if name and room.counts:
        dialogue.out.append(say("room.fixed", alone=not room.rated))
        return
    dialogue.client.requests.send(Handover(room.code, to=name or None), "" if name else say("line.room.declined"))


def _shown(lines: Callable[[JoinedRoom], list[str]]) -> _Command:
    """Return the command that shows ``lines``, or that there is nothing to show."""
    return lambda dialogue, room, _: dialogue.out.extend(lines(room) or [say("line.room.nothing")])


_COMMANDS: dict[str, _Command] = {
    "?": _help,
    "help": _help,
    "hand": _hand,
    "board": _hand,
    "hint": _shown(lambda room: lines_for(room.game).hint(room)),
    "read": _shown(lambda room: sentences_for(room.game).situation(room)),
    "score": _shown(lambda room: lines_for(room.game).state(room)),
    "seats": _shown(lambda room: [room_lines.people(room)]),
    "say": _say,
    **{do: _manage(do) for do in get_args(_Task)},
    "save": lambda dialogue, room, file: dialogue.client.requests.save(room, Path(file) if file else None),
    "again": lambda dialogue, room, _: dialogue.client.requests.repeat(room),
    "ready": _ready,
    "start": lambda dialogue, room, _: dialogue.client.outgoing.append(Start(room.code)),
    "rules": _rules,
    "invite": _invite,
    "ask": _ask,
    "give": _give,
    "wait": _wait,
    "leave": lambda dialogue, _, __: dialogue.client.leave(),
}
