"""Replay a finished match as any viewer saw it, in protocol messages.

``python -m parlour_server.game_files.replay FILE [--as SEAT]`` writes one JSON object a line: messages as a socket
would carry them, and before those of each act a line ``{"t": "step", "n", "seat", "rid", "at", "why"?, "act"?}`` that
no socket carries. ``n`` counts acts and time-outs from 1, ``at`` is room time in milliseconds, ``why`` the note that a
player left with its act, ``act`` what the viewer itself did. The exit code is 1 for a file that is wrong and 2 for one
that cannot be read; the reason is on standard error.

The messages begin with ``joined`` before the match and end with ``over``, or with ``left`` for a seat that was given
up. Connections, spectators and chat leave no records, so in a replay everybody is always there.

A page of a match file for a client has as many lines as fit in a frame, alone or with what a viewer saw after each.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import ClassVar, TextIO

import attrs

from parlour_protocol.installation import module_line
from parlour_protocol.messages import Joined, Left, Over, Plain, ServerMessage, Turn, Update
from parlour_protocol.standard_output import document
from parlour_protocol.wire import plain
from parlour_server.game_files.reader import BadFile, FileLine, lines_of, read
from parlour_server.game_files.replayer import Replayer
from parlour_server.rooms.records import Acted, Begun, MatchOver, TimedOut, canonical, game_file

WRONG, USAGE = 1, 2


@attrs.frozen
class Step:
    """Act ``n`` of the match is next. ``why`` is there for the viewer's own acts; for spectators, for all acts."""

    t: ClassVar = "step"
    n: int
    seat: int
    rid: int
    at: int
    why: str | None = None
    act: Plain | None = None
    """What the viewer did, if neither the clock nor a stand-in did it."""


def messages(lines: Iterable[str], viewer: int | None = None) -> Iterator[ServerMessage]:
    """Yield the messages of the match to seat ``viewer``; None: to a spectator.

    Raises BadFile, also for a match that is not over, and LookupError for a seat that is not there.
    """
    return (found for found in replay(lines, viewer) if not isinstance(found, Step))


def replay(lines: Iterable[str], viewer: int | None = None) -> Iterator[ServerMessage | Step]:
    """Yield the messages to ``viewer``, and before those of each act a ``Step``. Raises like ``messages``."""
    file = finished(lines)
    room = Replayer(file[0], viewer)
    yield from room.joined()
    acts = 0
    for line in file:
        record = line.record
        if isinstance(record, Acted | TimedOut):
            acts += 1
            yield _step(acts, record, room, viewer)
        for message in room.follow(line):
            yield message
            if isinstance(message, Left | Over):
                return


def finished(lines: Iterable[str]) -> list[FileLine]:
    """Return the lines of a match that is over. Raises BadFile."""
    file = list(read(lines))
    if not file or not isinstance(file[-1].record, MatchOver):
        raise BadFile(len(file) + 1, "the match is not over: only finished matches can be replayed")
    return file


def seat_of(begun: Begun, whose: str) -> int:
    """Return the seat that a number or a name means. Raises LookupError."""
    names = [player.name.casefold() for player in begun.players]
    if whose.casefold() in names:
        return names.index(whose.casefold())
    if whose.isdecimal() and int(whose) < len(names):
        return int(whose)
    there = ", ".join(f"{seat} {player.name}" for seat, player in enumerate(begun.players))
    raise LookupError(f"no player has the name {whose[:40]!a}; the seats are {there}")


def main(arguments: Sequence[str], out: TextIO) -> None:
    """Write the replay of a file. Raises BadFile, LookupError, OSError."""
    path, whose = Path(arguments[0]), arguments[2] if len(arguments) > 2 else None
    lines = list(lines_of(path))
    viewer = None
    if whose is not None:
        [first] = read(lines[:1])
        viewer = seat_of(first.record, whose) if isinstance(first.record, Begun) else None
    for found in replay(lines, viewer):
        # in the order of the game's fields, in which clients show them
        out.write(json.dumps(_plain(found), ensure_ascii=False, separators=(",", ":")) + "\n")


