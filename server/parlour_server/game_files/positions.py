"""Pages of match files with positions: their lines, and what a viewer saw after each."""

from collections.abc import Iterator
from itertools import islice

from parlour_protocol.messages import Joined, Left, Over, Plain, ServerMessage, Turn, Update
from parlour_server.game_files.pages import MAX_LINES, MAX_REPLAYED, fitting
from parlour_server.game_files.reader import BadFile
from parlour_server.game_files.replay import finished
from parlour_server.game_files.replayer import Replayer
from parlour_server.rooms.records import game_file


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
