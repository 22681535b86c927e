"""Measure a server with a history: questions, moves beside them, start, memory, backup, pruning, disk.

    python -m benchmarks.history --sizes 1000,10000,100000,1000000 --json --plot docs/history.svg

A store is filled in bulk, with rows of the form that commits write. Then 20 people play, in windows of two seconds:
one alone, one while a client asks one kind of question after the other, and so on. The ratio of the p99 of their moves
has a 95 % interval, from drawing the windows again. ``--postgres`` fills a database in place of a file.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from math import log10
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import urlopen

import asyncpg
import msgpack
from tests.support.postgres import Postgres

from benchmarks.clients import SEATS, connected, fill_room, receive, send
from benchmarks.hostile import p99, people
from benchmarks.processes import SYNCED, child
from benchmarks.results import Result, Target, show
from parlour_bots.arena.measures import COLOURS, document, text
from parlour_bots.load import usage_from_metrics, usage_of
from parlour_games.statistics import Finish, tally
from parlour_server.directory.room_creation import LETTERS
from parlour_server.persistence import Member
from parlour_server.store import open_store
from parlour_server.store.postgres import connections as postgres
from parlour_server.store.procedures import called
from parlour_server.store.results import profile_key
from parlour_server.store.schema import count_matches
from parlour_server.store.sqlite import procedures as sqlite

SIZES = (1_000, 10_000)
PER_NAME = 20
"""Matches for each name."""
GAMES = ("uno", "minesweeper")
PER_ROOM = 4
"""Matches in a room."""
LINED, LINES = 2_000, 60
"""The latest matches whose lines are stored, and the number of these."""
LINE = '{"r":"act","n":%d,"seat":%d,"at":%d,"act":{"play":%d,"colour":"red"},"h":"7d1f0c9be41a52aa"}'
PEOPLE, WINDOW = 20, 2.0
"""How many play, and the seconds of a window in which questions are asked, or none."""
DRAWS = 2_000
"""How often the windows are drawn again for the interval of the ratio."""
OPEN_ROOMS = 200
"""Rooms that a start loads."""
BETWEEN = 0.05
"""Seconds from one answer to the next question."""
CACHE = 1_000_000
"""KiB of memory for filling."""
PRUNED = 20
"""Steps of pruning."""
DAYS = 90
BOTS = 10
"""The number of names for each bot."""
FROM = int(time.time()) - 2 * DAYS * 86_400


def measure(
    sizes: Sequence[int] = SIZES, seconds: float = 5.0, *, postgres: bool = False, plot: Path | None = None
) -> list[Result]:
    """Return what a history of each size costs. ``seconds``: how long people play, in quiet and beside questions."""
    found: dict[int, dict[str, float]] = {}
    for size in sizes:
        with _new_store(postgres) as (url, folder):
            found[size] = _costs(url, folder, size, seconds)
    if plot is not None:
        plot.write_text(chart(found), encoding="utf-8")
    return [result for size in sizes for result in _results(size, found[size])]


@contextmanager
def _new_store(postgres: bool) -> Iterator[tuple[str, Path]]:
    with TemporaryDirectory(prefix="bench-") as folder:
        if not postgres:
            yield f"sqlite:///{Path(folder, 'history.db')}", Path(folder)
            return
        with Postgres() as server:
            yield server.database(), Path(folder)


def _results(size: int, costs: dict[str, float]) -> Iterator[Result]:
    for label, value in costs.items():
        name, _, unit = label.partition("; ")
        label = f"{size:,} matches: {name}"
        if name.endswith("p95"):
            yield Target(label, value, unit, 100, 20)
        elif name == "moves beside questions / in quiet, p99":
            yield Target(label, value, unit, 2, 1.5)
        else:
            yield label, value, unit


def _costs(url: str, folder: Path, size: int, seconds: float) -> dict[str, float]:
    costs = dict(asyncio.run(_fill(url, size)))
    file = Path(url.removeprefix("sqlite:///"))
    if file.exists():
        costs["disk a match, with the lines of the last 2,000; bytes"] = file.stat().st_size / size
    serve = ("serve", "--ready-json", "--store", url, "--port", "0", "--per-address", "10000")
    quiet = ("--no-house-bots", "--log-level", "warning")
    with child(SYNCED, *serve, *quiet) as server:
        quiet_moves, asked_moves, times = asyncio.run(_moves(server.url, size, seconds))
        costs["moves in quiet, p99; ms"] = p99([wait for window in quiet_moves for wait in window])
        costs["moves beside questions, p99; ms"] = p99([wait for window in asked_moves for wait in window])
        ratio, low, high = _ratio(quiet_moves, asked_moves)
        costs["moves beside questions / in quiet, p99; "] = ratio
        costs["the same, its 95 % interval, from; "], costs["the same, its 95 % interval, to; "] = low, high
        costs["moves; "] = sum(map(len, quiet_moves + asked_moves))
        for kind, took in times.items():
            costs[f"{kind}: p95; ms"] = sorted(took)[int(len(took) * 0.95)] * 1_000
        asyncio.run(_open_rooms(server.url))
    began = time.monotonic()
    with child(SYNCED, *serve, *quiet) as server:
        costs["start until a client can connect; s"] = time.monotonic() - began
        while _dormant(server.url):
            time.sleep(0.05)
        costs[f"start until {OPEN_ROOMS} rooms are loaded; s"] = time.monotonic() - began
        used = usage_of(server.pid) or usage_from_metrics(server.url)
        costs["memory after the start; MiB"] = used.memory / 1_024 if used else 0
    if file.exists():
        began = time.monotonic()
        copy = ("backup", str(folder / "copy.db"), "--store", url)
        subprocess.run([sys.executable, "-m", SYNCED, *copy], check=True, stdout=subprocess.DEVNULL)
        costs["backup; s"] = time.monotonic() - began
    costs["a step of pruning, the slowest; ms"] = asyncio.run(_prune(url)) * 1_000
    return costs


# --- filling ---------------------------------------------------------------------------------------------------


async def _fill(url: str, size: int) -> list[tuple[str, float]]:
    """Fill a new store. Returns how long it took to count the matches, as the first start of an older store does."""
    store = open_store(url, Member("parlour", "", "", 2_000))
    await store.index()
    await store.close()
    if url.startswith("sqlite:"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file:
            for faster in ("synchronous = OFF", "journal_mode = OFF", f"cache_size = -{CACHE}"):
                file.execute(f"PRAGMA {faster}")
            file.execute("DROP INDEX result_of_person")  # one by one is slow
            for table, row in _tables(size, ()):
                marks = ", ".join("?" * len(row[0]))
                file.executemany(f"INSERT INTO {table} VALUES ({marks})", row)
            began = time.monotonic()
            file.execute("CREATE INDEX result_of_person ON result (who)")
            sqlite.run(file, count_matches())
            file.commit()
        return [("counting old matches; s", time.monotonic() - began)]
    db = await asyncpg.connect(url, server_settings={"search_path": "parlour"})
    for table, rows in _tables(size, (None, 0)):
        name, _, columns = table.partition(" ")
        named = columns.strip("()").split(", ") if columns else None
        await db.copy_records_to_table(name, records=rows, columns=named)
    await db.execute("ANALYZE")
    began = time.monotonic()
    await postgres.run(db, count_matches())
    took = time.monotonic() - began
    await db.execute("ANALYZE")
    await db.close()
    return [("counting old matches; s", took)]


def _name(number: int) -> str:
    return f"{'bot' if number % BOTS == 0 else 'player'}-{number}"


def _kind(number: int) -> str:
    return "bot" if number % BOTS == 0 else "human"


def _code(number: int) -> str:
    code = ""
    for _ in range(8):
        number, digit = divmod(number, len(LETTERS))
        code += LETTERS[digit]
    return code


def _tables(size: int, other: tuple[object, ...]) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    """Yield rows of each table, in portions. ``other``: what PostgreSQL keeps of who has written a row."""
    people, shared = max(2 * SEATS, size // PER_NAME), bool(other)
    for some in _portions(people):
        yield f"identity {_IDENTITY[shared]}", [_identity(number, shared) for number in some]
        yield f"rating {_RATING[shared]}", [_rating(number, game, shared) for number in some for game in GAMES]
        yield "profile", [_profile(number, game) for number in some for game in GAMES]
        yield "daily", [_daily(number) for number in some]
    for some in _portions(size // PER_ROOM):
        rows = [(_code(number), 1, False, False) for number in some]
        yield (_ROOM, [(code, None, *rest) for code, *rest in rows]) if shared else ("room", rows)
    for some in _portions(size):
        rng = random.Random(some[0])
        matches = [_match(number, size) for number in some]
        yield "match", matches
        yield _RESULT, [row for match in matches for row in _results_of(rng, people, match)]
        yield "chain", [(number + 1, FROM, f"{number:064x}", None, f"{number:064x}") for number in some]
    for some in _portions(min(size, LINED)):
        lines = [
            (_code((size - 1 - number) // PER_ROOM), _line_number(size - 1 - number, n), LINE % (n, n % 4, n, n))
            for number in some
            for n in range(LINES)
        ]
        yield (_EVENT, [(room, n, 1, line) for room, n, line in lines]) if shared else ("record", lines)


_IDENTITY = {
    False: "(who, name, kind, key, banned, muted, house, saved, played, called, look, lower_look)",
    True: "(who, name, kind, key, banned, muted, house, writer, played, look, lower_look)",
}
_RATING = {
    False: "(who, game, name, kind, mu, sigma, shown)",
    True: "(who, game, name, kind, mu, sigma, shown, writer)",
}
_ROOM = "room (code, owner, epoch, open, kept)"
_EVENT = "event (room, seq, epoch, line)"
_RESULT = "result (digest, seat, who, name, kind, rank, score, style, house)"


def _portions(count: int) -> Iterable[range]:
    return (range(first, min(first + 10_000, count)) for first in range(0, count, 10_000))


def _identity(number: int, shared: bool) -> tuple[Any, ...]:
    name = _name(number)
    row = (f"{number:016x}", name, _kind(number), sha256(name.encode()).hexdigest(), False, False, False)
    return (*row, 0, True, *called(name)[1:]) if shared else (*row, FROM, True, *called(name))


def _rating(number: int, game: str, shared: bool) -> tuple[Any, ...]:
    shown = 1_500 + number * 7_919 % 700 + len(game)
    row = (f"{number:016x}", game, _name(number), _kind(number), 25.0, 8.0, shown)
    return (*row, 0) if shared else row


def _profile(number: int, game: str) -> tuple[Any, ...]:
    found = tally(None)
    for nth in range(3):
        found.add(Finish(FROM + nth, 1 + nth % 2, SEATS, 20))
    return profile_key(_name(number)), game, f"{number:016x}", _name(number), _kind(number), found.text()


def _daily(number: int) -> tuple[Any, ...]:
    name, day = _name(number), time.strftime("%Y-%m-%d", time.gmtime())
    return day, "expert", name, f"{number:016x}", name, _kind(number), _code(number), 9_000 + number, None


def _match(number: int, size: int) -> tuple[Any, ...]:
    digest, first = sha256(str(number).encode()).hexdigest(), _line_number(number, 0)
    kept = number >= size - LINED
    ended = FROM + number * 2 * DAYS * 86_400 // size
    last = first + LINES - 1 if kept else -1
    return digest, _code(number // PER_ROOM), GAMES[number % 3 == 0], first, last, True, ended


def _line_number(match: int, n: int) -> int:
    return match % PER_ROOM * LINES + n


def _results_of(rng: random.Random, people: int, match: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a match: four play, or two bots."""
    digest, *_ = match
    if rng.random() < 0.1:
        seated = [BOTS * each for each in rng.sample(range(max(2, people // BOTS)), 2)]
    else:
        seated = rng.sample(range(people), SEATS)
    ranks = rng.sample(range(1, len(seated) + 1), len(seated))
    for seat, (number, rank) in enumerate(zip(seated, ranks, strict=True)):
        style = "hard" if _kind(number) == "bot" else None
        yield digest, seat, f"{number:016x}", _name(number), _kind(number), rank, 50 * (rank == 1), style, False


# --- playing and asking ----------------------------------------------------------------------------------------


async def _moves(
    url: str, size: int, seconds: float
) -> tuple[list[list[float]], list[list[float]], dict[str, list[float]]]:
    """Return the seconds of moves by window, in quiet and while questions are asked, and those of each question."""
    spawn = multiprocessing.get_context("spawn")
    asking, (here, there) = spawn.Event(), spawn.Pipe()
    asker = spawn.Process(target=_ask, args=(url, size, asking, there), daemon=True)
    asker.start()
    await asyncio.to_thread(here.recv)
    windows: tuple[list[list[float]], list[list[float]]] = [], []
    async with people(url, PEOPLE) as playing:
        for number in range(2 * max(2, round(seconds / WINDOW))):
            asked = number % 2 == 1
            asking.set() if asked else asking.clear()
            for person in playing:
                person.waits.clear()
            await asyncio.sleep(WINDOW)
            windows[asked].append([wait for person in playing for wait in person.waits])
    here.send("end")
    times: dict[str, list[float]] = await asyncio.to_thread(here.recv)
    asker.join()
    return *windows, times


def _ratio(quiet: list[list[float]], asked: list[list[float]]) -> tuple[float, float, float]:
    """Return the ratio of the p99 of two lists of windows, and its 95 % interval."""

    def ratio(pairs: Sequence[tuple[list[float], list[float]]]) -> float:
        return p99([wait for _, window in pairs for wait in window]) / p99([w for window, _ in pairs for w in window])

    pairs, chance = list(zip(quiet, asked, strict=True)), random.Random(1)
    drawn = sorted(ratio(chance.choices(pairs, k=len(pairs))) for _ in range(DRAWS))
    return ratio(pairs), drawn[int(DRAWS * 0.025)], drawn[int(DRAWS * 0.975)]


def _ask(url: str, size: int, asking: Event, parent: Connection) -> None:
    """Ask questions while ``asking`` is set; at the end send how long each kind took, in seconds."""
    parent.send(asyncio.run(_asked(url, size, asking, parent)))


async def _asked(url: str, size: int, asking: Event, parent: Connection) -> dict[str, list[float]]:
    socket = await connected(url)
    await send(socket, t="hello", name="curious", kind="human")
    await receive(socket, "welcome")
    deep = None
    questions: dict[str, dict[str, Any]] = {
        "standings of a game": {"t": "standings", "game": "uno"},
        "standings of all games": {"t": "standings"},
        "standings, a later page": {"t": "standings", "game": "uno"},
        "ladder": {"t": "standings", "game": "uno", "ladder": "bot"},
        "profile": {"t": "profile", "name": _name(size // PER_NAME // 2)},
        "daily": {"t": "daily"},
        "chain": {"t": "chain", "after": size // 2},
        "missed": {"t": "missed"},
        "presets": {"t": "presets"},
        "match file": {"t": "file", "digest": _match(size - 1, size)[0]},
    }
    times: dict[str, list[float]] = defaultdict(list)
    parent.send("ready")
    while not parent.poll():
        for kind, question in questions.items():
            while not asking.is_set() and not parent.poll():  # noqa: ASYNC110 - another process sets it
                await asyncio.sleep(BETWEEN)
            more: dict[str, str] = {"after": deep} if kind == "standings, a later page" and deep else {}
            began = time.monotonic()
            await send(socket, **question, **more, id=kind)
            while True:
                answer = msgpack.unpackb(await asyncio.wait_for(socket.recv(), 600))
                if answer.get("re") == kind:
                    break
            assert answer["t"] != "error", answer
            first_ladder = kind == "ladder" and not times[kind]
            times["ladder, computed" if first_ladder and not times["ladder, computed"] else kind].append(
                time.monotonic() - began
            )
            if kind.startswith("standings") and question.get("game"):
                deep = answer.get("after") or None
            await asyncio.sleep(BETWEEN)
    parent.recv()
    await socket.close()
    return {kind: took for kind, took in times.items() if took}


async def _open_rooms(url: str) -> None:
    """Open rooms whose matches the server interrupts when it stops."""
    for _ in range(OPEN_ROOMS // 20):
        await asyncio.gather(*(fill_room(url) for _ in range(20)))


def _dormant(url: str) -> bool:
    with urlopen(f"{url.replace('ws', 'http', 1)}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    return any(line.startswith("parlour_rooms_dormant ") and float(line.split()[1]) for line in lines)


async def _prune(url: str) -> float:
    """Return the seconds of the slowest of some steps."""
    store = open_store(url, Member("parlour", "", "", 60_000))
    await store.index()
    after: str | None = ""
    slowest = 0.0
    for _ in range(PRUNED):
        if after is None:
            break
        began = time.monotonic()
        pruned = await store.prune(int(time.time()) - DAYS * 86_400, after)
        slowest = max(slowest, time.monotonic() - began)
        after = pruned.after
    await store.close()
    return slowest


# --- the plot --------------------------------------------------------------------------------------------------


def chart(found: dict[int, dict[str, float]]) -> str:
    """Return the curves as SVG: milliseconds of each question by the size of the history, both logarithmic."""
    sizes = sorted(found)
    kinds = [
        label for label in found[sizes[0]] if label.endswith("p95; ms") or label.startswith("moves beside questions, ")
    ]
    width, height, left, top = 760, 380, 60, 40
    most = max(3.0, log10(max(costs[kind] for costs in found.values() for kind in kinds)))
    least = -1.0

    def place(size: int, value: float) -> str:
        x = left + (log10(size) - log10(sizes[0])) / max(1e-9, log10(sizes[-1]) - log10(sizes[0])) * 440
        return f"{x:.1f} {height - 40 - (max(least, log10(max(value, 1e-3))) - least) / (most - least) * 300:.1f}"

    drawn = [text(0, 20, "Milliseconds of an answer (p95), and of a move (p99), by matches in the store", "t")]
    drawn += [text(float(place(size, 1).split()[0]), height - 18, f"{size:,}", "q", "middle") for size in sizes]
    for tick in range(int(least), int(most) + 1):
        y = float(place(sizes[0], 10.0**tick).split()[1])
        drawn += [
            f'<path class="g" d="M{left} {y}H{left + 440}"/>',
            text(left - 8, y + 4, f"{10.0**tick:g}", "q", "end"),
        ]
    for number, kind in enumerate(kinds):
        colour = COLOURS[number % len(COLOURS)]
        dashes = "" if number < len(COLOURS) else ' stroke-dasharray="5 3"'
        points = "L".join(place(size, found[size][kind]) for size in sizes)
        drawn.append(f'<path class="w" stroke="{colour}"{dashes} d="M{points}"/>')
        y = top + 22 * number
        drawn.append(f'<path class="w" stroke="{colour}"{dashes} d="M{left + 460} {y}h20"/>')
        drawn.append(text(left + 486, y + 4, kind.partition(": p95")[0].partition("; ")[0]))
    return document(width, height, "Times of answers by the size of the history", drawn)


def main() -> None:
    """Read the options, measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.history", description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="matches, separated by commas")
    parser.add_argument("--seconds", type=float, default=15.0, help="how long people play, twice for each size")
    parser.add_argument("--postgres", action="store_true", help="a PostgreSQL server of its own in place of a file")
    parser.add_argument("--plot", type=Path, help="an SVG file for the curves")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    print(f"load average: {os.getloadavg()[0]:.1f}, on {os.cpu_count()} cores", file=sys.stderr)
    found = measure(sizes, options.seconds, postgres=options.postgres, plot=options.plot)
    if options.json:
        rows = ((each.label, each.value) if isinstance(each, Target) else each[:2] for each in found)
        print(json.dumps(dict(rows)))
    else:
        show(found)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    main()
