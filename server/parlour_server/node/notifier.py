"""Call the webhooks of players who are away: in the background, a few at a time, once a turn.

Nothing waits for a webhook. What there is no room for is dropped. The store decides who calls: of several nodes, and
before and after a restart, one of them takes a turn, before it calls. A call that a crash interrupts is lost.
"""

import asyncio
import time
from collections.abc import Callable

import structlog

from parlour_protocol.errors import NotNow
from parlour_protocol.messages import Id, WebhookState
from parlour_server.directory.webhook_targets import BadTarget, target
from parlour_server.metrics import Metrics
from parlour_server.node.budget import Budget
from parlour_server.node.tasks import Tasks
from parlour_server.node.webhook_calls import BUSY, Caller, CallFailed, Notice, payload
from parlour_server.persistence import StoredWebhook
from parlour_server.rooms.audience import Person
from parlour_server.rooms.effects import Notify
from parlour_server.store.base import Store, StoreError, reason

CALLS = 8
"""Calls at a time."""
WAITING = 500
"""Notices that may wait for their call."""
PER_HOST, TESTS_PER_HOST = 120, 10
"""Calls to one host in a row, and tests of them. Afterwards it is as many each minute."""
DELIVERED = "delivered"

log = structlog.get_logger()


def webhook_state(found: StoredWebhook | None, re: Id | None, test: str | None = None) -> WebhookState:
    """Return what the owner of a webhook may see of it: of its URL the host alone, as everything else may be secret."""
    if found is None:
        return WebhookState(re=re)
    return WebhookState(target(found.url).host, found.format, found.lang, found.off, test, re=re)


class Notifier:
    """Carries out ``Notify``, and tests webhooks. ``page``: where the page is, for links to rooms; empty: no links."""

    def __init__(
        self,
        store: Store,
        tasks: Tasks,
        metrics: Metrics,
        caller: Caller,
        page: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._tasks = tasks
        self._metrics = metrics
        self._caller = caller
        self._page = page
        self._clock = clock
        self._calls = asyncio.Semaphore(CALLS)
        self._waiting = 0
        self._hosts = Budget(PER_HOST, PER_HOST / 60)
        self._tests = Budget(TESTS_PER_HOST, TESTS_PER_HOST / 60)

    def notify(self, effect: Notify) -> None:
        """Notify a player of their turn, in the background."""
        if self._waiting >= WAITING:
            self._metrics.webhook("dropped")
        else:
            self._tasks.spawn(self._notify(effect))

    async def _notify(self, effect: Notify) -> None:
        self._waiting += 1
        try:
            async with self._calls:
                await self._take_turn(effect)
        except StoreError as error:
            self._metrics.webhook("dropped")
            log.error("a webhook was not called", reason=reason(error))
        finally:
            self._waiting -= 1

    async def _take_turn(self, effect: Notify) -> None:
        found = await self._store.take_turn(effect.who, effect.room, effect.turn)
        if found is None:
            return
        link = f"{self._page}/r/{effect.room}" if self._page else None
        fault = await self._call(found, Notice(effect.name, effect.room, effect.game, effect.left, link), self._hosts)
        if fault != BUSY:
            await self._store.note_call(effect.who, found.url, fault)

    async def test(self, person: Person, re: Id | None) -> WebhookState:
        """Call one's webhook and return what came of it. One that is delivered switches it on again. Raises NotNow."""
        if self._waiting >= WAITING:
            raise NotNow("busy", "too many webhooks wait to be called", 60_000)
        found = await self._store.webhook(person.who)
        if found is None:
            return webhook_state(None, re)
        fault = await self._call(found, Notice(person.name), self._tests)
        if fault == BUSY:
            raise NotNow("too_much", "the server has called this host too often; wait a minute", 60_000)
        if fault is None:
            await self._store.note_call(person.who, found.url, None)
            found = await self._store.webhook(person.who)
        return webhook_state(found, re, fault or DELIVERED)

    async def _call(self, found: StoredWebhook, notice: Notice, budget: Budget) -> str | None:
        """Call a webhook; return what was wrong. No error and no line of the log holds its URL."""
        try:
            where = target(found.url)
            self._caller.rules.check(where)
        except BadTarget:  # the rules were others when it was set
            return "address"
        now = self._clock()
        if budget.wait(where.host, now):
            fault: str | None = BUSY
        else:
            budget.charge(where.host, 1, now)
            try:
                await self._caller.call(where, payload(notice, found.format, found.lang))
                fault = None
            except CallFailed as error:
                fault = str(error)
        self._metrics.webhook(DELIVERED if fault is None else "dropped" if fault == BUSY else "failed")
        return fault
