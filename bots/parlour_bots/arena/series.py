"""A series: one bot plays match after match in this process, alone or against an opponent. Works for any game."""

from collections.abc import Callable, Iterable

import attrs

from parlour_bots.errors import Mistake
from parlour_bots.play.in_process import divided, play_bots, win_share
from parlour_bots.sdk import BotSpec
from parlour_bots.tools.reports import Report
from parlour_client.core.intervals import wilson


@attrs.frozen
class Series:
    """The result of a series: ``wins`` of ``games``; a shared first place counts as half a win between two.

    ``low`` and ``high`` bound the true win rate with 95 % confidence (Wilson's interval).
    """

    games: int
    wins: float
    low: float
    high: float

    @property
    def rate(self) -> float:
        """Return the share of matches won."""
        return self.wins / self.games


def play_series(
    bot: BotSpec,
    opponent: BotSpec | None,
    seeds: Iterable[int],
    report: Callable[[Mistake], None],
    report_opponent: Callable[[Mistake], None],
) -> Series:
    """Play one match per seed, the seats alternating. Raises BotFault."""
    games, wins = 0, 0.0
    for games, seed in enumerate(seeds, start=1):
        seat = (games - 1) % 2 if opponent else 0
        specs = [bot] if opponent is None else [bot, opponent] if seat == 0 else [opponent, bot]
        wins += win_share(play_bots(specs, seed, divided(seat, report, report_opponent)).ranks, seat)
    return Series(games, wins, *wilson(wins, games))


def report_series(series: Series, bot: str, opponent: str | None, seed: int) -> Report:
    """Return the report of a series."""
    text = (
        f"{bot} won {series.wins:g} of {series.games}{f' against {opponent}' if opponent else ''}: {series.rate:.1%} "
        f"(95 % interval {series.low:.1%} to {series.high:.1%}). Repeat with --seed {seed}"
    )
    return Report(text, {"bot": bot, "against": opponent, "seed": seed, **attrs.asdict(series), "rate": series.rate})
