"""The SQLite store: what is written is there again, all of it or nothing, and only for one server at a time."""

import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from pathlib import Path

import attrs
import pytest
from tests.server.store.writes import ROOM, identity, line, lines, match, opened

from parlour_server.rooms.effects import AppendLine, DropIdentity, SaveContest, SaveRoom, SaveSeat
from parlour_server.store.port import Index, NotStored, StoreError
from parlour_server.store.sqlite import SqliteStore

Reopen = Callable[[], Awaitable[SqliteStore]]

NOBODY = 65_534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "parlour.db"


@pytest.fixture
async def reopen(path: Path) -> AsyncIterator[Reopen]:
    """Returns the store as the next server has it: the one before is closed."""
    opened: list[SqliteStore] = []

    async def reopen() -> SqliteStore:
        while opened:
            await opened.pop().close()
        opened.append(SqliteStore(path))
        return opened[0]

    yield reopen
    while opened:
        await opened.pop().close()


@pytest.fixture
async def store(reopen: Reopen) -> SqliteStore:
    return await reopen()


# --- what is written is there again -----------------------------------------------------------------------


async def test_new_store_is_empty(store: SqliteStore) -> None:
    assert await store.index() == Index((), (), (), (), ())
    assert await store.standings(None, None, 10) == ([], None)
    assert await store.match_lines("d") is None


async def test_rooms_are_in_the_index(store: SqliteStore, reopen: Reopen) -> None:
    await store.commit([*opened("AAAA"), *opened("BBBB", kept=True), *opened("CCCC")])
    await store.commit([SaveRoom("CCCC", 1, False)])
    index = await (await reopen()).index()
    assert set(index.open_rooms) == {"AAAA", "BBBB"}
    assert index.kept_rooms == ("BBBB",)
    assert set(index.codes) == {"AAAA", "BBBB", "CCCC"}


async def test_closed_kept_room_is_not_kept(store: SqliteStore) -> None:
    await store.commit([*opened("BBBB", kept=True), SaveRoom("BBBB", 1, False)])
    index = await store.index()
    assert (index.open_rooms, index.kept_rooms, index.codes) == ((), (), ("BBBB",))


async def test_identity_is_what_was_saved_last(store: SqliteStore, reopen: Reopen) -> None:
    anna = identity("anna", key="k", previous="p", banned=True)
    bot = identity("bot", kind="bot", token=None, muted=True, house=True)
    await store.commit([identity("anna"), bot, anna, identity("gone"), DropIdentity("id-gone")])
    store = await reopen()
    assert set((await store.index()).identities) == {anna, bot}


async def test_an_erased_identity_is_in_no_standings_and_its_name_in_no_result(store: SqliteStore, path: Path) -> None:
    plan = {"name": "cup", "entrants": [{"who": "id-anna", "name": "anna"}, {"who": "id-bert", "name": "bert"}]}
    played = match("d", ("anna", 1, 9), ("bert", 2, 0))
    contest = SaveContest("cup", json.dumps(plan), False)
    await store.commit([identity("anna"), identity("bert"), *opened(), played, contest])
    before = {row["name"]: row for row in (await store.standings(None, None, 10))[0]}
    assert before.keys() == {"anna", "bert"}
    await store.commit([DropIdentity("id-anna", erased=True)])
    after = {row["name"]: row for row in (await store.standings(None, None, 10))[0]}
    assert after == {name: row for name, row in before.items() if name != "anna"}
    index = await store.index()
    assert "id-anna" not in {rated.who for rated in index.ratings} | {known.who for known in index.identities}
    assert [entrant["name"] for entrant in json.loads(index.contests[0].plan)["entrants"]] == ["deleted", "bert"]
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM result WHERE name = 'anna'").fetchone() == (0,)
        assert db.execute("SELECT count(*) FROM result WHERE who = ''").fetchone() == (1,)


