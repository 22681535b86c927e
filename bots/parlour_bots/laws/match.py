"""Random matches of a game, step by step. Equal seeds give equal matches."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from random import Random  # noqa: TID251  choices of imaginary players; never for the deal
from typing import Any, Literal, Self, TypeAlias

import attrs

from parlour_bots.errors import raised_at
from parlour_bots.sdk import seeded
from parlour_games.fair import Fair, Stream, Words
from parlour_games.game import BadOptions, Decision, Done, Fired, IllegalAction, Job, Plain
from parlour_games.registry import AnyGame
from parlour_protocol.errors import BadMessage
from parlour_protocol.wire import strict

USUAL_STEPS = 150
"""The steps of a match that most laws look at."""
_LOOKED_AT = 25
"""The steps from the start that are all looked at; later ones now and then."""
_TRIES = 20
"""Actions that are tried in a game without a list before the time of the seat runs out."""
_STEP_MS = 250
_OTHER = 0.3
"""The share of numbers that another deal changes."""
_VIEWERS = 3

Viewer: TypeAlias = int | None
What: TypeAlias = Literal["act", "timeout", "leave", "wait"]


@attrs.frozen
class MatchStep:
    """A step of a match: a seat acts, its time runs out, it leaves, or what the match waits for is done."""

    what: What
    seat: int | None = None
    act: Plain | None = None

    def plain(self) -> Plain:
        """Return the step as plain data."""
        return attrs.asdict(self, filter=lambda _, value: value is not None)

    def __str__(self) -> str:
        """Return the step in a line."""
        what = json.dumps(self.act, ensure_ascii=False) if self.act else self.what
        return what if self.seat is None else f"seat {self.seat}: {what}"


class ImpossibleStep(Exception):
    """The step does not fit the state."""


class Violation(Exception):
    """A game breaks a law after ``steps``."""

    def __init__(self, words: str, steps: Sequence[MatchStep]) -> None:
        super().__init__(words)
        self.words = words
        self.steps = tuple(steps)


class ChangedFair(Fair):
    """The deals of ``fair`` with other words, which ``words`` makes of a key, a label and a deal. Copies share it."""

    def __init__(self, fair: Fair, words: Callable[[bytes, str, int], Words]) -> None:
        self._fair, self._words = fair, words

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def deal(self, number: int) -> Stream:
        """Return the stream of a deal."""
        return _ChangedStream(self._fair.deal(number).key, number, self._words)


class _ChangedStream(Stream):
    def __init__(self, key: bytes, number: int, words: Callable[[bytes, str, int], Words]) -> None:
        super().__init__(key)
        self._number, self._words = number, words

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def label(self, label: str) -> Words:
        return self._words(self.key, label, self._number)


class _WatchedWords(Words):
    """Notes in ``drawn`` that they are used."""

    def __init__(self, drawn: list[str], key: bytes, label: str, deal: int) -> None:
        super().__init__(key, label)
        self._name, self._drawn = f"{label} of deal {deal}", drawn

    def _fill(self, count: int) -> None:
        self._drawn.append(self._name)
        super()._fill(count)


class _SwappedWords(Words):
    """Shuffles swap two items, and some numbers change."""

    def __init__(self, rng: Random, key: bytes, label: str, deal: int) -> None:
        super().__init__(key, label)
        self._rng = rng

    def below(self, n: int) -> int:
        drawn = super().below(n)
        return (drawn + self._rng.randrange(1, n)) % n if n > 1 and self._rng.random() < _OTHER else drawn

    def shuffle(self, items: list[int]) -> None:
        super().shuffle(items)
        if len(items) > 1:
            one, other = self._rng.sample(range(len(items)), 2)
            items[one], items[other] = items[other], items[one]


class RandomMatch:
    """A match of ``game`` whose every choice comes from ``seed``, or from ``script``."""

    def __init__(
        self, game: AnyGame, seed: int, options: Any, seats: int, script: Sequence[MatchStep] | None = None
    ) -> None:
        self.game = game
        self.seed = seed
        self.options = options
        self.seats = seats
        self.script = script
        self.position: MatchPosition | None = None
        """The position of the last walk."""
        self.drawn: list[str] = []
        """The draws of the match from its randomness so far, in all positions."""
        self.rng = seeded(seed, "laws")
        """Randomness of the laws. The match does not depend on it."""

    def fair(self) -> Fair:
        """Return the randomness of the deal."""
        secret = seeded(self.seed, "deal").randbytes(32)
        fair = Fair(secret, f"LAWS/{self.seed}", [b""] * self.seats)
        return ChangedFair(fair, partial(_WatchedWords, self.drawn))

    def other_deal(self) -> "MatchPosition":
        """Return the start of the match after another deal: shuffles swap two items, and some numbers change."""
        return MatchPosition(self, ChangedFair(self.fair(), partial(_SwappedWords, self.rng)))

    def stream(self) -> Stream:
        """Return other randomness, different at each call."""
        return Stream(self.rng.randbytes(32))

    def read(self, act: Plain) -> Any:
        """Return the action in ``act``, read as servers do. Raises ImpossibleStep."""
        fields = json.loads(json.dumps(act))
        try:
            return self._readers[fields.pop("do")](fields)
        except (BadMessage, LookupError) as error:
            raise ImpossibleStep(str(error)) from None

    @cached_property
    def _readers(self) -> dict[str, Callable[[Any], Any]]:
        return {cls.do: strict(cls) for cls in self.game.Actions}

    def walk(self, most: int = USUAL_STEPS) -> Iterator["MatchPosition"]:
        """Yield the position at the start and after each step, the same object every time.

        Raises Violation if the game raises anything.
        """
        position = self.position = MatchPosition(self)
        yield position
        rng = seeded(self.seed, "steps")
        for number in range(most if self.script is None else len(self.script)):
            if position.at_rest:
                return
            if self.script is None:
                position.go_on(rng)
            else:
                position.take(self.script[number])
            yield position

    def looks(self, *, at_rest: bool = True) -> Iterator["MatchPosition"]:
        """Walk, and yield the positions that a law that takes long should look at, perhaps none that is at rest."""
        for position in self.walk():
            if position.looked_at and (at_rest or not position.at_rest):
                yield position

    def last(self) -> "MatchPosition":
        """Play the match, and return its last position."""
        *_, position = self.walk()
        return position


class MatchPosition:
    """A match after some steps."""

    def __init__(self, match: RandomMatch, fair: Fair | None = None) -> None:
        self.match = match
        self.game = match.game
        self.steps: list[MatchStep] = []
        self.left: set[int] = set()
        self.state: Any
        self.events: list[Any]
        """The events of the last step."""
        with self.guarded():
            try:
                self.state, self.events = self.game.start(match.options, match.seats, fair or match.fair())
            except BadOptions as refusal:
                raise self.broken(
                    f"start refuses what Options and seats allow: {refusal}. Refuse options that do not go together in"
                    " __attrs_post_init__ of Options, and return the seats that they allow from seats(options)"
                ) from None

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        with self.guarded():
            return self.game.outcome(self.state) is not None

    @property
    def at_rest(self) -> bool:
        """Whether no step follows: the match is over, or waits for nothing, which the law ``decisions`` reports."""
        with self.guarded():
            return self.over or not (self.decisions() or self.game.pending(self.state))

    @property
    def viewers(self) -> list[Viewer]:
        """Spectators and all seats."""
        return [None, *range(self.match.seats)]

    @property
    def looked_at(self) -> bool:
        """Whether a law that takes long should look at this position."""
        return self.match.script is not None or len(self.steps) <= _LOOKED_AT or self.match.rng.random() < 0.1

    def some_viewers(self) -> list[Viewer]:
        """Return some of the viewers, all of them if there are few."""
        return self.match.rng.sample(self.viewers, k=min(_VIEWERS, len(self.viewers)))

    def broken(self, words: str) -> Violation:
        """Return the violation of a law in this position."""
        return Violation(words, self.steps)

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Turn what the game raises into a Violation."""
        try:
            yield
        except (Violation, ImpossibleStep):
            raise
        except Exception as error:
            raise self.broken(raised_at(error)) from error

    def decisions(self) -> list[Decision]:
        """Return the open decisions."""
        return self.game.decisions(self.state)

    def canonical(self) -> Plain:
        """Return the whole state as plain data."""
        return self.game.canonical(self.state)

    def legal(self, decision: Decision) -> list[Plain]:
        """Return the listed actions as on the wire."""
        return self.game.wires(self.game.legal(self.state, decision.seat, decision.key))

    def fork(self) -> "MatchPosition":
        """Return a position with a copy of the state."""
        return self.over_there(self.game.copy(self.state))

    def over_there(self, state: Any) -> "MatchPosition":
        """Return this position with another state."""
        twin = MatchPosition.__new__(MatchPosition)
        twin.match, twin.game, twin.steps, twin.left = self.match, self.game, [*self.steps], {*self.left}
        twin.state, twin.events = state, []
        return twin

    def view(self, viewer: Viewer) -> Plain:
        """Return what ``viewer`` sees."""
        return self.game.view(self.state, viewer)

    def told(self, viewer: Viewer) -> list[Plain]:
        """Return the events of the last step that ``viewer`` may see, redacted."""
        redacted = (self.game.redact(event, viewer) for event in self.events)
        return [event for event in redacted if event is not None]

    def choose(self, rng: Random) -> MatchStep:
        """Return a possible step. The match must not be at rest."""
        decisions, pending = self.decisions(), self.game.pending(self.state)
        if pending is not None and (not decisions or rng.random() < 0.3):
            return MatchStep("wait")
        if self.match.seed % 4 == 3 and len(self.left) < self.match.seats and rng.random() < 0.02:
            return MatchStep("leave", rng.choice([seat for seat in range(self.match.seats) if seat not in self.left]))
        decision = rng.choice(decisions)
        if decision.must and rng.random() < 0.03:
            return MatchStep("timeout", decision.seat)
        if self.game.listed:
            legal = self.legal(decision)
            if not legal:
                raise self.broken(f"legal is empty for {decision}: a decision that is open has an answer")
            return MatchStep("act", decision.seat, rng.choice(legal))
        return self._choose_unlisted(decision, rng)

    def go_on(self, rng: Random) -> None:
        """Take a step that should be possible. Raises Violation if it is not."""
        with self.guarded():
            step = self.choose(rng)
        try:
            self.take(step)
        except ImpossibleStep as error:
            raise self.broken(f"{step} should be possible, but: {error}") from None

    def take(self, step: MatchStep) -> None:
        """Take a step. Raises ImpossibleStep if it does not fit, and Violation if the game raises anything else."""
        with self.guarded():
            self.game.note_time(self.state, _STEP_MS * (len(self.steps) + 1))
            self.events = self._taken(step)
        self.steps.append(step)

    def apply(self, decision: Decision, act: Plain) -> IllegalAction | None:
        """Answer ``decision``; return the refusal if the game refuses it."""
        try:
            self.events = self.game.apply(self.state, decision.seat, decision.key, self.match.read(act))
        except IllegalAction as refusal:
            return refusal
        self.steps.append(MatchStep("act", decision.seat, act))
        return None

    def _taken(self, step: MatchStep) -> list[Any]:
        game, state = self.game, self.state
        if step.what == "wait":
            waiting = game.pending(state)
            if waiting is None:
                raise ImpossibleStep("the match waits for nothing")
            if isinstance(waiting, Job):
                result = game.compute(waiting.name, json.loads(json.dumps(waiting.args)))
                return game.settle(state, Done(waiting.name, json.loads(json.dumps(result))))
            return game.settle(state, Fired(waiting.name))
        assert step.seat is not None
        if step.what == "leave":
            if step.seat in self.left:
                raise ImpossibleStep("the seat has left")
            self.left.add(step.seat)
            return game.remove(state, step.seat)
        decision = self._decision(step)
        if step.act is None:
            return game.apply(state, step.seat, decision.key, game.default_action(state, step.seat, decision.key))
        try:
            return game.apply(state, step.seat, decision.key, self.match.read(step.act))
        except IllegalAction as refusal:
            raise ImpossibleStep(refusal.reason) from None

    def _decision(self, step: MatchStep) -> Decision:
        """Return the decision that the step answers."""
        for decision in self.decisions():
            if decision.seat != step.seat:
                continue
            if step.act is None and decision.must:
                return decision
            if step.act is not None and (not self.game.listed or step.act in self.legal(decision)):
                return decision
        raise ImpossibleStep("the decision is not open")

    def _choose_unlisted(self, decision: Decision, rng: Random) -> MatchStep:
        """Return an action by its number that the game accepts, else a time-out."""
        count = self.numbers(decision)
        for _ in range(_TRIES if count else 0):
            action = self.game.indexed(self.state, decision.seat, decision.key, rng.randrange(count))
            act = self.game.wire(action)
            if self.fork().apply(decision, act) is None:
                return MatchStep("act", decision.seat, act)
        return MatchStep("timeout", decision.seat)

    def numbers(self, decision: Decision) -> int:
        """Return how many actions have a number in a game without a list."""
        high = 1
        while self._numbered(decision, high - 1):
            high *= 2
        low = high // 2
        while low < high - 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._numbered(decision, middle - 1) else (low, middle)
        return low

    def _numbered(self, decision: Decision, number: int) -> bool:
        try:
            self.game.indexed(self.state, decision.seat, decision.key, number)
        except IllegalAction:
            return False
        return True
