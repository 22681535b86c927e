"""A tiny game for what UNO lacks: several obligations at a time, optional decisions for all, a timer, a computation.

Six cells are there for the taking. Every seat is asked all the time, but for the breath after a bell; what others do
changes nobody's question unless somebody hits that very seat, which adds to its list.
"""

from copy import deepcopy
from typing import Any, ClassVar

import attrs

from parlour_games.fair import Fair
from parlour_games.game import BadOptions, Decision, Done, Fired, Game, IllegalAction, Job, Outcome, Plain, Timer
from parlour_games.registry import AnyGame

CELLS = 6


@attrs.frozen(kw_only=True)
class FakeOptions:
    breath: int = 750
    pause: int = attrs.field(default=0)

    @pause.validator
    def _check(self, _: Any, value: int) -> None:
        if value < 0:
            raise BadOptions("pause must be 0 or more")


@attrs.frozen
class Take:
    """Take a cell; one that is taken already changes nothing."""

    do: ClassVar[str] = "take"
    cell: int


@attrs.frozen
class Hit:
    """Give ``seat`` one more thing to choose."""

    do: ClassVar[str] = "hit"
    seat: int


@attrs.frozen
class Spend:
    do: ClassVar[str] = "spend"


@attrs.frozen
class Make:
    """Have something computed."""

    do: ClassVar[str] = "make"


@attrs.frozen
class Bell:
    """Begin a reaction window, in which all others may shout."""

    do: ClassVar[str] = "bell"


@attrs.frozen
class Shout:
    do: ClassVar[str] = "shout"


@attrs.frozen
class Rest:
    """Begin a pause."""

    do: ClassVar[str] = "rest"


@attrs.frozen
class End:
    do: ClassVar[str] = "end"


@attrs.frozen
class Resign:
    do: ClassVar[str] = "resign"


@attrs.define
class Event:
    """An event with a text; if it is ``secret``, only ``seat`` sees it."""

    e: ClassVar[str] = "said"
    words: str
    seat: int
    secret: bool = False


@attrs.define
class State:
    options: FakeOptions
    seats: int
    secrets: list[int]
    cells: list[int | None] = attrs.field(factory=lambda: [None] * CELLS)
    asked: list[int] = attrs.field(factory=list)
    hits: list[int] = attrs.field(factory=list)
    out: list[int] = attrs.field(factory=list)
    rung: int = 0
    bell: int | None = None
    shouts: list[int] = attrs.field(factory=list)
    waits: str | None = None
    made: list[int] = attrs.field(factory=list)
    over: str | None = None


