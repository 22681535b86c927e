"""UNO beside RLCard, a toolkit for learning card games (PyPI ``rlcard``).

Both play rounds of two random players that draw only when no card fits, as RLCard's rules demand, in this process and
in turns. A step is an action of a player with the list of legal actions before it. Dealing is included: parlour's
shuffles follow from a committed secret, RLCard's come from NumPy.

- The rules alone: ``rules.legal`` and ``rules.act``; ``UnoRound.get_legal_actions`` and ``UnoRound.proceed_round``.
- With what the player to move sees: the same and ``view.view``; RLCard's environment, which returns observations.
- Environments for learning agents, with observations as arrays: ``parlour_bots.rl.GameEnv``, which needs the extra
  ``rl``, by PettingZoo's calls; the same environment of RLCard.
- Whole matches on the server's rooms: messages, sessions, records and the views of both players; beside the same
  environment. RLCard has nothing of the kind.

The rules differ a little: RLCard plays a drawn card immediately if it fits, and has no calls, challenges and scores.
So each side counts the steps and rounds that its own rules take.
"""

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from random import Random
from time import process_time
from typing import Any

from benchmarks import rooms, uno
from benchmarks.results import Result, Target, show
from parlour_games.game import Plain
from parlour_games.uno.state import State
from parlour_games.uno.view import view

Play = Callable[[], int]
"""Plays a round and returns its steps."""


def measure(seconds: float = 6.0) -> Iterator[Result]:
    """Yield steps and rounds per CPU second, or a note if RLCard is missing."""
    if find_spec("rlcard") is None:
        yield "beside RLCard: skipped, missing: pip install --group rlcard", 0.0, ""
        return
    pairs: list[tuple[str, Play, Play, int, float | None]] = []
    if all(map(find_spec, ("gymnasium", "numpy", "pettingzoo"))):
        pairs += [("environments for learning agents", _environment(), _rlcard_environment(), 5, 1)]
    else:
        yield "beside RLCard's environment: skipped, missing: pip install --editable '.[rl]'", 0.0, ""
    pairs += [
        ("rules alone", _rules(), _rlcard_rules(), 20, None),
        ("rules and the mover's view", _rules(_see), _rlcard_environment(), 10, 3),
        ("whole matches", _matches(), _rlcard_environment(), 2, None),
    ]
    for label, ours, theirs, rounds, must in pairs:
        yield from _compare(f"UNO, 2 players, {label}", ours, theirs, seconds / len(pairs), rounds, must)


def _compare(label: str, ours: Play, theirs: Play, seconds: float, rounds: int, must: float | None) -> Iterator[Result]:
    """Play rounds of both sides in turns."""
    spent, steps, played = [0.0, 0.0], [0, 0], 0
    while sum(spent) < seconds:
        for side, play in enumerate((ours, theirs)):
            began = process_time()
            steps[side] += sum(play() for _ in range(rounds))
            spent[side] += process_time() - began
        played += rounds
    for name, count, time in zip(("parlour", "RLCard"), steps, spent, strict=True):
        yield f"{label}: {name}", count / time, f"steps/s, {played / time:,.0f} rounds/s of {count / played:.0f} steps"
    relative = steps[0] / spent[0] / (steps[1] / spent[1])
    name = f"{label}: steps/s relative to RLCard"
    yield (name, relative, "") if must is None else Target(name, relative, "", must=must, aim=must, more=True)


def _rules(look: Callable[[State], object] | None = None) -> Play:
    state, pick = uno.endless(), Random(1).random
    return lambda: uno.play_round(state, pick, draws_freely=False, look=look)


def _see(state: State) -> Plain:
    state.public = None
    return view(state, state.turn)


def _rlcard_rules() -> Play:
    from rlcard.games.uno import Game  # installed for this benchmark only

    game, pick = Game(), Random(1).random

    def play() -> int:
        game.init_game()
        table, players, steps = game.round, game.players, 0
        while not table.is_over:
            legal = table.get_legal_actions(players, table.current_player)
            table.proceed_round(players, legal[int(pick() * len(legal))])
            steps += 1
        return steps

    return play


def _matches() -> Play:
    seeds = Random(1)

    def choose(legal: list[Any], pick: Random) -> int:
        choices = len(legal) - (len(legal) > 1 and legal[-1] == {"do": "draw"})
        return pick.randrange(choices)

    return lambda: rooms.play_match(
        seeds.getrandbits(32), None, seats=2, options={"scoring": "single", "breath": 0}, choose=choose
    )


def _environment() -> Play:
    from parlour_bots.rl import GameEnv  # needs an extra

    environment, pick, draw = GameEnv("uno", 2), Random(1).random, 120
    environment.reset(seed=1)

    def play() -> int:
        environment.reset()
        steps = 0
        while True:
            _, _, over, _, _ = environment.last()
            if over:
                return steps
            choices = environment.choices
            if len(choices) > 1 and draw in choices:
                choices.remove(draw)
            environment.step(choices[int(pick() * len(choices))])
            steps += 1

    return play


def _rlcard_environment() -> Play:
    import rlcard  # installed for this benchmark only

    environment, pick = rlcard.make("uno"), Random(1).choice

    def play() -> int:
        state, _ = environment.reset()
        steps = 0
        while not environment.is_over():
            state, _ = environment.step(pick([*state["legal_actions"]]))
            steps += 1
        return steps

    return play


if __name__ == "__main__":
    show(measure())
