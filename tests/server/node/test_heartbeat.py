"""A node's heartbeat: it takes over what the dead leave, lets go of what it has lost, and falls silent in time."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from unittest.mock import AsyncMock

import attrs
import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs
from tests.nodes.in_process import Cluster, ClusterNode, cluster
from tests.server.shared_store import SharedStore
from tests.support.sockets import Socket, open_socket
from tests.support.waiting import until

from parlour_server.node.heartbeat import BEATS, MARGIN, OPENING, SLACK, Heartbeat
from parlour_server.persistence import Sightings
from parlour_server.store.base import Fenced, NotStored, StoreError

LEASE = 2.0


@attrs.define(eq=False)
class Beating:
    """A node with a heartbeat whose clock the test holds."""

    home: ClusterNode
    time: float = 0.0
    failures: list[StoreError] = attrs.field(factory=list)
    hangs: asyncio.Event | None = None
    soonest: float = float("inf")
    """When the first of the others' leases is over."""
    waits: list[float] = attrs.field(factory=list)
    """How long it has waited between attempts."""
    heart: Heartbeat = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        node = self.home.node
        assert node.routing is not None
        self.heart = Heartbeat(
            self.home.lobby,
            self.home.store,
            node.routing,
            node.own_room,
            node.stopping,
            lambda: self.time,
            self.sleep,
        )
        renew = self.home.store.renew

        async def failing(rows: str) -> Sightings:
            if self.hangs is not None:
                await self.hangs.wait()
            if self.failures:
                raise self.failures.pop(0)
            return replace(await renew(rows), soonest=self.soonest - self.time)

        self.home.store.renew = failing  # type: ignore[method-assign]

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.time += seconds

    async def beat(self) -> None:
        await self.heart.beat()
        await until(lambda: not self.home.node.loader.loading)
        await self.home.node.queue.settled()


@pytest.fixture
async def nodes() -> AsyncIterator[Cluster]:
    async with cluster("one", "two") as found:
        yield found


async def room_at(home: ClusterNode, socket: Socket) -> str:
    """Return the code of a new room there."""
    await socket.hello("anna")
    code: str = (await socket.ask("create", "joined", game="uno", seats=2))["room"]
    assert code in home.lobby.rooms.loaded
    return code


@pytest.mark.parametrize("phase", range(8))
async def test_whenever_a_node_dies_others_look_as_soon_as_its_lease_is_over(nodes: Cluster, phase: int) -> None:
    two = Beating(nodes["two"], time=phase * LEASE / BEATS / 8)
    two.soonest, looked = LEASE, 0.0
    while looked < LEASE:
        await two.beat()
        looked = two.time
        assert two.heart.pause <= LEASE / BEATS
        two.time += two.heart.pause
    assert looked <= LEASE + SLACK


