"""A long run: restless guests at a real server, which is sampled from within. ``make soak``, ``make soak SOAK=900``.

At the end everybody hangs up, and the server must hold no more sockets and tasks than at its beginning, but for the
pipes of the processes that it has started for computations. Its memory has to be flat after the warm-up, in which
those who have gone begin to be forgotten: the time is cut into blocks, and a straight line through their medians has
to be level as far as can be told. The report names what else has grown.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import fmean, median

import attrs

from benchmarks.guests import Settings, table

WARM_UP = 0.4
"""The share of the run that is not judged; at most WARM_AT_MOST seconds."""
WARM_AT_MOST = 900.0
KEPT_AT_MOST = 600.0
"""Seconds for which guests who have gone are kept: what a server does, but no more than 2/3 of the warm-up."""
SETTLE = 15.0
"""Seconds between the last goodbye and the last sample."""
QUIET = 5.0
"""Seconds before the first guest, at the end of which is counted what the server holds by itself."""
SAMPLES = 400
"""So many in a run, or more: at least two before the first guest, as the first of all comes while the server starts."""
RISE, UNSURE = 0.02, 0.1
"""The share of memory by which it may rise in the time judged whatever the line says; by which it must surely not."""
BLOCKS, STUDENT = 8, 2.447
"""Parts of the time that is judged; half the width of the 95 % interval of a slope through so many points, over its
standard error."""
PIPES = 2
"""Open files for each process that computes."""

Sample = dict[str, float]


@attrs.frozen
class Trend:
    """How one number moved after the warm-up: its first and last block, and in the time that is judged.

    ``rise`` is what the line through the blocks' medians makes of it, ``unsure`` half the width of its 95 % interval.
    """

    first: float
    last: float
    rise: float
    unsure: float
    hours: float
    """How long that is."""

    @property
    def grows(self) -> bool:
        """Whether it grows beyond doubt, and beyond what does not matter."""
        return self.rise > max(self.unsure, RISE * self.first)

    @property
    def open(self) -> bool:
        """Whether it may have grown much, for all that is known."""
        return self.rise + self.unsure > UNSURE * self.first


def trend(samples: list[Sample], name: str) -> Trend:
    """Return the trend of ``name``. At least BLOCKS samples."""
    cuts = [len(samples) * number // BLOCKS for number in range(BLOCKS + 1)]
    blocks = [samples[start:end] for start, end in pairwise(cuts)]
    x = [fmean(each["time"] for each in block) for block in blocks]
    y = [median(each.get(name, 0.0) for each in block) for block in blocks]
    spread = sum((each - fmean(x)) ** 2 for each in x)
    slope = sum((at - fmean(x)) * value for at, value in zip(x, y, strict=True)) / spread
    off = [value - fmean(y) - slope * (at - fmean(x)) for at, value in zip(x, y, strict=True)]
    error = sqrt(sum(each**2 for each in off) / (BLOCKS - 2) / spread)
    seconds = samples[-1]["time"] - samples[0]["time"]
    return Trend(y[0], y[-1], slope * seconds, STUDENT * error * seconds, seconds / 3600)


@attrs.frozen
class Verdict:
    """The report in lines, and whether all is well."""

    lines: tuple[str, ...]
    well: bool


def every(busy: float) -> float:
    """Return the seconds between two samples."""
    return min(max(1.0, busy / SAMPLES), QUIET / 2)


def warm_up(busy: float) -> float:
    """Return how many of ``busy`` seconds are not judged."""
    return min(busy * WARM_UP, WARM_AT_MOST)


def judge(samples: list[Sample], busy: float, seen: dict[str, int]) -> Verdict:
    """Judge a run whose guests were busy for ``busy`` seconds once it had been QUIET."""
    start = samples[0]["time"] + QUIET
    alone = next((each for each in reversed(samples) if each["time"] < start), samples[0])
    steady = [each for each in samples if start + warm_up(busy) <= each["time"] <= start + busy]
    memory = trend(steady, "rss")
    left = {name: samples[-1][name] - alone[name] for name in ("fds", "tasks", "workers")}
    left["fds"] -= PIPES * left.pop("workers")
    faults = [f"{name} left behind: {count:+g}" for name, count in left.items() if count > 0]
    faults += [f"memory grows: {_slope(memory)}"] if memory.grows else []
    faults += [f"memory may grow, the run was too short to tell: {_slope(memory)}"] if memory.open else []
    lines = [*_did(seen, busy, steady), *_table(steady), *_grown(steady), *_garbage(samples[-1]), ""]
    return Verdict((*lines, *(faults or [_fine(memory, samples[-1])])), not faults)


def _did(seen: dict[str, int], busy: float, steady: list[Sample]) -> Iterator[str]:
    did = ", ".join(f"{name} {count}" for name, count in sorted(seen.items()))
    judged = steady[-1]["time"] - steady[0]["time"]
    yield f"{busy:.0f} s, judged by {len(steady)} samples of the last {judged:.0f} s; guests: {did}"
    if "cpu" in steady[0]:
        yield f"the server used {(steady[-1]['cpu'] - steady[0]['cpu']) / judged:.0%} of a core"
    yield ""


def _table(steady: list[Sample]) -> Iterator[str]:
    yield f"{'':<22} {'first eighth':>12} {'last eighth':>12} {'slope an hour':>14} {'±':>10}"
    shown = {
        "rss": "memory, KiB",
        "fds": "open files",
        "tasks": "tasks",
        "blocks": "objects of Python",
        "full": "full GCs",
    }
    shown |= {"lobby.rooms.loaded": "rooms", "lobby.connections.sessions": "sessions", "identities._all": "identities"}
    for name, label in shown.items():
        if name in steady[0]:
            found = trend(steady, name)
            ends = f"{found.first:>12,.0f} {found.last:>12,.0f}"
            yield f"{label:<22} {ends} {found.rise / found.hours:>+14,.0f} {found.unsure / found.hours:>10,.0f}"


def _grown(steady: list[Sample]) -> Iterator[str]:
    """Yield what has grown all the time."""
    for name in sorted(steady[0]):
        if "." in name:
            found = trend(steady, name)
            if found.rise > max(found.unsure, 5):
                yield f"grows: {name} {found.first:,.0f} → {found.last:,.0f}, {found.rise / found.hours:+,.0f} an hour"


def _garbage(last: Sample) -> Iterator[str]:
    if "garbage" in last:
        yield f"a full collection after the last goodbye found {last['garbage']:,.0f} objects that nothing else freed"


def _slope(memory: Trend) -> str:
    hourly, unsure = memory.rise / memory.hours / 1024, memory.unsure / memory.hours / 1024
    return f"{hourly:+.2f} ± {unsure:.2f} MiB an hour (95 %)"


def _fine(memory: Trend, last: Sample) -> str:
    return (
        f"all is well: memory moved by {memory.rise / memory.first:+.1%} in {memory.hours * 60:.0f} min, "
        f"{_slope(memory)}; after the last goodbye {last['fds']:.0f} open files and "
        f"{last['tasks']:.0f} tasks, as at the beginning ({last['workers']:.0f} processes for computations aside)"
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
        options = ("--port", "0", "--no-house-bots", "--per-address", "5000", "--store", f"sqlite:///{folder}/soak.db")
        with log.open("w") as stderr:
            server = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.sampled", "serve", "--ready-json", "--log-level", "error", *options],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env={
                    **os.environ,
                    "SOAK_SAMPLES": str(samples),
                    "SOAK_EVERY": str(every(seconds)),
                    "SOAK_KEPT": str(min(KEPT_AT_MOST, warm_up(seconds) * 2 / 3)),
                },
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
