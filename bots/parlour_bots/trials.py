"""What a bot is worth, and whether it is sound: series of seeded matches in this process."""

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from statistics import median

import attrs

from parlour_bots.in_process import Match, play_match
from parlour_bots.mistakes import Mistake
from parlour_bots.player import Player
from parlour_bots.sdk import Entrant
from parlour_protocol.messages import Act, Plain

SHORT: dict[str, Plain] = {"uno": {"scoring": "single"}}
"""Options under which a match of a game is short."""
CHECKED_TABLES = (2, 2, 3, 4)
"""How many seats the matches of a check have, in turn."""

Report = Callable[[Mistake], None]


def one_match(entrants: Sequence[Entrant], seed: int, report: Report, options: Plain | None = None) -> Match:
    """Play one match between ``entrants``, seated in their order."""
    return play_match([Player(bot, f"{seed}/{seat}", report) for seat, bot in enumerate(entrants)], seed, options)


@attrs.frozen
class Series:
    """How one bot did against another: ``wins`` of ``games`` (a shared first place is half a win).

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


def arena(bot: Entrant, other: Entrant, seeds: Iterable[int], report: Report) -> Series:
    """Play one match for each seed, the seats alternating."""
    games, wins = 0, 0.0
    for games, seed in enumerate(seeds, start=1):
        seat = (games - 1) % 2
        match = one_match((bot, other) if seat == 0 else (other, bot), seed, report)
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


@attrs.frozen
class Check:
    """What a check found. Times are in microseconds; ``differs`` tells the first answer not given again, or None."""

    matches: int
    answers: int
    mistakes: int
    typical: float
    longest: float
    differs: str | None

    @property
    def sound(self) -> bool:
        """Whether there was nothing to complain about."""
        return not self.mistakes and self.differs is None


def check(bot: Entrant, opponent: Entrant, seeds: Sequence[int], report: Report) -> Check:
    """Play a short match for each seed, twice, and compare. The opponents forget to call UNO, to give chances."""
    forgetful = attrs.evolve(opponent, call_uno=False)
    tables = [CHECKED_TABLES[number % len(CHECKED_TABLES)] for number in range(len(seeds))]
    first, again = (
        [_checked(bot, forgetful, seed, seats, told) for seed, seats in zip(seeds, tables, strict=True)]
        for told in (report, _untold)
    )
    thinking = [ns / 1000 for player in first for ns in player.thinking] or [0.0]
    differences = (_difference(seed, *pair) for seed, *pair in zip(seeds, first, again, strict=True))
    return Check(
        matches=len(seeds),
        answers=len(thinking),
        mistakes=sum(player.mistakes for player in first),
        typical=median(thinking),
        longest=max(thinking),
        differs=next(filter(None, differences), None),
    )


def _checked(bot: Entrant, opponent: Entrant, seed: int, seats: int, report: Report) -> Player:
    """Return the player of ``bot`` after a match at a seat that changes with the seed."""
    own = Player(bot, seed, report)
    players = [Player(opponent, f"{seed}/{seat}", _untold) for seat in range(seats - 1)]
    players.insert(seed % seats, own)
    play_match(players, seed, SHORT.get(bot.game))
    return own


def _difference(seed: int, first: Player, again: Player) -> str | None:
    for number, (one, two) in enumerate(zip(first.acts, again.acts, strict=False), start=1):
        if (one.rid, one.act) != (two.rid, two.act):
            return f"under seed {seed} answer {number} was {_words(one)} and the second time {_words(two)}"
    if len(first.acts) != len(again.acts):
        return f"under seed {seed} it gave {len(first.acts)} answers and the second time {len(again.acts)}"
    return None


def _words(act: Act) -> str:
    return f"number {act.act} of legal" if isinstance(act.act, int) else str(act.act)


def _untold(_: Mistake) -> None:
    """Keep the mistakes of others, and of the second time, to ourselves."""