async def test_heart_goes_on_beating_whatever_happens(nodes: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    two = Beating(nodes["two"], soonest=0.0)
    routing = two.home.node.routing
    assert routing is not None
    sighted, seen = routing.sighted, list[Sightings]()

    def faulty(sightings: Sightings) -> None:
        seen.append(sightings)
        if len(seen) == 1:
            raise ValueError
        sighted(sightings)

    monkeypatch.setattr(routing, "sighted", faulty)
    keeping = asyncio.create_task(two.heart.run())
    await until(lambda: len(seen) > 2)
    keeping.cancel()


async def test_lease_does_not_wait_while_guests_are_asked_after(
    nodes: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = Beating(nodes["two"])
    asked, answered = asyncio.Queue[None](), asyncio.Event()

    async def hanging() -> None:
        asked.put_nowait(None)
        await answered.wait()
        raise StoreError("the database is gone")

    monkeypatch.setattr(two.home.node.routing, "expire_guests", hanging)
    await two.beat()
    await two.beat()
    await asked.get()
    assert asked.empty()
    answered.set()
    await until(lambda: two.heart._expiring_guests is not None and two.heart._expiring_guests.done())
    await two.beat()
    await asked.get()


async def test_rooms_of_two_nodes_that_fail_together_go_on_at_the_last_one() -> None:
    async with cluster("one", "two", "three") as nodes:
        three, codes = Beating(nodes["three"]), list[str]()
        async with open_socket(nodes["one"].url) as socket, open_socket(nodes["two"].url) as other:
            codes.append(await room_at(nodes["one"], socket))
            await other.hello("bert")
            codes.append((await other.ask("create", "joined", game="uno", seats=2))["room"])
            await nodes.kill("one")
            await three.beat()
            assert codes[1] not in three.home.lobby.rooms.loaded
            nodes.shared.die("two")  # frozen: its sockets stay open, and it says nothing
            await three.beat()
            assert [three.home.lobby.rooms.loaded[code].room.state.epoch for code in codes] == [2, 2]
            two = Beating(nodes["two"])
            await two.beat()
            assert not two.home.lobby.rooms.loaded.keys() & set(codes)
            assert (await other.until("bye"))["code"] == "retry"


async def test_room_of_ones_own_is_stored_when_the_machine_has_time_again(
    nodes: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = Beating(nodes["two"])
    commit = two.home.store.commit

    async def refuse(writes: Any) -> Any:
        if len(two.waits) < 8:
            nodes.shared.die("two")
        return await commit(writes)

    monkeypatch.setattr(two.home.store, "commit", refuse)
    with capture_logs() as logs:
        code = await two.heart.open_own_room("uno", 10)
    assert (nodes.shared.rooms[code].owner, two.home.node.own_room.code) == ("two", code)
    assert code in two.home.lobby.rooms.loaded
    assert two.waits == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    tried = [entry for entry in logs if "wait" in entry]
    assert [entry["wait"] for entry in tried] == two.waits
    assert {entry["log_level"] for entry in tried} == {"warning"}


async def test_room_of_ones_own_that_can_never_be_stored_is_given_up(
    nodes: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = Beating(nodes["two"])
    monkeypatch.setattr(two.home.store, "commit", AsyncMock(side_effect=NotStored("the database is full")))
    with pytest.raises(NotStored):
        await two.heart.open_own_room("uno", 10)
    assert OPENING / 2 < sum(two.waits) < OPENING


async def test_room_that_could_not_be_loaded_is_loaded_with_the_next_beat(
    nodes: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = Beating(nodes["two"])
    async with open_socket(nodes["one"].url) as socket:
        code = await room_at(nodes["one"], socket)
        await nodes.kill("one")
    load = two.home.store.load

    async def taken_and_lost(room: str) -> Any:
        monkeypatch.setattr(two.home.store, "load", load)
        await load(room)
        raise StoreError("the answer was lost")

    monkeypatch.setattr(two.home.store, "load", taken_and_lost)
    await two.beat()
    assert code not in two.home.lobby.rooms.loaded
    await two.beat()
    assert two.home.lobby.rooms.loaded[code].room.state.epoch == 3


async def test_room_that_others_have_taken_is_let_go_and_its_people_are_told_to_come_back(nodes: Cluster) -> None:
    one = Beating(nodes["one"])
    async with open_socket(nodes["one"].url) as socket, open_socket(nodes["one"].url) as other:
        code = await room_at(nodes["one"], socket)
        await other.hello("bert")
        nodes.shared.living.pop("one")
        await nodes["two"].heartbeat()
        await one.beat()
        assert code not in one.home.lobby.rooms.loaded
        assert (await socket.until("bye"))["code"] == "retry"
        await other.ask("ping", "pong")


async def test_node_that_is_not_heard_lets_go_of_everything_and_goes_on_when_it_is(nodes: Cluster) -> None:
    one = Beating(nodes["one"])
    async with open_socket(nodes["one"].url) as socket:
        code = await room_at(nodes["one"], socket)
        one.failures = [StoreError("gone")] * 3
        await one.beat()
        one.time = LEASE * (1 - MARGIN)
        await one.beat()
        assert not one.heart.released
        one.time += 0.01
        await one.beat()
        assert one.heart.released
        assert not one.home.lobby.rooms.loaded
        assert (await socket.until("bye"))["code"] == "retry"
    await one.beat()
    assert not one.heart.released
    assert one.home.lobby.rooms.loaded[code].room.state.epoch == 2


async def test_renewal_that_hangs_does_not_keep_a_node_from_falling_silent(nodes: Cluster) -> None:
    one = Beating(nodes["one"])
    one.time, one.hangs = 100.0, asyncio.Event()
    beating = asyncio.create_task(one.heart.beat())
    await until(lambda: one.heart.released)
    one.hangs.set()
    await beating
    assert not one.heart.released


async def test_node_whose_name_another_process_has_stops(nodes: Cluster) -> None:
    one = Beating(nodes["one"], failures=[Fenced("replaced")])
    await one.beat()
    assert one.heart.released
    assert one.home.node.stopping.is_set()


async def test_stopping_node_takes_nothing_over(nodes: Cluster) -> None:
    two = Beating(nodes["two"])
    async with open_socket(nodes["one"].url) as socket:
        await room_at(nodes["one"], socket)
        await nodes.kill("one")
    two.home.lobby.drain(0)
    await two.beat()
    assert not two.home.lobby.rooms.loaded


async def test_empty_room_that_another_node_kept_is_closed_and_our_own_stays(nodes: Cluster) -> None:
    one, two = nodes["one"], Beating(nodes["two"])
    theirs = await one.node.own_room.open("uno", 4)
    ours = await two.home.node.own_room.open("uno", 4)
    await nodes.kill("one")
    await two.beat()
    assert theirs in two.home.lobby.rooms.loaded
    await two.beat()
    assert set(two.home.lobby.rooms.loaded) == {ours}
    assert isinstance(two.home.store, SharedStore)
    assert not nodes.shared.rooms[theirs].open
