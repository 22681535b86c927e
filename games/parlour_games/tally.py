"""Tallies: what the finished matches of a player at one game come to."""

from typing import Any

import msgspec
from msgspec import Struct

KEPT = 10
"""The latest matches that a tally lists."""


class BestTime(Struct, frozen=True):
    """A board that was cleared alone: its name, such as ``expert``, and the time in milliseconds."""

    board: str
    ms: int


class Finish(Struct, omit_defaults=True):
    """A finished match. ``at`` is in seconds since 1970, ``players`` the number of seats."""

    at: int
    rank: int
    players: int
    score: int
    board: str | None = None
    ms: int | None = None
    record: bool = False
    """Whether no board of this name had been cleared faster."""
    before: int | None = None
    """The best time before a record; None: it was the first."""


class Tally(Struct):
    """The results of a player at one game. A win is a first rank, alone or shared."""

    matches: int = 0
    wins: int = 0
    streak: int = 0
    """Wins in a row up to the last match."""
    longest: int = 0
    times: dict[str, int] = msgspec.field(default_factory=dict)
    """The best time by board, in milliseconds."""
    last: list[Finish] = msgspec.field(default_factory=list)
    """The latest matches, the last one first."""

    def add(self, finish: Finish) -> None:
        """Count a match."""
        self.matches += 1
        won = finish.rank == 1
        self.wins += won
        self.streak = self.streak + 1 if won else 0
        self.longest = max(self.longest, self.streak)
        if finish.board is not None and finish.ms is not None:
            best = self.times.get(finish.board)
            if best is None or finish.ms < best:
                finish.record, finish.before = True, best
                self.times[finish.board] = finish.ms
        self.last = [finish, *self.last][:KEPT]

    def row(self, game: str, now: int) -> dict[str, Any]:
        """Return it as a profile has it for ``game``: plain data. ``now`` is in seconds since 1970."""
        plain = msgspec.to_builtins(self)
        times = [{"board": board, "ms": ms} for board, ms in sorted(self.times.items())]
        last = [{"ago": max(0, now - finish.pop("at")) * 1000, **finish} for finish in plain["last"]]
        return {**plain, "game": game, "times": times, "last": last}

    def text(self) -> str:
        """Return it as JSON."""
        return msgspec.json.encode(self).decode()


def tally(text: str | None) -> Tally:
    """Return the tally in ``text``, a new one for None. Raises msgspec.MsgspecError."""
    return Tally() if text is None else msgspec.json.decode(text, type=Tally)
