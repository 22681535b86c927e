"""A store with a history: its answers are those of a look at all matches, and take none of that look's time."""

import asyncio
import random
import re
import sqlite3
from contextlib import closing
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from tests.server.store.conftest import ALONE
from tests.server.store.test_contract import look
from tests.server.store.writes import ROOM, identity, match, opened
from tests.support.postgres import Postgres
from tests.support.stores import execute

from parlour_server.persistence import (
    DropIdentity,
    DropMissed,
    DropPreset,
    DropWebhook,
    SaveContest,
    SaveDaily,
    SaveLink,
    SaveMissed,
    SavePairing,
    SavePreset,
    SaveRoom,
    SaveSeat,
    SaveWebhook,
    Write,
)
from parlour_server.store import open_store, procedures, results, schema, sql
from parlour_server.store.base import Store
from parlour_server.store.postgres.procedures import OLD_GUESTS, PostgresProcedures
from parlour_server.store.postgres.store import PostgresStore
from parlour_server.store.sqlite import store as sqlite_store
from parlour_server.store.sqlite.store import SqliteStore

GAMES = ("uno", "minesweeper", None)
ALL = """
SELECT name, kind, COUNT(*), SUM(CASE WHEN rank = 1 THEN 1 ELSE 0 END), CAST(SUM(score) AS bigint),
    (SELECT MAX(shown) FROM rating WHERE rating.game = {game} AND rating.name = r.name AND rating.kind = r.kind),
    CASE WHEN MIN(style) = MAX(style) THEN MIN(style) END
FROM result AS r JOIN match USING (digest)
WHERE rated AND who <> '' AND NOT house AND ({game} IS NULL OR game = {game})
AND EXISTS (SELECT 1 FROM result AS o WHERE o.digest = r.digest AND NOT o.house AND o.rank <> r.rank)
GROUP BY name, kind
"""
"""The standings as they were read from all matches, before there were rows for them."""


def played(rng: random.Random, count: int) -> list[Write]:
    """Return random matches of all sizes: with ties, house bots, deleted players, styles, and names of several."""
    names = [*(f"n{n}" for n in range(12)), *(f"bot{n}" for n in range(8)), "house1", "deleted"]
    writes: list[Write] = []
    for number in range(count):
        seats = rng.sample(names, rng.choice((1, 2, 2, 3, 4, 10)))
        ranked = [(name, rng.randint(1, len(seats)), rng.randrange(100)) for name in seats]
        styles = {name: rng.choice(("llm", "hard")) for name in seats if name.startswith("bot") and rng.random() < 0.3}
        game, rated = rng.choice(("uno", "minesweeper")), rng.random() < 0.9
        writes.append(match(f"{rng.getrandbits(64):x}-{number}", *ranked, game=game, rated=rated, styles=styles))
    return writes


async def in_all(store: Store, game: str | None) -> list[dict[str, Any]]:
    """Return the standings as they come from a look at all matches."""
    rows = await look(store, ALL.format(game="CAST(NULL AS text)" if game is None else f"'{game}'"))
    return sorted(
        (dict(results.standing(*row)) for row in rows),
        key=lambda row: (-row.get("rating", 0), -row["wins"], -row["points"], row["name"], row["kind"]),
    )


async def in_pages(store: Store, game: str | None, limit: int) -> list[dict[str, Any]]:
    rows, after = await store.standings(game, None, limit)
    found = [*rows]
    while after is not None:
        rows, after = await store.standings(game, after, limit)
        found += rows
    return [dict(row) for row in found]


async def test_standings_are_those_of_all_matches(store: Store, seed: int) -> None:
    rng = random.Random(seed)
    await store.commit([*opened(), *(identity(f"n{n}") for n in range(12)), *played(rng, 150)])
    for game, limit in product(GAMES, (1, 7, 100)):
        assert await in_pages(store, game, limit) == await in_all(store, game)
    await store.known(["n3"], [])
    await store.commit([DropIdentity("id-n3", erased=True), *played(rng, 30)])
    for game in GAMES:
        assert await in_pages(store, game, 7) == await in_all(store, game)


