"""What every store promises: what is written is there again, all of it or nothing. On SQLite and on PostgreSQL."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from math import inf
from typing import Any

import pytest
from msgspec.structs import replace
from tests.server.store.writes import ROOM, identity, line, lines, match, opened

from parlour_games.chain import CheckedChain, Link
from parlour_games.statistics import BestTime
from parlour_server.persistence import (
    DropIdentity,
    DropMissed,
    DropPreset,
    DropWebhook,
    Index,
    Rated,
    SaveContest,
    SaveDaily,
    SaveLink,
    SaveMissed,
    SavePreset,
    SaveRoom,
    SaveSeat,
    SaveWebhook,
    StoredWebhook,
)
from parlour_server.store import procedures, results
from parlour_server.store.base import PAGE, NotStored, Store
from parlour_server.store.results import Rating, updated

Reopen = Callable[[], Awaitable[Store]]


async def look(store: Store, statement: str) -> list[tuple[Any, ...]]:
    """Return what a store's database answers."""
    return await store._fetch(statement, within=inf)


async def test_new_store_is_empty(store: Store) -> None:
    assert replace(await store.index(), daily="") == Index((), (), (), (), ())
    assert await store.standings(None, None, 10) == ([], None)
    assert await store.match_lines("d") is None


async def test_rooms_are_in_the_index(store: Store, reopen: Reopen) -> None:
    for kept, (stays, closed) in enumerate((("AAAA", "CCCC"), ("BBBB", "DDDD"))):
        await store.commit([*opened(stays, kept=kept > 0), *opened(closed, kept=kept > 0)])
        await store.commit([SaveRoom(closed, 1, False)])
    index = await (await reopen()).index()
    assert set(index.open_rooms) == {"AAAA", "BBBB"}
    assert index.kept_rooms == ("BBBB",)
    assert set(index.codes) == {"AAAA", "BBBB", "CCCC", "DDDD"}


async def test_identity_is_what_was_saved_last(store: Store, reopen: Reopen) -> None:
    anna = identity("anna", key="k", previous="p", banned=True)
    bot = identity("bot", kind="bot", token=None, muted=True, house=True)
    await store.commit([identity("anna"), bot, anna, identity("gone"), DropIdentity("id-gone")])
    store = await reopen()
    assert set((await store.index()).identities) == {anna, bot}


async def test_an_erased_identity_is_in_no_standings_no_profile_and_no_result(store: Store) -> None:
    plan = {"name": "cup", "entrants": [{"who": "id-anna", "name": "anna"}, {"who": "id-bert", "name": "bert"}]}
    played = match("d", ("anna", 1, 9), ("bert", 2, 0))
    contest = SaveContest("cup", json.dumps(plan), False)
    await store.commit([identity("anna"), identity("bert"), *opened(), played, contest])
    before = {row["name"]: row for row in (await store.standings(None, None, 10))[0]}
    assert before.keys() == {"anna", "bert"}
    await store.commit([DropIdentity("id-anna", erased=True)])
    after = {row["name"]: row for row in (await store.standings(None, None, 10))[0]}
    assert after == {name: row for name, row in before.items() if name != "anna"}
    assert [bool(await store.profile(name)) for name in ("anna", "bert")] == [False, True]
    index = await store.index()
    assert "id-anna" not in {rated.who for rated in index.ratings} | {known.who for known in index.identities}
    assert [entrant["name"] for entrant in json.loads(index.contests[0].plan)["entrants"]] == ["deleted", "bert"]
    assert await look(store, "SELECT name FROM result ORDER BY seat") == [("deleted",), ("bert",)]
    assert await look(store, "SELECT count(*) FROM result WHERE who = ''") == [(1,)]


