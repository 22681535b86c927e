"""A bot that plays UNO for two with what train.py has learned: parlour bot run "trained.py(weights=uno.npz)"."""

import numpy as np

from parlour_bots import Turn, run
from parlour_bots.rl import UnoEncoding


class Trained:
    """Plays the action with the highest score."""

    def __init__(self, weights: str = "uno.npz") -> None:
        with np.load(weights) as file:
            self._weights = file["weights"]
        self._encoding = UnoEncoding(2)

    def play(self, turn: Turn) -> int:
        """Return the place of the best legal action."""
        return int(self._scores(turn).argmax())

    def may(self, turn: Turn) -> int | None:
        """Return the place of the best reaction, None if declining is better."""
        scores = self._scores(turn, self._encoding.decline)
        best = int(scores.argmax())
        return best if best < len(turn.legal) else None

    def _scores(self, turn: Turn, *more: int) -> np.ndarray:
        seen = np.append(self._encoding.observe(turn.view, turn.seat), 1)
        return self._weights[[*self._encoding.numbers(turn.legal, turn.seat), *more]] @ seen


run(Trained, game="uno", call_uno=False)
