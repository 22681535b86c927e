"""Profiles of games for the tools: their bots, with ``random`` for every game, and the options for each purpose.

A game without a profile is played under its own defaults.
"""

from collections.abc import Mapping, Sequence

import attrs

from parlour_bots.boards import untouched
from parlour_bots.sdk import Answer, Turn
from parlour_protocol.messages import Plain

LEVELS = ("easy", "normal", "hard")
_NONE: Mapping[str, str] = {}


def play_at_random(turn: Turn) -> Answer:
    """Plays a random legal action.

    In a game that lists none, it opens a random closed cell.
    """
    choices: Sequence[Answer] = turn.legal or untouched(turn.view)
    return turn.rng.choice(choices)


@attrs.frozen
class MatchSetup:
    """The options and the number of seats of a match."""

    options: Plain | None
    seats: int


@attrs.frozen(kw_only=True)
class GameProfile:
    """A game as the tools play it. Options of None are the game's defaults."""

    levels: Mapping[str, str] = _NONE
    """Bots by level, for people who know none by name."""
    bounded: Mapping[str, str] = _NONE
    """The bots of levels in a process that plays for a whole server."""
    styles: Sequence[str] = ()
    """Bots that play differently."""
    opponent: str | None = "random"
    """The opponent in this process; None for a game that is played alone."""
    alone: Plain | None = None
    """Options for one seat."""
    together: Plain | None = None
    """Options for several seats."""
    checks: Sequence[MatchSetup] = (MatchSetup(None, 2),)
    """The matches of a check, in rotation."""
    contest: Plain = attrs.field(factory=dict)
    """Options for one short match, as contests in the arena play it."""
    traffic: Plain = attrs.field(factory=dict)
    """Options for matches without pauses, for load tests."""
    pace: float = 0.8
    """Seconds that a bot takes for a card or click among people."""
    lasting: bool = False
    """Whether the line mode needs a pace, too, since bots and people play at the same time."""
    bots: Mapping[str, int] = attrs.field(factory=dict)
    """The default number of bots by mode; by "" in a game without modes."""


def _mines(mode: str, level: str, seats: int = 1) -> MatchSetup:
    return MatchSetup({"mode": mode, "level": level}, seats)


_PROFILES = {
    "uno": GameProfile(
        levels={"easy": "random", "normal": "painfirst", "hard": "search"},
        bounded={"hard": "search(think=50)"},
        styles=("painfirst", "guard", "counter", "shaper", "attacker", "hoarder"),
        checks=tuple(MatchSetup({"scoring": "single"}, seats) for seats in (2, 2, 3, 4)),
        contest={"scoring": "single"},
        traffic={"pause": 0, "breath": 0},
        bots={"": 3},
    ),
    "minesweeper": GameProfile(
        levels={"easy": "article", "normal": "adjacency", "hard": "exact"},
        styles=("exact", "article", "adjacency"),
        opponent=None,
        alone={"mode": "solo"},
        together={"mode": "race"},
        checks=(_mines("solo", "beginner"), _mines("race", "beginner", 2), _mines("solo", "intermediate")),
        traffic={"mode": "race", "level": "expert", "penalty": 1},
        pace=1.0,
        lasting=True,
        bots={"solo": 0, "race": 2, "coop": 1, "duel": 1},
    ),
}
"""A person can follow cards at the pace of UNO. A race of Minesweeper takes a minute on a beginner's board, five on an
expert's. Line mode needs no delay for cards, since its output stays visible."""


def profile(game: str) -> GameProfile:
    """Return the profile of ``game``."""
    return _PROFILES.get(game, _ANY)


_ANY = GameProfile()
