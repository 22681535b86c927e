"""What ships for tests of others finds faults, and no others."""

import os
import sys
from contextlib import suppress
from itertools import count
from typing import Any

import pytest

from parlour_bots import testing
from parlour_bots.minesweeper.article import play as article
from parlour_bots.play import runner
from parlour_bots.sdk import Turn
from parlour_bots.testing import check_bot, check_env
from parlour_bots.uno.painfirst import play as painfirst
from parlour_protocol.messages import Plain

try:
    import gymnasium
    import numpy as np

    from parlour_bots.rl import GameEnv, ListEncoding, MinesweeperEnv, SeatEnv, UnoEncoding
except ImportError:
    pass  # the group rl is left out, or fails


def test_sound_bots_pass() -> None:
    check_bot(painfirst, matches=2)
    check_bot(article, "minesweeper", matches=1)


def test_bot_is_checked_under_the_options_that_are_given() -> None:
    boards: set[tuple[int, int]] = set()

    def first_closed(turn: Turn) -> int:
        boards.add((turn.view["width"], turn.view["height"]))
        return "".join(turn.view["rows"]).index(".")

    small = {"level": "custom", "width": 5, "height": 4, "mines": 3}
    check_bot(first_closed, "minesweeper", options=small, matches=3)
    assert boards == {(5, 4)}
    with pytest.raises(AssertionError, match="no option 'wide'"):
        check_bot(article, "minesweeper", options={"wide": 5}, matches=1)


NUMBERS = count()


class Unmade:
    def __init__(self, weights: str) -> None:
        self.weights = weights

    def play(self, turn: Turn) -> int:
        return 0


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        (lambda turn: turn.view["no such card"], "broken: [1-9]"),
        (lambda turn: {"do": "play", "card": -1}, "illegal: [1-9]"),
        (lambda turn: next(NUMBERS) % len(turn.legal), "NO: under seed"),
        (Unmade, "Unmade cannot be made: TypeError.*weights"),
    ],
)
def test_faulty_bot_fails_with_its_report(bot: Any, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        check_bot(bot, matches=2)


def looping(turn: Turn) -> Plain:
    while True:
        with suppress(Exception):  # which does not keep the check from ending
            sum(range(1_000))


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        (looping, "does not return: .*test_testing"),
        (lambda turn: sys.exit(3), "end the process: .*exit"),
        (lambda turn: os._exit(3), "end the process: .*_exit"),
    ],
)
def test_bot_that_would_end_the_tests_fails(bot: Any, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "HANGS", 1.0)
    with pytest.raises(AssertionError, match=said):
        check_bot(bot, matches=1, budget=50)


@pytest.mark.rl
def test_environments_pass(example_games: list[str]) -> None:
    for game in example_games:
        check_env(GameEnv(game), episodes=1)
    check_env(GameEnv("uno", 3, {"preset": "chaos"}), episodes=2)
    check_env(GameEnv("uno", potential=hurry, views=True), episodes=1)
    check_env(GameEnv("uno", encoding=ListEncoding(), max_steps=30), episodes=1)
    check_env(MinesweeperEnv(), episodes=2)
    check_env(SeatEnv("uno", 3), episodes=2)


def hurry(view: Plain, seat: int) -> float:
    return -0.01 * len(view["hand"])


