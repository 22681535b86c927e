"""Match files as one viewer saw them: read, verified, one position after each act, and as lines of text.

Reading and verifying run in a subprocess. The reader's replays the match in the server's room and prints the protocol
messages that the viewer received, with a ``ReplayStep`` before those of each act. A position has no clocks, because
nobody is waited for, and hints are on, because they give nothing away.
"""

import asyncio
import json
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs

from parlour_client.core.errors import OK, Fault, Usage, WrongProtocol, reading
from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text import room_lines
from parlour_client.text.base import event_lines, lines_for
from parlour_client.text.shapes import game_name
from parlour_games.fair import commitment
from parlour_games.plural import counted
from parlour_protocol.codec import CODECS, FROM_SERVER, JSON
from parlour_protocol.errors import Refusal
from parlour_protocol.installation import module_command
from parlour_protocol.messages import Joined, Left, Over, Plain, SeatsChanged, ServerMessage, Turn, Update
from parlour_protocol.wire import server_message

_REPLAYER = "parlour_server.game_files.replay"
_VERIFIER = ("parlour_client.cli.main", "verify", "--json")
_REVIEWER = ("parlour_client.cli.main", "review", "--json")
_USAGE = 2


@attrs.frozen
class ReplayStep:
    """Act ``n`` of the match, from 1; its messages begin at index ``start``.

    A time-out is also an act. ``at`` is room time in ms, ``why`` the note that the player left with it,
    ``act`` what the viewer itself did.
    """

    n: int
    seat: int
    rid: int
    at: int
    start: int
    why: str | None = None
    act: Plain | None = None


@attrs.frozen
class ShownVerdict:
    """The result of verifying a match file: one line of ``text``, and the facts that are ``proved``."""

    ok: bool
    text: str
    proved: tuple[str, ...] = ()


@attrs.frozen
class Replay:
    """A match as one viewer saw it, from ``joined`` to ``over``, or to ``left`` for a seat that was given up."""

    messages: list[ServerMessage]
    steps: list[ReplayStep]

    def after(self, acts: int) -> int:
        """Return the number of messages up to and including act number ``acts``."""
        return self.steps[acts].start if acts < len(self.steps) else len(self.messages)


def read(path: Path, viewer: int | str | None = None) -> Replay:
    """Return the match in a match file as ``viewer`` (a seat or a name; None: a spectator) saw it.

    Raises Fault for an invalid file, and Usage for one that cannot be read and for an unknown viewer.
    """
    with reading(path):
        path.open("rb").close()
    whose = [] if viewer is None else ["--as", str(viewer)]
    command = module_command(_REPLAYER, str(path), *whose)
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != OK:
        reason = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise (Usage if done.returncode == _USAGE else Fault)(reason or f"{path} cannot be replayed")
    return _parse(done.stdout.decode().splitlines())


async def verdict(path: Path) -> ShownVerdict:
    """Verify a match file in a subprocess, which is killed if the task is cancelled."""
    _, out, _ = await _run(*_VERIFIER, str(path))
    try:
        found = json.loads(out)
        wrong = None if found["ok"] else f"line {found['line']}: {found['wrong']}"
        return ShownVerdict(found["ok"], wrong or "every deal, act and result is right", tuple(found["proved"]))
    except (ValueError, LookupError, TypeError):
        return ShownVerdict(False, "the verification itself failed; see: parlour verify")


async def review(path: Path, viewer: int | None) -> list[Plain]:
    """Return the players in the JSON of ``parlour review``: ``viewer``, or all whom it reviews.

    Raises Fault. The subprocess is killed if the task is cancelled.
    """
    whose = [] if viewer is None else ["--as", str(viewer)]
    code, out, why = await _run(*_REVIEWER, str(path), *whose)
    if code != OK:
        raise Fault(why.strip().rpartition("\n")[2].removeprefix("parlour: "))
    players: list[Plain] = json.loads(out)["players"]
    return players


