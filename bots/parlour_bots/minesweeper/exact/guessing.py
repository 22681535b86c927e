"""Guessing: which cell to open when none is safe and the end is not in sight.

A candidate is worth what is likely to come after it. For each number it may show, the position is read as if it did,
and judged by its outlook: something safe that will tell more, else how safe the next guess can be. The worth is the
sum over the numbers, by their probability; what a candidate does to likely fifty-fifties is added as relief. Once
there is an area to work from, the best candidates are compared again, now with the next guess looked at in the same
way.

The weights were chosen by playing out thousands of positions of expert boards many times with each of the cells that
different weights would open. Near these the games won change by less than 0.05 %.
"""

from collections.abc import Iterator
from math import exp

import attrs

from parlour_bots.minesweeper.exact.fifty_fifty import burdens
from parlour_bots.minesweeper.exact.work_budget import readings
from parlour_games.minesweeper.grid import CLOSED, neighbours
from parlour_games.minesweeper.inference import Engine, Impossible, Odds, TooLarge
from parlour_games.minesweeper.inference.constraints import MINED, OPEN, UNDECIDED


@attrs.frozen
class Style:
    """What counts how much."""

    progress: float
    """How much more than a certain next guess it is worth to have something safe that tells more."""
    lead: float
    """What each further such cell adds, up to MOST_LEADS."""
    cut: float
    """A candidate is at least this part as safe as the safest."""
    finalists: int
    """How many candidates are compared with the next guess looked at; none if 0."""

    @property
    def most(self) -> float:
        """What no outlook exceeds."""
        return 1 + self.progress + MOST_LEADS * self.lead


EARLY = Style(progress=0.1, lead=0.0, cut=0.9, finalists=0)
LATER = Style(progress=0.0, lead=0.02, cut=0.85, finalists=2)
EARLY_SHARE = 0.1
"""It is early while less than this part of the safe cells is open."""

MOST_LEADS = 4
RELIEF = 0.9
"""Which part of a risk that a fifty-fifty would have brought anyway is not counted."""
FINAL_CUT = 0.97
"""A finalist is worth at least this part of the best candidate, as far as seen before."""
CANDIDATES, SPARE_CANDIDATES = 20, 6
"""How many are looked at, and how many different ones of them next to no number."""
NEXT_CANDIDATES = 3
"""How many are looked at as the guess after a finalist."""
READINGS = 120_000
"""How many positions may be read for a guess, times the cells of the board."""
FEWEST_READINGS = 50
DIGITS = 9
"""What differs less is the same: rounding must not decide between cells that are equal."""
NEGLIGIBLE = 1e-6

Shown = tuple[tuple[int, int], ...]
"""Supposed cells and their numbers."""


def best(width: int, height: int, engine: Engine, odds: Odds) -> tuple[int, float]:
    """Return the best cell to open and what it is worth.

    ``odds`` are those of the position that ``engine`` has read last; nothing is safe in it.
    """
    shown = sum(known == OPEN for known in odds.known)
    early = shown < EARLY_SHARE * (width * height - engine.mines)
    return _Guess(width, height, engine, odds, EARLY if early else LATER).best()