async def test_who_was_deleted_in_the_middle_of_a_match_is_not_rated_at_its_end(store: Store) -> None:
    played = match("d", ("anna", 1, 9), ("bert", 2, 5), ("cleo", 3, 0))
    anna, *others = played.match.rows
    rows = (replace(anna, who="", name="deleted"), *others)
    rated = await store.commit([*opened(), replace(played, match=replace(played.match, rows=rows))])
    assert {change.who for change in rated} <= {row.who for row in others}
    assert await look(store, "SELECT 1 FROM rating WHERE who = ''") == []
    assert "deleted" not in {row["name"] for row in (await store.standings(None, None, 10))[0]}


async def test_who_has_finished_no_match_is_in_the_index(store: Store, reopen: Reopen) -> None:
    await store.commit([identity("anna", key="k"), identity("bert"), identity("cleo", house=True), *opened()])
    await store.commit([match("d1", ("bert", 1, 50), ("dora", 2, 0))])
    index = await (await reopen()).index()
    [(who, idle)] = index.unplayed
    assert who == "id-anna"
    assert 0 <= idle < 60_000


async def test_of_many_identities_the_start_reads_those_that_are_needed(
    store: Store, reopen: Reopen, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("anna", "bert", "cleo", "dora")
    played = match("d1", *((name, rank, 1) for rank, name in enumerate(names, start=1)))
    people = [identity(name, key=f"key-{name}") for name in (*names, "emil")]
    plan = {"name": "cup", "entrants": [{"who": "id-bert", "name": "bert"}]}
    await store.commit([*people, *opened(), SaveSeat(ROOM, "id-anna", True), played])
    await store.commit([SaveContest("cup", json.dumps(plan), False)])
    monkeypatch.setattr(procedures, "REMEMBERED", 4)
    store = await reopen()
    index = await store.index()
    assert not index.complete
    assert {each.name for each in index.identities} == {"anna", "bert", "emil"}
    assert {rated.who for rated in index.ratings} == {"id-anna", "id-bert"}
    known = await store.known(["C1EO"], ["key-dora"])
    assert {each.name for each in known.identities} == {"cleo", "dora"}
    assert {rated.who for rated in known.ratings} == {"id-cleo", "id-dora"}
    assert known.unplayed == frozenset()
    store.adopt(known, "id-cleo")
    await store.commit([replace(identity("cleo", key="key-cleo"), muted=True)])


async def test_seats_are_in_the_index_until_they_are_left(store: Store) -> None:
    await store.commit([*opened(), SaveSeat(ROOM, "a", True), SaveSeat(ROOM, "a", True), SaveSeat(ROOM, "b", True)])
    assert set((await store.index()).seats) == {(ROOM, "a"), (ROOM, "b")}
    await store.commit([SaveSeat(ROOM, "a", False), SaveSeat(ROOM, "nobody", False)])
    assert (await store.index()).seats == ((ROOM, "b"),)


async def test_lines_come_back_in_order_and_by_room(store: Store) -> None:
    counts = {"AAAA": 2 * PAGE, "BBBB": 2 * PAGE + 1, ROOM: 2}
    await store.commit([write for room in counts for write in opened(room)])
    for room, count in counts.items():
        await store.commit([line(number, room) for number in range(1, count)])
    for room, count in counts.items():
        assert (await store.load(room))[1] == lines(count, room)


async def test_epoch_grows_at_each_load(store: Store, reopen: Reopen) -> None:
    await store.commit(opened())
    assert [(await store.load(ROOM))[0] for _ in range(3)] == [2, 3, 4]
    assert (await (await reopen()).load(ROOM))[0] == 5


async def test_unknown_room_cannot_be_loaded(store: Store) -> None:
    with pytest.raises(LookupError):
        await store.load(ROOM)


async def test_match_lines_are_those_of_the_match_alone(store: Store) -> None:
    await store.commit([*opened(), *(line(number) for number in range(1, 20)), match("d", first=3, last=17)])
    for change in ([], [SaveRoom(ROOM, 1, False)]):
        await store.commit(change)
        assert await store.match_lines("d") == lines(20)[3:18]
    assert await store.match_lines("e") is None


async def test_a_contest_that_goes_on_is_not_stopped_any_more(store: Store, reopen: Reopen) -> None:
    begun = SaveContest("cup", "{}", False)
    for change in (begun, replace(begun, stopped=True)):
        await store.commit([change])
        assert (await store.index()).contests == (change,)
    await store.commit([replace(begun, resumed=True)])
    assert (await (await reopen()).index()).contests == (begun,)


async def test_a_profile_counts_what_a_name_has_finished(store: Store, reopen: Reopen) -> None:
    mines: dict[str, Any] = {"game": "minesweeper"}
    await store.commit([match("1", ("Anna", 1, 500), ("bot", 2, 100)), match("2", ("Anna", 1, 30), ("bot", 1, 520))])
    await store.commit([match("3", ("Anna", 2, 7), ("bot", 1, 9)), match("4", ("Anna", 1, 9), rated=False)])
    for digest, ms in (("5", 47_000), ("6", 50_000), ("7", 41_000)):
        await store.commit([match(digest, ("Anna", 1, 71), time=BestTime("beginner", ms), **mines)])
    later = await reopen()
    found = await later.profile("ANNA")
    assert found is not None
    name, kind, [board, cards] = found
    assert (name, kind, cards["game"]) == ("Anna", "human", "uno")
    assert [cards[field] for field in ("matches", "wins", "streak", "longest")] == [3, 2, 0, 2]
    assert cards["rating"] > 1_000
    assert board["times"] == [{"board": "beginner", "ms": 41_000}]
    assert board["streak"] == 3
    assert [(each["ms"], each.get("record"), each.get("before")) for each in board["last"]] == [
        (41_000, True, 47_000),
        (50_000, None, None),
        (47_000, True, None),
    ]
    assert all(0 <= each["ago"] < 60_000 for each in board["last"])
    assert await later.profile("nobody") is None


def begins(day: str, name: str, room: str, ms: int | None = None, points: int | None = None) -> SaveDaily:
    return SaveDaily(day, "expert", room, f"id-{name.lower()}", name, "human", ms, points)


async def test_the_first_room_of_a_day_counts(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "is_today", lambda day: day == "2026-11-23")
    today = "2026-11-23"
    await store.commit([begins(today, "anna", "A1"), begins(today, "Anna", "A2"), begins(today, "bert", "B1")])
    await store.commit([begins(today, "Anna", "A2", 9_000), begins(today, "anna", "A1", 52_000)])
    await store.commit([begins(today, "anna", "A1", 11_000)])
    rows = [{"name": "anna", "kind": "human", "ms": 52_000}]
    assert await store.daily(today, "expert", "ANNA") == (rows, {"played": True, "days": 1, "room": "A1", "ms": 52_000})
    assert await store.daily(today, "expert", "bert") == (rows, {"played": True, "days": 0, "room": "B1"})
    assert await store.daily(today, "beginner", "anna") == ([], {"played": False, "days": 0})
    await store.commit([identity("anna"), DropIdentity("id-anna", erased=True)])
    assert (await store.daily(today, "expert", "anna"))[0] == []


async def test_points_rank_a_day_before_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "is_today", lambda day: True)
    for name, ms, points in (("anna", 3, 20), ("bert", 2, 7), ("cleo", 1, 20), ("dora", 4, None)):
        await store.commit([begins("2026-11-23", name, name)])
        await store.commit([begins("2026-11-23", name, name, ms, points)] if points else [])
    rows, you = await store.daily("2026-11-23", "expert", "bert", "fewest")
    assert [row["name"] for row in rows] == ["bert", "cleo", "anna"]
    assert rows[0] == {"name": "bert", "kind": "human", "ms": 2, "points": 7}
    assert you == {"played": True, "days": 1, "room": "bert", "ms": 2, "points": 7}
    rows, _ = await store.daily("2026-11-23", "expert", "bert", "most")
    assert [row["name"] for row in rows] == ["cleo", "anna", "bert"]