def _step(n: int, record: Acted | TimedOut, room: Replayer, viewer: int | None) -> Step:
    step = Step(n, record.seat, record.rid, record.at)
    if isinstance(record, TimedOut) or viewer not in (None, record.seat):
        return step
    own = record.seat == viewer and room.asked(record).by == "owner"
    return attrs.evolve(step, why=record.why, act=record.act if own else None)


def _plain(found: ServerMessage | Step) -> Plain:
    if isinstance(found, Step):
        return {"t": found.t, **{name: value for name, value in attrs.asdict(found).items() if value is not None}}
    return plain(found)


def _run() -> int:
    arguments = sys.argv[1:]
    if len(arguments) not in (1, 3) or (len(arguments) == 3 and arguments[1] != "--as"):
        sys.stderr.write(f"usage: {module_line('parlour_server.game_files.replay')} FILE [--as SEAT|NAME]\n")
        return USAGE
    try:
        main(arguments, document())
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader has closed the pipe: the flush at exit must not fail
    except BadFile as bad:
        sys.stderr.write(f"{arguments[0]}: {bad}\n")
        return WRONG
    except OSError as error:
        sys.stderr.write(f"{arguments[0]} cannot be read: {error.strerror}\n")
        return USAGE
    except LookupError as error:
        sys.stderr.write(f"{error}\n")
        return USAGE
    return 0


MAX_LINES = 200
MAX_BYTES = 128 * 1024
"""Bytes of a page. The reasons that players give may be long, and a frame has to fit in an outbox."""
MAX_REPLAYED = 2_000
"""Lines of the longest file that a server replays: each page of its positions replays it from its start."""


def lines_after(lines: Iterable[str], after: int) -> list[str]:
    """Return the lines of a match file after line ``after`` that fit in one frame: at least one."""
    found = islice(game_file(lines), after, after + MAX_LINES)
    return [line for line, _ in fitting((line, {}) for line in found)]


def fitting(found: Iterable[tuple[str, Plain]]) -> Iterator[tuple[str, Plain]]:
    """Yield the lines and positions that fit in one frame, at least one."""
    size = 0
    for number, (line, position) in enumerate(found):
        size += len(json.dumps(line, ensure_ascii=False).encode()) + len(canonical(position).encode())
        if number and size > MAX_BYTES:
            return
        yield line, position


def page(lines: list[str], after: int, seat: int | None) -> Plain:
    """Return the next lines of a finished match and what ``seat`` saw after each: ``lines`` and ``views``.

    ``lines``: of the room's log. None as ``seat`` is a spectator. ``{"refused": …}`` says why there is no replay.
    """
    if len(lines) > MAX_REPLAYED:
        return {"refused": f"the match file has {len(lines)} lines; at most {MAX_REPLAYED} are replayed here"}
    file = list(game_file(lines))
    try:
        seen = islice(_positions(file, seat), after, after + MAX_LINES)
        found = list(fitting(zip(file[after:], seen, strict=False)))
    except (BadFile, LookupError) as error:
        return {"refused": str(error)}
    return {"lines": [line for line, _ in found], "views": [position for _, position in found]}


def _positions(file: list[str], seat: int | None) -> Iterator[Plain]:
    """Yield what a viewer saw after each line. Raises BadFile and LookupError."""
    lines = finished(file)
    room = Replayer(lines[0], seat)
    room.joined()
    gone = False
    before: Plain | None = None
    for line in lines:
        heard = [] if gone else room.follow(line)
        gone = gone or any(isinstance(message, Left) for message in heard)
        events = [event for message in heard for event in _events(message)]
        view = next((view for message in reversed(heard) if (view := _view(message)) is not None), before)
        yield {"events": events} if view == before else {"events": events, "view": view}
        before = view


def _view(message: ServerMessage) -> Plain | None:
    return message.view if isinstance(message, Joined | Update | Turn | Over) else None


def _events(message: ServerMessage) -> list[Plain]:
    return message.events if isinstance(message, Update | Turn | Over) else []


if __name__ == "__main__":
    sys.exit(_run())
