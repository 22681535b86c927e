"""The ladder of a game: the ratings of its players from all rated matches together, with intervals and a history."""

from collections import Counter
from collections.abc import Sequence
from math import log
from operator import itemgetter
from typing import TypeAlias

from parlour_games.game import Plain
from parlour_games.statistics import Strengths

AVERAGE = 1500
ELO = 400 / log(10)
"""Points of a rating for one unit of strength: 400 points more are ten wins to one."""
PRIOR = 350
"""The standard deviation of ratings before any match."""
WITHIN = 1.959964
"""Standard errors of a 95 % interval."""
MOST = 200
"""Players of a ladder: those with the most matches."""
MODEL = "llm"
"""The style of language models."""
PAST = 12
"""Points of the history of a rating."""

Row: TypeAlias = Sequence[int | str | None]
"""A player in a match: name, kind, style, rank, points."""
Player: TypeAlias = tuple[str, str]
"""Name and kind."""


def ladder(matches: Sequence[tuple[int, Sequence[Row]]], among: str) -> Plain:
    """Return the ladder of the players who are ``among`` (all, human, bot, llm), from the matches between them.

    ``matches``: the time of each in seconds, and its players. The result has ``rows``, best first, and ``times``, those
    of the history ``past`` in each row; a player's begins later if its first match does.
    """
    chosen = ((at, _among(players, among)) for at, players in sorted(matches, key=itemgetter(0)))
    played = [(at, rows) for at, rows in chosen if len(rows) > 1]
    counts = Counter(player for _, rows in played for player in {_player(row) for row in rows})
    numbers = {player: number for number, (player, _) in enumerate(counts.most_common(MOST))}
    strengths = Strengths(len(numbers), PRIOR / ELO)
    times = _times([at for at, _ in played])
    past: list[list[int]] = [[] for _ in numbers]
    known, done = set[int](), 0
    for time in times:
        while done < len(played) and played[done][0] <= time:
            ranks = {
                numbers[player]: int(row[3] or 0) for row in played[done][1] if (player := _player(row)) in numbers
            }
            strengths.add([*ranks.items()])
            known |= ranks.keys()
            done += 1
        strengths.fit()
        for number in known:
            past[number].append(_points(strengths.fitted[number]))
    styles, wins, points = dict[Player, str | None](), Counter[Player](), Counter[Player]()
    for player, row in ((_player(row), row) for _, rows in played for row in rows):
        styles[player] = None if row[2] is None else str(row[2])
        wins[player] += row[3] == 1
        points[player] += int(row[4] or 0)
    found: list[Plain] = []
    for player, strength, error, history in zip(numbers, strengths.fitted, strengths.errors(), past, strict=True):
        within = {"low": _points(strength - WITHIN * error), "high": _points(strength + WITHIN * error)}
        style = {} if styles[player] is None else {"style": styles[player]}
        found.append(
            {
                "name": player[0], "kind": player[1], "games": counts[player], "wins": wins[player],
                "points": points[player], "rating": _points(strength), **within, "past": history, **style,
            }
        )  # fmt: skip
    return {"rows": sorted(found, key=lambda row: (-row["rating"], row["name"])), "times": times}


def _among(rows: Sequence[Row], among: str) -> Sequence[Row]:
    """Return the players of one kind. Language models are bots that say so."""
    return rows if among == "all" else [row for row in rows if among == (MODEL if row[2] == MODEL else row[1])]


def _player(row: Row) -> Player:
    return str(row[0]), str(row[1])


def _times(at: Sequence[int]) -> list[int]:
    """Return the times of the history, evenly from the first match to the last."""
    if not at:
        return []
    first, last = at[0], at[-1]
    return sorted({first + (last - first) * number // (PAST - 1) for number in range(PAST)})


def _points(strength: float) -> int:
    return round(AVERAGE + ELO * strength)
