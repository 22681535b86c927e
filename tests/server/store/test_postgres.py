"""Several nodes at one PostgreSQL database: who owns what, who may write, and what becomes of a commit that is cut."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from itertools import count
from math import inf
from typing import Any

import asyncpg
import pytest
from msgspec.structs import replace
from tests.server.store.writes import FIRST_COLUMNS, ROOM, conflict, identity, line, lines, match, opened
from tests.support.postgres import Postgres
from tests.support.waiting import until
from tests.support.wires import Wire

from parlour_games.chain import CheckedChain, Link
from parlour_server.persistence import (
    DropIdentity,
    Member,
    Rated,
    SaveContest,
    SaveLink,
    SaveMissed,
    SavePairing,
    SaveRoom,
    SaveSeat,
    SaveTicket,
    Write,
)
from parlour_server.store.base import CannotOpen, Elsewhere, Fenced, NotStored, StoreError
from parlour_server.store.postgres import procedures
from parlour_server.store.postgres import schema as tables
from parlour_server.store.postgres.connections import Lost, run
from parlour_server.store.postgres.procedures import Batch, PostgresProcedures
from parlour_server.store.postgres.store import TOGETHER, PostgresStore
from parlour_server.store.schema import count_matches, steps

pytestmark = pytest.mark.postgres
Open = Callable[..., Awaitable["Node"]]


class Node(PostgresStore):
    """A node whose clock the test holds: it believes in its lease as long as the test likes."""

    time = 0.0

    def __init__(self, url: str, name: str, lease: int = 60_000) -> None:
        super().__init__(url, Member(name, f"wss://{name}", f"ws://{name}.inside", lease), lambda: self.time)

    async def expire(self) -> None:
        """Let the others believe that this node is dead."""
        await self._heart.run(lambda db: db.execute("UPDATE node SET expires = now() WHERE id = $1", self._id))

    async def fetch(self, statement: str, *arguments: Any) -> list[tuple[Any, ...]]:
        return await self._fetch(statement, *arguments, within=inf)


@pytest.fixture
async def start(database: str) -> AsyncIterator[Open]:
    """Starts nodes."""
    nodes: list[Node] = []

    async def start(name: str, url: str = database) -> Node:
        nodes.append(Node(url, name))
        await nodes[-1].index()
        return nodes[-1]

    yield start
    for node in nodes:
        await node.close()


@pytest.fixture
async def one(start: Open) -> Node:
    return await start("one")


@pytest.fixture
async def two(start: Open) -> Node:
    return await start("two")


def at(epoch: int, n: int, room: str = ROOM) -> Any:
    return replace(line(n, room), epoch=epoch)


async def test_room_of_a_living_node_is_elsewhere_until_it_is_closed(one: Node, two: Node) -> None:
    await one.commit(opened())
    with pytest.raises(Elsewhere) as found:
        await two.load(ROOM)
    assert (found.value.room, found.value.url, found.value.peer) == (ROOM, "wss://one", "ws://one.inside")
    assert (await two.renew("")).orphans == ()
    await one.commit([SaveRoom(ROOM, 1, False)])
    for room in (ROOM, "XXXX"):
        with pytest.raises(LookupError):
            await two.load(room)


async def test_rooms_of_the_dead_are_shared_out_and_each_taken_once(one: Node, two: Node, start: Open) -> None:
    codes = [f"A{number}" for number in range(40)]
    for code in codes:
        await one.commit(opened(code))
    three = await start("three")
    await one.expire()
    shares = [set((await node.renew("")).orphans) for node in (two, three)]
    assert sorted(shares[0] | shares[1]) == sorted(codes)
    assert not shares[0] & shares[1]
    assert all(shares)
    assert (await two.load("A0"))[0] == 2
    with pytest.raises(Elsewhere):
        await three.load("A0")


async def test_rooms_that_are_wanted_at_a_time_are_taken_together(one: Node, two: Node, start: Open) -> None:
    rooms = [f"A{number:03}" for number in range(2 * TOGETHER)]
    await one.commit([write for room in rooms for write in (*opened(room), line(1, room))])
    await (await start("three")).commit(opened("B000"))
    await one.expire()
    found = await asyncio.gather(*map(two.load, [*rooms, "B000", "ZZZZ"]), return_exceptions=True)
    assert found[:-2] == [(2, lines(2, room)) for room in rooms]
    assert [type(each) for each in found[-2:]] == [Elsewhere, LookupError]
    statements = await two.fetch("SELECT DISTINCT xmin::text FROM room WHERE code = ANY($1)", rooms)
    assert len(statements) <= 4


async def test_node_that_stands_still_in_a_transaction_holds_nobody_up_for_longer_than_its_lease(
    one: Node, database: str
) -> None:
    frozen = Node(database, "frozen", 400)
    await frozen.index()
    locked = asyncio.Event()

    async def hold(db: Any) -> None:
        await db.execute("BEGIN")
        await db.execute("SELECT pg_advisory_xact_lock(7)")
        locked.set()
        await asyncio.Event().wait()

    holding = asyncio.create_task(frozen._writer.run(hold))
    await locked.wait()
    assert await frozen.fetch("SHOW idle_in_transaction_session_timeout") == [("200ms",)]
    await one.fetch("SELECT pg_advisory_lock(7)")
    holding.cancel()
    await frozen.close()


async def test_what_a_node_says_after_its_room_was_taken_is_refused(one: Node, two: Node) -> None:
    await one.commit([*opened(), *opened("BBBB")])
    await one.expire()
    assert await two.load(ROOM) == (2, lines(1))
    assert (await conflict(one.commit([line(1), line(1, "BBBB")]))).rooms == {ROOM}
    await one.commit([line(1, "BBBB")])
    await two.commit([at(2, 1)])
    assert await two.match_lines("d") is None
    assert (await two.load(ROOM))[1] == lines(2)


async def test_line_that_came_between_reading_and_taking_makes_the_new_owner_read_again(one: Node, two: Node) -> None:
    await one.commit(opened())
    await one.expire()
    gate = await asyncpg.connect(one._writer._url)
    held = gate.transaction()
    await held.start()  # a commit of the old owner that has passed the check and is on its way
    await gate.execute("INSERT INTO parlour.event VALUES ($1, 1, 1, 'late')", ROOM)
    epoch, found = await two.load(ROOM)
    assert found == lines(1)
    barrier = asyncio.create_task(two.commit([at(epoch, 1)]))
    await held.commit()
    assert (await conflict(barrier)).rooms == {ROOM}
    assert (await two.load(ROOM))[1] == [*lines(1), "late"]
    await gate.close()


async def test_released_room_can_be_taken_at_once(one: Node, two: Node) -> None:
    await one.commit(opened())
    await one.release(ROOM)
    assert (await two.renew("")).orphans + (await one.renew("")).orphans == (ROOM,)
    assert await two.load(ROOM) == (2, lines(1))


async def test_code_that_another_node_has_given_away_is_refused(one: Node, two: Node) -> None:
    await one.commit(opened())
    assert (await conflict(two.commit([*opened(), *opened("BBBB")]))).rooms == {ROOM}
    assert await two.fetch("SELECT code FROM room") == [(ROOM,)]


async def test_nodes_see_each_other_and_what_they_publish(one: Node, two: Node) -> None:
    await one.renew("[1]")
    seen = await two.renew("")
    [peer] = seen.peers
    assert 50 < seen.soonest < 60
    assert (peer.name, peer.url, peer.peer, peer.rows) == ("one", "wss://one", "ws://one.inside", "[1]")
    assert (await two.renew("")).peers == (peer,)
    one.introduce("wss://other", "ws://other")
    await one.renew("[2]")
    [peer] = (await two.renew("")).peers
    assert (peer.url, peer.peer, peer.rows) == ("wss://other", "ws://other", "[2]")
    await one.close()
    assert (await two.renew("")).peers == ()


async def test_node_that_cannot_renew_in_time_falls_silent(one: Node) -> None:
    await one.commit(opened())
    one.time += 46
    assert not one.living
    with pytest.raises(Fenced):
        await one.commit([line(1)])
    with pytest.raises(Fenced):
        await one.load(ROOM)
    await one.renew("")
    await one.commit([line(1)])


async def test_who_was_thought_dead_hears_which_rooms_it_has_lost(one: Node, two: Node) -> None:
    await one.commit([*opened(), *opened("BBBB")])
    await one.expire()
    await two.load(ROOM)
    assert (await one.renew("")).lost == (ROOM,)
    assert (await one.renew("")).lost == ()


async def test_tables_are_made_once_and_newer_ones_are_refused(one: Node, start: Open) -> None:
    await start("two")
    assert await one.fetch("SELECT max(number), count(*) FROM version") == [(tables.VERSION, tables.VERSION)]
    await one.fetch("INSERT INTO version VALUES (99)")
    with pytest.raises(CannotOpen, match="newer parlour"):
        await start("three")


WITH_STANDINGS = 12
_OLD_NAME = """
INSERT INTO identity (who, name, kind, banned, muted, house, writer) VALUES ($1, $2, 'human', FALSE, FALSE, FALSE, 0)
"""


@pytest.mark.parametrize("version", range(1, tables.VERSION))
async def test_tables_of_each_version_take_new_results(start: Open, database: str, version: int) -> None:
    db = await asyncpg.connect(database, server_settings={"search_path": "parlour"})
    await db.execute("CREATE SCHEMA parlour; CREATE TABLE version (number integer)")
    for number, step in enumerate(tables.STEPS[:version], start=1):
        await run(db, steps(step))
        await db.execute("INSERT INTO version VALUES ($1)", number)
    await db.execute("INSERT INTO match VALUES ('d0', 'K7QD', 'uno', 0, 0, TRUE, 1000)")
    await db.execute(f"INSERT INTO result {FIRST_COLUMNS} VALUES ('d0', 0, 'id-bot', 'bot', 'bot', 1, 0)")
    await db.execute(f"INSERT INTO result {FIRST_COLUMNS} VALUES ('d0', 1, 'id-anna', 'anna', 'human', 2, 0)")
    if version >= WITH_STANDINGS:
        await run(db, count_matches())  # as the commit of a match did
    await db.execute(_OLD_NAME, "id-cleo", "cleo")
    await db.close()
    one = await start("one")
    assert [each.name for each in (await one.known(["C1EO"], [])).identities] == ["cleo"]
    await one.commit([*opened(), match("d1", ("bot", 1, 50), ("anna", 2, 0), styles={"bot": "llm"})])
    rows, _ = await one.standings(None, None, 10)
    assert [(row["games"], row.get("style")) for row in rows] == [(2, "llm"), (2, None)]


async def test_database_that_is_not_there(postgres: Postgres) -> None:
    for url in (f"postgresql://postgres@127.0.0.1:{postgres.port}/nothing", "postgresql://nobody@127.0.0.1:1/x"):
        with pytest.raises(CannotOpen):
            await Node(url, "one").index()


async def test_lease_of_a_node_that_has_waited_for_that_of_its_predecessor_begins_when_it_enters(database: str) -> None:
    ticks, me = count(), Member("one", "", "ws://one.inside", 500)
    nodes = [PostgresStore(database, me, lambda: next(ticks) / 10) for _ in range(2)]
    for node in nodes:
        await node.index()
    assert nodes[1].living
    for node in nodes:
        await node.close()


async def test_name_of_a_living_node_is_refused_and_that_of_a_dead_one_is_free(one: Node, database: str) -> None:
    again = Node(database, "one")
    waiting = asyncio.create_task(again.index())
    while not again._seen and not waiting.done():
        again.time += 1
        await asyncio.sleep(0)
    with pytest.raises(CannotOpen, match="--node"):
        await waiting
    await one.expire()
    await again.index()
    for silenced in (one.renew(""), one.commit(opened())):
        with pytest.raises(Fenced, match="another process"):
            await silenced
    await again.close()


async def test_a_slow_answer_about_the_predecessor_is_not_the_last_one(
    one: Node, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, enter = Node(database, "one"), procedures.enter

    async def slowly(db: Any, me: Member) -> int | None:
        found = await enter(db, me)
        if found is None:
            await one.expire()
            again.time += 1_000  # for so long nobody let this process go on
        return found

    monkeypatch.setattr(procedures, "enter", slowly)
    await again.index()
    assert again.living
    await again.close()


async def test_who_lost_the_database_while_it_entered_tries_again(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    node, enter, lost = Node(database, "one"), procedures.enter, list[Lost]()

    async def breaking(db: Any, me: Member) -> int | None:
        if not lost:
            lost.append(Lost("idle for too long in a transaction"))
            raise lost[0]
        return await enter(db, me)

    monkeypatch.setattr(procedures, "enter", breaking)
    await node.index()
    assert node.living
    await node.close()


async def test_nodes_add_to_one_chain(one: Node, two: Node) -> None:
    async def add(node: Node, name: str) -> None:
        for number in range(10):
            await node.commit([SaveLink(f"{name}{number}" * 32)])

    await asyncio.gather(add(one, "a"), add(two, "b"))
    chain = CheckedChain()
    for link in await one.chain(0, 100):
        chain.add(Link(link["n"], link["at"], link["match"], link.get("over"), link["hash"]))
    assert len(chain.begun) == 20


async def test_people_are_known_by_name_secret_or_id_with_their_seats(one: Node, two: Node) -> None:
    anna = identity("Anna", key="secret", previous="oldest older")
    await one.commit([anna, *opened(), SaveSeat(ROOM, anna.who, True)])
    rated, _ = await one.commit([match("d1", ("Anna", 1, 50), ("bert", 2, 0))])
    secrets: list[tuple[list[str], ...]] = [([], [each]) for each in ("secret", "Anna-token", "oldest", "older")]
    asks: list[tuple[list[str], ...]] = [(["ANNA"], []), *secrets, ([], [], [anna.who])]
    for ask in asks:
        known = await two.known(*ask)
        assert known.identities == (anna,)
        assert known.seats == ((ROOM, anna.who),)
        assert known.abroad == {anna.who}
        assert known.ratings == (rated,)
    assert (await one.known(["anna"], [])).abroad == frozenset()
    assert (await two.known(["bert"], ["x"], ["y"])).identities == ()


async def test_only_who_has_adopted_the_latest_may_change_somebody(one: Node, two: Node) -> None:
    anna = identity("anna")
    await one.commit([anna])
    two.adopt(await two.known(["anna"], []), anna.who)
    newer = replace(anna, token="newer")
    await two.commit([newer])
    read = await one.known([], [], [anna.who])
    assert read.identities == (newer,)
    assert (await conflict(one.commit([replace(anna, token="older"), *opened()]))).people == {anna.who}
    assert await one.fetch("SELECT code FROM room") == []
    one.adopt(read, anna.who)
    await one.commit([replace(newer, banned=True)])


async def test_name_that_another_node_has_given_away_is_refused(one: Node, two: Node) -> None:
    await one.commit([identity("anna")])
    other = replace(identity("ANNA"), who="somebody-else")
    assert (await conflict(two.commit([other]))).people == {"somebody-else"}
    await one.commit([DropIdentity("id-anna"), replace(other, who="third")])
    assert await one.fetch("SELECT who FROM identity") == [("third",)]


async def test_keys_that_never_played_go_with_the_node_that_knew_them(one: Node, two: Node) -> None:
    anna, bert, cleo = identity("anna", key="a"), identity("bert", key="b"), identity("cleo")
    await one.commit([anna, bert, cleo, *opened(), match("d1", ("bert", 1, 50), ("dora", 2, 0))])
    known = await two.known(["anna", "bert", "cleo"], [])
    assert known.unplayed == {anna.who, cleo.who}
    await one.fetch("UPDATE identity SET saved = now() - interval '2 hours'")
    for node_lives, kept, most, left in (
        (True, 3_600, 9, {"anna", "bert", "cleo"}),
        (False, None, 9, {"anna", "bert", "cleo"}),
        (False, 3_600, 0, {"anna", "bert", "cleo"}),
        (False, 3_600, 1, {"bert", "cleo"}),
    ):
        if not node_lives:
            await one.expire()
        two.me = replace(two.me, unplayed_kept=kept)
        await two.prune(0, "", names=most)
        assert {name for (name,) in await two.fetch("SELECT name FROM identity")} == left


async def test_guest_of_another_node_is_not_ours_to_forget(one: Node, two: Node) -> None:
    await one.commit([identity("anna"), identity("bert")])
    known = await two.known(["anna", "bert"], [])
    for guest in known.identities:
        two.adopt(known, guest.who)
    await one.commit([*opened(), match("d1", ("anna", 2, 10), ("cleo", 1, 20)), SaveMissed("id-anna", "d1")])
    await two.commit([DropIdentity("id-anna"), DropIdentity("id-bert", erased=True)])
    assert [row["digest"] for row in await two.missed("id-anna")] == ["d1"], "it is still there"
    assert await one.fetch("SELECT name FROM identity") == [("anna",)]
    await one.commit([DropIdentity("id-anna")])
    assert await one.fetch("SELECT name FROM identity") == []


async def test_result_of_a_match_that_ends_at_another_node_does_not_tell_an_erased_name(one: Node, two: Node) -> None:
    await one.commit([identity("anna"), identity("bert"), *opened("BBBB")])
    await two.commit([DropIdentity("id-anna", erased=True)])
    await one.commit([match("d", ("anna", 1, 9), ("bert", 2, 0), room="BBBB")])
    assert await one.fetch("SELECT who, name FROM result ORDER BY seat") == [("", "deleted"), ("id-bert", "bert")]


async def hears_nothing(node: Node) -> bool:
    return (await node.renew("")).changes == ()


async def test_changes_of_others_are_told_and_own_ones_are_not(one: Node, two: Node) -> None:
    anna, cup = identity("anna"), SaveContest("cup", '{"entrants": []}', False)
    await one.commit([anna, cup, SavePairing("cup", 0, ROOM, None), match("d", ("anna", 1, 5), ("bert", 2, 0))])
    changes = (await two.renew("")).changes
    assert {anna, cup, SavePairing("cup", 0, ROOM, None)} <= set(changes)
    assert {change.who for change in changes if isinstance(change, Rated)} == {"id-anna", "id-bert"}
    await until(partial(hears_nothing, two))  # told again only while older transactions are open
    assert await hears_nothing(one)
    await one.commit([DropIdentity(anna.who, erased=True)])
    assert DropIdentity(anna.who, erased=True) in (await two.renew("")).changes


async def test_ticket_admits_once_and_not_for_long(one: Node, two: Node) -> None:
    anna = identity("anna")
    await one.commit([anna, SaveTicket("good", anna.who, ROOM, 30_000), SaveTicket("old", anna.who, ROOM, -1)])
    assert await two.take_ticket("good") == (anna.who, ROOM)
    for ticket in ("good", "old", "never"):
        assert await two.take_ticket(ticket) is None


async def test_contest_has_one_holder_and_goes_to_another_when_that_dies(one: Node, two: Node) -> None:
    await one.commit([SaveContest("cup", "{}", False), SavePairing("cup", 0, ROOM, None)])
    assert [sorted((await node.renew("")).contests) for node in (one, two)] == [["cup"], []]
    writes: list[Write] = [SaveContest("cup", "[]", False), SavePairing("cup", 0, "BBBB", None)]
    for write in writes:
        assert (await conflict(two.commit([write]))).contests == {"cup"}
    await two.commit([SavePairing("cup", 0, ROOM, "first")])
    await one.commit([SavePairing("cup", 0, ROOM, "second")])
    assert await one.fetch("SELECT result FROM pairing") == [("first",)]
    await one.expire()
    assert (await two.renew("")).contests == {"cup"}


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("lost", ["question", "answer"])
async def test_outcome_of_a_cut_commit_is_found_out(
    start: Open, one: Node, lost: str, plain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = identity("anna")
    await one.commit([*opened(), anna])
    write = procedures.write

    async def cut(db: Any, *arguments: Any, **more: Any) -> Any:
        monkeypatch.setattr(procedures, "write", write)
        done = await write(db, *arguments, **more) if lost == "answer" else None
        db.terminate()
        await db.fetchval("SELECT 1")
        return done

    monkeypatch.setattr(procedures, "write", cut)
    more: list[Write] = [] if plain else [replace(anna, muted=True), match("d", ("anna", 1, 5), ("bert", 2, 0))]
    rated = await one.commit([line(1), *more])
    assert {change.who for change in rated} == (set() if plain else {"id-anna", "id-bert"})
    assert (await one.load(ROOM))[1] == lines(2)
    await one.commit([replace(anna, muted=True, banned=True)])


async def test_commit_that_comes_late_is_void_once_it_was_asked_after(one: Node) -> None:
    await one.commit(opened())
    late = partial(procedures.write, me=PostgresProcedures(one._id, {}), batch=Batch([line(1)]), nth=one._nth + 1)
    assert await one._outcome(one._nth + 1) is None
    with pytest.raises(Fenced):
        await one._writer.run(late)
    one._nth += 1
    await one.commit([line(1)])
    assert (await one.load(ROOM))[1] == lines(2)


async def test_commit_waits_while_the_database_restarts(one: Node, postgres: Postgres) -> None:
    await one.commit(opened())
    await asyncio.to_thread(postgres.crash)
    waiting = asyncio.create_task(one.commit([line(1)]))
    await asyncio.sleep(0)
    await asyncio.to_thread(postgres.start)
    assert await waiting == []
    assert (await one.load(ROOM))[1] == lines(2)


async def test_commit_that_nobody_hears_of_is_given_up(one: Node, start: Open, postgres: Postgres) -> None:
    async with Wire("127.0.0.1", postgres.port) as wire:
        url = one._writer._url.replace(f":{postgres.port}/", f":{wire.port}/")
        three = await start("three", url)
        await three.commit(opened())
        wire.hold()
        for link in (three._writer, three._heart):
            link._patience = 0.05
        waiting = asyncio.create_task(three.commit([line(1)]))
        with pytest.raises(StoreError):
            await three.renew("")
        three.time += 100
        with pytest.raises(NotStored):
            await waiting
        wire.cut()
        wire.release()
