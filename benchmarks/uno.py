"""The speed of UNO: whole rounds on the rules alone, and a move through the whole game interface.

Each round is dealt by parlour-fair/1, played by two random players, and scored. It is measured with two kinds of random
players, because they decide how long a round is. Choosing uniformly among all legal actions takes about 1,000 moves per
round, since needless draws make the hands grow. Drawing only when no card fits, as in most simulators, takes about 77.
"""

from collections.abc import Callable
from random import Random
from time import perf_counter

from benchmarks.results import Row, show
from parlour_games.fair import Fair
from parlour_games.uno import rules
from parlour_games.uno.actions import DRAW
from parlour_games.uno.events import Event
from parlour_games.uno.options import Options
from parlour_games.uno.plugin import Uno
from parlour_games.uno.rounds import begin_round
from parlour_games.uno.state import AT_BREATH, State


def measure(seconds: float = 3.0) -> list[Row]:
    """Return the results; ``seconds`` is about the total time."""
    each = seconds / 4
    fitting, moves = _rounds(each, draws_freely=False)
    uniform, long_moves = _rounds(each, draws_freely=True)
    return [
        ("UNO rules: rounds, drawing only when no card fits", fitting, f"rounds/s, {moves:.0f} moves per round"),
        ("UNO rules: rounds, uniform over all legal actions", uniform, f"rounds/s, {long_moves:.0f} moves per round"),
        ("UNO rules: moves, uniform over all legal actions", uniform * long_moves, "moves/s"),
        ("parlour-fair/1: shuffle of 108 cards", _each(_shuffle(), each), "µs"),
        ("UNO: a move (apply, decisions, legal, 3 views, redaction)", _each(_room_move(), each), "µs"),
    ]


def _fair() -> Fair:
    return Fair(bytes(range(32)), "BENCH/1", [b"", b""])


def _rounds(seconds: float, draws_freely: bool) -> tuple[float, float]:
    """Return rounds per second and moves per round."""
    state, pick = endless(), Random(1).random
    rounds = moves = 0
    began = perf_counter()
    while perf_counter() - began < seconds:
        for _ in range(20):
            moves += play_round(state, pick, draws_freely=draws_freely)
        rounds += 20
    return rounds / (perf_counter() - began), moves / rounds


def endless() -> State:
    """Return a match of two players that does not end."""
    return State(Options(scoring="lowest", target=10_000, breath=0, pause=1), _fair(), 2)


def play_round(
    state: State, pick: Callable[[], float], *, draws_freely: bool, look: Callable[[State], object] | None = None
) -> int:
    """Play a round by random choices and return its moves.

    ``draws_freely``: players draw even when a card fits. ``look`` is called before each move.
    """
    log: list[Event] = []
    legal, act = rules.legal, rules.act
    moves = 0
    state.scores = [0, 0]
    begin_round(state, log)
    while state.phase < AT_BREATH:
        codes = legal(state)
        if look is not None:
            look(state)
        choices = len(codes)
        if choices > 1 and not draws_freely and codes[-1] == DRAW:
            choices -= 1
        act(state, codes[int(pick() * choices)], log)
        moves += 1
    return moves


def _each(call: Callable[[], None], seconds: float) -> float:
    """Return the microseconds per call of ``call``."""
    calls = 0
    began = perf_counter()
    while perf_counter() - began < seconds:
        for _ in range(100):
            call()
        calls += 100
    return (perf_counter() - began) / calls * 1e6


def _shuffle() -> Callable[[], None]:
    stream = _fair().deal(1)
    return lambda: stream.label("deck").shuffle(list(range(108)))


def _room_move() -> Callable[[], None]:
    game, pick = Uno(), Random(1).random
    options = Options(scoring="single", breath=0)
    state, _ = game.start(options, 2, _fair())

    def move() -> None:
        nonlocal state
        decision = next(decision for decision in game.decisions(state) if decision.must)
        legal = game.legal(state, decision.seat, decision.key)
        events = game.apply(state, decision.seat, decision.key, legal[int(pick() * len(legal))])
        for viewer in (0, 1, None):
            game.view(state, viewer)
            for event in events:
                game.redact(event, viewer)
        if game.outcome(state) is not None:
            state, _ = game.start(options, 2, _fair())

    return move


if __name__ == "__main__":
    show(measure())
