"""Answer clients from the store: pages of match files, their replays and reviews, standings, ladders, profiles."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

import attrs
import msgspec
import structlog
from msgspec.structs import replace

from parlour_protocol import messages as m
from parlour_protocol.errors import Denied, NotNow, Refusal
from parlour_protocol.messages import Among, Continue, Plain
from parlour_server.effects import Ask, Effect, Post
from parlour_server.game_files.replay import MAX_REPLAYED, lines_after
from parlour_server.lobby.lobby import Lobby
from parlour_server.node.budget import Meter
from parlour_server.node.commits import CommitQueue
from parlour_server.node.compute import ComputationFailed, NotWanted, Worker
from parlour_server.node.notifier import Notifier, webhook_state
from parlour_server.node.reviews import Reviews
from parlour_server.node.sockets import RETRY_AFTER, Sockets
from parlour_server.node.tasks import Slices, Tasks
from parlour_server.store.base import Overdue, Store, StoreError, reason
from parlour_server.store.results import LATEST, OWN_PRESETS, PRESETS, Before, first_row, preset_key

STANDINGS_PAGE = 100
CHAIN_PAGE = 200
REVIEW_PAGE = 200
"""Decisions of a review in one message."""
LADDER_MATCHES = 20_000
"""The number of matches that make a ladder: the last ones."""
LADDER_KEPT = 300.0
"""Seconds for which a ladder is not computed again."""
AT_A_TIME = 2
"""Questions that are read at the same time. Stores have more connections, for rooms and names that are loaded."""
OVERDUE_AGAIN = 10_000
"""Milliseconds after which to ask again what took too long."""

Read: TypeAlias = Callable[[Store, Ask, Any], Awaitable[m.ServerMessage]]
"""Store, question and its message → the answer. Raises Refusal, and StoreError."""
Reader: TypeAlias = Callable[[Ask, Any], Awaitable[m.ServerMessage | Sequence[Effect]]]
"""Question and its message → the answer, or the effects that bring it. Raises Refusal, StoreError, and NotWanted."""

log = structlog.get_logger()


class StoreQueries:
    """Answers up to ``AT_A_TIME`` questions at a time. ``worker`` replays matches, ``reviews`` judges decisions.

    Reading is charged to the address that asks, by ``meter``.
    """

    def __init__(
        self,
        store: Store,
        queue: CommitQueue,
        sockets: Sockets,
        tasks: Tasks,
        worker: Worker,
        reviews: Reviews,
        meter: Meter,
        notifier: Notifier | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.readers: dict[type[m.ClientMessage], Reader] = {
            m.File: self._file,
            m.Review: self._review,
            m.Standings: self._standings,
            m.Webhook: self._webhook,
            **{kind: partial(self._read, read) for kind, read in _READS.items()},
        }
        """The questions that clients may ask, and who answers them."""
        self._clock = clock
        self._meter = meter
        self._store = store
        self._queue = queue
        self._sockets = sockets
        self._tasks = tasks
        self._worker = worker
        self._reviews = reviews
        self._notifier = notifier
        self._turn = asyncio.Semaphore(AT_A_TIME)
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """The questions of each address, one behind the other."""
        self._ladders: dict[tuple[str, Among], tuple[float, Plain]] = {}
        """The ladders that were asked for, and when."""
        self._ladder_turn = asyncio.Lock()
        self._running: dict[int, asyncio.Task[None]] = {}
        """The question of each connection."""

    def start(self, ask: Ask) -> None:
        """Start to answer a question."""
        task = self._running[ask.conn] = self._tasks.spawn(self._answer(ask))
        task.add_done_callback(lambda _: self._running.pop(ask.conn, None))

    async def answered(self, conn: int) -> None:
        """Return when the question that ``conn`` has sent is answered."""
        await self._queue.settled()  # the question is answered after its batch has been stored
        if conn in self._running:
            await asyncio.wait([self._running[conn]])

    def waits(self, conn: int) -> bool:
        """Whether a client still waits for an answer."""
        return conn in self._sockets

    async def lines(self, ask: Ask, digest: str) -> tuple[list[str], str]:
        """Return the lines of a finished match, and who pays for what is done with them. Raises Denied, NotWanted."""
        async with self._reading(ask) as owner:
            return await self._lines(digest), owner

    async def _lines(self, digest: str) -> list[str]:
        lines = await self._store.match_lines(digest)
        if lines is None:
            raise Denied("no_file", "no finished match on this server has this digest")
        return lines

    async def _answer(self, ask: Ask) -> None:
        try:
            answer = await self.readers[type(ask.message)](ask, ask.message)
        except NotWanted:
            return
        except Refusal as refusal:
            answer = refusal.message(re=ask.message.id)
        except Overdue as error:
            log.error("not read", reason=reason(error))
            late = NotNow("busy", "the answer took too long; ask again later", OVERDUE_AGAIN)
            answer = late.message(re=ask.message.id)
        except StoreError as error:
            log.error("not read", reason=reason(error))
            answer = NotNow("retry", "the store could not be read", RETRY_AFTER).message(re=ask.message.id)
        before = self._meter.switch(self._owner(ask.conn))
        self._queue.put(answer if isinstance(answer, Sequence) else [Post((ask.conn,), answer)])
        self._meter.switch(before)

    async def _read(self, read: Read, ask: Ask, message: m.ClientMessage) -> m.ServerMessage:
        async with self._reading(ask):
            return await read(self._store, ask, message)

    async def _file(self, ask: Ask, message: m.File) -> m.FileLines:
        """Return a page of a match file, or of its replay."""
        if message.views:
            return await self._replayed(ask, message)
        after = max(0, message.after)
        async with self._reading(ask):
            lines = await self._lines(message.digest)
            page = await asyncio.to_thread(lines_after, lines, after)
        reviewed = self._reviews.refusal(lines) is None if after == 0 else None
        return m.FileLines(message.digest, page, _next(after, page, lines), review=reviewed, re=message.id)

    async def _replayed(self, ask: Ask, message: m.File) -> m.FileLines:
        lines, owner = await self.lines(ask, message.digest)
        after = max(0, message.after)
        asked = {"lines": lines, "after": after, "seat": message.seat}
        try:
            page = await self._worker.replay(asked, owner, lambda: self.waits(ask.conn))
        except ComputationFailed as error:
            log.error("a match could not be replayed", error=type(error).__name__)
            page = {"refused": "the game failed while its match was replayed"}
        if "refused" in page:
            raise Denied("no_replay", page["refused"])
        more = _next(after, page["lines"], lines)
        return m.FileLines(message.digest, page["lines"], more, page["views"], re=message.id)

    async def _review(self, ask: Ask, message: m.Review) -> m.Reviewed:
        """Return how far a review is, which begins with the first question, or what it found."""
        key = (message.digest, message.seat)
        review = self._reviews.find(key)
        if review is None:
            async with self._reading(ask) as owner:
                lines = await self._lines(message.digest)
                review = self._reviews.find(key) or self._reviews.begin(key, lines, owner)
        found = m.Reviewed(message.digest, message.seat, review.done, review.of, re=message.id)
        if review.found is None:
            return found
        if "refused" in review.found:
            raise Denied("no_review", review.found["refused"])
        decisions, after = review.found["decisions"], max(0, message.after)
        end = after + REVIEW_PAGE
        more = end if end < len(decisions) else None
        return replace(found, decisions=decisions[after:end], rounds=review.found["rounds"], after=more)

    async def _standings(self, ask: Ask, message: m.Standings) -> m.StandingsRows:
        """Return a page of a leaderboard or ladder."""
        if message.ladder is not None:
            return await self._ladder(ask, message, message.game or "", message.ladder)
        async with self._reading(ask):
            rows, after = await self._store.standings(message.game, message.after, STANDINGS_PAGE)
        return m.StandingsRows(rows, after, re=message.id)

    async def _ladder(self, ask: Ask, message: m.Standings, game: str, among: Among) -> m.StandingsRows:
        async with self._ladder_turn:
            began, found = self._ladders.get((game, among), (0.0, None))
            if found is None or self._clock() - began > LADDER_KEPT:
                found = await self._computed(ask, game, among)
                self._ladders[game, among] = self._clock(), found
        first = first_row(message.after)
        rows, end, now = found["rows"], first + STANDINGS_PAGE, int(time.time())
        more = str(end) if end < len(rows) else None
        ago = [(now - at) * 1000 for at in found["times"]]
        return m.StandingsRows(rows[first:end], more, ago=ago, re=message.id)

    async def _computed(self, ask: Ask, game: str, among: Among) -> Plain:
        """Read the last matches of a game, a page at a time, and return its ladder. Raises NotNow."""
        pages, left = list[bytes](), LADDER_MATCHES
        before: Before | None = LATEST
        while before is not None and left > 0:
            async with self._reading(ask) as owner:
                page, before = await self._store.rated(game, before)
            pages.append(msgspec.json.encode([(at, players) for at, _, players in page[:left]]))
            left -= len(page)
        try:
            return await self._worker.ladder(pages, among, owner, lambda: self.waits(ask.conn))
        except ComputationFailed as error:
            log.error("a ladder could not be computed", error=type(error).__name__)
            raise NotNow("retry", "the ladder could not be computed", RETRY_AFTER) from None

    async def _webhook(self, ask: Ask, message: m.Webhook) -> m.WebhookState:
        """Return what the owner of a webhook may see of it, after a test if one is asked for."""
        if message.do == "test" and self._notifier:
            return await self._notifier.test(ask.person, message.id)
        async with self._reading(ask):
            return webhook_state(await self._store.webhook(ask.person.who), re=message.id)

    @asynccontextmanager
    async def _reading(self, ask: Ask) -> AsyncIterator[str]:
        """Wait until a question may read, yield who pays, and charge the time.

        An address reads for one question at a time, so that each is charged before the next one begins.
        Raises NotWanted for a closed socket.
        """
        owner = self._owner(ask.conn)
        async with self._asking.setdefault(owner, asyncio.Lock()):
            if self._meter.holds(owner):
                await self._meter.turn(owner)
            async with self._turn:
                if not self.waits(ask.conn):
                    raise NotWanted
                began = self._clock()
                try:
                    yield owner
                finally:
                    self._meter.charge(owner, self._clock() - began)

    def _owner(self, conn: int) -> str:
        """Return who pays for the queries of a connection."""
        socket = self._sockets.get(conn)
        return (socket and socket.address) or str(conn)


def _next(after: int, page: list[str], lines: list[str]) -> int | None:
    """Return where the page behind ``page`` begins."""
    end = after + len(page)
    return end if end < len(lines) else None


async def _profile(store: Store, ask: Ask, message: m.Profile) -> m.ProfileRows:
    name = ask.person.name if message.name is None else message.name
    found = await store.profile(name)
    if found is None:
        nobody = f"{name[:40]!a} has not finished a match here that counts"
        raise Denied("no_such_name", nobody, hint="`standings` lists the names of those who have")
    return m.ProfileRows(*found, re=message.id)


async def _chain(store: Store, ask: Ask, message: m.Chain) -> m.ChainLinks:
    links = await store.chain(max(0, message.after), CHAIN_PAGE + 1)
    more = links[CHAIN_PAGE - 1]["n"] if len(links) > CHAIN_PAGE else None
    return m.ChainLinks(links[:CHAIN_PAGE], more, re=message.id)


async def _missed(store: Store, ask: Ask, message: m.Missed) -> m.MissedRows:
    return m.MissedRows(await store.missed(ask.person.who), re=message.id)


async def _presets(store: Store, ask: Ask, message: m.Presets) -> m.PresetRows:
    rows = await store.presets(message.game, ask.person.who)
    if message.do != "list":
        key = preset_key(message.name or "")
        found = next((row for row in rows if preset_key(row["name"]) == key), None)
        if found is not None and not found["mine"]:
            raise Denied("preset_taken", f"{found['by']} has saved a preset with this name")
        if found is None and message.do == "save":
            most = f"a server keeps at most {PRESETS} presets, {OWN_PRESETS} for each name"
            raise Denied("too_much", most, hint="remove a preset first")
    return m.PresetRows(rows, re=message.id)


async def _daily(store: Store, ask: Ask, message: m.Daily) -> m.DailyRows:
    about = ask.known
    assert about is not None
    [best] = [board["best"] for board in about.boards or [] if board["board"] == about.board]
    rows, you = await store.daily(about.day, about.board, ask.person.name, best)
    return replace(about, rows=rows, you=you)


_READS: dict[type[m.ClientMessage], Read] = {
    m.Profile: _profile, m.Chain: _chain, m.Missed: _missed, m.Presets: _presets, m.Daily: _daily
}  # fmt: skip
"""The questions that take one read of the store."""


_HINT = "play on where the game is installed: `parlour continue FILE --act N`"


@attrs.define(eq=False)
class Continuations:
    """Reads and replays finished matches, and lets the lobby open the rooms in which they go on."""

    _lobby: Lobby
    _queue: CommitQueue
    _queries: StoreQueries
    _worker: Worker
    _slices: Slices

    async def open(self, ask: Ask, message: Continue) -> Sequence[Effect]:
        """Return the effects of opening the room, which the client then is in. Raises what a reader may raise."""
        lines, owner = await self._queries.lines(ask, message.digest)
        if len(lines) > MAX_REPLAYED:
            long = f"the match file has {len(lines)} lines; at most {MAX_REPLAYED} are replayed here"
            raise Denied("no_replay", long, hint=_HINT)
        begun = json.loads(lines[0])
        self._require_client(ask)
        cast = self._lobby.continuing.cast(ask.conn, message.seat, begun["game"], len(begun["players"]))
        wanted = {"lines": lines, "act": message.act, "seat": message.seat, "code": cast.code, "players": cast.rows}
        try:
            found = await self._worker.continuation(wanted, owner, lambda: self._queries.waits(ask.conn))
        except ComputationFailed as error:
            log.error("a match could not be continued", error=type(error).__name__)
            found = {"refused": "the game failed while its match was replayed"}
        if "refused" in found:
            raise Denied("no_replay", found["refused"], hint=_HINT)
        room = await self._slices.finish(self._lobby.rooms.restoring(found["log"]))
        self._require_client(ask)
        return self._lobby.open_continued(ask, cast, room, found["log"], self._queue.now())

    def _require_client(self, ask: Ask) -> None:
        """Raise NotWanted if the client has gone meanwhile."""
        session = self._lobby.connections.sessions.get(ask.conn)
        if session is None or session.gone:
            raise NotWanted