async def test_who_was_deleted_in_the_middle_of_a_match_is_not_rated_at_its_end(store: SqliteStore) -> None:
    played = match("d", ("anna", 1, 9), ("bert", 2, 5), ("cleo", 3, 0))
    anna, *others = played.match.rows
    rows = (attrs.evolve(anna, who="", name="deleted"), *others)
    rated = await store.commit([*opened(), attrs.evolve(played, match=attrs.evolve(played.match, rows=rows))])
    assert {change.who for change in rated} <= {row.who for row in others}
    assert not [change for change in (await store.index()).ratings if not change.who]
    assert "deleted" not in {row["name"] for row in (await store.standings(None, None, 10))[0]}


async def test_seats_are_in_the_index_until_they_are_left(store: SqliteStore) -> None:
    await store.commit([*opened(), SaveSeat(ROOM, "a", True), SaveSeat(ROOM, "a", True), SaveSeat(ROOM, "b", True)])
    assert set((await store.index()).seats) == {(ROOM, "a"), (ROOM, "b")}
    await store.commit([SaveSeat(ROOM, "a", False), SaveSeat(ROOM, "nobody", False)])
    assert (await store.index()).seats == ((ROOM, "b"),)


async def test_lines_come_back_in_order_and_by_room(store: SqliteStore) -> None:
    await store.commit([*opened(), *opened("BBBB"), line(1), line(1, "BBBB")])
    await store.commit([line(number) for number in range(2, 12)])
    assert (await store.load(ROOM))[1] == lines(12)
    assert (await store.load("BBBB"))[1] == lines(2, "BBBB")


async def test_epoch_grows_at_each_load(store: SqliteStore, reopen: Reopen) -> None:
    await store.commit(opened())
    assert [(await store.load(ROOM))[0] for _ in range(3)] == [2, 3, 4]
    assert (await (await reopen()).load(ROOM))[0] == 5


async def test_saving_a_room_again_leaves_its_epoch(store: SqliteStore) -> None:
    await store.commit(opened())
    await store.load(ROOM)
    await store.commit([SaveRoom(ROOM, 1, True)])
    assert (await store.load(ROOM))[0] == 3


async def test_unknown_room_cannot_be_loaded(store: SqliteStore) -> None:
    with pytest.raises(LookupError):
        await store.load(ROOM)


async def test_match_lines_are_those_of_the_match_alone(store: SqliteStore) -> None:
    await store.commit([*opened(), *(line(number) for number in range(1, 20)), match("d", first=3, last=17)])
    assert await store.match_lines("d") == lines(20)[3:18]
    assert await store.match_lines("e") is None


async def test_lines_of_a_closed_room_can_still_be_had(store: SqliteStore) -> None:
    await store.commit([*opened(), match("d"), SaveRoom(ROOM, 1, False)])
    assert await store.match_lines("d") == lines(1)


# --- standings ---------------------------------------------------------------------------------------------


async def test_standings_count_rated_matches(store: SqliteStore) -> None:
    await store.commit([
        match("1", ("anna", 1, 500), ("bot", 2, 100)),
        match("2", ("anna", 2, 30), ("bot", 1, 520)),
        match("3", ("anna", 1, 501), ("bot", 2, 0)),
        match("4", ("bot", 1, 9_000), rated=False),
    ])  # fmt: skip
    rows, after = await store.standings(None, None, 10)
    assert rows == [
        {"name": "anna", "kind": "human", "games": 3, "wins": 2, "points": 1_031},
        {"name": "bot", "kind": "bot", "games": 3, "wins": 1, "points": 620},
    ]
    assert after is None


async def test_standings_of_one_game(store: SqliteStore) -> None:
    await store.commit([match("1", ("anna", 1, 1)), match("2", ("bert", 1, 1), game="minesweeper")])
    assert [row["name"] for row in (await store.standings("uno", None, 10))[0]] == ["anna"]
    assert (await store.standings("chess", None, 10))[0] == []


async def test_standings_are_ordered_by_wins_then_points_then_name(store: SqliteStore) -> None:
    await store.commit([
        match("1", ("rich", 2, 900), ("zoe", 1, 20), ("amy", 1, 20)),
        match("2", ("rich", 2, 900), ("bob", 1, 21)),
    ])  # fmt: skip
    assert [row["name"] for row in (await store.standings(None, None, 10))[0]] == ["bob", "amy", "zoe", "rich"]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8])
