"""Answer clients from the store: pages of match files and of standings, profiles."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from itertools import islice

import structlog
from msgspec.structs import replace

from parlour_protocol.errors import Denied, NotNow, Refusal
from parlour_protocol.messages import DailyRows, FileLines, ProfileRows, ServerMessage, StandingsRows
from parlour_server.effects import FetchDaily, FetchFile, FetchProfile, FetchStandings, Post, Query
from parlour_server.engine.budget import Budget
from parlour_server.engine.commits import CommitQueue
from parlour_server.engine.sockets import RETRY_AFTER, Sockets
from parlour_server.engine.tasks import Tasks
from parlour_server.rooms.records import game_file
from parlour_server.store.base import Store, StoreError, reason

FILE_PAGE = 200
PAGE_BYTES = 128 * 1024
"""Bytes of a page of a match file. The reasons that players give may be long, and a frame has to fit in an outbox."""
STANDINGS_PAGE = 100
CREDIT = 5.0
"""Seconds of queries that an address may cause before it gets only its share."""

log = structlog.get_logger()


class StoreQueries:
    """Runs one query at a time, so that a commit never waits for more than one.

    In the long run the clients of an address get a small share of the store's time: after a query their sockets are
    read no further until their ``Budget`` allows the next one.
    """

    def __init__(
        self,
        store: Store,
        queue: CommitQueue,
        sockets: Sockets,
        tasks: Tasks,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._budget = Budget(CREDIT)
        self._store = store
        self._queue = queue
        self._sockets = sockets
        self._tasks = tasks
        self._turn = asyncio.Lock()
        self._running: dict[int, asyncio.Task[None]] = {}
        """The query of each connection."""

    def start(self, query: Query) -> None:
        """Start a query; its answer goes to the connection."""
        task = self._running[query.conn] = self._tasks.spawn(self._run(query))
        task.add_done_callback(lambda _: self._running.pop(query.conn, None))

    async def answered(self, conn: int) -> None:
        """Return when the query that ``conn`` has sent is answered, and its address may send another."""
        owner = self._owner(conn)
        await self._queue.settled()  # the query starts when its batch is delivered
        if conn in self._running:
            await asyncio.wait([self._running[conn]])
        if wait := self._budget.wait(owner, self._clock()):
            await self._sleep(wait)

    async def _run(self, query: Query) -> None:
        async with self._turn:
            if query.conn in self._sockets:
                owner, began = self._owner(query.conn), self._clock()
                self._queue.put([await answer(self._store, query)])
                now = self._clock()
                self._budget.charge(owner, now - began, now)

    def _owner(self, conn: int) -> str:
        """Return who pays for the queries of a connection."""
        socket = self._sockets.get(conn)
        return (socket and socket.address) or str(conn)


async def answer(store: Store, query: Query) -> Post:
    """Return the answer to ``query``: a page or an error."""
    message: ServerMessage
    try:
        message = await _read(store, query)
    except Refusal as refusal:
        message = refusal.message(re=query.re)
    except StoreError as error:
        log.error("not read", reason=reason(error))
        message = NotNow("retry", "the store could not be read", RETRY_AFTER).message(re=query.re)
    return Post((query.conn,), message)


def _read(store: Store, query: Query) -> Awaitable[ServerMessage]:
    match query:
        case FetchFile():
            return _file(store, query)
        case FetchStandings():
            return _standings(store, query)
        case FetchProfile():
            return _profile(store, query)
        case FetchDaily():
            return _daily(store, query)


async def _file(store: Store, query: FetchFile) -> FileLines:
    lines = await store.match_lines(query.digest)
    if lines is None:
        raise Denied("no_file", "there is no finished match with this digest here")
    page = await asyncio.to_thread(_page, lines, query.after)
    end = query.after + len(page)
    return FileLines(query.digest, page, end if end < len(lines) else None, query.re)


def _page(lines: list[str], after: int) -> list[str]:
    """Return the lines of a match file after line ``after`` that fit in one frame: at least one."""
    page: list[str] = []
    size = 0
    for line in islice(game_file(lines), after, after + FILE_PAGE):
        size += len(json.dumps(line, ensure_ascii=False).encode())
        if page and size > PAGE_BYTES:
            break
        page.append(line)
    return page


async def _standings(store: Store, query: FetchStandings) -> StandingsRows:
    rows, after = await store.standings(query.game, query.after, STANDINGS_PAGE)
    return StandingsRows(rows, after, query.re)


async def _profile(store: Store, query: FetchProfile) -> ProfileRows:
    found = await store.profile(query.name)
    if found is None:
        nobody = f"nobody called {query.name[:40]!a} has finished a match here that counts"
        raise Denied("no_such_name", nobody, hint="`standings` has the names of those who have")
    return ProfileRows(*found, query.re)


async def _daily(store: Store, query: FetchDaily) -> DailyRows:
    rows, you = await store.daily(query.about.day, query.about.board, query.name, query.best)
    return replace(query.about, rows=rows, you=you)
