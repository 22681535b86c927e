"""Answer clients from the store: pages of match files, their replays and reviews, standings, ladders, profiles."""

import asyncio
import heapq
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import structlog
from msgspec.structs import replace

from parlour_protocol.errors import Denied, NotNow, Refusal
from parlour_protocol.messages import (
    Among,
    ChainLinks,
    DailyRows,
    FileLines,
    Id,
    MissedRows,
    Plain,
    PresetRows,
    ProfileRows,
    Reviewed,
    ServerMessage,
    StandingsRows,
    WebhookState,
)
from parlour_server.effects import (
    Continue,
    FetchChain,
    FetchDaily,
    FetchFile,
    FetchLadder,
    FetchMissed,
    FetchPresets,
    FetchProfile,
    FetchReplay,
    FetchReview,
    FetchStandings,
    FetchWebhook,
    Post,
    Query,
    TryWebhook,
)
from parlour_server.engine.budget import Budget
from parlour_server.engine.commits import CommitQueue
from parlour_server.engine.compute import ComputationFailed, NotWanted, Worker
from parlour_server.engine.reviews import Reviews
from parlour_server.engine.sockets import RETRY_AFTER, Sockets
from parlour_server.engine.tasks import Tasks
from parlour_server.game_files.pages import lines_after
from parlour_server.persistence import StoredWebhook
from parlour_server.store.base import Store, StoreError, reason
from parlour_server.store.results import OWN_PRESETS, PRESETS, first_row, preset_key
from parlour_server.webhooks.targets import target

STANDINGS_PAGE = 100
CHAIN_PAGE = 200
REVIEW_PAGE = 200
"""Decisions of a review in one message."""
LADDER_MATCHES = 20_000
"""The number of matches that make a ladder: the last ones."""
LADDER_KEPT = 300.0
"""Seconds for which a ladder is not computed again."""
CREDIT = 5.0
"""Seconds of queries that an address may cause before it gets only its share."""

log = structlog.get_logger()


