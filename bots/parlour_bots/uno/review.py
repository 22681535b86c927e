"""Review of a seat in a match of UNO: what ``search`` would have done, what the difference cost, and luck by round.

Values are probabilities to win the match, from what the seat could see. The cost of a decision is the mean difference
between the answer of ``search`` and the one that was given, in worlds that were not used to choose. A round changes the
seat's probability; what its decisions have not cost was luck: cards, and the decisions of others.
"""

from collections.abc import Mapping
from math import sqrt
from statistics import fmean, stdev

import attrs

from parlour_bots.judgement import Judgement, Reviewer
from parlour_bots.sdk import Action, Turn
from parlour_bots.uno.playout import face
from parlour_bots.uno.search import Search
from parlour_bots.uno.stakes import stakes
from parlour_protocol.messages import Plain

WORLDS = 500
"""Worlds per decision by default."""
JUDGED = ("play", "draw", "pass", "colour", "accept", "challenge")
"""The required decisions. Calls of UNO and catching are optional."""


@attrs.frozen
class RoundReview:
    """A round: the probability to win the match before and after it, and what the decisions in it cost."""

    round: int
    before: float
    after: float
    cost: float

    @property
    def luck(self) -> float:
        """What the round brought that was not the seat's doing."""
        return self.after - self.before + self.cost


@attrs.define
class UnoReviewer(Reviewer):
    """Compares decisions with those of ``search``."""

    _search: Search = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._search = Search(worlds=self.worlds)

    def best(self, turn: Turn) -> Action:
        """Return the answer of ``search``."""
        return self._search.play(turn)

    def judge(self, turn: Turn, number: int, action: Action, best: Action) -> Judgement:
        """Return what ``action`` cost."""
        race = self._search.last
        chance = race.means[race.best] if race else None
        cost = error = 0.0
        if face(action) != face(best):
            differences = self._search.compare(turn, best, action, self.worlds)
            cost, error = fmean(differences), stdev(differences) / sqrt(len(differences))
        return Judgement(number, turn.view["round"], action, best, chance, cost, error)


def standing(seat: int, view: Plain, options: Plain) -> float:
    """Return the probability of ``seat`` to win the match before the deal of a round, if all seats are equally good."""
    seats = [each for each in range(len(view["scores"])) if each not in view["out"]]
    if seat not in seats:
        return 0.0
    scores = [view["scores"][each] for each in seats]
    return fmean(stakes(seats.index(seat), scores, options["scoring"], options["target"]).by_winner)


def rounds(before: Mapping[int, float], end: float, judgements: list[Judgement]) -> list[RoundReview]:
    """Return the rounds of a match. ``before``: by round, the probability before it; ``end``: after the last one."""
    after = [*[*before.values()][1:], end]
    return [
        RoundReview(number, chance, then, sum(each.cost for each in judgements if each.round == number))
        for (number, chance), then in zip(before.items(), after, strict=True)
    ]
