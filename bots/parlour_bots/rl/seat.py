"""One seat of a game as a Gymnasium environment; the other seats are part of it."""

from collections.abc import Callable
from typing import Any, ClassVar, TypeAlias

import gymnasium
import numpy as np
from gymnasium.spaces import Dict, Discrete

from parlour_bots.rl.environment import GameEnv
from parlour_protocol.messages import Plain

Opponent: TypeAlias = Callable[[dict[str, np.ndarray], np.random.Generator], int]
"""Returns an action for an observation, which has an ``action_mask``."""


def at_random(seen: dict[str, np.ndarray], rng: np.random.Generator) -> int:
    """Return any action that the mask allows."""
    return int(rng.choice(np.flatnonzero(seen["action_mask"])))


class SeatEnv(gymnasium.Env):
    """A seat of a ``GameEnv`` for learners of one agent. ``opponent`` plays the other seats, by default at random.

    Observations, actions, rewards and deals are those of ``GameEnv``, whose arguments it takes. ``action_masks``
    returns the current mask, as MaskablePPO of sb3-contrib asks for it.

    An action that the mask does not allow ends the episode with reward -1.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str = "uno",
        seats: int = 2,
        options: Plain | None = None,
        *,
        seat: int = 0,
        opponent: Opponent = at_random,
        render_mode: str | None = None,
        **more: Any,
    ) -> None:
        """``more``: further arguments of ``GameEnv``, which says what this raises."""
        self.env = GameEnv(game, seats, options, **more)
        self.opponent = opponent
        self.render_mode = render_mode
        self._own = self.env.possible_agents[seat]
        self.observation_space: Dict = self.env.observation_space(self._own)
        self.action_space: Discrete = self.env.action_space(self._own)

    def reset(self, *, seed: int | None = None, options: Plain | None = None) -> tuple[dict[str, np.ndarray], Plain]:
        """Start the next match, up to the first decision of the seat. ``options`` may name the ``deal``.

        Matches that end before the seat decides are left out.
        """
        super().reset(seed=seed)
        self.env.reset(seed=seed, options=options)
        while True:
            self._let_others_play()
            if self.env.choices:
                return self.env.observe(self._own), {**self.env.infos[self._own]}
            self.env.reset()

    def step(self, action: int) -> tuple[dict[str, np.ndarray], float, bool, bool, Plain]:
        """Act, and let the others play up to the next decision of the seat."""
        env, own = self.env, self._own
        if action not in env.choices:
            return env.observe(own), -1.0, True, False, {}
        env.step(int(action))
        self._let_others_play()
        reward = float(env._cumulative_rewards[own])
        return env.observe(own), reward, env.terminations[own], env.truncations[own], {**env.infos[own]}

    def action_masks(self) -> np.ndarray:
        """Return the current mask: true for what the seat may choose."""
        return self.env.observe(self._own)["action_mask"].astype(bool)

    def render(self) -> str | None:
        """Return what a spectator sees, as JSON."""
        return self.env.render() if self.render_mode == "ansi" else None

    def _let_others_play(self) -> None:
        while self.env.choices and (agent := self.env.agent_selection) != self._own:
            self.env.step(self.opponent(self.env.observe(agent), self.np_random))
