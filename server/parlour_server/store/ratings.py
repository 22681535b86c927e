"""Ratings: the strength of a player at a game, learnt from rated matches.

The model is Bradley–Terry between neighbours in the ranking, by openskill: its Plackett–Luce puts the third behind two
who share the first place level with them.

A rating is a belief, ``mu`` give or take ``sigma``. What is shown is what can be said with confidence: everybody
begins at 1500 and rises as its strength is proved.
"""

from collections.abc import Sequence

import attrs

MU, SIGMA = 25.0, 25.0 / 3
"""A new rating, as openskill has it."""
_SCALE, _BASE = 24, 1500
"""The points for one unit of ``mu``; three ``sigma`` below ``mu`` stands a new rating, at the base."""


@attrs.frozen
class Rating:
    """An estimate of a player's strength."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def shown(self) -> int:
        """Return the rating as it is shown."""
        return round(_BASE + _SCALE * (self.mu - 3 * self.sigma))


def after(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return the ratings after a match with these ranks, equal ones shared.

    A match in which all come out equal, as people do who play together or alone, says nothing.
    """
    if len(set(ranks)) < 2:
        return list(before)
    from openskill.models import BradleyTerryPart  # a server starts sooner without it

    model = BradleyTerryPart(mu=MU, sigma=SIGMA)
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    return [Rating(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=[float(rank) for rank in ranks])]