@pytest.mark.rl
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("range", r"observation: value 0 is -99, not from 0 to 4"),
        ("shape", r"observation: its shape is \(131,\), not \(130,\)"),
        ("dtype", "observation: its values are float64, not int16"),
        ("fields", "it has observation in place of action_mask, observation"),
        ("mask", "mask allows no action"),
        ("open mask", r"mask allows action \d+, which fails: seat_\d cannot choose"),
        ("same array", "has changed"),
        ("info", "changes its shape"),
        ("seed", "differs from the first"),
        ("copy", "pickled copy"),
        ("no copy", "cannot be pickled"),
        ("rewards", "add up to"),
        ("not a number", "reward is nan"),
        ("endless", "has not ended after 40 steps"),
    ],
)
def test_faulty_environment_fails(fault: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Encoding(UnoEncoding):
        def observe(self, view: Plain, seat: int) -> Any:
            seen = super().observe(view, seat)
            changed = {"range": seen - 99, "shape": np.append(seen, seen[:1]), "dtype": seen * 1.0}
            if fault == "same array":
                shared[:] = seen
                return shared
            return changed.get(fault, seen)

    class Env(GameEnv):
        def observe(self, agent: str) -> Any:
            seen = super().observe(agent)
            if fault == "mask":
                seen["action_mask"][:] = 0
            if fault == "open mask":
                seen["action_mask"][:] = 1
            if fault == "fields":
                del seen["action_mask"]
            return seen

        def step(self, action: int | None) -> None:
            super().step(action)
            if fault == "info":
                self.infos[self.agent_selection] = {"actions": self.choices}
            if fault == "not a number":
                self._cumulative_rewards = dict.fromkeys(self._cumulative_rewards, float("nan"))
            if fault == "rewards" and not self.choices:
                self._cumulative_rewards = dict.fromkeys(self._cumulative_rewards, 1.0)

        def reset(self, seed: int | None = None, options: Plain | None = None) -> None:
            super().reset(next(numbers) if fault == "seed" else seed, options)

        def __reduce__(self) -> Any:
            return (another, ()) if fault == "copy" else super().__reduce__()

    numbers, shared = count(), UnoEncoding(2).space.low.copy()
    if fault == "endless":
        monkeypatch.setattr(testing, "LONGEST", 40)
    globals()["Env"], Env.__qualname__ = Env, "Env"
    globals()["Encoding"], Encoding.__qualname__ = Encoding, "Encoding"
    env = Env("uno", encoding=Encoding(2))
    if fault == "no copy":
        env.potential = lambda view, seat: 0.0
    with pytest.raises(AssertionError, match=said):
        check_env(env, episodes=2)


def another() -> "GameEnv":
    """Return an environment in the middle of another episode."""
    env = GameEnv("uno")
    env.reset(seed=99)
    return env


@pytest.mark.rl
@pytest.mark.parametrize(
    ("game", "fault", "said"),
    [
        ("Uno", "mask", "mask allows action [0-9]+, which fails"),
        ("Uno", "length", "mask has 185 places for 186 actions"),
        ("Minesweeper", "mask", "neither the observation nor info has action_mask"),
        ("Minesweeper", "first", "step 0: the observation is not in its space: value 0 is 9, not from -2 to 8"),
        ("Minesweeper", "reward", "the reward is inf"),
    ],
)
def test_faulty_wrapper_of_one_agent_fails(game: str, fault: str, said: str) -> None:
    class Wrapper(gymnasium.Wrapper):  # type: ignore[misc]
        def reset(self, **options: Any) -> Any:
            seen, info = super().reset(**options)
            return self.wrong(np.full_like(seen, 9) if fault == "first" else seen, info)

        def step(self, action: Any) -> Any:
            seen, reward, *ends, info = super().step(action)
            seen, info = self.wrong(seen, info)
            return (seen, float("inf") if fault == "reward" else reward, *ends, info)

        def wrong(self, seen: Any, info: Plain) -> Any:
            if game == "Uno" and fault == "mask":
                seen = {**seen, "action_mask": np.ones_like(seen["action_mask"])}
            if fault == "length":
                return seen["observation"], {"action_mask": seen["action_mask"][1:]}
            return seen, {} if fault == "mask" else info

    inner = SeatEnv("uno") if game == "Uno" else MinesweeperEnv()
    env = Wrapper(inner)
    if fault == "length":
        env.observation_space = inner.observation_space["observation"]
    with pytest.raises(AssertionError, match=said):
        check_env(env, episodes=1)