class _Guess:
    """One position's candidates, compared."""

    def __init__(self, width: int, height: int, engine: Engine, odds: Odds, style: Style) -> None:
        self.engine, self.odds, self.style = engine, odds, style
        self.around = neighbours(width, height)
        self.readings = max(FEWEST_READINGS, READINGS // (width * height))
        self.burdens = burdens(width, height, engine, odds, self.readings)

    def best(self) -> tuple[int, float]:
        """Return the best candidate and its worth."""
        margin = FINAL_CUT if self.style.finalists else 1.0
        worths: dict[int, float] = {}
        most = 0.0
        for cell in self._candidates(self.odds, SPARE_CANDIDATES)[:CANDIDATES]:
            if worths and self.readings <= 0:
                break
            worths[cell] = self._worth(cell, most * margin, deep=False)
            most = max(most, worths[cell])
        ranked = sorted(worths, key=lambda cell: -worths[cell])
        finalists = [cell for cell in ranked[: self.style.finalists] if worths[cell] >= most * margin]
        return self._final(finalists) if len(finalists) > 1 else (ranked[0], most)

    def _final(self, finalists: list[int]) -> tuple[int, float]:
        chosen, most = finalists[0], 0.0
        for cell in finalists:
            if self.readings <= 0:
                break
            worth = self._worth(cell, most, deep=True)
            if worth > most:
                chosen, most = cell, worth
        return chosen, most

    def _candidates(self, odds: Odds, spare_candidates: int) -> list[int]:
        """Return the cells worth a look, the safest first."""
        risks, spare = odds.risks, frozenset(odds.spare)
        cells = [cell for cell in odds.undecided if 0 < risks[cell] < 1]
        limit = 1 - self.style.cut * (1 - min([risks[cell] for cell in cells]))
        ranked = sorted(
            [
                (round(risks[cell], DIGITS), cell in spare, self._closed_near(odds, cell), cell)
                for cell in cells
                if risks[cell] <= limit
            ]
        )
        kept: list[int] = []
        kinds: set[int] = set()
        for _, is_spare, _, cell in ranked:
            if is_spare:
                kind = self._kind(spare, cell)
                if kind in kinds or len(kinds) == spare_candidates:
                    continue
                kinds.add(kind)
            kept.append(cell)
        return kept

    def _kind(self, spare: frozenset[int], cell: int) -> int:
        """Return the same for spare cells that come to the same: far from the frontier many do."""
        near = self.around[cell]
        return -len(near) if spare.issuperset(near) else cell

    def _closed_near(self, odds: Odds, cell: int) -> int:
        return sum([odds.cells[near] == CLOSED for near in self.around[cell]])

    def _worth(self, cell: int, needed: float, *, deep: bool) -> float:
        """Return the worth of a candidate, or 0 as soon as it cannot exceed ``needed``."""
        safe = 1 - self.odds.risks[cell]
        relief = 1 + RELIEF * min(self.burdens.get(cell, 0.0), safe, 1 - safe) / safe
        return round(self._ahead(self.odds, (), cell, needed / relief, deep=deep) * relief, DIGITS)

    def _ahead(self, odds: Odds, shown: Shown, cell: int, needed: float, *, deep: bool) -> float:
        """Return the outlook after ``cell``, or 0 as soon as it cannot exceed ``needed``.

        ``odds`` are those of the position in which also ``shown`` is supposed.
        """
        left, worth = 1 - odds.risks[cell], 0.0
        for after, more in self._numbers(odds, shown, cell):
            if worth + left * self.style.most <= needed:
                return 0.0
            share = exp(after.log_solutions - odds.log_solutions)
            left -= share
            worth += share * self._outlook(after, more, deep=deep)
            if left < NEGLIGIBLE:
                break
        return worth

    def _numbers(self, odds: Odds, shown: Shown, cell: int) -> Iterator[tuple[Odds, Shown]]:
        """Yield what would follow from each number the cell may show, likely ones first, and what is supposed then."""
        known = odds.known
        fewest = sum([known[near] == MINED for near in self.around[cell]])
        undecided = sum([known[near] == UNDECIDED for near in self.around[cell]])
        likeliest = sum([odds.risks[near] for near in self.around[cell]])
        for number in sorted(range(fewest, fewest + undecided + 1), key=lambda number: abs(number - likeliest)):
            more = (*shown, (cell, number))
            try:
                after = self.engine.suppose(*more)
            except Impossible:
                self.readings -= 1
            except TooLarge:
                self.readings = 0
            else:
                self.readings -= readings(after)
                yield after, more

    def _outlook(self, odds: Odds, shown: Shown, *, deep: bool) -> float:
        """Return 1 or more if something safe tells more or nothing is unsure, else how good the next guess can be."""
        style = self.style
        leads = self._leads(odds, 1 + MOST_LEADS if style.lead else 1) if odds.safe else 0
        if leads:
            return 1 + style.progress + style.lead * (leads - 1)
        smallest = _smallest_risk(odds)
        if not deep or smallest == 0 or self.readings <= 0:
            return 1 - smallest
        most = 0.0
        for cell in self._candidates(odds, NEXT_CANDIDATES)[:NEXT_CANDIDATES]:
            if (1 - odds.risks[cell]) * self.style.most > most:
                most = max(most, self._ahead(odds, shown, cell, most, deep=False))
        return most

    def _leads(self, odds: Odds, most: int) -> int:
        """Return how many safe cells touch one that is unsure, up to ``most``."""
        known, around, sure, leads = odds.known, self.around, _sure(odds), 0
        for cell in odds.safe:
            for near in around[cell]:
                if known[near] == UNDECIDED and near not in sure:
                    leads += 1
                    break
            if leads == most:
                break
        return leads


def _sure(odds: Odds) -> set[int]:
    """Return the cells that are certain though no single number says so."""
    by_group, spare = odds.shared_risks
    sure = set(odds.safe)
    for part, risks in zip(odds.parts, by_group, strict=True):
        if max(risks) > 1 - ALMOST:
            for group, risk in zip(part.groups, risks, strict=True):
                if risk > 1 - ALMOST:
                    sure.update(group)
    if spare > 1 - ALMOST:
        sure.update(odds.spare)
    return sure


def _smallest_risk(odds: Odds) -> float:
    """Return the smallest risk of an unsure cell; 0 if there is none."""
    by_group, spare = odds.shared_risks
    risks = [risk for risks in by_group for risk in risks if risk > ALMOST]
    if odds.spare_cells and spare > ALMOST:
        risks.append(spare)
    smallest = min(risks, default=0.0)
    return smallest if smallest < 1 - ALMOST else 0.0


ALMOST = 1e-9
"""Rounding makes certain risks this little uncertain at most."""
