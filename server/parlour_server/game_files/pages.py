"""Pages of match files: as many lines as fit in a frame."""

import json
from collections.abc import Iterable, Iterator
from itertools import islice

from parlour_protocol.messages import Plain
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