class Fake(Game[FakeOptions, State, Any, Event]):
    name = "fake"
    rules_version = 1
    min_seats = 1
    max_seats = 5
    Options = FakeOptions
    Actions = (Take, Hit, Spend, Make, Bell, Shout, Rest, End, Resign)
    Events = (Event,)

    def start(self, options: FakeOptions, seats: int, fair: Fair) -> tuple[State, list[Event]]:
        secrets = [fair.deal(1).label(f"secret/{seat}").below(10**9) for seat in range(seats)]
        state = State(options, seats, secrets, asked=[0] * seats, hits=[0] * seats)
        return state, [Event(f"secret {secrets[seat]}", seat, secret=True) for seat in range(seats)]

    def decisions(self, state: State) -> list[Decision]:
        if state.over:
            return []
        found = []
        for seat in self._in(state):
            if state.waits in (None, "job"):
                found.append(Decision(seat, f"cell:{state.asked[seat]}:{state.hits[seat]}", True))
            if state.bell not in (None, seat) and seat not in state.shouts:
                found.append(Decision(seat, f"shout:{state.rung}", False))
        return found

    def legal(self, state: State, seat: int, key: str) -> list[Any]:
        if not self.listed:
            return []
        if key.startswith("shout"):
            return [Shout()]
        spend = [Spend()] if state.hits[seat] else []
        hits = [Hit(other) for other in self._in(state) if other != seat]
        return [*map(Take, range(CELLS)), *hits, Make(), Bell(), Rest(), End(), *spend]

    def apply(self, state: State, seat: int, key: str, action: Any) -> list[Event]:
        if isinstance(action, Resign):
            return self.remove(state, seat)
        if isinstance(action, Shout) != key.startswith("shout"):
            raise IllegalAction("that is no answer to this question")
        if isinstance(action, Take) and not 0 <= action.cell < CELLS:
            raise IllegalAction(f"cells are 0 to {CELLS - 1}", "cell", last=CELLS - 1)
        if isinstance(action, Spend) and not state.hits[seat]:
            raise IllegalAction("you have nothing to spend")
        if not isinstance(action, Shout):
            state.asked[seat] += 1
            state.bell = None
        event: list[Event] = getattr(self, f"_{action.do}")(state, seat, action)
        return event

    def default_action(self, state: State, seat: int, key: str) -> Any:
        return Shout() if key.startswith("shout") else Take(0)

    def remove(self, state: State, seat: int) -> list[Event]:
        state.out.append(seat)
        if not self._in(state):
            state.over = "left"
        return [Event("out", seat)]

    def pending(self, state: State) -> Timer | Job | None:
        if state.waits == "job":
            return Job("double", {"n": len(state.made) + 1, "key": state.secrets[0]})
        if state.waits == "breath":
            return Timer("breath", state.options.breath)
        return Timer("pause", state.options.pause) if state.waits == "pause" else None

    def settle(self, state: State, result: Fired | Done) -> list[Event]:
        state.waits = None
        if isinstance(result, Done):
            state.made.append(result.result["value"])
            return [Event(f"made {state.made[-1]}", 0)]
        return [Event(f"{result.name} over, first shout {state.shouts[:1]}", 0)]

    def compute(self, name: str, args: Plain) -> Plain:
        return {"value": 2 * args["n"]}

    def outcome(self, state: State) -> Outcome | None:
        if not state.over:
            return None
        scores = [state.cells.count(seat) for seat in range(state.seats)]
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        return Outcome(tuple(ranks), tuple(scores), state.over)

    def view(self, state: State, viewer: int | None) -> Plain:
        shown: Plain = {"cells": [*state.cells], "made": [*state.made], "waits": state.waits}
        return shown if viewer is None else {**shown, "secret": state.secrets[viewer], "hits": state.hits[viewer]}

    def redact(self, event: Event, viewer: int | None) -> Plain | None:
        if event.secret and event.seat != viewer:
            return None
        return {"e": event.e, "words": event.words, "seat": event.seat}

    def canonical(self, state: State) -> Plain:
        return attrs.asdict(state)

    def copy(self, state: State) -> State:
        return deepcopy(state)

    def _in(self, state: State) -> list[int]:
        return [seat for seat in range(state.seats) if seat not in state.out]

    def _take(self, state: State, seat: int, action: Take) -> list[Event]:
        if state.cells[action.cell] is not None:
            return []
        state.cells[action.cell] = seat
        return [Event(f"took {action.cell}", seat)]

    def _hit(self, state: State, seat: int, action: Hit) -> list[Event]:
        state.hits[action.seat] += 1
        return [Event(f"hit {action.seat}", seat)]

    def _spend(self, state: State, seat: int, _: Spend) -> list[Event]:
        state.hits[seat] -= 1
        return [Event("spent", seat)]

    def _make(self, state: State, seat: int, _: Make) -> list[Event]:
        state.waits = "job"
        return [Event("asked for something", seat)]

    def _bell(self, state: State, seat: int, _: Bell) -> list[Event]:
        state.waits, state.bell, state.rung, state.shouts = "breath", seat, state.rung + 1, []
        return [Event("rang", seat)]

    def _shout(self, state: State, seat: int, _: Shout) -> list[Event]:
        state.shouts.append(seat)
        return [Event("shouted", seat, secret=True)]

    def _rest(self, state: State, seat: int, _: Rest) -> list[Event]:
        state.waits = "pause"
        return [Event("rests", seat)]

    def _end(self, state: State, seat: int, _: End) -> list[Event]:
        state.over = "ended"
        return [Event("ended it", seat)]


class Grid(Fake):
    """The same, but the grid is the list: a bare integer is a cell for ever."""

    name = "grid"
    listed = False

    def indexed(self, state: State, seat: int, key: str, index: int) -> Take:
        if not 0 <= index < CELLS:
            raise IllegalAction(f"cells are 0 to {CELLS - 1}")
        return Take(index)


FAKES: dict[str, AnyGame] = {"fake": Fake(), "grid": Grid()}
