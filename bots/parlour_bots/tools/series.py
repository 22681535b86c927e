"""What a bot is worth: series of seeded matches in this process."""

from collections.abc import Callable, Iterable, Sequence
from math import sqrt

import attrs

from parlour_bots.errors import Mistake
from parlour_bots.play.in_process import Match, play_match
from parlour_bots.play.player import Player
from parlour_bots.sdk import Entrant
from parlour_protocol.messages import Plain

ALONE: dict[str, Plain] = {"minesweeper": {"mode": "solo"}}
"""Options of the games that are played alone unless there is an opponent."""
TOGETHER: dict[str, Plain] = {"minesweeper": {"mode": "race"}}
"""Options of a game with opponents, where it needs any."""
ANSWERS = 100_000
"""How many answers a match may take. Who always answers what is allowed but changes nothing would play for ever."""

Report = Callable[[Mistake], None]


def usual(game: str, seats: int) -> Plain | None:
    """Return the options under which a game is usually played by so many."""
    options: Plain | None = (ALONE if seats == 1 else TOGETHER).get(game)
    return options


def one_match(entrants: Sequence[Entrant], seed: int, report: Report, options: Plain | None = None) -> Match:
    """Play one match between ``entrants``, seated in their order; alone where a game can be. Raises BotFault."""
    if options is None:
        options = usual(entrants[0].game, len(entrants))
    players = [Player(bot, f"{seed}/{seat}", report) for seat, bot in enumerate(entrants)]
    return play_match(players, seed, options, ANSWERS)


@attrs.frozen
class Series:
    """How a bot did, alone or against another: ``wins`` of ``games`` (a shared first place is half a win).

    ``low`` and ``high`` bound its true win rate with 95 % confidence (Wilson's interval).
    """

    games: int
    wins: float
    low: float
    high: float

    @property
    def rate(self) -> float:
        """Return the share of matches won."""
        return self.wins / self.games


def arena(bot: Entrant, other: Entrant | None, seeds: Iterable[int], report: Report) -> Series:
    """Play one match for each seed, the seats alternating. Raises BotFault."""
    games, wins = 0, 0.0
    for games, seed in enumerate(seeds, start=1):
        seat = (games - 1) % 2 if other else 0
        match = one_match([bot] if other is None else [bot, other] if seat == 0 else [other, bot], seed, report)
        wins += _share(match, seat)
    return Series(games, wins, *wilson(wins, games))


def _share(match: Match, seat: int) -> float:
    return 1 / match.ranks.count(1) if match.ranks[seat] == 1 else 0.0


def wilson(wins: float, games: int, z: float = 1.959964) -> tuple[float, float]:
    """Return Wilson's score interval for a rate of ``wins`` in ``games``, at ``z`` standard deviations."""
    rate, spread = wins / games, z * z / games
    middle = (rate + spread / 2) / (1 + spread)
    half = z * sqrt(rate * (1 - rate) / games + spread / (4 * games)) / (1 + spread)
    return max(0.0, min(rate, middle - half)), min(1.0, max(rate, middle + half))
