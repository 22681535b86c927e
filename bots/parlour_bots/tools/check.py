"""Check a bot: play seeded matches twice and examine every answer.

The first pass times the answers and reports mistakes. The second pass measures memory and compares the answers with
those of the first.
"""

import gc
import io
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from itertools import cycle
from math import ceil
from time import monotonic

import attrs

from parlour_bots.errors import Kind, Mistake
from parlour_bots.play.in_process import play_match
from parlour_bots.play.player import SeatPlayer
from parlour_bots.play.runner import BotRunner
from parlour_bots.profiles import MatchSetup, play_at_random, profile
from parlour_bots.sdk import BotSpec, Choice, Turn, bot_spec
from parlour_bots.tools.guards import MEMORY, MIB, noticed
from parlour_client.core.errors import BotFault
from parlour_protocol.messages import Act, Plain

BUDGET = 1_000
"""The default time limit per answer, in milliseconds."""
MATCHES = 16
LONGEST = 60.0
"""Seconds after which a pass starts no further match."""
ENOUGH_LATE = 3
"""Late answers after which no further match is started: the verdict is clear and waiting is expensive."""
LEAK = 1_000
"""Bytes by which memory may grow per answer. A bot that keeps every turn grows several times as fast."""
_ANSWERS = 20_000
_MS = 1_000_000


class CapturedOutput(io.TextIOBase):
    """A stand-in for stdout that counts the lines a bot prints and keeps the first."""

    def __init__(self) -> None:
        self.lines = 0
        self.first = ""

    def write(self, text: str) -> int:
        """Count the lines of ``text``."""
        self.first = self.first or text.strip()
        self.lines += text.count("\n")
        return len(text)


@attrs.frozen
class BotCheck:
    """The result of a check. Times are in milliseconds."""

    matches: int
    answers: int
    late: int
    broken: int
    illegal: int
    budget: int
    ms_p50: float
    ms_p99: float
    ms_max: float
    differs: str | None
    """The first answer that changed under the same seed. Not compared if answers were late."""
    noise: int
    """Lines printed on stdout."""
    printed: str
    """The first of these lines."""
    growth: int | None
    """Bytes of memory growth per answer; None if not measured."""
    stopped: str | None
    """Why the check was stopped early."""
    processes: str | None = None
    """The line of the bot that first started a process."""
    memory: int | None = None
    """Bytes of memory in use at most, from the first match on; None if not measured."""
    memory_limit: int = MEMORY * MIB
    """Bytes that may be in use."""

    @property
    def leaks(self) -> bool:
        """Whether memory keeps growing."""
        return self.growth is not None and self.growth > LEAK

    @property
    def exceeds(self) -> bool:
        """Whether too much memory was in use."""
        return self.memory is not None and self.memory > self.memory_limit

    @property
    def sound(self) -> bool:
        """Whether no fault was found. Printing is not a fault, only invisible."""
        faults = (self.late, self.broken, self.illegal, self.differs, self.leaks, self.exceeds, self.stopped)
        return not any((*faults, self.processes))


def check(
    bot: BotSpec,
    opponent: BotSpec | None,
    seeds: Sequence[int],
    report: Callable[[Mistake], None],
    runner: BotRunner,
    mib: int = MEMORY,
    options: Plain | None = None,
) -> BotCheck:
    """Play a short match per seed, twice, under the limit of ``runner``, and return what was found.

    More than ``mib`` MiB of memory are a fault. ``options`` replace those that the checks of the game have.

    ``opponent`` takes the other seats, by default a random player. It does not call UNO, so that it can be caught.
    """
    opponent = attrs.evolve(opponent or bot_spec(random_move, "chance", bot.game), call_uno=False)
    usual = profile(bot.game).checks
    setups = [attrs.evolve(each, options={**(each.options or {}), **options}) for each in usual] if options else usual
    thinking: list[int] = []
    noise, used, differs = CapturedOutput(), MemoryUse(), None
    first = _Pass(runner.limit(bot, thinking.append), opponent, setups, report)
    with redirect_stdout(noise), noticed() as starts:
        before = list(first.play(seeds))
    again = _Pass(runner.limit(bot, clock=lambda: 0), opponent, setups, _ignore)  # measuring memory slows it down
    with redirect_stdout(CapturedOutput()), nullcontext() if bot.external else used.traced():
        again_played = again.play(() if first.slow else seeds[: len(before)])
        for seed, acts, acts_again in zip(seeds, before, again_played, strict=False):
            differs = differs or _difference(seed, acts, acts_again)
            used.note(len(acts_again))
    timed_out = "late" in first.kinds + again.kinds  # random moves then replaced answers, at different turns
    times = sorted(ns / _MS for ns in thinking) or [0.0]
    return BotCheck(
        matches=len(before),
        answers=len(thinking),
        late=first.kinds.count("late"),
        broken=first.kinds.count("broken"),
        illegal=first.kinds.count("illegal"),
        budget=runner.budget,
        ms_p50=times[ceil(0.50 * len(times)) - 1],
        ms_p99=times[ceil(0.99 * len(times)) - 1],
        ms_max=times[-1],
        differs=None if timed_out else differs,
        noise=noise.lines,
        printed=noise.first,
        growth=used.growth,
        stopped=first.stopped or again.stopped,
        processes=starts.first,
        memory=used.most,
        memory_limit=mib * MIB,
    )