async def test_days_in_a_row_end_with_a_day_that_was_missed(
    store: Store, monkeypatch: pytest.MonkeyPatch, reopen: Reopen
) -> None:
    monkeypatch.setattr(results, "is_today", lambda day: day != "2026-11-20")
    for day in ("2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22"):
        await store.commit([begins(day, "anna", day), begins(day, "anna", day, 1_000)])
    found = [(await store.daily(day, "expert", "anna"))[1]["days"] for day in ("2026-11-22", "2026-11-23")]
    assert found == [2, 2]
    assert [(await store.daily(day, "expert", "anna"))[1]["days"] for day in ("2026-11-24", "2026-11-20")] == [0, 1]
    secret = (await store.index()).daily
    assert len(secret) == 64
    assert (await (await reopen()).index()).daily == secret


def preset(name: str, who: str = "anna", game: str = "uno", target: int = 200) -> SavePreset:
    rules = json.dumps({"options": {"target": target}, "seats": 3, "clock": None})
    return SavePreset(game, name, f"id-{who}", who, rules)


async def test_presets_belong_to_those_who_save_them(store: Store, reopen: Reopen) -> None:
    await store.commit([identity("anna"), identity("bert"), preset("Friday"), preset("friday", game="minesweeper")])
    await store.commit([preset("FRIDAY", "bert"), preset("fun", "bert"), preset("FriDay", target=500)])
    again = await reopen()
    rows = await again.presets(None, "id-bert")
    assert [(row["game"], row["name"], row["by"], row["mine"]) for row in rows] == [
        ("minesweeper", "friday", "anna", False), ("uno", "FriDay", "anna", False), ("uno", "fun", "bert", True)
    ]  # fmt: skip
    assert rows[1]["options"] == {"target": 500}
    assert (rows[1]["seats"], rows[1]["clock"]) == (3, None)
    await again.commit([DropPreset("uno", "friday", "id-bert"), DropPreset("uno", "FUN", "id-bert")])
    assert [row["name"] for row in await again.presets("uno", "id-anna")] == ["FriDay"]
    assert await again.known(["anna"], []) is not None
    await again.commit([DropIdentity("id-anna", erased=True)])
    assert await again.presets(None, "id-bert") == []


