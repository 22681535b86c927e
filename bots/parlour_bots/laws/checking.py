"""Check the laws of a game in many random matches, find a short match that breaks one, and be its tests for pytest."""

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import cycle
from random import Random  # noqa: TID251  picks options and seats; never the deal
from time import process_time
from typing import Any, ClassVar

import attrs

from parlour_bots.errors import raised_at
from parlour_bots.laws.laws import FIRST, LAWS, Law, deterministic, whole
from parlour_bots.laws.match import ImpossibleStep, MatchStep, RandomMatch, Violation
from parlour_bots.sdk import seeded
from parlour_games.game import BadOptions, Plain
from parlour_games.options import Option, options_of
from parlour_games.plural import counted
from parlour_games.registry import AnyGame

MATCHES = 20
"""The number of matches that are checked for each law."""
_ATTEMPTS = 300
"""The number of shorter matches that are tried to find a short example."""
_LONGEST_SHORTENED = 500
_STEPS_SHOWN = 40
_FEW = 20
_MEASURED = 0.2
_OTHERWISE = "another process plays the same match differently: look for the order of a set, and for hash()"


@attrs.frozen
class BrokenLaw:
    """A law that a game breaks, in the shortest match that was found."""

    law: str
    words: str
    seed: int
    seats: int
    options: Plain
    """The options that differ from the defaults."""
    steps: tuple[MatchStep, ...]

    def plain(self) -> Plain:
        """Return the finding as plain data."""
        return {**attrs.asdict(self, recurse=False), "steps": [step.plain() for step in self.steps]}

    def __str__(self) -> str:
        """Return the finding in lines: the law, what breaks it, the match, and its last steps."""
        options = "".join(f", {name} {value}" for name, value in self.options.items())
        where = f"seed {self.seed}, {counted(self.seats, 'seat')}{options}, {counted(len(self.steps), 'step')}"
        cut = ["  …"] if len(self.steps) > _STEPS_SHOWN else []
        return "\n".join([self.words, where, *cut, *(f"  {step}" for step in self.steps[-_STEPS_SHOWN:])])


@attrs.frozen
class Subject:
    """A game with the options and seats under which it is checked; None: random ones."""

    game: AnyGame
    options: Sequence[Plain] | None = None
    seats: int | None = None

    def match(self, seed: int) -> RandomMatch:
        """Return the match of ``seed``."""
        rng = seeded(seed, "setup")
        options = self._options(rng)
        least, most = self.game.seats(options)
        seats = rng.randint(least, most if rng.random() < 0.2 else min(most, least + 2))
        return RandomMatch(self.game, seed, options, self.seats or seats)

    def digest(self, seed: int) -> str:
        """Return a hash of all that can be seen of the match of ``seed``."""
        found = sha256()
        for position in self.match(seed).walk():
            found.update(json.dumps(whole(position), sort_keys=True, default=repr).encode())
        return found.hexdigest()

    def broken(self, law: Law, seed: int) -> BrokenLaw | None:
        """Return how the match of ``seed`` breaks ``law``, in as few steps as possible; None if it does not."""
        match = self.match(seed)
        violation = _violation(law, match)
        return None if violation is None else _finding(law, match, _shortest(law, match, violation))

    def _options(self, rng: Random) -> Any:
        if self.options is not None:
            return self.game.Options(**rng.choice(self.options))
        described = options_of(self.game)
        changed = rng.sample(described, k=min(len(described), rng.choice((0, 0, 1, 2))))
        try:
            return self.game.Options(**{option.name: _value(option, rng) for option in changed})
        except BadOptions:
            return self.game.Options()