async def _run(*module: str) -> tuple[int, str, str]:
    """Run a module in a subprocess; return its exit code and what it printed on stdout and stderr."""
    child = await asyncio.create_subprocess_exec(
        *module_command(*module), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        out, why = await child.communicate()
    finally:
        if child.returncode is None:
            child.kill()
            await child.communicate()  # drains its output, so that no pipe stays open
    return child.returncode or OK, out.decode(errors="replace"), why.decode(errors="replace")


def _parse(lines: list[str]) -> Replay:
    messages: list[ServerMessage] = []
    steps: list[ReplayStep] = []
    for line in lines:
        try:
            data = CODECS[JSON].decode(line, FROM_SERVER)
            message = server_message(data)
        except Refusal as refusal:
            raise WrongProtocol(f"invalid replay: {refusal.msg}") from None
        if message is not None:
            messages.append(message)
        elif data["t"] == "step":
            found = data["n"], data["seat"], data["rid"], data["at"], len(messages), data.get("why"), data.get("act")
            steps.append(ReplayStep(*found))
    return Replay(messages, steps)


_LEAP = 10
"""Number of leaps through a match of one round."""


@attrs.frozen
class TimelinePosition:
    """The room after the act ``step``, None at the start. ``said`` describes the act; ``ms`` counts from the first."""

    room: JoinedRoom
    said: tuple[str, ...]
    ms: int
    step: ReplayStep | None

    @property
    def note(self) -> str:
        """The note that the player left with the act, after its name; empty if there is none."""
        return (
            say("line.note", name=self.room.name(self.step.seat), why=self.step.why)
            if self.step and self.step.why
            else ""
        )


class Timeline:
    """All positions of a match as one viewer saw it, from before the first act to the end."""

    def __init__(self, found: Replay) -> None:
        """Raises WrongProtocol for a replay that does not begin with ``joined``."""
        joined = found.messages[0] if found.messages else None
        if not isinstance(joined, Joined):
            raise WrongProtocol("a replay begins with joined")
        self.positions: list[TimelinePosition] = []
        room, told = JoinedRoom.of(joined), 1
        for acts in range(len(found.steps) + 1):
            messages = found.messages[told : found.after(acts)]
            told = max(told, found.after(acts))
            step = found.steps[acts - 1] if acts else None
            ms = step.at - found.steps[0].at if step else 0
            self.positions.append(_position(room, messages, ms, step))
        self.fair = _fair(joined, found.messages[-1])

    @property
    def last(self) -> int:
        """The number of acts."""
        return len(self.positions) - 1

    @property
    def game(self) -> str:
        """The game's name."""
        return self.positions[0].room.game

    @property
    def rounds(self) -> list[int]:
        """The positions at which rounds begin; none in a game without rounds."""
        begins: dict[int, int] = {}
        for at, position in enumerate(self.positions):
            number = (position.room.view or {}).get("round")
            if number is not None:
                begins.setdefault(number, at)
        return list(begins.values())

    def leap(self, at: int, by: int) -> int:
        """Return the beginning of the next (``by`` 1) or previous (-1) round, seen from position ``at``.

        A match of one round is divided into ten parts instead.
        """
        inner = self.rounds[1:] or [self.last * part // _LEAP for part in range(1, _LEAP)]
        marks = [0, *inner, self.last]
        if by > 0:
            return min((mark for mark in marks if mark > at), default=at)
        return max((mark for mark in marks if mark < at), default=at)

    def story(self, at: int, lines: int) -> list[str]:
        """Return the last ``lines`` lines of the log up to position ``at``."""
        told: list[str] = []
        while at >= 0 and len(told) < lines:
            position = self.positions[at]
            told[:0] = lines_of(position)
            at -= 1
        return told[-lines:]


def lines_of(position: TimelinePosition) -> list[str]:
    """Return the log lines of a position: the note left with the act, then its events."""
    return [*([position.note] if position.note else []), *position.said]


def _position(
    room: JoinedRoom, messages: Iterable[ServerMessage], ms: int, step: ReplayStep | None
) -> TimelinePosition:
    """Apply ``messages`` to ``room`` and return a snapshot of it."""
    events: list[Plain] = []
    said: list[str] = []
    for message in messages:
        before = room.table
        room.apply(message)
        if isinstance(message, Update | Turn | Over):
            events += room.events
            said += event_lines(room)
        elif isinstance(message, SeatsChanged):
            said += room_lines.changes(room, before)
    question = attrs.evolve(room.question, left=None) if room.question else None
    still = attrs.evolve(room, clocks={}, question=question, table={**room.table, "hints": True}, events=events)
    return TimelinePosition(still, tuple(said), ms, step)


def _fair(joined: Joined, last: ServerMessage) -> bool:
    """Return whether the secret revealed at the end fits the commitment made before the match."""
    return isinstance(last, Over) and commitment(bytes.fromhex(last.reveal)) == joined.table["fair"]["commit"]


def story(found: Replay) -> Iterator[str]:
    """Yield the whole match: what the viewer saw, with the note of each act before it."""
    narrator = _Narrator(found.messages[0])
    yield from narrator.opening()
    shown = 1
    for acts in range(len(found.steps) + 1):
        if acts and (why := found.steps[acts - 1].why):
            yield say("line.note", name=narrator.room.name(found.steps[acts - 1].seat), why=why)
        for message in found.messages[shown : found.after(acts)]:
            yield from narrator.lines(message)
        shown = max(shown, found.after(acts))


def check_act(acts: int, last: int) -> None:
    """Raise Usage unless a match of ``last`` acts has a position after ``acts``."""
    if not 0 <= acts <= last:
        raise Usage(f"--at {acts}: the match has {counted(last, 'act')}")


def position(found: Replay, acts: int) -> Iterator[str]:
    """Yield the position after ``acts`` acts: the board, the question, and the note left with the answer."""
    check_act(acts, len(found.steps))
    room = _Narrator(found.messages[0]).room
    for message in found.messages[1 : found.after(acts)]:
        room.apply(message)
    lines = lines_for(room.game)
    yield say("line.replay.at", n=acts, all=len(found.steps))
    table = [*lines.state(room), *lines.board(room)]
    hand = lines.hand(room) if room.seat is not None else ""
    table += [hand] if hand and hand not in table else []
    yield from table
    yield from (line for line in lines.question(room) if line not in table)  # it repeats some in the line mode
    if room.over:
        yield from room_lines.result(room, room.over)
    if acts < len(found.steps) and (why := found.steps[acts].why):
        yield say("line.note", name=room.name(found.steps[acts].seat), why=why)


class _Narrator:
    """Describes a match, message by message, as the line mode does."""

    def __init__(self, joined: ServerMessage) -> None:
        if not isinstance(joined, Joined):
            raise WrongProtocol("a replay begins with joined")
        self.room = JoinedRoom.of(joined)
        self._commit = joined.table["fair"]["commit"]
        self._offered: set[int] = set()

    def opening(self) -> list[str]:
        """Return the lines that name the players and the viewer."""
        room = self.room
        name = "" if room.seat is None else room.name(room.seat)
        seen = say("line.replay.seen", game=game_name(room.game), room=room.code, seat=room.seat, name=name)
        return [seen, room_lines.people(room)]

    def lines(self, message: ServerMessage) -> list[str]:
        """Apply a message and return the lines about it."""
        before = self.room.table
        self.room.apply(message)
        match message:
            case SeatsChanged():
                return list(room_lines.changes(self.room, before))
            case Update() | Turn() | Over():
                return [*event_lines(self.room), *self._offers(), *self._asked(message)]
            case Left():
                return [say("line.replay.left")]
        return []

    def _offers(self) -> list[str]:
        new = [offer for offer in self.room.may if offer["rid"] not in self._offered]
        self._offered |= {offer["rid"] for offer in new}
        lines = (lines_for(self.room.game).offer(self.room, offer) for offer in new)
        return [line for line in lines if line]

    def _asked(self, message: Update | Turn | Over) -> list[str]:
        """Return the lines of the question, or of the result."""
        room, lines = self.room, lines_for(self.room.game)
        if isinstance(message, Turn):
            return [*lines.board(room), *lines.question(room)]
        if not isinstance(message, Over):
            return []
        fair = [say("line.replay.fair")] if commitment(bytes.fromhex(message.reveal)) == self._commit else []
        return [*lines.board(room), *room_lines.result(room, message), *lines.review(room, message), *fair]
