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

    @property
    def joined(self) -> Joined:
        """Return the message with which the viewer enters. Raises WrongProtocol if the replay begins with another."""
        if not self.messages or not isinstance(self.messages[0], Joined):
            raise WrongProtocol("a replay begins with joined")
        return self.messages[0]

    @property
    def fair(self) -> bool:
        """Whether the secret revealed at the end fits the commitment made before the match."""
        last, commit = self.messages[-1], self.joined.table["fair"]["commit"]
        return isinstance(last, Over) and commitment(bytes.fromhex(last.reveal)) == commit

    def after(self, acts: int) -> int:
        """Return the number of messages up to and including act number ``acts``."""
        return self.steps[acts].start if acts < len(self.steps) else len(self.messages)

    def acts(self) -> Iterator[tuple[ReplayStep | None, list[ServerMessage]]]:
        """Yield each act with the messages that it led to; None with those before the first act."""
        told = 1
        for n, step in enumerate([None, *self.steps]):
            yield step, self.messages[told : self.after(n)]
            told = max(told, self.after(n))


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
        return "".join(_note(self.room, self.step))

    @property
    def lines(self) -> list[str]:
        """The lines of the log: the note, then the events."""
        return [*_note(self.room, self.step), *self.said]


class Timeline:
    """All positions of a match as one viewer saw it, from before the first act to the end."""

    def __init__(self, found: Replay) -> None:
        """Raises WrongProtocol for a replay that does not begin with ``joined``."""
        room = JoinedRoom.of(found.joined)
        self.fair = found.fair
        self.positions: list[TimelinePosition] = []
        for step, messages in found.acts():
            ms = step.at - found.steps[0].at if step else 0
            self.positions.append(_position(room, messages, ms, step))

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
            told[:0] = position.lines
            at -= 1
        return told[-lines:]


def _position(
    room: JoinedRoom, messages: Iterable[ServerMessage], ms: int, step: ReplayStep | None
) -> TimelinePosition:
    """Apply ``messages`` to ``room`` and return a snapshot of it."""
    events: list[Plain] = []
    said: list[str] = []
    for message in messages:
        said += _told(room, message)
        if isinstance(message, Update | Turn | Over):
            events += room.events
    question = attrs.evolve(room.question, left=None) if room.question else None
    still = attrs.evolve(room, clocks={}, question=question, table={**room.table, "hints": True}, events=events)
    return TimelinePosition(still, tuple(said), ms, step)


def _told(room: JoinedRoom, message: ServerMessage) -> list[str]:
    """Apply a message to ``room`` and return what has happened."""
    before = room.table
    room.apply(message)
    match message:
        case SeatsChanged():
            return [*room_lines.changes(room, before)]
        case Update() | Turn() | Over():
            return event_lines(room)
    return []


def _note(room: JoinedRoom, step: ReplayStep | None) -> list[str]:
    """Return the note that a player left with an act, after its name."""
    return [say("line.note", name=room.name(step.seat), why=step.why)] if step and step.why else []


def story(found: Replay) -> Iterator[str]:
    """Yield the whole match as the line mode shows it to the viewer, with the note of each act before it."""
    room, offered = JoinedRoom.of(found.joined), set[int]()
    name = "" if room.seat is None else room.name(room.seat)
    yield say("line.replay.seen", game=game_name(room.game), room=room.code, seat=room.seat, name=name)
    yield room_lines.people(room)
    for step, messages in found.acts():
        yield from _note(room, step)
        for message in messages:
            yield from _told(room, message)
            new = [offer for offer in room.may if offer["rid"] not in offered]
            offered |= {offer["rid"] for offer in new}
            yield from filter(None, (lines_for(room.game).offer(room, offer) for offer in new))
            yield from _asked(room, message)
    yield from [say("line.replay.fair")] if found.fair else []


def _asked(room: JoinedRoom, message: ServerMessage) -> list[str]:
    lines = lines_for(room.game)
    match message:
        case Turn():
            return [*lines.board(room), *lines.question(room)]
        case Over():
            return [*lines.board(room), *room_lines.result(room, message), *lines.review(room, message)]
        case Left():
            return [say("line.replay.left")]
    return []


def check_act(acts: int, last: int) -> None:
    """Raise Usage unless a match of ``last`` acts has a position after ``acts``."""
    if not 0 <= acts <= last:
        raise Usage(f"--at {acts}: the match has {counted(last, 'act')}")


def position(found: Replay, acts: int) -> Iterator[str]:
    """Yield the position after ``acts`` acts: the board, the question, and the note left with the answer."""
    check_act(acts, len(found.steps))
    room = JoinedRoom.of(found.joined)
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
    if acts < len(found.steps):
        yield from _note(room, found.steps[acts])