async def test_presets_are_limited_and_may_still_be_replaced(store: Store) -> None:
    names = [f"rules {number}" for number in range(results.OWN_PRESETS + 1)]
    await store.commit([identity("anna"), *map(preset, names)])
    await store.commit([preset(names[0], target=100)])
    rows = {row["name"]: row for row in await store.presets("uno", "id-anna")}
    assert rows.keys() == set(names[:-1])
    assert rows[names[0]]["options"] == {"target": 100}


HOOK = SaveWebhook("id-anna", "https://ntfy.sh/hush", "ntfy", "de")


async def test_webhook_is_what_was_saved_last(store: Store, reopen: Reopen) -> None:
    await store.commit([identity("anna"), identity("bert"), replace(HOOK, url="https://old.example/"), HOOK])
    again = await reopen()
    assert await again.webhook("id-anna") == StoredWebhook(HOOK.url, "ntfy", "de")
    assert await again.webhook("id-bert") is None
    await again.commit([DropWebhook("id-anna"), DropWebhook("id-bert")])
    assert await again.webhook("id-anna") is None
    assert await again.take_turn("id-anna", ROOM, "0/1") is None


async def test_each_turn_is_taken_once(store: Store, reopen: Reopen) -> None:
    await store.commit([identity("anna"), *opened("AAAA"), *opened("BBBB"), HOOK])
    found = StoredWebhook(HOOK.url, "ntfy", "de")
    taken = [await store.take_turn("id-anna", *turn) for turn in (("AAAA", "0/1"), ("AAAA", "0/1"), ("BBBB", "0/1"))]
    assert taken == [found, None, found]
    await store.commit([SaveRoom("BBBB", 1, False)])
    assert await store.take_turn("id-anna", "AAAA", "0/2") == found
    assert await look(store, "SELECT room, turn FROM notified") == [("AAAA", "0/2")]
    again = await reopen()
    assert await again.take_turn("id-anna", "AAAA", "0/2") is None
    together = await asyncio.gather(*(again.take_turn("id-anna", "AAAA", "0/3") for _ in range(5)))
    assert sorted(map(bool, together)) == [False] * 4 + [True]


