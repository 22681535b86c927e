"""What ships for tests of others finds faults, and no others."""

from itertools import count
from typing import Any

import pytest

from parlour_bots.minesweeper.article import play as article
from parlour_bots.sdk import Turn
from parlour_bots.testing import check_bot, check_env
from parlour_bots.uno.painfirst import play as painfirst
from parlour_protocol.messages import Plain

try:
    import numpy as np

    from parlour_bots.rl import GameEnv, ListEncoding, MinesweeperEnv, SeatEnv, UnoEncoding
except ImportError:
    pass  # the group rl is left out, or fails


def test_sound_bots_pass() -> None:
    check_bot(painfirst, matches=2)
    check_bot(article, "minesweeper", matches=1)


def raising(turn: Turn) -> Plain:
    raise KeyError("no such card")


def illegal(turn: Turn) -> Plain:
    return {"do": "play", "card": -1}


@pytest.mark.parametrize(("bot", "said"), [(raising, "broken"), (illegal, "illegal")])
def test_faulty_bot_fails_with_its_report(bot: Any, said: str) -> None:
    with pytest.raises(AssertionError, match=f"{said}: [1-9]"):
        check_bot(bot, matches=1)


def test_bot_that_plays_otherwise_each_time_fails() -> None:
    numbers = count()
    with pytest.raises(AssertionError, match="NO: under seed"):
        check_bot(lambda turn: next(numbers) % len(turn.legal), matches=2)


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
        ("space", "not in"),
        ("mask", "mask allows no action"),
        ("info", "changes its shape"),
        ("seed", "differs from the first"),
        ("copy", "pickled copy"),
        ("rewards", "add up to"),
    ],
)
def test_faulty_environment_fails(fault: str, said: str) -> None:
    class Encoding(UnoEncoding):
        def observe(self, view: Plain, seat: int) -> Any:
            seen = super().observe(view, seat)
            return seen.astype(np.int32) - 99 if fault == "space" else seen

    class Env(GameEnv):
        def observe(self, agent: str) -> Any:
            seen = super().observe(agent)
            if fault == "mask":
                seen["action_mask"][:] = 0
            return seen

        def step(self, action: int | None) -> None:
            super().step(action)
            if fault == "info":
                self.infos[self.agent_selection] = {"actions": self.choices}
            if fault == "rewards" and not self.choices:
                self._cumulative_rewards = dict.fromkeys(self._cumulative_rewards, 1.0)

        def reset(self, seed: int | None = None, options: Plain | None = None) -> None:
            super().reset(next(numbers) if fault == "seed" else seed, options)

        def __reduce__(self) -> Any:
            return (another, ()) if fault == "copy" else super().__reduce__()

    numbers = count()
    globals()["Env"], Env.__qualname__ = Env, "Env"
    globals()["Encoding"], Encoding.__qualname__ = Encoding, "Encoding"
    with pytest.raises(AssertionError, match=said):
        check_env(Env("uno", encoding=Encoding(2)), episodes=2)


def another() -> "GameEnv":
    """Return an environment in the middle of another episode."""
    env = GameEnv("uno")
    env.reset(seed=99)
    return env
