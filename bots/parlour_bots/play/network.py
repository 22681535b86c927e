"""Play over the network: one connection, any number of rooms, a player in each.

Each room has a task that handles its messages in order and lets the bot think in a thread, so that a slow bot delays
only one room.
"""

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from random import Random  # noqa: TID251  for the pauses; never for the deal

import attrs
from msgspec.structs import replace

from parlour_bots.errors import Mistake, whereabouts
from parlour_bots.play.player import SeatPlayer
from parlour_bots.sdk import BotSpec
from parlour_client.core.connection import Connection, ConnectionState
from parlour_client.core.errors import Interrupted, Refused
from parlour_client.core.session import Session
from parlour_client.core.url import entering
from parlour_client.storage.credentials import Credentials
from parlour_protocol.messages import (
    Act,
    Create,
    Error,
    Joined,
    Leave,
    Left,
    OfferBot,
    Over,
    Ready,
    SeatsChanged,
    ServerMessage,
    Table,
    Turn,
    Update,
    Welcome,
)

SPREAD = 0.15
"""The largest difference of a pause from the mean, as a share of it."""
MOST_OF_CLOCK = 0.25
"""The share of the time left that a pause may take."""


@attrs.frozen
class Pace:
    """Pauses before each card or click. ``usual``: their average in seconds where a person plays; 0 means none.

    A room may have an average of its own, which is multiplied by ``tempo``.
    """

    usual: float = 0.0
    tempo: float = 1.0
    rng: Random = attrs.field(factory=Random)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def seconds(self, table: Table) -> float:
        """Return the average pause in a room: its own if it has one, else the usual one where a person has a seat."""
        room = table.get("pace")
        if room is not None:
            return room / 1000 * self.tempo
        return self.usual * self.tempo if any(row["kind"] == "human" for row in table["seats"]) else 0.0

    async def wait(self, seconds: float, left: int | None = None) -> None:
        """Wait about ``seconds``. ``left``: milliseconds left on the clock."""
        if seconds:
            pause = seconds * self.rng.uniform(1 - SPREAD, 1 + SPREAD)
            await self.sleep(pause if left is None else min(pause, MOST_OF_CLOCK * left / 1000))


def one_click(act: Act) -> Act:
    """Return ``act`` cut to one click, as it fits in one pause. The server asks again for further cells."""
    if isinstance(act.act, int):
        return act
    first = {name: value[:1] if name in ("cells", "moves") else value for name, value in act.act.items()}
    return replace(act, act=first)


_UNDER_WAY = ("playing", "pause", "closed")


@attrs.define
class _Seat:
    """The bot's seat in one room: its player, the messages not yet handled, and the newest decision."""

    player: SeatPlayer
    inbox: asyncio.Queue[ServerMessage | None] = attrs.field(factory=asyncio.Queue)
    held: deque[ServerMessage | None] = attrs.field(factory=deque)
    """Taken from the inbox, but not yet handled."""
    newest: int = 0
    commit: str = ""
    pause: float = 0.0
    """Seconds before each card or click, on average."""

    async def next(self) -> ServerMessage | None:
        """Return the next message; None at the end."""
        return self.held.popleft() if self.held else await self.inbox.get()

    def renewed(self, turn: Turn) -> Turn:
        """Return ``turn`` with the updates that came in since it was asked, and take them from the inbox."""
        while not self.held and not self.inbox.empty():
            found = self.inbox.get_nowait()
            if isinstance(found, Update):
                events = [*turn.events, *found.events]
                turn = replace(turn, view=found.view, events=events, may=found.may, clocks=found.clocks)
            else:
                self.held.append(found)
        return turn


def _warn(text: str) -> None:
    sys.stderr.write(f"WARNING: {text}\n")