async def test_webhook_is_called_so_often_in_an_hour(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "CALLS", 3)
    hour = results.this_hour()
    monkeypatch.setattr(results, "this_hour", lambda: hour)
    await store.commit([identity("anna"), *opened("AAAA"), HOOK])
    taken = [await store.take_turn("id-anna", "AAAA", f"0/{n}") for n in range(5)]
    assert [each is not None for each in taken] == [True] * 3 + [False] * 2
    await store.commit([HOOK])
    assert await store.take_turn("id-anna", "AAAA", "0/8") is None, "setting it again allows no more"
    monkeypatch.setattr(results, "this_hour", lambda: hour + 1)
    assert await store.take_turn("id-anna", "AAAA", "0/9") is not None


async def test_webhook_that_keeps_failing_is_switched_off(store: Store, reopen: Reopen) -> None:
    await store.commit([identity("anna"), *opened("AAAA"), HOOK])
    faults = ["timeout"] * (results.FAULTS - 1)
    for fault in [*faults, None, *faults, None, *faults]:
        await store.note_call("id-anna", HOOK.url, fault)
    await store.note_call("id-anna", "https://old.example/", "404")
    assert (await store.webhook("id-anna")) == StoredWebhook(HOOK.url, "ntfy", "de")
    await store.note_call("id-anna", HOOK.url, "404")
    again = await reopen()
    assert await again.webhook("id-anna") == StoredWebhook(HOOK.url, "ntfy", "de", "404")
    assert await again.take_turn("id-anna", "AAAA", "0/1") is None
    await again.note_call("id-anna", HOOK.url, None)
    assert await again.take_turn("id-anna", "AAAA", "0/1") is not None


async def test_webhook_goes_with_its_identity(store: Store) -> None:
    await store.commit([identity("anna"), identity("bert"), *opened("AAAA"), HOOK, replace(HOOK, who="id-bert")])
    await store.known(["anna", "bert"], [])
    await store.take_turn("id-anna", "AAAA", "0/1")
    await store.commit([DropIdentity("id-anna"), DropIdentity("id-bert", erased=True)])
    assert await look(store, "SELECT who FROM webhook") == await look(store, "SELECT who FROM notified") == []


async def test_missed_matches_are_told_until_they_are_seen(store: Store, reopen: Reopen) -> None:
    await store.commit([
        identity("anna"),
        match("d1", ("anna", 2, 10), ("bert", 1, 20)),
        SaveMissed("id-anna", "d1"),
        match("d2", ("bert", 2, 10), ("anna", 1, 20), rated=False),
        SaveMissed("id-anna", "d2"),
        match("d3", ("bert", 1, 10), ("anna", 2, 20)),
        SaveMissed("id-bert", "d3"),
    ])  # fmt: skip
    again = await reopen()
    found = {row["digest"]: row for row in await again.missed("id-anna")}
    assert found.keys() == {"d1", "d2"}
    assert (found["d1"]["rank"], found["d2"]["rank"]) == (2, 1)
    assert (found["d1"].get("void"), found["d2"].get("void")) == (None, True)
    assert found["d1"]["players"] == [{"name": "bert", "rank": 1}, {"name": "anna", "rank": 2}]
    assert (found["d1"]["room"], found["d1"]["game"]) == (ROOM, "uno")
    await again.commit([DropMissed("id-anna", ("d1", "d3"))])
    assert [row["digest"] for row in await again.missed("id-anna")] == ["d2"]
    assert [row["digest"] for row in await again.missed("id-bert")] == ["d3"]
    assert await again.known(["anna"], []) is not None
    await again.commit([DropIdentity("id-anna", erased=True)])
    assert await again.missed("id-anna") == []


