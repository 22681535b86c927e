"""Whether a bot is sound: seeded matches played twice, and every answer looked at.

The first time its answers are timed and its mistakes told, the second time its memory is watched and its answers are
compared with the first ones.
"""

import gc
import io
import tracemalloc
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from itertools import cycle
from math import ceil
from time import monotonic

import attrs

from parlour_bots.errors import Kind, Mistake
from parlour_bots.play.in_process import play_match
from parlour_bots.play.player import Player
from parlour_bots.play.time_limit import within
from parlour_bots.sdk import Answer, Choice, Entrant, Turn, entrant
from parlour_client.core.errors import BotFault
from parlour_protocol.messages import Act, Plain

BUDGET = 1_000
"""Milliseconds that an answer may take unless told otherwise."""
MATCHES = 16
LONGEST = 60.0
"""Seconds after which no further match is begun, either time."""
ENOUGH_LATE = 3
"""Late answers after which no further match is begun: waiting for more of them is dear."""
LEAK = 1_000
"""Bytes by which memory may grow with each answer. A bot that keeps every turn keeps several times as much."""
_ANSWERS = 20_000
_MS = 1_000_000


@attrs.frozen
class Table:
    """Where a bot is checked: under which options, in how many seats."""

    options: Plain | None
    seats: int


def _mines(mode: str, level: str, seats: int = 1) -> Table:
    return Table({"mode": mode, "level": level}, seats)


TABLES: dict[str, tuple[Table, ...]] = {
    "uno": tuple(Table({"scoring": "single"}, seats) for seats in (2, 2, 3, 4)),
    "minesweeper": (_mines("solo", "beginner"), _mines("race", "beginner", 2), _mines("solo", "intermediate")),
}
"""The tables of a check, in turn."""


class Noise(io.TextIOBase):
    """A standard output that keeps what a bot prints from getting among the results: counted, the first line kept."""

    def __init__(self) -> None:
        self.lines = 0
        self.first = ""

    def write(self, text: str) -> int:
        """Take in what is printed."""
        self.first = self.first or text.strip()
        self.lines += text.count("\n")
        return len(text)


@attrs.frozen
class Check:
    """What a check found. Times are in milliseconds."""

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
    """The first answer that was not given again under the same seed. Not looked for if answers were late."""
    noise: int
    """Lines that it printed on standard output."""
    printed: str
    """The first of them."""
    growth: int | None
    """Bytes by which it grew with each answer; None if that was not measured."""
    stopped: str | None
    """Why a match, and the check, could not go on."""

    @property
    def leaks(self) -> bool:
        """Whether its memory grows without end."""
        return self.growth is not None and self.growth > LEAK

    @property
    def sound(self) -> bool:
        """Whether there is no fault. What it prints is none: it only will not be seen."""
        faults = (self.late, self.broken, self.illegal, self.differs, self.leaks, self.stopped)
        return not any(faults)


def check(
    bot: Entrant,
    opponent: Entrant | None,
    seeds: Sequence[int],
    report: Callable[[Mistake], None],
    budget: int = BUDGET,
    sign: Callable[[], None] = lambda: None,
) -> Check:
    """Play a short match for each seed, twice, and tell what was found. ``sign`` is called after each answer.

    ``opponent`` has the other seats, by default chance has. It forgets to call UNO, to give occasion to catch.
    """
    opponent = opponent or entrant(by_chance, "chance", bot.game)
    first, noise = _Findings(report, sign), Noise()
    with redirect_stdout(noise):
        first.play(bot, opponent, seeds, budget)
    again = _Again(_untold, sign, first.acts)
    with redirect_stdout(Noise()):
        if not first.slow:
            again.play(bot, opponent, seeds[: len(first.acts)], budget)
    timed_out = "late" in first.kinds + again.kinds  # then chance has played, at another turn each time
    times = sorted(ns / _MS for ns in first.thinking) or [0.0]
    return Check(
        matches=first.matches,
        answers=len(first.thinking),
        late=first.kinds.count("late"),
        broken=first.kinds.count("broken"),
        illegal=first.kinds.count("illegal"),
        budget=budget,
        ms_p50=times[ceil(0.50 * len(times)) - 1],
        ms_p99=times[ceil(0.99 * len(times)) - 1],
        ms_max=times[-1],
        differs=None if timed_out else again.differs,
        noise=noise.lines,
        printed=noise.first,
        growth=again.growth,
        stopped=first.stopped or again.stopped,
    )


