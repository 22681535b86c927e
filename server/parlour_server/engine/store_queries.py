"""What is read from the store for a client that asks: pages of game files and of standings."""

import asyncio
import json
from itertools import islice

import structlog

from parlour_protocol.errors import Denied, NotNow, Refusal
from parlour_protocol.messages import FileLines, ServerMessage, StandingsRows
from parlour_server.effects import FetchFile, FetchStandings, Post
from parlour_server.rooms.records import game_file
from parlour_server.store.base import Store, StoreError, reason

FILE_PAGE = 200
PAGE_BYTES = 128 * 1024
"""Of a page of a game file: reasons that players give may be long, and a frame has to fit in every outbox."""
STANDINGS_PAGE = 100
RETRY_AFTER = 1_000
"""Milliseconds after which it is worth while to ask again what could not be read."""

log = structlog.get_logger()


async def fetch(store: Store, effect: FetchFile | FetchStandings) -> Post:
    """Return the answer to ``effect``: a page, or the error that there is none, or none just now."""
    message: ServerMessage
    try:
        message = await (_file(store, effect) if isinstance(effect, FetchFile) else _standings(store, effect))
    except Refusal as refusal:
        message = refusal.message(re=effect.re)
    except StoreError as error:
        log.error("not read", reason=reason(error))
        message = NotNow("retry", "the store could not be read", RETRY_AFTER).message(re=effect.re)
    return Post((effect.conn,), message)


async def _file(store: Store, effect: FetchFile) -> FileLines:
    lines = await store.match_lines(effect.digest)
    if lines is None:
        raise Denied("no_file", "there is no finished match with this digest here")
    page = await asyncio.to_thread(_page, lines, effect.after)
    end = effect.after + len(page)
    return FileLines(effect.digest, page, end if end < len(lines) else None, effect.re)


def _page(lines: list[str], after: int) -> list[str]:
    """Return the lines of a game file behind ``after`` that go into one frame: at least one."""
    page: list[str] = []
    size = 0
    for line in islice(game_file(lines), after, after + FILE_PAGE):
        size += len(json.dumps(line, ensure_ascii=False).encode())
        if page and size > PAGE_BYTES:
            break
        page.append(line)
    return page


async def _standings(store: Store, effect: FetchStandings) -> StandingsRows:
    rows, after = await store.standings(effect.game, effect.after, STANDINGS_PAGE)
    return StandingsRows(rows, after, effect.re)
