"""Environments for learning agents: PettingZoo's AEC for games that list their actions, Gymnasium for Minesweeper.

Needs the extra ``rl``. May import ``arena`` and below.
"""

from parlour_protocol.installation import extra_hint as _extra_hint

try:
    import gymnasium as _gymnasium  # asked for here, before a module below fails without advice
    import numpy as _numpy  # noqa: F401
    import pettingzoo as _pettingzoo  # noqa: F401
except ImportError as _error:
    raise ImportError(f"parlour_bots.rl needs the extra rl ({_error}). {_extra_hint('rl')}") from None

from parlour_bots.rl.encoding import Encoding, ListEncoding, UnoEncoding
from parlour_bots.rl.environment import GameEnv, MinesweeperEnv, SeatEnv

__all__ = ["Encoding", "GameEnv", "ListEncoding", "MinesweeperEnv", "SeatEnv", "UnoEncoding"]

# The version counts up when results are no longer comparable: with the rules, the encoding or the rewards.
_gymnasium.register("parlour/Uno-v1", "parlour_bots.rl:SeatEnv", kwargs={"game": "uno"})
_gymnasium.register("parlour/Minesweeper-v1", "parlour_bots.rl:MinesweeperEnv")