class LawCheck:
    """The laws of a game that have been checked, and what was found."""

    def __init__(self, subject: Subject, seeds: Sequence[int]) -> None:
        self._subject = subject
        self._seeds = seeds
        self.findings: dict[str, BrokenLaw | None] = {}
        """By law, how the game breaks it; None if it does not. A law that was not checked is absent."""

    @property
    def sound(self) -> bool:
        """Whether no law is broken."""
        return not any(self.findings.values())

    def check(self, law: Law, step: Callable[[], None] = lambda: None) -> BrokenLaw | None:
        """Check ``law``, unless the game cannot be played at all. Return how the first match breaks it.

        ``step`` is called before each match.
        """
        if any(self.findings.get(first.__name__) for first in FIRST):
            return None
        found = None
        for seed in self._seeds:
            step()
            if found := self._subject.broken(law, seed):
                break
        self.findings[law.__name__] = found
        return found

    def compare(self, elsewhere: Sequence[str]) -> None:
        """Note a match that has ended in another way in another process, which has returned these digests."""
        for seed, digest in zip(self._seeds, elsewhere, strict=True):
            if self._subject.digest(seed) != digest:
                match = self._subject.match(seed)
                steps = match.last().steps
                self.findings[deterministic.__name__] = _finding(deterministic, match, Violation(_OTHERWISE, steps))
                return

    def steps_a_second(self) -> int:
        """Return how many steps of random matches a second of CPU plays."""
        began, steps = process_time(), 0
        for seed in cycle(self._seeds):
            steps += len(self._subject.match(seed).last().steps)
            if (passed := process_time() - began) > _MEASURED:
                return round(steps / passed)
        raise ValueError("there are no seeds")


def _violation(law: Law, match: RandomMatch) -> Violation | None:
    try:
        law(match)
    except Violation as violation:
        return violation
    except ImpossibleStep:
        return None
    except Exception as error:  # the game is code of others and may raise anything
        return Violation(raised_at(error), match.position.steps if match.position else ())
    return None


def _shortest(law: Law, match: RandomMatch, found: Violation) -> Violation:
    """Leave out steps of the match, many at first, as long as it still breaks the law."""
    attempts = _ATTEMPTS if len(found.steps) <= _LONGEST_SHORTENED else 0
    size = len(found.steps)
    while size and attempts:
        start = 0
        while start < len(found.steps) and attempts:
            attempts -= 1
            script = found.steps[:start] + found.steps[start + size :]
            shorter = _violation(law, RandomMatch(match.game, match.seed, match.options, match.seats, script))
            if shorter is not None and len(shorter.steps) < len(found.steps):
                found = shorter
            else:
                start += size
        size //= 2
    return found


def _finding(law: Law, match: RandomMatch, violation: Violation) -> BrokenLaw:
    usual = attrs.asdict(match.game.Options())
    changed = {name: value for name, value in attrs.asdict(match.options).items() if value != usual[name]}
    return BrokenLaw(law.__name__, violation.words, match.seed, match.seats, changed, violation.steps)


def _value(option: Option, rng: Random) -> str | int | bool:
    """Return a value of ``option``: numbers up to twice the default, since large ones make long matches."""
    if option.choices:
        return rng.choice(option.choices)
    if option.low is None or option.high is None:
        return option.default
    return rng.randint(option.low, min(option.high, max(2 * int(option.default), option.low + _FEW)))


class Laws:
    """Base class of a test class: pytest checks each law of ``game``. It needs no fixture and no plug-in."""

    game: ClassVar[AnyGame]
    matches: ClassVar[int] = 10
    """The number of matches that are checked for each law."""
    options: ClassVar[Sequence[Plain] | None] = None
    """The sets of options under which matches are played; None: random ones."""
    first_seed: ClassVar[int] = 0

    def pytest_generate_tests(self, metafunc: Any) -> None:
        """Make a test of each law."""
        if "law" in metafunc.fixturenames:
            metafunc.parametrize("law", LAWS, ids=[law.__name__ for law in LAWS])

    def test_law(self, law: Law) -> None:
        """Check one law."""
        seeds = range(self.first_seed, self.first_seed + self.matches)
        finding = LawCheck(Subject(self.game, self.options), seeds).check(law)
        assert finding is None, f"{law.__name__}: {finding}"