@attrs.define
class _Findings:
    """What is found while matches are played."""

    report: Callable[[Mistake], None]
    sign: Callable[[], None]
    thinking: list[int] = attrs.field(factory=list, init=False)
    """Nanoseconds of each answer."""
    acts: list[list[Act]] = attrs.field(factory=list, init=False)
    """The answers, match by match."""
    kinds: list[Kind] = attrs.field(factory=list, init=False)
    matches: int = attrs.field(default=0, init=False)
    stopped: str | None = attrs.field(default=None, init=False)

    def play(self, bot: Entrant, opponent: Entrant, seeds: Sequence[int], budget: int) -> None:
        """Play a match for each seed, unless there is reason to stop before."""
        held, forgetful = self.held(bot, budget), attrs.evolve(opponent, call_uno=False)
        tables, until = cycle(TABLES.get(bot.game, (Table(None, 2),))), monotonic() + LONGEST
        for seed, table in zip(seeds, tables, strict=False):
            self.matches += 1
            self.note(seed, self._played(Player(held, seed, self._mistake), forgetful, seed, table))
            if self.stopped or self.slow or monotonic() > until:
                return

    @property
    def slow(self) -> bool:
        """Whether so many answers were late that the verdict is clear."""
        return self.kinds.count("late") >= ENOUGH_LATE

    def held(self, bot: Entrant, budget: int) -> Entrant:
        """Return ``bot`` as it is to be played."""
        return within(bot, budget, self._took)

    def note(self, seed: int, acts: list[Act]) -> None:
        """Take note of the answers in a match."""
        self.acts.append(acts)

    def _played(self, player: Player, opponent: Entrant, seed: int, table: Table) -> list[Act]:
        """Return the answers in a match, as far as it could be played."""
        try:
            _play(player, opponent, seed, table)
        except BotFault as fault:
            self.stopped = str(fault)
        return player.acts

    def _took(self, ns: int) -> None:
        self.thinking.append(ns)
        self.sign()

    def _mistake(self, mistake: Mistake) -> None:
        self.kinds.append(mistake.kind)
        self.report(mistake)


@attrs.define
class _Again(_Findings):
    """The second time, beside ``before``, the answers of the first. Of what is played it keeps nothing."""

    before: Sequence[Sequence[Act]]
    differs: str | None = attrs.field(default=None, init=False)
    _used: list[tuple[int, int]] = attrs.field(factory=list, init=False)
    """After each match, how many answers there have been in all, and bytes in use."""

    def play(self, bot: Entrant, opponent: Entrant, seeds: Sequence[int], budget: int) -> None:
        """Play the matches, and watch the memory of a bot that is in this process."""
        if bot.apart or tracemalloc.is_tracing():
            super().play(bot, opponent, seeds, budget)
            return
        tracemalloc.start()
        try:
            super().play(bot, opponent, seeds, budget)
        finally:
            tracemalloc.stop()

    def held(self, bot: Entrant, budget: int) -> Entrant:
        """Return ``bot`` with its budget, but without a clock: to be watched makes slow."""
        return within(bot, budget, self._took, clock=lambda: 0)

    def _took(self, ns: int) -> None:
        self.sign()

    def note(self, seed: int, acts: list[Act]) -> None:
        """Compare the answers with those of the first time."""
        self.differs = self.differs or _difference(seed, self.before[self.matches - 1], acts)
        if tracemalloc.is_tracing():
            gc.collect()
            answers = self._used[-1][0] if self._used else 0
            self._used.append((answers + len(acts), tracemalloc.get_traced_memory()[0]))

    @property
    def growth(self) -> int | None:
        """Bytes an answer in the second half: before that, what is made once is being made."""
        half = len(self._used) // 2
        if half < 2:
            return None
        (before, used_before), (after, used_after) = self._used[half - 1], self._used[-1]
        return max(0, used_after - used_before) // max(1, after - before)


def by_chance(turn: Turn) -> Choice:
    """Play any legal action, but draw only when nothing else is left; where nothing is listed, open any closed cell."""
    cells = [cell for cell, char in enumerate("".join(turn.view.get("rows") or ())) if char == "."]
    choices: Sequence[Answer] = cells or [action for action in turn.legal if action["do"] != "draw"] or turn.legal
    return turn.rng.choice(choices)


def _play(player: Player, opponent: Entrant, seed: int, table: Table) -> None:
    """Play a match, the player at a seat that changes with the seed. Raises BotFault."""
    players = [Player(opponent, f"{seed}/{seat}", _untold) for seat in range(table.seats - 1)]
    players.insert(seed % table.seats, player)
    play_match(players, seed, table.options, _ANSWERS)


def _difference(seed: int, first: Sequence[Act], again: Sequence[Act]) -> str | None:
    for number, (one, two) in enumerate(zip(first, again, strict=False), start=1):
        if (one.rid, one.act) != (two.rid, two.act):
            return f"under seed {seed} answer {number} was {_words(one)} and the second time {_words(two)}"
    if len(first) != len(again):
        return f"under seed {seed} it gave {len(first)} answers and the second time {len(again)}"
    return None


def _words(act: Act) -> str:
    return f"number {act.act}" if isinstance(act.act, int) else str(act.act)


def _untold(_: Mistake) -> None:
    """Keep the mistakes of others, and of the second time, to ourselves."""
