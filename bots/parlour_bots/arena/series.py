"""A series: one bot plays match after match in this process, alone or against an opponent. Works for any game."""

from collections import Counter
from collections.abc import Callable, Iterable

import attrs

from parlour_bots.arena.measures import Times, models, shares
from parlour_bots.errors import Mistake
from parlour_bots.play.in_process import FinishedMatch, divided, play_bots, win_share
from parlour_bots.sdk import BotSpec
from parlour_bots.tools.reports import Report
from parlour_games.statistics import wilson
from parlour_protocol.messages import Plain


@attrs.define
class Model:
    """The use of a language model in a series, and its time."""

    name: str
    usage: Counter[str] = attrs.field(factory=Counter)
    times: Times = attrs.field(factory=Times)

    def add(self, match: FinishedMatch, seat: int) -> None:
        """Add what the bot used in a match at this seat."""
        self.usage.update(match.usage[seat])
        self.times.add(Times.of(match.thinking[seat]))


@attrs.frozen
class Series:
    """The result of a series: ``wins`` of ``games``; a shared first place counts as half a win between two.

    ``low`` and ``high`` bound the true win rate with 95 % confidence (Wilson's interval).
    """

    games: int
    wins: float
    low: float
    high: float
    models: tuple[Model, ...] = attrs.field(default=(), eq=False)
    """The language models among the bots."""

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
    options: Plain | None = None,
) -> Series:
    """Play one match per seed under ``options``, else as usual, the seats alternating. Raises BotFault."""
    games, wins, models = 0, 0.0, [Model(spec.name) for spec in (bot, opponent) if spec]
    for games, seed in enumerate(seeds, start=1):
        seat = (games - 1) % 2 if opponent else 0
        specs = [bot] if opponent is None else [bot, opponent] if seat == 0 else [opponent, bot]
        match = play_bots(specs, seed, divided(seat, report, report_opponent), options)
        wins += win_share(match.ranks, seat)
        for number, model in enumerate(models):
            model.add(match, number if seat == 0 else 1 - number)
    return Series(games, wins, *wilson(wins, games), tuple(model for model in models if model.usage))


def report_series(series: Series, bot: str, opponent: str | None, seed: int) -> Report:
    """Return the report of a series."""
    text = (
        f"{bot} won {series.wins:g} of {series.games}{f' against {opponent}' if opponent else ''}: {series.rate:.1%} "
        f"(95 % interval {series.low:.1%} to {series.high:.1%}). Repeat with --seed {seed}"
    )
    known = attrs.asdict(series, filter=attrs.filters.exclude("models"))
    data = {"bot": bot, "against": opponent, "seed": seed, **known, "rate": series.rate}
    if not series.models:
        return Report(text, data)
    shown = models((model.name, model.usage, model.times.mean) for model in series.models)
    return Report(f"{text}\n{shown}", {**data, "usage": {model.name: shares(model.usage) for model in series.models}})