async def test_counting_old_matches_comes_to_the_same(store: Store, seed: int) -> None:
    bots = [identity(f"bot{n}") for n in range(8)]
    await store.commit([*opened(), *bots, *played(random.Random(seed), 60)])
    tables = "SELECT * FROM standing ORDER BY game, name, kind", "SELECT * FROM meeting ORDER BY game, one, other"
    live = [await look(store, table) for table in tables]
    for table in ("standing", "meeting"):
        await store._change(partial(schema.steps, f"DELETE FROM {table}"))
    await store._change(schema.count_matches)
    assert [await look(store, table) for table in tables] == live


GROWING = {
    *("standing", "meeting", "rating", "match", "result", "record", "event", "room", "seat", "identity", "profile"),
    *("daily", "chain", "missed", "notified", "webhook", "erased"),
}
"""The tables that grow with the history. The number of presets is limited, and contests are in memory."""
SORTS = {
    procedures.OWN_RESULTS: "an identity is erased, which rewrites all its results",
    sql.MISSED: "what one identity has missed",
    "INSERT INTO record SELECT room, n, line FROM recent ORDER BY room, n": "a few thousand lines",
}
"""Statements that may sort or group, and what: contests, whose results are in memory, too, are none of the history."""
FIRST = {
    sql.LAST_LINK: "reads one row in the order of the key",
    procedures.FEW: "looks whether there are few",
    procedures.ROOMS: "counts the rooms at the start",
}


async def everything(store: Store) -> None:
    """Ask all questions and make all writes that there are."""
    board: dict[str, Any] = {"day": "2026-11-23", "board": "expert", "who": "id-anna", "name": "anna", "kind": "human"}
    bots = match("1", ("bot1", 1, 5), ("bot2", 2, 1), first=0, last=0)
    await store.commit(
        [*opened(), *opened("QQQQ"), identity("anna"), identity("bot1", key="k"), identity("gone"), bots]
    )
    await store.commit([match("2", ("anna", 1, 9), ("gone", 2, 1), time=None), SaveMissed("id-anna", "2")])
    await store.commit([
        *(SaveSeat(ROOM, "id-anna", True), SaveSeat(ROOM, "id-bot1", True), SaveSeat(ROOM, "id-bot1", False)),
        *(SaveDaily(**board, room="A"), SaveDaily(**board, room="A", ms=5, points=1), SaveLink("a" * 64)),
        *(SavePreset("uno", "a", "id-anna", "anna", "{}"), DropPreset("uno", "a", "id-anna")),
        *(SaveWebhook("id-anna", "https://a.example/", "ntfy", "en"), SaveContest("cup", '{"entrants": []}', False)),
        *(SavePairing("cup", 1, ROOM, None), SavePairing("cup", 1, ROOM, "{}"), SaveRoom("QQQQ", 1, False)),
    ])  # fmt: skip
    await store.index()
    for game in GAMES:
        _, after = await store.standings(game, None, 1)
        await store.standings(game, after, 1)
        await store.presets(game, "id-anna")
    for best in results.DAILY_ORDER:
        await store.daily("2026-11-23", "expert", "anna", best)
    await asyncio.gather(
        *(store.rated("uno"), store.meetings("uno"), store.profile("anna"), store.chain(0, 9), store.missed("id-anna")),
        *(store.webhook("id-anna"), store.match_lines("1"), store.take_turn("id-anna", ROOM, "0/1"), store.load(ROOM)),
        *(store.known(["anna"], ["k"], ["id-anna"]), store.note_call("id-anna", "https://a.example/", "404")),
    )
    await store.note_call("id-anna", "https://a.example/", None)
    await store.prune(2**40, "")
    await store.commit([DropMissed("id-anna", ("2",)), DropWebhook("id-anna"), DropIdentity("id-bot1")])
    await store.commit([DropIdentity("id-anna", erased=True)])


