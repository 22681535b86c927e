"""Connections to a PostgreSQL server, made on demand, replaced when broken or slow; lookups that share a query."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import islice
from math import inf
from typing import Any, Generic, TypeVar

import asyncpg
from asyncpg import exceptions as pg

from parlour_server.store.base import Overdue, StoreError
from parlour_server.store.sql import Steps

T = TypeVar("T")
_BROKEN = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    pg.PostgresConnectionError,
    pg.OperatorInterventionError,
    pg.IdleInTransactionSessionTimeoutError,
    pg.TooManyConnectionsError,
    pg.ReadOnlySQLTransactionError,  # a standby, during a failover
)
_SETTINGS = {
    "search_path": "parlour",
    "synchronous_commit": "on",
    "jit": "off",
    "tcp_user_timeout": "5s",
    "tcp_keepalives_idle": "5",
}
"""The settings of each session."""
_WITHIN = "statement_timeout"
_IDLE = "idle_in_transaction_session_timeout"
"""A transaction whose client is silent must not hold its locks for long."""


_CONNECT = 60.0
"""Seconds to wait for a connection where any call may take as long as it needs."""


class Lost(StoreError):
    """The database cannot be reached, or the connection broke. The outcome of the call is unknown."""


class PostgresClosed(StoreError):
    """The connection was closed for good."""


class PostgresConnection:
    """One connection, used by one call at a time. A call that takes longer than ``patience`` seconds breaks it.

    So does a pause of more than ``idle`` seconds in the middle of a transaction, of which nothing remains then. A
    statement that takes longer than ``within`` seconds is given up; the connection remains.
    """

    def __init__(self, url: str, name: str, patience: float, idle: float, within: float | None = None) -> None:
        self._url = url
        self._settings = {**_SETTINGS, _IDLE: "0" if idle == inf else f"{idle * 1000:.0f}ms", "application_name": name}
        if within is not None:
            self._settings[_WITHIN] = f"{within * 1000:.0f}ms"
        self._within = within
        self._patience = None if patience == inf else patience
        self._db: Any = None
        self._closed = False
        self._free = asyncio.Lock()

    async def run(self, call: Callable[[Any], Awaitable[T]]) -> T:
        """Run ``call`` with the connection. Raises Lost, Closed, Overdue, and the errors of the database."""
        async with self._free:
            done = False
            try:
                async with asyncio.timeout(self._patience):
                    result = await call(await self._open())
                done = True
            except pg.QueryCanceledError as error:
                if self._within is None:
                    raise Lost(f"the database cancelled a statement: {words(error)}") from error
                done = True
                raise Overdue(self._within) from error
            except _BROKEN as error:
                raise Lost(f"the database cannot be reached: {words(error)}") from error
            except AttributeError as error:  # from asyncpg, if the connection is closed between two steps of a call
                if not self._closed:
                    raise
                raise Lost("the connection to the database was closed") from error
            except asyncpg.PostgresError as error:
                done = not isinstance(error, pg.InvalidCachedStatementError)
                raise
            except (StoreError, LookupError):
                done = True
                raise
            finally:
                if not done:  # also when cancelled: the state of the connection is unknown
                    self._drop()
            return result

    async def again(self, call: Callable[[Any], Awaitable[T]]) -> T:
        """Run ``call``, and again on a new connection if it is lost: for calls that may be repeated."""
        try:
            return await self.run(call)
        except Lost:
            return await self.run(call)

    def close(self) -> None:
        """Close the connection for good. Further calls raise Closed."""
        self._closed = True
        self._drop()

    async def _open(self) -> Any:
        self._check()
        if self._db is None or self._db.is_closed():
            self._db = await asyncpg.connect(
                self._url, timeout=self._patience or _CONNECT, server_settings=self._settings
            )
            self._check()
        return self._db

    def _check(self) -> None:
        if self._closed:
            self._drop()
            raise PostgresClosed("this connection to the database was closed")

    def _drop(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            db.terminate()


@asynccontextmanager
async def transaction(db: Any) -> AsyncIterator[None]:
    """Run the context as a transaction.

    If the connection breaks, or the task is cancelled, nothing is sent any more: the server rolls back by itself.
    """
    await db.execute("BEGIN")
    try:
        yield
    except Exception:
        if not db.is_closed():
            await db.execute("ROLLBACK")
        raise
    await db.execute("COMMIT")


async def run(db: Any, steps: Steps[T]) -> T:
    """Run steps on a connection. The caller ends the transaction."""
    rows: list[Any] | None = None
    try:
        while True:
            statement, args = steps.send(rows)
            if args is None:
                await db.execute(statement)
            elif isinstance(args, list):
                if args:
                    await db.executemany(statement, args)
            else:
                rows = await db.fetch(statement, *args)
    except StopIteration as end:
        result: T = end.value
        return result


def words(error: BaseException) -> str:
    """Return ``error`` on one line."""
    return " ".join(str(error).split()) or type(error).__name__


AT_A_TIME = 5
"""Results that are delivered before other tasks get a turn, because each one causes work."""


class Batcher(Generic[T]):
    """Collects keys while a query runs, and looks up to ``most`` of them up with the next one.

    ``find`` returns a result or an error for each key.
    """

    def __init__(self, find: Callable[[Sequence[str]], Awaitable[Mapping[str, T | Exception]]], most: int) -> None:
        self._find = find
        self._most = most
        self._waiting: dict[str, asyncio.Future[T]] = {}
        self._asked: dict[str, asyncio.Future[T]] = {}
        self._closed: Exception | None = None
        self._task: asyncio.Task[None] | None = None

    async def ask(self, key: str) -> T:
        """Return the result for ``key``, or raise its error."""
        if self._closed is not None:
            raise self._closed
        loop = asyncio.get_running_loop()
        future = self._waiting.setdefault(key, loop.create_future())
        if self._task is None:
            self._task = loop.create_task(self._answer_all())
        return await asyncio.shield(future)

    def close(self, error: Exception) -> None:
        """Stop. Waiting and further calls raise ``error``."""
        self._closed = error
        if self._task is not None:
            self._task.cancel()
        for future in (*self._asked.values(), *self._waiting.values()):
            _settle(future, error)

    async def _answer_all(self) -> None:
        try:
            while self._waiting:
                await self._answer([*islice(self._waiting, self._most)])
        finally:
            self._task = None

    async def _answer(self, keys: Sequence[str]) -> None:
        self._asked = futures = {key: self._waiting.pop(key) for key in keys}
        found: Mapping[str, T | Exception]
        try:
            found = await self._find(keys)
        except Exception as error:
            found = dict.fromkeys(keys, error)
        for number, (key, future) in enumerate(futures.items(), start=1):
            _settle(future, found[key])
            if not number % AT_A_TIME:
                await asyncio.sleep(0)


def _settle(future: asyncio.Future[T], result: T | Exception) -> None:
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
        future.exception()  # the caller may be gone; without this asyncio logs the error
    else:
        future.set_result(result)
