"""Minesweeper alone as a Gymnasium environment."""

from secrets import randbits
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

from parlour_bots.arena.minesweeper.boards import generated
from parlour_bots.arena.minesweeper.game import BoardMatch
from parlour_games.minesweeper.board import known
from parlour_games.minesweeper.grid import CLOSED, MINE
from parlour_games.minesweeper.options import Options
from parlour_protocol.messages import Plain
from parlour_protocol.wire import strict


def observe(view: Plain) -> np.ndarray:
    """Return the board in a view as an int8 array of shape (height, width): 0 to 8, -1 closed, -2 a mine."""
    return np.array(known(view["rows"]), np.int8).reshape(view["height"], view["width"])


class MinesweeperEnv(gymnasium.Env):
    """A board of Minesweeper, whose first cell is already open. Action ``y * width + x`` opens a cell.

    **Observations** are those of ``observe``. ``info["action_mask"]`` is an int8 array with a 1 for each closed cell;
    with ``views``, ``info["view"]`` is the view as bots get it. Opening an open cell changes nothing.

    **Rewards.** Clearing the board gives 1, a mine -1. ``progress`` is shared out among the safe cells: each gives its
    part when it is opened. An episode is truncated after twice as many steps as there are cells.

    **Seeds.** ``reset(seed=S)`` has the first board of ``parlour arena minesweeper --seed S`` under the same options
    and ``start``. Each further ``reset()`` goes to its next board, and ``reset(options={"deal": N})`` to board
    N, counted from 0.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        options: Plain | None = None,
        *,
        start: str | None = None,
        progress: float = 0.0,
        views: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Raises BadMessage or BadOptions for options that cannot be played."""
        self.options = strict(Options)({**(options or {}), "mode": "solo"})
        self.start = start
        self.progress = progress
        self.views = views
        self.render_mode = render_mode
        shape = self.options.shape
        self.observation_space = Box(MINE, 8, (shape.height, shape.width), np.int8)
        self.action_space = Discrete(shape.cells)
        self._series, self._deal = randbits(32), -1

    def reset(self, *, seed: int | None = None, options: Plain | None = None) -> tuple[np.ndarray, Plain]:
        """Start on the next board. ``options`` may name it: ``deal``. Raises Usage for a ``start`` off the board."""
        super().reset(seed=seed)
        if seed is not None:
            self._series, self._deal = int(seed), -1
        self._deal = (options or {}).get("deal", self._deal + 1)
        self._match = BoardMatch(generated(self.options, self.start, self._series, self._deal))
        self._steps = 0
        return self._seen()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, Plain]:
        """Open a cell."""
        match, before = self._match, self._match.opened
        if not match.decided:
            match.carry_out(int(action))  # a refusal changes nothing
        self._steps += 1
        reward = self.progress * (match.opened - before) / self.options.shape.safe
        if match.decided:
            reward += 1.0 if match.won else -1.0
        seen, info = self._seen()
        return seen, reward, match.decided, self._steps >= 2 * self.options.shape.cells, info

    def render(self) -> str | None:
        """Return the rows of the board, one character per cell."""
        return "\n".join(self._match.view["rows"]) if self.render_mode == "ansi" else None

    def _seen(self) -> tuple[np.ndarray, Plain]:
        view = self._match.view
        seen = observe(view)
        info: Plain = {"action_mask": (seen == CLOSED).astype(np.int8).ravel()}
        return seen, {**info, "view": view} if self.views else info