async def test_links_follow_from_each_other_and_come_with_their_commit(store: Store, reopen: Reopen) -> None:
    assert await store.chain(0, 10) == []
    await store.commit([*opened(), SaveLink("a" * 64), SaveLink("b" * 64)])
    with pytest.raises(NotStored):
        await store.commit([SaveLink("c" * 64), line(0)])
    again = await reopen()
    await again.commit([SaveLink("b" * 64, "d" * 64)])
    links = await again.chain(0, 10)
    assert [(link["n"], link["match"][0], link.get("over")) for link in links] == [
        (1, "a", None),
        (2, "b", None),
        (3, "b", "d" * 64),
    ]
    chain = CheckedChain()
    for link in links:
        chain.add(Link(link["n"], link["at"], link["match"], link.get("over"), link["hash"]))
    assert await again.chain(1, 1) == links[1:2]


async def test_rated_matches_come_in_pages_with_their_players(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "RATED_PAGE", 2)
    await store.commit([
        identity("anna"),
        match("1", ("anna", 1, 500), ("bot", 2, 100), styles={"bot": "llm"}),
        match("2", ("anna", 1, 1), rated=False),
        match("3", ("anna", 2, 30), ("bot", 1, 520)),
        match("4", ("anna", 1, 1), game="minesweeper"),
        match("5", ("bot", 1, 7), ("bert", 2, 5)),
    ])  # fmt: skip
    page, before = await store.rated("uno")
    assert [(digest, players) for _, digest, players in page] == [
        ("5", [("bot", "bot", None, 1, 7), ("bert", "human", None, 2, 5)]),
        ("3", [("anna", "human", None, 2, 30), ("bot", "bot", None, 1, 520)]),
    ]
    assert before == page[-1][:2]
    await store.commit([DropIdentity("id-anna", erased=True)])
    [(_, digest, players)], end = await store.rated("uno", before)
    assert (digest, players, end) == ("1", [("bot", "bot", "llm", 2, 100)], None)


async def test_meetings_are_rated_matches_of_two_bots(store: Store) -> None:
    await store.commit([
        identity("bot1"),
        match("1", ("bot1", 1, 5), ("bot", 2, 1)),
        match("2", ("bot", 1, 5), ("bot1", 2, 1)),
        match("3", ("bot1", 1, 5), ("bot", 2, 1)),
        match("4", ("bot1", 1, 5), ("bot", 2, 1), rated=False),
        match("5", ("bot1", 1, 5), ("bot", 2, 1), game="minesweeper"),
        match("6", ("bot1", 1, 5), ("bot", 2, 1), ("bot2", 3, 0)),
        match("7", ("bot1", 1, 5)),
        match("8", ("bot2", 1, 5), ("bot", 2, 1)),
        match("9", ("bert", 1, 5), ("bot", 2, 1)),
        match("0", ("house", 1, 5), ("bot", 2, 1)),
    ])  # fmt: skip
    found = {(one, other): times for one, other, times in await store.meetings("uno")}
    assert found == {("id-bot1", "id-bot"): 2, ("id-bot", "id-bot1"): 1, ("id-bot2", "id-bot"): 1}
    await store.known(["bot1"], [])
    await store.commit([DropIdentity("id-bot1")])
    assert await store.meetings("uno") == [("id-bot2", "id-bot", 1)]


async def test_ratings_go_on_from_match_to_match_of_a_game_and_are_shown_in_its_standings(store: Store) -> None:
    first = updated([Rating(), Rating()], [1, 2])
    second = updated(first[::-1], [1, 2])
    rated = await store.commit([*opened(), match("d1", ("anna", 1, 50), ("bert", 2, 0))])
    assert rated == [Rated("id-anna", "uno", first[0].shown), Rated("id-bert", "uno", first[1].shown)]
    won = ("bert", 1, 50), ("anna", 2, 0)
    rated = await store.commit([match("d2", *won), match("d3", *won, game="minesweeper")])
    assert [each.rating for each in rated] == [each.shown for each in (*second, *first)]
    for game, shown in (("uno", second), ("minesweeper", first)):
        rows, _ = await store.standings(game, None, 10)
        assert [(row["name"], row["rating"]) for row in rows] == [("bert", shown[0].shown), ("anna", shown[1].shown)]
    assert all("rating" not in row for row in (await store.standings(None, None, 10))[0])


