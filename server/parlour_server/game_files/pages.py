"""Pages of match files: as many lines as fit in a frame, alone or with what a viewer saw after each."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice

from parlour_protocol.messages import Joined, Left, Over, Plain, ServerMessage, Turn, Update
from parlour_server.game_files.reader import BadFile
from parlour_server.game_files.replay import finished
from parlour_server.game_files.replayer import Replayer
from parlour_server.rooms.records import canonical, game_file

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