@attrs.define
class BotClient:
    """A bot on a connection. ``run`` plays wherever the bot is seated, until the connection ends."""

    connection: Connection
    spec: BotSpec
    report: Callable[[Mistake], None]
    seed: object = 0
    stay: bool = False
    """Whether to stay in the room after a match."""
    availability: OfferBot | None = None
    """The offer of the bot to be invited. Without it the connection ends with the last room."""
    styles: Mapping[str, BotSpec] = attrs.field(factory=dict)
    """The players for the styles in which the bot can be invited to play."""
    pace: Pace | None = None
    """The time that the bot takes for a card or click; None: it never waits."""
    watch: Callable[[ServerMessage], None] = lambda message: None
    """Called with every message before it is handled."""
    patience: float = 10.0
    """Seconds after which a bot that is still thinking is reported, with where it is."""
    warn: Callable[[str], None] = _warn
    """Called when the fairness data of a match (commitment, nonces, secret) do not verify."""
    last: SeatPlayer | None = attrs.field(default=None, init=False)
    """The player in the room that was joined last."""
    _seats: dict[str, _Seat] = attrs.field(factory=dict, init=False)

    async def run(self) -> None:
        """Play until the connection ends. Raises Refused if the server refuses a request or removes the bot."""
        try:
            async with asyncio.TaskGroup() as tasks:
                async for message in self.connection:
                    self._report_warnings()
                    self.watch(message)
                    await self._handle(message, tasks)
                for seat in self._seats.values():
                    seat.inbox.put_nowait(None)
        except BaseExceptionGroup as group:
            raise group.exceptions[0] from None

    def _report_warnings(self) -> None:
        reports = self.connection.session.reports
        for report in reports:
            if report.code == "fairness":
                self.warn(f"{report.room}: {report.text}")
        reports.clear()

    async def _handle(self, message: ServerMessage, tasks: asyncio.TaskGroup) -> None:
        match message:
            case Welcome() if self.availability:
                await self.connection.send(self.availability)
            case Error(rid=None):
                self._refused(message)
            case Left():
                await self._left(message)
            case Joined() if message.seat is not None:
                self._sit(message, tasks)
        await self._deliver(message)

    def _refused(self, error: Error) -> None:
        """Raise Refused if the bot came for one room and has no seat there."""
        if not self.availability and not self._seats:
            raise Refused(error.code, f"{error.msg}" + (f" ({error.hint})" if error.hint else ""))

    def _sit(self, joined: Joined, tasks: asyncio.TaskGroup) -> None:
        room = joined.room
        if room not in self._seats:
            style = next((row.get("style") for row in joined.table["seats"] if row["seat"] == joined.seat), None)
            fair = joined.table["fair"]
            # In a match of the day, bots that see the same play the same, with any people.
            seed = f"{fair['context']}/{joined.seat}" if fair.get("deal") == "daily" else f"{self.seed}/{room}"
            self.last = SeatPlayer(self.styles.get(style or "", self.spec), seed, self.report)
            self._seats[room] = _Seat(self.last)
            tasks.create_task(self._play(self._seats[room]))

    async def _left(self, left: Left) -> None:
        seat = self._seats.pop(left.room, None)
        if seat is None:
            return
        seat.inbox.put_nowait(None)
        if not self.stay and seat.player.over is None:
            raise Refused(left.why, f"out of {left.room} before the match was over: {left.why}")
        if not self.availability and not self._seats:
            await self.connection.close()

    async def _deliver(self, message: ServerMessage) -> None:
        """Pass a message to its room's task, and declare the bot ready for each new commitment."""
        seat = self._seats.get(getattr(message, "room", None) or "")
        if seat is None:
            return
        if isinstance(message, Turn):
            seat.newest = max(seat.newest, message.rid)
        if isinstance(message, Joined | SeatsChanged):
            seat.pause = self.pace.seconds(message.table) if self.pace else 0.0
            await self._agree(seat, message)
        seat.inbox.put_nowait(message)

    async def _agree(self, seat: _Seat, message: Joined | SeatsChanged) -> None:
        state, commit = message.table["state"], message.table["fair"]["commit"]
        if state in _UNDER_WAY or commit == seat.commit or (state == "finished" and not self.stay):
            return
        seat.commit = commit
        await self.connection.send(Ready(message.room))  # the session adds its nonce

    async def _play(self, seat: _Seat) -> None:
        while (message := await seat.next()) is not None:
            if isinstance(message, Turn) and message.rid >= seat.newest and self.pace is not None:
                await self.pace.wait(seat.pause, message.left)
                message = seat.renewed(message)
            if isinstance(message, Turn) and (message.rid < seat.newest or message.view.get("phase") == "over"):
                # over before the bot could answer
                message = Update(message.room, message.seq, message.view, message.events, [], message.clocks)
            asks = isinstance(message, Turn) or bool(getattr(message, "may", None))
            receive = seat.player.receive
            for act in await self._in_thread(receive, message) if asks else receive(message):
                if self.pace is not None and not isinstance(message, Turn):
                    await self.pace.wait(seat.pause)
                await self.connection.send(one_click(act) if seat.pause else act)
            if isinstance(message, Over) and not self.stay:
                await self.connection.send(Leave(message.room))

    async def _in_thread(self, receive: Callable[[ServerMessage], list[Act]], message: ServerMessage) -> list[Act]:
        """Let the bot think in a thread; say where it is if it does not return."""
        thread, answer = _started(receive, message)
        # asyncio.wait_for drops a cancellation that comes with the answer before Python 3.12
        done, _ = await asyncio.wait((answer,), timeout=self.patience)
        if not done and (lines := whereabouts(thread)):
            where = "".join(f"\n  {line.where}: {line.text}" for line in reversed(lines))
            self.warn(f"{self.spec.name} does not return in {getattr(message, 'room', '')}. It is at{where}")
        return await answer