async def test_what_is_not_rated_or_says_nothing_changes_no_rating(store: Store) -> None:
    unrated = match("d1", ("anna", 1, 50), ("bert", 2, 0), rated=False)
    together = match("d2", ("anna", 2, 9), ("bert", 2, 4), game="minesweeper")
    assert await store.commit([*opened(), unrated, together]) == []
    assert await look(store, "SELECT who FROM rating") == []


async def test_only_matches_with_a_better_and_a_worse_opponent_count_in_standings(store: Store) -> None:
    """House bots are no opponents: they have neither ratings nor places."""
    await store.commit([
        match("1", ("anna", 1, 9)),
        match("2", ("anna", 1, 9), ("bert", 1, 9)),
        match("3", ("anna", 1, 9), ("house1", 2, 0), ("house2", 3, 0)),
        match("4", ("anna", 3, 1), ("house1", 1, 9), ("bert", 2, 2)),
    ])  # fmt: skip
    rows, _ = await store.standings("uno", None, 10)
    assert [(row["name"], row["games"], row["wins"], row["points"]) for row in rows] == [
        ("bert", 1, 0, 2),
        ("anna", 1, 0, 1),
    ]
    assert [{name for name, *_ in players} for _, _, players in (await store.rated("uno"))[0]] == [
        {"anna", "bert"},
        {"anna"},
        {"anna", "bert"},
        {"anna"},
    ]
    assert set(await look(store, "SELECT who FROM rating")) == {("id-anna",), ("id-bert",)}
    profile = await store.profile("anna")
    assert profile is not None
    assert [(row["matches"], row["wins"]) for row in profile[2]] == [(4, 3)]
    assert await store.profile("house1") is None


async def test_standings_are_ordered_by_wins_then_points_then_name(store: Store) -> None:
    await store.commit([
        match("1", ("rich", 2, 900), ("zoe", 1, 20), ("amy", 1, 20)),
        match("2", ("rich", 2, 900), ("bob", 1, 21)),
    ])  # fmt: skip
    assert [row["name"] for row in (await store.standings(None, None, 10))[0]] == ["bob", "amy", "zoe", "rich"]


@pytest.mark.parametrize("after", ["", "x", "-1", "1e3", "9" * 40, "²"])
async def test_senseless_page_of_standings_is_the_first(store: Store, after: str) -> None:
    await store.commit([match("1", ("anna", 1, 1), ("deleted", 2, 0))])
    assert len((await store.standings(None, after, 10))[0]) == 1


async def test_failing_write_in_the_middle_stores_nothing(store: Store, reopen: Reopen) -> None:
    await store.commit([*opened(), match("d", ("anna", 1, 1))])
    store = await reopen()
    before = await store.index()
    rated = match("e", ("anna", 1, 1), ("bert", 2, 0))
    doomed = [line(1), *opened("BBBB"), identity("bert"), SaveSeat(ROOM, "b", True), rated, match("d")]
    with pytest.raises(NotStored):
        await store.commit(doomed)
    store = await reopen()
    assert await store.index() == before
    assert await look(store, "SELECT who FROM rating") == []
    assert (await store.load(ROOM))[1] == lines(1)


async def test_line_cannot_be_stored_twice_and_the_store_goes_on(store: Store) -> None:
    await store.commit(opened())
    with pytest.raises(NotStored):
        await store.commit([line(1), replace(line(0), line="another history")])
    await store.commit([line(1)])
    assert (await store.load(ROOM))[1] == lines(2)
