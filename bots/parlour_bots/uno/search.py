"""``search``: plays its answers out in many possible worlds and takes the one that wins the match most often.

``belief`` deals worlds that fit the observations, ``playout`` plays them out, ``stakes`` values the scores.
"""

from collections.abc import Callable
from math import inf, sqrt
from time import perf_counter

import attrs

from parlour_bots.sdk import Action, Turn
from parlour_bots.uno.belief import Belief, Worlds
from parlour_bots.uno.playout import NOBODY, Candidate, PlayoutPosition, answer, candidates, carry_out, run
from parlour_bots.uno.stakes import Stakes, chances, stakes
from parlour_games.uno.actions import CHALLENGE
from parlour_protocol.messages import Plain

BATCH = 24
"""Worlds between two comparisons."""
CLEARLY, EVIDENCE = 3.0, 30.0
"""An answer is dropped when it is behind by CLEARLY standard errors, or when its differences to the best add up to
EVIDENCE of their standard deviations, which decides from 100 worlds on: what is closer is worth few more worlds."""
NEGLIGIBLE = 0.002
"""A lead that is not worth further worlds."""


@attrs.frozen
class Race:
    """The result: the best answer, the mean of each in its worlds, and the number of worlds."""

    best: int
    means: tuple[float, ...]
    worlds: int
    capped: bool
    """Whether time ran out."""


def race(
    answers: int, tried: Callable[[list[int]], list[float]], worlds: int, expired: Callable[[], bool] = bool
) -> Race:
    """Compare ``answers`` in up to ``worlds`` worlds.

    ``tried`` deals a world and returns the values of the requested answers. ``expired`` is called after each batch and
    returns whether to stop.
    """
    values: list[list[float]] = [[] for _ in range(answers)]
    alive = list(range(answers))
    dealt, capped = 0, False
    while dealt < worlds and len(alive) > 1 and not capped:
        for _ in range(min(BATCH, worlds - dealt)):
            for at, value in zip(alive, tried(alive), strict=True):
                values[at].append(value)
            dealt += 1
        alive = _still_in(alive, values)
        capped = len(alive) > 1 and dealt < worlds and expired()
    means = tuple(sum(each) / len(each) if each else 0.0 for each in values)
    return Race(max(alive, key=means.__getitem__), means, dealt, capped)


def _still_in(alive: list[int], values: list[list[float]]) -> list[int]:
    """Return the answers still in the race: neither clearly worse nor practically equal to the best."""
    best = max(alive, key=lambda answer: sum(values[answer]))
    return [answer for answer in alive if answer == best or not _settled(values[best], values[answer])]


def _settled(best: list[float], other: list[float]) -> bool:
    n = len(best)
    differences = [one - two for one, two in zip(best, other, strict=True)]
    lead = sum(differences) / n
    error = sqrt(max(0.0, sum([each * each for each in differences]) / n - lead * lead) / n)
    return lead > min(CLEARLY, EVIDENCE / sqrt(n)) * error or lead + CLEARLY * error < NEGLIGIBLE


CHALLENGERS = (2.0, 1.0)
"""Prior counts of a seat's answers to a Wild Draw Four: accepted, challenged."""
SHARE_OF_CLOCK = 0.25
"""The largest share of the remaining clock for one decision."""