async def test_pages_of_standings_make_up_the_whole(store: SqliteStore, limit: int) -> None:
    names = [f"n{number}" for number in range(7)]
    await store.commit([match(name, (name, 1, 100 - place)) for place, name in enumerate(names)])
    found: list[str] = []
    after: str | None = None
    for _ in range(8):
        rows, after = await store.standings("uno", after, limit)
        found += [row["name"] for row in rows]
        assert len(rows) <= limit
        if after is None:
            break
    assert found == names


@pytest.mark.parametrize("after", ["", "x", "-1", "1e3", "9" * 40, "²"])
async def test_senseless_page_of_standings_is_the_first(store: SqliteStore, after: str) -> None:
    await store.commit([match("1", ("anna", 1, 1))])
    assert len((await store.standings(None, after, 10))[0]) == 1


# --- all or nothing ----------------------------------------------------------------------------------------


async def test_failing_write_in_the_middle_stores_nothing(store: SqliteStore, reopen: Reopen) -> None:
    await store.commit([*opened(), match("d", ("anna", 1, 1))])
    before = await store.index()
    doomed = [line(1), *opened("BBBB"), identity("bert"), SaveSeat(ROOM, "b", True), match("d"), identity("cleo")]
    with pytest.raises(NotStored):
        await store.commit(doomed)
    store = await reopen()
    assert await store.index() == before
    assert (await store.load(ROOM))[1] == lines(1)


async def test_line_cannot_be_stored_twice(store: SqliteStore) -> None:
    await store.commit(opened())
    with pytest.raises(NotStored):
        await store.commit([line(1), attrs.evolve(line(0), line="another history")])
    assert (await store.load(ROOM))[1] == lines(1)


async def test_store_goes_on_after_a_failure(store: SqliteStore) -> None:
    await store.commit(opened())
    with pytest.raises(NotStored):
        await store.commit([line(0)])
    await store.commit([line(1)])
    assert (await store.load(ROOM))[1] == lines(2)


async def test_full_disk_stores_nothing_and_passes(store: SqliteStore) -> None:
    await store.commit(opened())
    await _pragma(store, "max_page_count = 1")
    with pytest.raises(NotStored, match="full"):
        await store.commit([line(1), AppendLine(ROOM, 1, 2, "x" * 100_000)])
    await _pragma(store, "max_page_count = 1000000")
    assert (await store.load(ROOM))[1] == lines(1)
    await store.commit([line(1)])


async def _pragma(store: SqliteStore, pragma: str) -> int:
    return int((await store._run(lambda: store._db.execute(f"PRAGMA {pragma}").fetchone()))[0])


async def test_what_is_committed_is_there_for_others_at_once(store: SqliteStore, path: Path) -> None:
    await store.commit(opened())
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT line FROM record").fetchall() == [(lines(1)[0],)]


async def test_commits_are_synced_to_disk(store: SqliteStore, tmp_path: Path) -> None:
    full = 2
    assert await _pragma(store, "synchronous") == full
    loose = SqliteStore(tmp_path / "loose.db", synced=False)
    assert await _pragma(loose, "synchronous") == 0
    await loose.close()


async def test_broken_file_is_a_store_error_for_every_reader(store: SqliteStore, path: Path) -> None:
    await store.commit([*opened(), match("d")])
    with closing(sqlite3.connect(path)) as other:
        for table in ("record", "result"):
            other.execute(f"DROP TABLE {table}")
    for read in (store.load(ROOM), store.match_lines("d"), store.standings(None, None, 10)):
        with pytest.raises(StoreError, match="no such table"):
            await read


async def test_failed_load_leaves_the_epoch(store: SqliteStore, path: Path) -> None:
    await store.commit(opened())
    with closing(sqlite3.connect(path)) as other:
        other.execute("ALTER TABLE record RENAME TO away")
        with pytest.raises(StoreError):
            await store.load(ROOM)
        other.execute("ALTER TABLE away RENAME TO record")
    assert (await store.load(ROOM))[0] == 2