async def test_no_statement_looks_at_the_whole_history(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    connect = sqlite3.connect

    def traced(*args: Any, **more: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(*args, **more)
        db.set_trace_callback(lambda statement: made.append(statement.strip()))
        return db

    store = SqliteStore(path)
    await store.close()  # the tables are there; their migration looks at everything
    monkeypatch.setattr(sqlite3, "connect", traced)
    monkeypatch.setattr(sqlite_store, "MAX_RECENT", 1)
    monkeypatch.setattr(procedures, "REMEMBERED", 0)
    store = SqliteStore(path)
    made.clear()
    await everything(store)
    asked = {each for each in made if re.match(r"(SELECT|WITH|INSERT|UPDATE|DELETE)\b", each)}
    await store.close()
    assert len(asked) > 60
    with closing(connect(path)) as db:
        for statement in sorted(asked):
            plan = [step for *_, step in db.execute(f"EXPLAIN QUERY PLAN {statement}")]
            known = {text for text in (*SORTS, *FIRST) if re.fullmatch(_pattern(text), statement)}
            for step in plan:
                scanned = re.match(r"SCAN (\w+)(?! USING (?:COVERING )?INDEX \w+_(?:open|listed|here)\b)", step)
                walks = scanned is not None and scanned[1] in GROWING
                assert not walks or known & FIRST.keys(), f"{step}: {statement}"
                recent = "MERGE (UNION ALL)" in plan  # the lines not yet moved to their rooms are sorted
                small = recent or known & SORTS.keys() or " pairing " in statement or " contest" in statement
                assert "TEMP B-TREE" not in step or small, f"{step}: {statement}"


ALONE_HERE = PostgresProcedures(1, {})
READS = (
    *(sql.LEVEL, sql.BELOW, sql.RATED, sql.MEETINGS, sql.PROFILE, sql.OWN_DAY, sql.CLEARED, sql.CHAIN, sql.LAST_LINK),
    *(sql.DAY.format(order=order) for order in results.DAILY_ORDER.values()),
    *(sql.MISSED, procedures.OWN_RESULTS, sql.WEBHOOK, procedures.RERATE, procedures.PLAYED, sql.FORGET_TURNS),
    *(*procedures.GONE, ALONE_HERE.known_people, ALONE_HERE.old_rooms, OLD_GUESTS, PostgresStore._lines),
)


@pytest.mark.postgres
async def test_no_statement_to_postgresql_needs_to_look_at_the_whole_history(postgres: Postgres) -> None:
    """What the planner cannot do by an index, it does although all else is switched off."""
    url = postgres.database()
    store = open_store(url, ALONE)
    await store.index()
    await store.close()
    for switch in ("enable_seqscan", "enable_hashjoin", "enable_mergejoin", "enable_sort"):
        await execute(url, f"ALTER ROLE CURRENT_USER SET {switch} = off")
    await execute(url, "ALTER ROLE CURRENT_USER SET plan_cache_mode = force_generic_plan")
    db = await asyncpg.connect(url, server_settings={"search_path": "parlour"})
    for statement in READS:
        await db.execute(f"PREPARE asked AS {statement}")
        count = max(int(each) for each in re.findall(r"\$(\d+)", statement)) if "$" in statement else 0
        nulls = f"({', '.join(['NULL'] * count)})" if count else ""
        plan = "\n".join(row[0] for row in await db.fetch(f"EXPLAIN EXECUTE asked{nulls}"))
        await db.execute("DEALLOCATE asked")
        scanned = set(re.findall(r"Seq Scan on (\w+)", plan))
        assert not scanned & GROWING, f"{statement}\n{plan}"
        filtered = set(re.findall(r" on (\w+)[^\n]*\n(?: *Index Cond:[^\n]*\n)? *Filter: \(\((\w+) = ", plan))
        assert not {table for table, _ in filtered} & GROWING, f"{statement}\n{plan}"
        assert "Sort" not in plan or statement in SORTS, f"{statement}\n{plan}"
    await db.close()


def _pattern(statement: str) -> str:
    """Return what a statement looks like with its parameters filled in."""
    return re.sub(r"\\\$\d+", ".*?", re.escape(statement.strip()))