@attrs.define
class _Pass:
    """Plays matches of ``bot``, which has its time limit, as far as possible, and collects its mistakes."""

    bot: BotSpec
    opponent: BotSpec
    setups: Sequence[MatchSetup]
    report: Callable[[Mistake], None]
    kinds: list[Kind] = attrs.field(factory=list, init=False)
    stopped: str | None = attrs.field(default=None, init=False)

    def play(self, seeds: Sequence[int]) -> Iterator[list[Act]]:
        """Play a match per seed, and yield the answers of the bot in each, unless the check stops early."""
        until = monotonic() + LONGEST
        for seed, setup in zip(seeds, cycle(self.setups), strict=False):
            yield self._played(seed, setup)  # which keeps nothing of the match: memory is measured here
            if self.stopped or self.slow or monotonic() > until:
                return

    @property
    def slow(self) -> bool:
        """Whether enough answers were late for a verdict."""
        return self.kinds.count("late") >= ENOUGH_LATE

    def _played(self, seed: int, setup: MatchSetup) -> list[Act]:
        players = [SeatPlayer(self.opponent, f"{seed}/{seat}", _ignore) for seat in range(setup.seats - 1)]
        players.insert(seed % setup.seats, player := SeatPlayer(self.bot, seed, self._mistake))
        try:
            play_match(players, seed, setup.options, _ANSWERS)
        except BotFault as fault:
            self.stopped = str(fault)
        return player.acts

    def _mistake(self, mistake: Mistake) -> None:
        self.kinds.append(mistake.kind)
        self.report(mistake)


@attrs.define
class MemoryUse:
    """The memory that matches use in this process, if it is traced here and nowhere else."""

    most: int | None = attrs.field(default=None, init=False)
    """The most bytes in use at a time."""
    _used: list[tuple[int, int]] = attrs.field(factory=list, init=False)
    """After each match, the total number of answers and the bytes in use."""

    @contextmanager
    def traced(self) -> Iterator[None]:
        """Trace memory in this context."""
        if tracemalloc.is_tracing():
            yield
            return
        tracemalloc.start()
        try:
            yield
        finally:
            self.most = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()

    def note(self, answers: int) -> None:
        """Record the memory in use after a match with ``answers`` answers."""
        if tracemalloc.is_tracing():
            gc.collect()
            before = self._used[-1][0] if self._used else 0
            self._used.append((before + answers, tracemalloc.get_traced_memory()[0]))

    @property
    def growth(self) -> int | None:
        """Return the bytes per answer in the second half of the matches; the first half fills caches."""
        half = len(self._used) // 2
        if half < 2:
            return None
        (before, used_before), (after, used_after) = self._used[half - 1], self._used[-1]
        return max(0, used_after - used_before) // max(1, after - before)


def random_move(turn: Turn) -> Choice:
    """Play a random legal action but draw last; in a game that lists none, open a random closed cell."""
    playing = [action for action in turn.legal if action["do"] != "draw"]
    return turn.rng.choice(playing) if playing else play_at_random(turn)


def _difference(seed: int, first: Sequence[Act], again: Sequence[Act]) -> str | None:
    for number, (one, two) in enumerate(zip(first, again, strict=False), start=1):
        if (one.rid, one.act) != (two.rid, two.act):
            return f"under seed {seed} answer {number} was first {_words(one)}, then {_words(two)}"
    if len(first) != len(again):
        return f"under seed {seed} it gave first {len(first)} answers, then {len(again)}"
    return None


def _words(act: Act) -> str:
    return f"number {act.act}" if isinstance(act.act, int) else str(act.act)


def _ignore(_: Mistake) -> None:
    """Ignore mistakes of opponents and of the second pass."""
