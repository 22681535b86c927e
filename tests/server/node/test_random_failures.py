"""Random histories with random failures of the store: afterwards memory, store and what people know are one."""

import random
from typing import Any

import attrs
import pytest
from structlog.testing import capture_logs
from tests.server.nodes import Guest, House
from tests.support.examples import seeds

from parlour_protocol import messages as m
from parlour_protocol.errors import TRY_AGAIN
from parlour_server.rooms.records import Acted, parse
from parlour_server.rooms.room import replay

STEPS = 2_000


@attrs.define(eq=False)
class Bot:
    """Somebody who acts on turns, repeats what had no answer, and comes back when it is sent away."""

    house: House
    guest: Guest
    rng: random.Random
    welcome: bool = True
    turn: m.Turn | None = None
    open: dict[tuple[str, int], int] = attrs.field(factory=dict)
    acknowledged: dict[tuple[str, int], m.Plain] = attrs.field(factory=dict)
    rooms: set[str] = attrs.field(factory=set)

    async def listen(self) -> None:
        """Take in what has come; come back if the socket was closed."""
        for message in self.guest.told():
            if isinstance(message, m.Welcome):
                self.guest.token, self.welcome = message.token, True
            elif isinstance(message, m.Turn):
                self.turn = message
            elif isinstance(message, m.Joined):
                self.rooms.add(message.room)
            elif isinstance(message, m.Left):
                self.rooms.discard(message.room)
            elif isinstance(message, m.Error) and message.code == "retry":
                self.guest.closed = TRY_AGAIN  # a room was lost again while we came back to it
            elif isinstance(message, m.Error):
                assert message.code in ("stale", "not_here", "room_full", "not_host", "wrong_state"), message
            self._hear_answer(message)
        if self.guest.closed:
            await self.come_back()

    def _hear_answer(self, message: m.ServerMessage) -> None:
        room = getattr(message, "room", None)
        answer: Any = getattr(message, "ok", None)
        if isinstance(message, m.Ok) and message.rid is not None:
            answer = {"rid": message.rid, "act": message.act}
        if room is not None and answer is not None:
            before = self.acknowledged.setdefault((room, answer["rid"]), answer["act"])
            assert before == answer["act"]
            self.open.pop((room, answer["rid"]), None)

    async def come_back(self) -> None:
        """Lose the socket and open another one."""
        self.guest.leave()
        self.guest = self.house.connect(self.guest.name, self.guest.token)
        self.welcome, self.turn = False, None
        await self._say(m.Hello(self.guest.name, "human", token=self.guest.token))

    async def say(self, message: m.ClientMessage) -> None:
        """Say something, but nothing before the welcome has come: it would make the old token void."""
        if self.welcome:
            await self._say(message)

    async def _say(self, message: m.ClientMessage) -> None:
        if self.house.lobby.rooms.dormant:
            self.house.store.let_go()  # else we would wait for a room to be loaded
        await self.guest.say(message)

    async def act(self) -> None:
        """Answer the last turn."""
        if self.turn is not None and self.turn.legal:
            key = (self.turn.room, self.turn.rid)
            if key not in self.acknowledged:
                choice = self.open.setdefault(key, self.rng.randrange(len(self.turn.legal)))
                await self.say(m.Act(*key, choice))

    async def repeat(self) -> None:
        """Say all again that had no answer."""
        for (room, rid), choice in self.open.items():
            await self.say(m.Act(room, rid, choice))


@pytest.mark.parametrize("part", seeds(8))
async def test_failing_store_leaves_everything_as_it_was_stored(house: House, seed: int, part: int) -> None:
    rng = random.Random(seed + part)
    room, guests = await house.table("anna", "bert", "cleo", options={"breath": 0, "pause": 0})
    bots = [Bot(house, guest, rng, rooms={room}) for guest in guests]
    lounger = Bot(house, await house.guest("dora"), rng)
    lounge = (await guests[0].ask(m.Create("uno", seats=3), m.Joined)).room
    for bot in bots:
        await bot.come_back()
    with capture_logs() as logs:
        for _ in range(STEPS):
            await _step(house, rng, bots, lounger, lounge)
        house.store.let_go()
        house.store.failures.clear()
        await _gather(house, [*bots, lounger])
    assert {entry["event"] for entry in logs} <= {"not stored"}
    await _compare(house, room, bots)


async def _step(house: House, rng: random.Random, bots: list[Bot], lounger: Bot, lounge: str) -> None:
    bot = rng.choice(bots)
    await bot.listen()
    await lounger.listen()
    verb = rng.choice(
        ("act", "act", "act", "repeat", "drop", "join", "leave", "fail", "hold", "release", "wait", "wait")
    )
    match verb:
        case "act":
            await bot.act()
        case "repeat":
            await bot.repeat()
        case "drop" if rng.random() < 0.3:
            await bot.come_back()
        case "join":
            await lounger.say(m.Join(lounge, rng.choice(("player", "spectator"))))
        case "leave":
            await lounger.say(m.Leave(lounge))
        case "fail" if rng.random() < 0.5:
            house.store.fail()
        case "hold":
            house.store.hold()
        case "release" | "wait":
            house.store.let_go()
            await house.settled()
    house.time += 0.001


async def _gather(house: House, bots: list[Bot]) -> None:
    """Let all come back a last time and finish what they have begun."""
    await house.settled()
    for bot in bots:
        await bot.listen()
        await house.settled()
        await bot.come_back()
        await house.settled()
        await bot.listen()
        await bot.repeat()
    for bot in bots:
        await bot.guest.say(m.Ping())
        await house.settled()
        await bot.listen()
        assert not bot.guest.closed
        assert not bot.open


async def _compare(house: House, room: str, bots: list[Bot]) -> None:
    index = await house.store.index()
    known = house.lobby.identities
    assert {known.get(identity.who).saved() for identity in index.identities} == set(index.identities)
    assert {(code, who) for who, codes in house.lobby.rooms.seats.items() for code in codes} == set(index.seats)
    for code, live in house.lobby.rooms.loaded.items():
        stored = replay(house.lines(code), live.room.state.game).state
        assert (stored.n, stored.epoch, stored.host) == (live.room.state.n, live.room.state.epoch, live.room.state.host)
        assert {seat.who for _, seat in stored.seats.taken()} == {who for where, who in index.seats if where == code}
        if stored.match and live.room.state.match:
            assert stored.match.fingerprint() == live.room.state.match.fingerprint()
    acts = [record for record in map(parse, house.lines(room)) if isinstance(record, Acted)]
    assert len({(act.seat, act.rid) for act in acts}) == len(acts)
    for seat, bot in enumerate(bots):
        recorded = {(room, act.rid): act.act for act in acts if act.seat == seat}
        assert bot.acknowledged.items() <= recorded.items()
    assert len(acts) > 10
