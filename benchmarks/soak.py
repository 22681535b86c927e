"""The soak test: clients play on a real server for an hour, and samples from inside the server must show no leak.

``make soak`` runs it; ``make soak SOAK=900`` for 900 seconds. When all clients have disconnected, the server must hold
no more sockets and tasks than at its start, except the pipes of its worker processes. Memory must be flat after the
warm-up, which is longer than the server remembers guests who left: the time is split into blocks, and the slope of a
straight line through their medians must not differ from zero. The report also names collections that grow.
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

from benchmarks.soak_clients import Settings, keep_room_busy

WARM_UP = 0.4
"""The share of the run that is ignored as warm-up; at most WARM_AT_MOST seconds."""
WARM_AT_MOST = 900.0
KEPT_AT_MOST = 600.0
"""Seconds for which the server remembers guests who left, at most 2/3 of the warm-up."""
SETTLE = 15.0
"""Seconds from the last disconnection to the last sample."""
QUIET = 5.0
"""Seconds before the first client connects. The last sample in them is the baseline of an idle server."""
SAMPLES = 400
"""The minimum of samples in a run. At least two come before the first client: the first is taken during startup."""
RISE, UNSURE = 0.02, 0.1
"""Shares of memory: a smaller rise is always accepted; a rise that may be larger than UNSURE is not."""
BLOCKS, STUDENT = 8, 2.447
"""The number of blocks; and the 97.5 % quantile of Student's t for a slope through as many points."""
PIPES = 2
"""Open files per worker process."""

Sample = dict[str, float]


@attrs.frozen
class Trend:
    """How a value changed after the warm-up, by a straight line through the medians of the blocks."""

    first: float
    """The median of the first block."""
    last: float
    rise: float
    """The change over ``hours``, by the line."""
    unsure: float
    """Half the width of the 95 % interval of ``rise``."""
    hours: float

    @property
    def grows(self) -> bool:
        """Whether the value certainly grows, and by more than the share RISE."""
        return self.rise > max(self.unsure, RISE * self.first)

    @property
    def inconclusive(self) -> bool:
        """Whether the value may have grown by more than the share UNSURE."""
        return self.rise + self.unsure > UNSURE * self.first


def trend(samples: list[Sample], name: str) -> Trend:
    """Return the trend of the value ``name``; needs at least BLOCKS samples."""
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
    """The lines of the report, and whether the run passed."""

    lines: tuple[str, ...]
    passed: bool


def interval(busy: float) -> float:
    """Return the seconds between samples."""
    return min(max(1.0, busy / SAMPLES), QUIET / 2)


def warm_up(busy: float) -> float:
    """Return the length of the warm-up of a run of ``busy`` seconds."""
    return min(busy * WARM_UP, WARM_AT_MOST)


def judge(samples: list[Sample], busy: float, counts: dict[str, int]) -> Verdict:
    """Judge a run whose clients were connected for ``busy`` seconds, after QUIET seconds without clients."""
    start = samples[0]["time"] + QUIET
    idle = next((each for each in reversed(samples) if each["time"] < start), samples[0])
    steady = [each for each in samples if start + warm_up(busy) <= each["time"] <= start + busy]
    memory = trend(steady, "rss")
    left = {name: samples[-1][name] - idle[name] for name in ("fds", "tasks", "workers")}
    left["fds"] -= PIPES * left.pop("workers")
    faults = [f"{name} left behind: {count:+g}" for name, count in left.items() if count > 0]
    faults += [f"memory grows: {_slope(memory)}"] if memory.grows else []
    faults += [f"memory may grow, the run was too short to be sure: {_slope(memory)}"] if memory.inconclusive else []
    lines = [*_activity(counts, busy, steady), *_table(steady), *_grown(steady), *_garbage(samples[-1]), ""]
    return Verdict((*lines, *(faults or [_fine(memory, samples[-1])])), not faults)


def _activity(counts: dict[str, int], busy: float, steady: list[Sample]) -> Iterator[str]:
    activity = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    judged = steady[-1]["time"] - steady[0]["time"]
    yield f"{busy:.0f} s, judged by {len(steady)} samples in the last {judged:.0f} s; clients: {activity}"
    if "cpu" in steady[0]:
        yield f"the server used {(steady[-1]['cpu'] - steady[0]['cpu']) / judged:.0%} of a core"
    yield ""


