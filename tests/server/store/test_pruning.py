"""Old rooms go, a little at a time; what is open, or not old, stays, and so do all results. On both stores."""

import pytest
from tests.server.store.writes import line, lines, match, opened
from tests.support.stores import FILE, execute

from parlour_server.persistence import Append, SaveRoom, SaveSeat
from parlour_server.rooms import records
from parlour_server.rooms.records import Closed
from parlour_server.store import procedures
from parlour_server.store.base import Store, StoreError

LONG_AGO, BEFORE = 1_000, 2_000


async def age(url: str, *digests: str, ended: int = LONG_AGO) -> None:
    """Let matches have ended long ago."""
    names = ", ".join(f"'{digest}'" for digest in digests)
    await execute(url, f"UPDATE match SET ended = {ended} WHERE digest IN ({names})")


async def room(store: Store, code: str, *digests: str, count: int = 3, closed: bool = True) -> None:
    """Store a room with matches in it, all of ``count`` lines."""
    matches = [match(each, ("anna", 1, 5), ("bert", 2, 0), room=code, last=count - 1) for each in digests]
    await store.commit([*opened(code), *(line(n, code) for n in range(1, count)), *matches])
    if closed:
        await store.commit([SaveRoom(code, 1, False)])


async def prune(store: Store) -> list[str]:
    """Remove all that is old; return the codes that became free."""
    freed: list[str] = []
    after: str | None = ""
    while after is not None:
        step = await store.prune(BEFORE, after)
        freed += step.freed
        after = step.after
    return freed


async def left(store: Store) -> set[str]:
    return set((await store.index()).codes)


async def test_closed_room_goes_when_all_its_matches_are_old(store: Store, url: str) -> None:
    for code, *digests in (("AAAA", "a1", "a2"), ("BBBB", "b1", "b2"), ("CCCC", "c1"), ("DDDD", "d1")):
        await room(store, code, *digests, closed=code != "DDDD")
    await age(url, "a1", "a2", "b1", "d1")
    await age(url, "c1", ended=BEFORE)
    assert await prune(store) == ["AAAA"]
    assert await left(store) == {"BBBB", "CCCC", "DDDD"}
    assert await store.match_lines("a1") is None
    assert await store.match_lines("b1") == lines(3, "BBBB")
    assert (await store.load("DDDD"))[1] == await store.match_lines("d1") == lines(3, "DDDD")


async def test_closed_room_without_a_match_goes_and_one_whose_game_kept_failing_stays(store: Store) -> None:
    await room(store, "AAAA")
    await store.commit([*opened("BBBB"), Append("BBBB", 1, 1, records.line(Closed(7, "failed"), 1))])
    await store.commit([SaveRoom("BBBB", 1, False)])
    assert await prune(store) == ["AAAA"]
    assert await left(store) == {"BBBB"}


async def test_results_and_ratings_stay_but_no_room_with_that_code_gets_the_old_match(store: Store, url: str) -> None:
    await room(store, "AAAA", "a1")
    await age(url, "a1")
    before = await store.standings("uno", None, 10), (await store.index()).ratings
    assert await prune(store) == ["AAAA"]
    assert (await store.standings("uno", None, 10), (await store.index()).ratings) == before
    assert [row["wins"] for row in before[0][0]] == [1, 0]
    await room(store, "AAAA", count=9, closed=False)
    assert await store.match_lines("a1") is None
    assert (await store.load("AAAA"))[1] == lines(9, "AAAA")


async def test_seats_of_a_removed_room_go_with_it(store: Store) -> None:
    await room(store, "AAAA")
    await room(store, "BBBB", closed=False)
    await store.commit([SaveSeat("AAAA", "anna", True), SaveSeat("BBBB", "anna", True)])
    await prune(store)
    assert (await store.index()).seats == (("BBBB", "anna"),)


@pytest.mark.parametrize("count", [9, 10, 11, 20, 25])
async def test_long_room_goes_in_several_steps(
    store: Store, url: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(procedures, "PRUNE_LINES", 10)
    await room(store, "AAAA", "a1", count=count)
    await room(store, "BBBB", "b1", closed=False)
    await age(url, "a1")
    table, sizes = "record" if url.startswith(FILE) else "event", list[int]()
    freed: list[str] = []
    after = ""
    while "AAAA" not in freed:
        step = await store.prune(BEFORE, after)
        sizes += [size for (size,) in await execute(url, f"SELECT COUNT(*) FROM {table} WHERE room = 'AAAA'")]
        assert await store.match_lines("a1") is None
        freed, after = [*freed, *step.freed], step.after or ""
    assert sizes == [max(0, count - 10 * step) for step in range(1, len(sizes) + 1)]
    assert len(sizes) == count // 10 + 1
    assert await store.match_lines("b1") == lines(3, "BBBB")


async def test_many_rooms_are_looked_at_in_several_steps(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(procedures, "PRUNE_ROOMS", 2)
    for code in "ABCDE":
        await room(store, code * 4, closed=code != "C")
    steps: list[tuple[str, ...]] = []
    after: str | None = ""
    while after is not None:
        step = await store.prune(BEFORE, after)
        steps.append(step.freed)
        after = step.after
    assert steps == [("AAAA", "BBBB"), ("DDDD",), ("EEEE",)]


async def test_failure_is_a_store_error_and_removes_nothing(store: Store, url: str) -> None:
    await room(store, "AAAA", "a1")
    await age(url, "a1")
    await execute(url, "ALTER TABLE seat RENAME TO away")
    with pytest.raises(StoreError):
        await store.prune(BEFORE, "")
    await execute(url, "ALTER TABLE away RENAME TO seat")
    assert await store.match_lines("a1") == lines(3, "AAAA")
