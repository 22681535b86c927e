"""A long run: restless guests at a real server, which is sampled from within. ``make soak``, ``make soak SOAK=600``.

At the end everybody hangs up, and the server must hold no more sockets and tasks than at its beginning. Its memory has
to be flat after the warm-up: the slope (the median of all slopes between two samples) may make it rise by no more than
what samples scatter around it, or by two per cent. The report names what else has grown.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from statistics import median

import attrs

from benchmarks.guests import Settings, table

WARM_UP = 1 / 3
"""The share of the run that is not judged; at most WARM_AT_MOST seconds."""
WARM_AT_MOST = 900.0
SETTLE = 15.0
"""Seconds between the last goodbye and the last sample."""
QUIET = 5.0
"""Seconds before the first guest, at the end of which is counted what the server holds by itself."""
RISE = 0.02
"""The share of memory by which it may rise whatever the scatter."""
POINTS = 150
"""Samples among which slopes are taken."""

Sample = dict[str, float]


@attrs.frozen
class Trend:
    """How one number moved after the warm-up: its first and last tenth, slope an hour, scatter."""

    first: float
    last: float
    hourly: float
    scatter: float
    rise: float
    """By how much the slope makes it rise in the time that is judged."""

    @property
    def flat(self) -> bool:
        """Whether it does not grow beyond noise."""
        return self.rise <= max(3 * self.scatter, RISE * self.first)


def trend(samples: list[Sample], name: str) -> Trend:
    """Return the trend of ``name``."""
    step = max(1, len(samples) // POINTS)
    points = [(each["time"], each.get(name, 0.0)) for each in samples[::step]]
    slopes = [(y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in combinations(points, 2) if x2 > x1]
    slope = median(slopes) if slopes else 0.0
    middle = median(y - slope * x for x, y in points)
    tenth = max(1, len(points) // 10)
    return Trend(
        first=median(y for _, y in points[:tenth]),
        last=median(y for _, y in points[-tenth:]),
        hourly=slope * 3600,
        scatter=median(abs(y - slope * x - middle) for x, y in points),
        rise=slope * (points[-1][0] - points[0][0]),
    )


@attrs.frozen
class Verdict:
    """The report in lines, and whether all is well."""

    lines: tuple[str, ...]
    well: bool


def judge(samples: list[Sample], busy: float, seen: dict[str, int]) -> Verdict:
    """Judge a run whose guests were busy for ``busy`` seconds once it had been QUIET."""
    start = samples[0]["time"] + QUIET
    alone = next((each for each in reversed(samples) if each["time"] < start), samples[0])
    warm = start + min(busy * WARM_UP, WARM_AT_MOST)
    steady = [each for each in samples if warm <= each["time"] <= start + busy]
    memory = trend(steady, "rss")
    left = {name: samples[-1][name] - alone[name] for name in ("fds", "tasks")}
    faults = [f"{name} left behind: {count:+g}" for name, count in left.items() if count > 0]
    faults += [] if memory.flat else [f"memory grows by {memory.hourly / 1024:.1f} MiB an hour"]
    lines = [*_did(seen, busy, steady), *_table(steady), *_grown(steady), ""]
    return Verdict((*lines, *(faults or [_fine(memory, samples)])), not faults)


def _did(seen: dict[str, int], busy: float, steady: list[Sample]) -> Iterator[str]:
    did = ", ".join(f"{name} {count}" for name, count in sorted(seen.items()))
    yield f"{busy:.0f} s, judged by {len(steady)} samples after the warm-up; guests: {did}"
    yield ""


def _table(steady: list[Sample]) -> Iterator[str]:
    yield f"{'':<22} {'first tenth':>12} {'last tenth':>12} {'slope an hour':>14} {'scatter':>10}"
    shown = {"rss": "memory, KiB", "fds": "open files", "tasks": "tasks", "objects": "objects", "full": "full GCs"}
    shown |= {"lobby.rooms": "rooms", "lobby.sessions": "sessions", "identities._all": "identities"}
    for name, label in shown.items():
        if name in steady[0]:
            found = trend(steady, name)
            ends = f"{found.first:>12,.0f} {found.last:>12,.0f}"
            yield f"{label:<22} {ends} {found.hourly:>+14,.0f} {found.scatter:>10,.1f}"


def _grown(steady: list[Sample]) -> Iterator[str]:
    """Yield what has grown all the time: for some that is as it should be, such as codes that are never given again."""
    for name in sorted(steady[0]):
        if "." in name:
            found = trend(steady, name)
            if found.rise > max(3 * found.scatter, 5):
                yield f"grows: {name} {found.first:,.0f} → {found.last:,.0f}, {found.hourly:+,.0f} an hour"


def _fine(memory: Trend, samples: list[Sample]) -> str:
    room = max(3 * memory.scatter, RISE * memory.first)
    return (
        f"all is well: memory rose by {memory.rise:+,.0f} KiB in the time judged (allowed {room:,.0f}); after the last "
        f"goodbye {samples[-1]['fds']:.0f} open files and {samples[-1]['tasks']:.0f} tasks, as at the beginning"
    )


async def _busy(settings: Settings, tables: int, seconds: float) -> None:
    """Let guests be busy for some time, then let all of them hang up."""
    await asyncio.sleep(QUIET)
    tasks = [asyncio.create_task(table(settings, seed)) for seed in range(tables)]
    for tenth in range(10):
        await asyncio.sleep(seconds / 10)
        sys.stderr.write(f"soak: {10 * (tenth + 1)} % of {seconds:.0f} s, {settings.seen['acts']} acts\n")
    for task in tasks:
        task.cancel()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(SETTLE)
    for error in ended:
        if not isinstance(error, asyncio.CancelledError | None):
            raise error


def run(seconds: float, tables: int) -> Verdict:
    """Serve, soak, and judge."""
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        samples, log = Path(folder, "samples"), Path(folder, "log")
        every = max(1.0, seconds / 400)
        options = ("--port", "0", "--no-house-bots", "--per-address", "5000", "--store", f"sqlite:///{folder}/soak.db")
        with log.open("w") as stderr:
            server = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.sampled", "serve", "--ready-json", "--log-level", "error", *options],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env={**os.environ, "SOAK_SAMPLES": str(samples), "SOAK_EVERY": str(every)},
            )
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            settings = Settings(json.loads(server.stdout.readline())["url"])
            asyncio.run(asyncio.wait_for(_busy(settings, tables, seconds), seconds + QUIET + 120))
        finally:
            server.stdin.close()
            server.wait(30)
        verdict = judge([json.loads(line) for line in samples.read_text().splitlines()], seconds, dict(settings.seen))
        errors = log.read_text().splitlines()
        return attrs.evolve(
            verdict,
            lines=(*verdict.lines, *(f"logged: {line}" for line in errors[:20])),
            well=verdict.well and not errors,
        )


def main() -> int:
    """Print the report; return 1 if something leaks, or the server logged an error."""
    parser = argparse.ArgumentParser(description="Soak a server.")
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--tables", type=int, default=20, help="tables of four that are busy at a time")
    given = parser.parse_args()
    verdict = run(given.seconds, given.tables)
    print("\n".join(verdict.lines))
    return 0 if verdict.well else 1


if __name__ == "__main__":
    sys.exit(main())
