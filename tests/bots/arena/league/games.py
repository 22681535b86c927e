"""Outcomes of UNO games from a few numbers, and settings of contests, for the tests of the arena."""

from collections.abc import Sequence
from typing import Any

from parlour_bots.arena.league.game import LeagueOutcome
from parlour_bots.arena.league.run import LeagueSettings
from parlour_bots.arena.measures import Times

MS = 1_000_000


def outcome(seats: Sequence[int], winner: int | None, points: int = 30, **fields: Any) -> LeagueOutcome:
    """Return a game that the seat ``winner`` won, None: that was stopped."""
    told: dict[str, Any] = {
        "game": 0,
        "deal": 0,
        "ranks": tuple(1 if winner in (None, seat) else 2 for seat in range(len(seats))),
        "points": tuple(points if seat == winner else 0 for seat in range(len(seats))),
        "answers": 10,
        "faults": tuple({} for _ in seats),
        "times": tuple(tuple(Times.of([MS, 3 * MS]).numbers()) for _ in seats),
        "stopped": winner is None,
    }
    return LeagueOutcome(seats=tuple(seats), **{**told, **fields})


def settings(*bots: str, **fields: Any) -> LeagueSettings:
    """Return the settings of a contest of bots, called as they are named."""
    return LeagueSettings(bots, tuple(bot.rpartition("/")[2] for bot in bots), **{"seed": 7, **fields})
