"""Matches from their files, as any viewer saw them: ``read`` for screens, ``parlour replay`` for a terminal.

The server's own rooms tell the match again, in a process of their own; what comes through its pipe are protocol
messages as from a socket, and before those of each act a ``Step``.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import attrs
from cyclopts import Parameter

from parlour_client.cli.rooms import Plain, on_a_screen
from parlour_client.core.errors import OK, Fault, Usage, WrongProtocol
from parlour_client.core.room import Room
from parlour_client.core.sanitize import clean
from parlour_client.text import table
from parlour_client.text.base import happened, lines_for
from parlour_games.fair import commitment
from parlour_games.plural import counted
from parlour_protocol.codec import CODECS, FROM_SERVER
from parlour_protocol.errors import Refusal
from parlour_protocol.messages import Joined, Left, Over, SeatsChanged, ServerMessage, Turn, Update
from parlour_protocol.version import JSON
from parlour_protocol.wire import server_message

_TELLER = "parlour_server.game_files.replay"
_VERIFIER = ("parlour_client.cli.main", "verify", "--json")
_USAGE = 2
_LONGEST = 2_000
_FAIR = "The secret behind the deals fits its commitment. More is proved by: parlour verify"


@attrs.frozen
class Step:
    """Act ``n`` (from 1) of the match; what it brought is told by the messages from number ``start`` on.

    A time-out is an act, too. ``at`` is room time in ms, ``why`` the note that its player left with it.
    """

    n: int
    seat: int
    rid: int
    at: int
    start: int
    why: str | None = None


@attrs.frozen
class Verdict:
    """What a check of a game file came to: ``text`` says it in one line, ``proved`` what is certain, in sentences."""

    ok: bool
    text: str
    proved: tuple[str, ...] = ()


@attrs.frozen
class Replay:
    """A match as one viewer saw it, from ``joined`` to ``over``; to ``left`` for a seat that was given up."""

    messages: list[ServerMessage]
    steps: list[Step]

    def after(self, acts: int) -> int:
        """Return how many messages have been told once so many acts are done."""
        return self.steps[acts].start if acts < len(self.steps) else len(self.messages)


def load(path: Path, viewer: int | str | None = None) -> list[ServerMessage]:
    """Return the messages of ``read``."""
    return read(path, viewer).messages


def read(path: Path, viewer: int | str | None = None) -> Replay:
    """Return the match in a game file as ``viewer`` (a seat or a name; None: a spectator) saw it.

    Raises Fault for a file that is wrong, Usage for one that cannot be read and for a viewer who is not in it.
    """
    whose = [] if viewer is None else ["--as", str(viewer)]
    command = [sys.executable, "-m", _TELLER, str(path), *whose]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != OK:
        reason = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise (Usage if done.returncode == _USAGE else Fault)(reason or f"{path} cannot be replayed")
    return _parse(done.stdout.decode().splitlines())


async def verdict(path: Path) -> Verdict:
    """Check a game file in a process of its own, which ends with the task that waits for it."""
    command = [sys.executable, "-m", *_VERIFIER, str(path)]
    child = await asyncio.create_subprocess_exec(
        *command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        out, _ = await child.communicate()
    finally:
        if child.returncode is None:
            child.kill()
            await child.communicate()  # to the end of its output, so that nothing of it is left open
    try:
        found = json.loads(out)
        wrong = None if found["ok"] else f"line {found['line']}: {found['wrong']}"
        return Verdict(found["ok"], wrong or "every deal, act and result is right", tuple(found["proved"]))
    except (ValueError, LookupError, TypeError):
        return Verdict(False, "the check itself has failed; see: parlour verify")


def replay(
    file: Annotated[Path, Parameter(allow_leading_hyphen=True, help="The game file; - is standard input.")],
    /,
    *,
    viewer: Annotated[str | None, Parameter("--as", help="A seat or a name. Default: as a spectator saw it.")] = None,
    at: Annotated[int | None, Parameter(help="Only how it stood after so many acts, in words.")] = None,
    plain: Plain = False,
) -> int:
    """Show a match from its file as it was played, with the notes that bots left: on a terminal as on a screen of play.

    Examples:
    parlour replay uno-8f31c2a90b17.jsonl
    parlour replay uno-8f31c2a90b17.jsonl --plain | less
    parlour replay uno-8f31c2a90b17.jsonl --as anna
    parlour replay uno-8f31c2a90b17.jsonl --as 0 --at 20
    """
    if at is None and not plain and on_a_screen():
        from parlour_client.tui.app import replay as show

        return asyncio.run(show(file, viewer))
    found = read(file, viewer)
    lines = _story(found) if at is None else _position(found, at)
    sys.stdout.writelines(f"{clean(line, _LONGEST)}\n" for line in lines)
    return OK


def _parse(lines: list[str]) -> Replay:
    messages: list[ServerMessage] = []
    steps: list[Step] = []
    for line in lines:
        try:
            data = CODECS[JSON].decode(line, FROM_SERVER)
            message = server_message(data)
        except Refusal as refusal:
            raise WrongProtocol(f"the replay cannot be understood: {refusal.msg}") from None
        if message is not None:
            messages.append(message)
        elif data["t"] == "step":
            steps.append(Step(data["n"], data["seat"], data["rid"], data["at"], len(messages), data.get("why")))
    return Replay(messages, steps)


def _story(found: Replay) -> Iterator[str]:
    """Yield the whole match: what the viewer was told, and before each act the note that came with it."""
    teller = _Teller(found.messages[0])
    yield from teller.opening()
    told = 1
    for acts in range(len(found.steps) + 1):
        if acts and (why := found.steps[acts - 1].why):
            yield f"{teller.room.name(found.steps[acts - 1].seat)} notes: {why}"
        for message in found.messages[told : found.after(acts)]:
            yield from teller.tell(message)
        told = max(told, found.after(acts))


def _position(found: Replay, acts: int) -> Iterator[str]:
    """Yield how it stood after so many acts, what was asked then, and the note that came with the answer."""
    if not 0 <= acts <= len(found.steps):
        raise Usage(f"--at {acts}: the match has {counted(len(found.steps), 'act')}")
    room = _Teller(found.messages[0]).room
    for message in found.messages[1 : found.after(acts)]:
        room.apply(message)
    lines = lines_for(room.game)
    yield f"After {acts} of {counted(len(found.steps), 'act')}:"
    yield from lines.state(room)
    yield from lines.board(room)
    if room.seat is not None:
        yield lines.hand(room)
    yield from lines.question(room)
    if room.over:
        yield from table.result(room, room.over)
    if acts < len(found.steps) and (why := found.steps[acts].why):
        yield f"{room.name(found.steps[acts].seat)} notes: {why}"


class _Teller:
    """The match in the words of the line mode."""

    def __init__(self, joined: ServerMessage) -> None:
        if not isinstance(joined, Joined):
            raise WrongProtocol("a replay begins with joined")
        self.room = Room.of(joined)
        self._commit = joined.table["fair"]["commit"]
        self._offered: set[int] = set()

    def opening(self) -> list[str]:
        """Return who sits where, and whose eyes we have."""
        room = self.room
        eyes = "a spectator" if room.seat is None else f"{room.name(room.seat)}, seat {room.seat}"
        return [f"{room.game} in room {room.code}, as {eyes} saw it.", table.people(room)]

    def tell(self, message: ServerMessage) -> list[str]:
        """Take in a message, and return what a person was told of it."""
        before = self.room.table
        self.room.apply(message)
        match message:
            case SeatsChanged():
                return list(table.changes(self.room, before))
            case Update() | Turn() | Over():
                return [*happened(self.room), *self._offers(), *self._asked(message)]
            case Left():
                return ["You have left the match."]
        return []

    def _offers(self) -> list[str]:
        new = [offer for offer in self.room.may if offer["rid"] not in self._offered]
        self._offered |= {offer["rid"] for offer in new}
        told = (lines_for(self.room.game).offer(self.room, offer) for offer in new)
        return [line for line in told if line]

    def _asked(self, message: Update | Turn | Over) -> list[str]:
        """Return the question, or the end."""
        room, lines = self.room, lines_for(self.room.game)
        if isinstance(message, Turn):
            return [*lines.board(room), *lines.question(room)]
        if not isinstance(message, Over):
            return []
        fair = [_FAIR] if commitment(bytes.fromhex(message.reveal)) == self._commit else []
        return [*lines.board(room), *table.result(room, message), *lines.review(room, message), *fair]