def _table(steady: list[Sample]) -> Iterator[str]:
    yield f"{'':<22} {'first eighth':>12} {'last eighth':>12} {'slope per hour':>14} {'±':>10}"
    shown = {
        "rss": "memory, KiB",
        "fds": "open files",
        "tasks": "tasks",
        "blocks": "Python objects",
        "full": "full GCs",
    }
    shown |= {"lobby.rooms.loaded": "rooms", "lobby.connections.sessions": "sessions"}
    shown |= {"lobby.identities._all": "identities"}
    for name, label in shown.items():
        if name in steady[0]:
            found = trend(steady, name)
            ends = f"{found.first:>12,.0f} {found.last:>12,.0f}"
            yield f"{label:<22} {ends} {found.rise / found.hours:>+14,.0f} {found.unsure / found.hours:>10,.0f}"


def _grown(steady: list[Sample]) -> Iterator[str]:
    """Yield the collections that grow."""
    for name in sorted(steady[0]):
        if "." in name:
            found = trend(steady, name)
            if found.rise > max(found.unsure, 5):
                yield f"grows: {name} {found.first:,.0f} → {found.last:,.0f}, {found.rise / found.hours:+,.0f} per hour"


def _garbage(last: Sample) -> Iterator[str]:
    if "garbage" in last:
        yield f"a last full garbage collection freed {last['garbage']:,.0f} objects that nothing else freed"


def _slope(memory: Trend) -> str:
    hourly, unsure = memory.rise / memory.hours / 1024, memory.unsure / memory.hours / 1024
    return f"{hourly:+.2f} ± {unsure:.2f} MiB per hour (95 %)"


def _fine(memory: Trend, last: Sample) -> str:
    return (
        f"passed: memory changed by {memory.rise / memory.first:+.1%} in {memory.hours * 60:.0f} min, "
        f"{_slope(memory)}; after the last disconnection {last['fds']:.0f} open files and "
        f"{last['tasks']:.0f} tasks, as at the start (not counting {last['workers']:.0f} worker processes)"
    )


async def _run_clients(settings: Settings, rooms: int, seconds: float) -> None:
    """Run the clients of ``rooms`` rooms for ``seconds``, then disconnect them all."""
    await asyncio.sleep(QUIET)
    tasks = [asyncio.create_task(keep_room_busy(settings, seed)) for seed in range(rooms)]
    for tenth in range(10):
        await asyncio.sleep(seconds / 10)
        sys.stderr.write(f"soak: {10 * (tenth + 1)} % of {seconds:.0f} s, {settings.counts['acts']} acts\n")
    for task in tasks:
        task.cancel()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(SETTLE)
    for error in ended:
        if not isinstance(error, asyncio.CancelledError | None):
            raise error


def run(seconds: float, rooms: int) -> Verdict:
    """Run a server and the clients, and judge the samples."""
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        samples, log = Path(folder, "samples"), Path(folder, "log")
        options = ("--port", "0", "--no-house-bots", "--per-address", "5000", "--store", f"sqlite:///{folder}/soak.db")
        with log.open("w") as stderr:
            server = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "benchmarks.soak_server",
                    "serve",
                    "--ready-json",
                    "--log-level",
                    "error",
                    *options,
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env={
                    **os.environ,
                    "SOAK_SAMPLES": str(samples),
                    "SOAK_EVERY": str(interval(seconds)),
                    "SOAK_KEPT": str(min(KEPT_AT_MOST, warm_up(seconds) * 2 / 3)),
                },
            )
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            settings = Settings(json.loads(server.stdout.readline())["url"])
            asyncio.run(asyncio.wait_for(_run_clients(settings, rooms, seconds), seconds + QUIET + 120))
        finally:
            server.stdin.close()
            server.wait(30)
        verdict = judge([json.loads(line) for line in samples.read_text().splitlines()], seconds, dict(settings.counts))
        errors = log.read_text().splitlines()
        return attrs.evolve(
            verdict,
            lines=(*verdict.lines, *(f"logged: {line}" for line in errors[:20])),
            passed=verdict.passed and not errors,
        )


def main() -> int:
    """Print the report; return 1 if the server leaks or logged an error."""
    parser = argparse.ArgumentParser(description="Run the soak test.")
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--rooms", type=int, default=20, help="number of busy rooms, with four clients each")
    given = parser.parse_args()
    verdict = run(given.seconds, given.rooms)
    print("\n".join(verdict.lines))
    return 0 if verdict.passed else 1


if __name__ == "__main__":
    sys.exit(main())