def connection(
    url: str,
    name: str,
    *,
    key: str | None = None,
    ticket: str | None = None,
    credentials: Credentials | None = None,
    on_state: Callable[[ConnectionState], None] | None = None,
) -> Connection:
    """Return the unopened connection of a bot called ``name``, with the ``credentials`` of an earlier one if any."""
    known = credentials or Credentials(name)
    session = Session(name, "bot", entropy=os.urandom, key=key, ticket=ticket, token=known.token, on_token=known.keep)
    return Connection(url, session, on_state=on_state)


async def play_room(client: BotClient, room: str | Create) -> SeatPlayer:
    """Join or create ``room`` and play until the match is over; with ``stay``, until the connection ends.

    Raises CannotConnect, Refused, WrongProtocol, Interrupted.
    """
    async with client.connection:
        await client.connection.send(room if isinstance(room, Create) else entering(room, style=client.spec.style))
        await client.run()
    if client.last is None or (client.last.over is None and not client.stay):
        raise Interrupted(f"the connection ended before the match was over: {client.connection.state.reason}")
    return client.last


async def serve(client: BotClient) -> None:
    """Wait for invitations and contests until the connection ends for good. Raises like ``play_room``."""
    async with client.connection:
        await client.run()
    raise Interrupted(f"the connection ended: {client.connection.state.reason}")


def _started(
    receive: Callable[[ServerMessage], list[Act]], message: ServerMessage
) -> tuple[threading.Thread, "asyncio.Future[list[Act]]"]:
    """Let a bot think in a daemon thread of its own; return the thread and its answer.

    A bot that hangs then blocks neither the other rooms, as it would in a small thread pool, nor Ctrl-C.
    """
    answer: Future[list[Act]] = Future()
    answer.set_running_or_notify_cancel()

    def think() -> None:
        try:
            answer.set_result(receive(message))
        except BaseException as error:
            answer.set_exception(error)

    thread = threading.Thread(target=think, daemon=True, name=f"bot in {getattr(message, 'room', '')}")
    thread.start()
    return thread, asyncio.wrap_future(answer)
