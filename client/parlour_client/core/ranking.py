"""The confidence of a contest's ranking: the share each bot won with its interval, and a range of places.

Some formats decide the places. In the others two bots are ranked apart if their shares differ significantly, with
Bonferroni's correction for the number of pairs. So all ranges together are correct in at least 19 of 20 contests.
"""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

import attrs

from parlour_games.statistics import Deals, Interval
from parlour_protocol.messages import Plain, StandingsRow

_WRONG = 0.05
"""The probability that any range is wrong."""
_NOTHING: Interval = (0.0, 1.0)


@attrs.frozen
class Place:
    """A bot's row in a contest, the share of games it won with its interval, and its range of places, from 1."""

    row: StandingsRow
    rate: float | None
    within: Interval
    first: int
    last: int

    def plain(self) -> Plain:
        """Return it as plain data for JSON."""
        low, high = self.within
        return {"place": [self.first, self.last], **self.row, "rate": self.rate, "low": low, "high": high}


def places(rows: Sequence[StandingsRow]) -> list[Place]:
    """Return the place of each row of a contest, in the order of the rows: its ``rank``, if the format gives one."""
    ranks = Counter(row["rank"] for row in rows if "rank" in row)
    known = [Deals(row["games"], row["wins"], row["wins"]) for row in rows]
    better = [[_above(one, other, len(rows)) for other in known] for one in known]
    return [
        Place(
            row,
            rate=mine.mean if mine.count else None,
            within=mine.within(0.0, 1.0) if mine.count else _NOTHING,
            first=row.get("rank", 1 + sum(ahead[number] for ahead in better)),
            last=row["rank"] + ranks[row["rank"]] - 1 if "rank" in row else len(rows) - sum(better[number]),
        )
        for number, (row, mine) in enumerate(zip(rows, known, strict=True))
    ]


def _above(one: Deals, other: Deals, bots: int) -> bool:
    """Return whether ``one`` is significantly better than ``other``.

    A game won by one bot is lost by the others: shares in a contest of n bots have a correlation of -1 / (n - 1).
    """
    if bots < 2 or not (one.count and other.count):
        return False
    far = NormalDist().inv_cdf(1 - _WRONG / (bots * (bots - 1)))
    sizes = one.count + 2, other.count + 2
    alike = (one.total + other.total + 2) / sum(sizes)
    first, second = (sqrt(alike * (1 - alike) / size) for size in sizes)
    error = sqrt(first**2 + second**2 + 2 * first * second / (bots - 1))
    return (one.total + 1) / sizes[0] - (other.total + 1) / sizes[1] > far * error