@attrs.define
class Search:
    """Deals the unseen cards many times, plays each answer out, and takes the best average.

    It counts cards and infers from draws and passes which cards others lack. It uses only what its turns show.
    ``worlds`` limits the worlds per decision. Playouts stop after ``turns`` turns, where the hands are evaluated.
    ``think`` limits the milliseconds per decision, as does a clock that is about to run out.
    """

    worlds: int = attrs.field(default=1000, kw_only=True)
    think: float | None = attrs.field(default=None, kw_only=True)
    turns: int = attrs.field(default=14, kw_only=True)
    reproducible: bool = attrs.field(default=True, init=False)
    """False once a time limit ended a decision early: the same seed may then play differently."""
    clock: Callable[[], float] = attrs.field(default=perf_counter, init=False)
    """Seconds."""
    last: Race | None = attrs.field(default=None, init=False)
    """The comparison of the last decision, None if there was only one answer."""
    _belief: Belief | None = attrs.field(default=None, init=False)

    def play(self, turn: Turn) -> Action:
        """Return the best answer."""
        begun = self.clock()
        view = turn.view
        belief = self._belief = self._belief or Belief(turn.seat, turn.rng)
        belief.follow(turn.events, view["hand"])
        worlds = Worlds(belief, view, turn.rng)
        answers = candidates(view, turn.legal, worlds.seats, bool(turn.options.get("seven_zero")))
        self.last = None
        if len(answers) == 1:
            return answers[0].action
        tried = self._trial(turn, worlds, answers)
        limit = self._limit(turn)
        self.last = race(len(answers), tried, self.worlds, lambda: (self.clock() - begun) * 1000 >= limit)
        self.reproducible = self.reproducible and not self.last.capped
        return answers[self.last.best].action

    def compare(self, turn: Turn, first: Action, second: Action, worlds: int) -> list[float]:
        """Return by how much ``first`` is better than ``second`` in each of ``worlds`` further worlds.

        ``turn`` is the one that ``play`` was last asked about. The values are probabilities to win the match.
        """
        assert self._belief is not None
        dealt = Worlds(self._belief, turn.view, turn.rng)
        rotates = bool(turn.options.get("seven_zero"))
        tried = self._trial(turn, dealt, [answer(action, dealt.seats, rotates) for action in (first, second)])
        return [one - two for one, two in (tried([0, 1]) for _ in range(worlds))]

    def may(self, turn: Turn) -> Action | None:
        """Call UNO, catch a missing call, or jump in."""
        exposed = turn.view.get("exposed")
        wanted = [action for action in turn.legal if action["do"] != "catch" or action["seat"] == exposed]
        counts = turn.view["counts"]
        return min(wanted, key=lambda action: counts[action["swap"]] if "swap" in action else 0, default=None)

    def _trial(self, turn: Turn, worlds: Worlds, answers: list[Candidate]) -> Callable[[list[int]], list[float]]:
        """Return what deals a world and returns the values of the requested answers in it."""
        assert self._belief is not None
        at_stake = _stakes(turn, worlds.seats, turn.options)
        turns, rng, shuffle = self.turns, turn.rng, turn.rng.shuffle
        accepted, challenged = CHALLENGERS
        for seat, (yes, no) in self._belief.answers.items():
            if seat != turn.seat:
                accepted, challenged = accepted + yes, challenged + no
        share = challenged / (accepted + challenged)

        def value(world: PlayoutPosition, answer: Candidate, is_challenged: bool) -> float:
            seat = world.turn
            answer.carry_out(world, shuffle)
            if is_challenged and world.offender == seat != NOBODY:
                carry_out(world, CHALLENGE, shuffle)
            if not world.over:
                run(world, turns, shuffle)
            return at_stake.of(world) if world.over else at_stake.of(world, chances(world))

        def tried(alive: list[int]) -> list[float]:
            world = worlds.deal()
            is_challenged = rng.random() < share
            twins = [*(world.copy() for _ in alive[1:]), world]
            return [value(twin, answers[at], is_challenged) for twin, at in zip(twins, alive, strict=True)]

        return tried

    def _limit(self, turn: Turn) -> float:
        """Return the time limit of a decision in milliseconds."""
        limits = [self.think, None if turn.left is None else turn.left * SHARE_OF_CLOCK]
        return min([limit for limit in limits if limit is not None], default=inf)


def _stakes(turn: Turn, seats: list[int], options: Plain) -> Stakes:
    """Return the stakes. Without options, a first round counts as the only one, a later one as part of a race."""
    usual = "race" if turn.view["round"] > 1 else "single"
    scores = [turn.view["scores"][seat] for seat in seats]
    return stakes(seats.index(turn.seat), scores, options.get("scoring", usual), options.get("target", 500))