class StoreQueries:
    """Runs one query at a time, so that a commit never waits for more than one. Beside it ``worker`` replays matches
    and ``reviews`` judges decisions.

    In the long run the clients of an address get a small share of the store's time: after a query their sockets are
    read no further until their ``Budget`` allows the next one.
    """

    def __init__(
        self,
        store: Store,
        queue: CommitQueue,
        sockets: Sockets,
        tasks: Tasks,
        worker: Worker,
        reviews: Reviews,
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
        self._worker = worker
        self._reviews = reviews
        self._turn = asyncio.Lock()
        self._ladders: dict[tuple[str, Among], tuple[float, Plain]] = {}
        """The ladders that were asked for, and when."""
        self._ladder_turn = asyncio.Lock()
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

    def waits(self, conn: int) -> bool:
        """Whether a client still waits for an answer."""
        return conn in self._sockets

    async def lines(self, asked: Continue) -> tuple[list[str], str]:
        """Return the lines of a finished match, and who pays for what is done with them. Raises Denied, NotWanted."""
        async with self._reading(asked) as owner:
            return await _lines(self._store, asked.digest), owner

    async def _run(self, query: Query) -> None:
        with suppress(NotWanted):
            self._queue.put([await answer(query, self._answer(query))])

    async def _answer(self, query: Query) -> ServerMessage:
        if isinstance(query, FetchReview):
            return await self._reviewed(query)
        if isinstance(query, FetchLadder):
            return await self._ladder(query)
        async with self._reading(query) as owner:
            if not isinstance(query, FetchReplay):
                return await read(self._store, query)
            lines = await _lines(self._store, query.digest)
        return await self._replayed(query, lines, owner)

    async def _reviewed(self, query: FetchReview) -> Reviewed:
        """Return how far a review is, which begins with the first question, or what it found. Raises Denied, NotNow."""
        key = (query.digest, query.seat)
        review = self._reviews.find(key)
        if review is None:
            async with self._reading(query) as owner:
                lines = await _lines(self._store, query.digest)
            review = self._reviews.find(key) or self._reviews.begin(key, lines, owner)
        found = Reviewed(query.digest, query.seat, review.done, review.of, re=query.re)
        if review.found is None:
            return found
        if "refused" in review.found:
            raise Denied("no_review", review.found["refused"])
        decisions = review.found["decisions"]
        end = query.after + REVIEW_PAGE
        more = end if end < len(decisions) else None
        return replace(found, decisions=decisions[query.after : end], rounds=review.found["rounds"], after=more)

    async def _ladder(self, query: FetchLadder) -> StandingsRows:
        """Return a page of a ladder. Raises NotWanted, and NotNow if it cannot be computed."""
        async with self._ladder_turn:
            began, found = self._ladders.get((query.game, query.among), (0.0, None))
            if found is None or self._clock() - began > LADDER_KEPT:
                found = await self._computed(query)
                self._ladders[query.game, query.among] = self._clock(), found
        first = first_row(query.after)
        rows, end, now = found["rows"], first + STANDINGS_PAGE, int(time.time())
        more = str(end) if end < len(rows) else None
        return StandingsRows(rows[first:end], more, query.re, None, [(now - at) * 1000 for at in found["times"]])

    async def _computed(self, query: FetchLadder) -> Plain:
        """Read the last matches of a game, a page at a time, and return its ladder."""
        last: list[tuple[int, str, list[Any]]] = []
        after: str | None = ""
        while after is not None:
            async with self._reading(query) as owner:
                page, after = await self._store.rated(query.game, after)
            last = heapq.nlargest(LADDER_MATCHES, [*last, *page])
        matches = [(at, players) for at, _, players in last]
        try:
            asked = {"matches": matches, "among": query.among}
            return await self._worker.ladder(asked, owner, lambda: self.waits(query.conn))
        except ComputationFailed as error:
            log.error("a ladder could not be computed", error=type(error).__name__)
            raise NotNow("retry", "the ladder could not be computed", RETRY_AFTER) from None

    @asynccontextmanager
    async def _reading(self, query: Query | Continue) -> AsyncIterator[str]:
        """Wait until ``query`` may read, yield who pays, and charge the time without that of commits.

        Raises NotWanted for a closed socket.
        """
        async with self._turn:
            if not self.waits(query.conn):
                raise NotWanted
            owner, began, commits = self._owner(query.conn), self._clock(), self._store.commit_seconds
            try:
                yield owner
            finally:
                now, waited = self._clock(), self._store.commit_seconds - commits
                self._budget.charge(owner, max(0.0, now - began - waited), now)

    async def _replayed(self, query: FetchReplay, lines: list[str], owner: str) -> FileLines:
        """Return a page of the replay of a match. Raises NotWanted, and Denied if there is none."""
        asked = {"lines": lines, "after": query.after, "seat": query.seat}
        try:
            page = await self._worker.replay(asked, owner, lambda: self.waits(query.conn))
        except ComputationFailed as error:
            log.error("a match could not be replayed", error=type(error).__name__)
            page = {"refused": "the game failed while its match was replayed"}
        if "refused" in page:
            raise Denied("no_replay", page["refused"])
        return FileLines(query.digest, page["lines"], _next(query.after, page["lines"], lines), query.re, page["views"])

    def _owner(self, conn: int) -> str:
        """Return who pays for the queries of a connection."""
        socket = self._sockets.get(conn)
        return (socket and socket.address) or str(conn)


async def answer(query: Query | TryWebhook, reading: Awaitable[ServerMessage]) -> Post:
    """Return the answer to ``query``: what ``reading`` returns, or an error."""
    message: ServerMessage
    try:
        message = await reading
    except (Refusal, StoreError) as error:
        message = refusal_of(error).message(re=query.re)
    return Post((query.conn,), message)


def refusal_of(error: Refusal | StoreError) -> Refusal:
    """Return how ``error`` is told to a client. That of the store is logged."""
    if isinstance(error, Refusal):
        return error
    log.error("not read", reason=reason(error))
    return NotNow("retry", "the store could not be read", RETRY_AFTER)


def read(
    store: Store,
    query: FetchFile
    | FetchStandings
    | FetchProfile
    | FetchDaily
    | FetchChain
    | FetchMissed
    | FetchPresets
    | FetchWebhook,
) -> Awaitable[ServerMessage]:
    """Return what the store answers to ``query``."""
    match query:
        case FetchFile():
            return _file(store, query)
        case FetchStandings():
            return _standings(store, query)
        case FetchProfile():
            return _profile(store, query)
        case FetchDaily():
            return _daily(store, query)
        case FetchChain():
            return _chain(store, query)
        case FetchMissed():
            return _missed(store, query)
        case FetchPresets():
            return _presets(store, query)
        case FetchWebhook():
            return _webhook(store, query)


async def _file(store: Store, query: FetchFile) -> FileLines:
    lines = await _lines(store, query.digest)
    page = await asyncio.to_thread(lines_after, lines, query.after)
    return FileLines(query.digest, page, _next(query.after, page, lines), query.re)


async def _lines(store: Store, digest: str) -> list[str]:
    """Return the lines of a finished match. Raises Denied."""
    lines = await store.match_lines(digest)
    if lines is None:
        raise Denied("no_file", "there is no finished match with this digest here")
    return lines


def _next(after: int, page: list[str], lines: list[str]) -> int | None:
    """Return where the page behind ``page`` begins."""
    end = after + len(page)
    return end if end < len(lines) else None


async def _standings(store: Store, query: FetchStandings) -> StandingsRows:
    rows, after = await store.standings(query.game, query.after, STANDINGS_PAGE)
    return StandingsRows(rows, after, query.re)


async def _profile(store: Store, query: FetchProfile) -> ProfileRows:
    found = await store.profile(query.name)
    if found is None:
        nobody = f"nobody called {query.name[:40]!a} has finished a match here that counts"
        raise Denied("no_such_name", nobody, hint="`standings` has the names of those who have")
    return ProfileRows(*found, query.re)


async def _chain(store: Store, query: FetchChain) -> ChainLinks:
    links = await store.chain(query.after, CHAIN_PAGE + 1)
    more = links[CHAIN_PAGE - 1]["n"] if len(links) > CHAIN_PAGE else None
    return ChainLinks(links[:CHAIN_PAGE], more, query.re)


async def _missed(store: Store, query: FetchMissed) -> MissedRows:
    return MissedRows(await store.missed(query.who), query.re)


async def _presets(store: Store, query: FetchPresets) -> PresetRows:
    rows = await store.presets(query.game, query.who)
    changed = query.saved or query.removed
    if changed is not None:
        found = next((row for row in rows if preset_key(row["name"]) == preset_key(changed)), None)
        if found is not None and not found["mine"]:
            raise Denied("preset_taken", f"{found['by']} has saved a preset of this name")
        if found is None and query.saved:
            most = f"a server keeps {PRESETS} presets, {OWN_PRESETS} of one name"
            raise Denied("too_much", most, hint="remove one that is not needed any more")
    return PresetRows(rows, query.re)


def webhook_state(found: StoredWebhook | None, re: Id | None, test: str | None = None) -> WebhookState:
    """Return what the owner of a webhook may see of it: of its URL the host alone, as everything else may be secret."""
    if found is None:
        return WebhookState(re=re)
    return WebhookState(target(found.url).host, found.format, found.lang, found.off, test, re)


async def _webhook(store: Store, query: FetchWebhook) -> WebhookState:
    return webhook_state(await store.webhook(query.who), query.re)


async def _daily(store: Store, query: FetchDaily) -> DailyRows:
    rows, you = await store.daily(query.about.day, query.about.board, query.name, query.best)
    return replace(query.about, rows=rows, you=you)
