"""Pages of game files: none is too large for a frame, whatever reasons players have given."""

import json
from typing import cast

from parlour_protocol.codec import CODECS, MAX_SERVER_FRAME
from parlour_protocol.messages import FileLines
from parlour_protocol.version import JSON
from parlour_protocol.wire import plain
from parlour_server.effects import FetchFile
from parlour_server.engine import store_queries
from parlour_server.store.base import Store


class _Lines:
    """As much of a store as a page needs."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    async def match_lines(self, digest: str) -> list[str]:
        return self._lines


async def test_long_reasons_make_short_pages() -> None:
    lines = [json.dumps({"n": n, "r": "act", "why": "\x07" * 1024}) for n in range(250)]
    store = cast(Store, _Lines(lines))
    after: int | None = 0
    got = 0
    while after is not None:
        page = await store_queries.read(store, FetchFile(1, 1, "ab" * 32, after))
        assert isinstance(page, FileLines)
        frame = CODECS[JSON].encode(plain(page))
        assert isinstance(frame, str)
        assert len(frame.encode()) < MAX_SERVER_FRAME // 4
        got += len(page.lines)
        after = page.after
    assert got == 250
