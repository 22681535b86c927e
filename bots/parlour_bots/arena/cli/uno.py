"""``parlour arena uno``."""

import json as encoding
import os
import sys
from collections.abc import Sequence
from secrets import randbits
from typing import Any

from parlour_bots.arena.charts import image_file
from parlour_bots.arena.cli.options import How, check_game, distinct, own_affairs, refuse_others
from parlour_bots.arena.engine.isolation import admitted
from parlour_bots.arena.engine.progress import Progress
from parlour_bots.arena.uno import chart, figures, journal
from parlour_bots.arena.uno.report import heading, of_league
from parlour_bots.arena.uno.run import BUDGET, GAME, RULES, League, Settings
from parlour_bots.loading.parameters import added
from parlour_client.core.errors import INTERRUPTED_BY_USER, OK, Usage
from parlour_games.game import BadOptions
from parlour_games.uno.options import MAX_SEATS, MIN_SEATS
from parlour_games.uno.options import Options as UnoOptions

GAMES = 100
_OWN = ("players", "match", "rules", "think", "budget")


def arena(bots: Sequence[str], how: How) -> int:
    """Play the contest that is asked for, tell how it came out, and return the exit code. Raises Fault."""
    _check(bots, how)
    league = League(_settings(bots, how), how.games or GAMES, how.jobs or os.cpu_count() or 1)
    with Progress(league.size, sys.stderr) as progress, own_affairs():
        league.run(progress, how.out)
    report = of_league(league)
    if how.plot and league.standings.deals:
        names = league.settings.names
        rows, pairs = figures.rows(league.standings, names), figures.pairs(league.standings, names)
        image_file.write(how.plot, chart.svg(heading(league), rows, pairs))
    sys.stdout.write(f"{encoding.dumps(report.data) if how.json else report.text}\n")
    return INTERRUPTED_BY_USER if league.interrupted else OK


def _check(bots: Sequence[str], how: How) -> None:
    """Raise Usage for what cannot be meant."""
    refuse_others(how, GAME, _OWN)
    if len(bots) < 2:
        raise Usage("name at least two bots. See: parlour bot list")
    if how.players is not None and not MIN_SEATS <= how.players <= MAX_SEATS:
        raise Usage(f"--players must be from {MIN_SEATS} to {MAX_SEATS}, not {how.players}")
    image_file.check(how.plot)
    _check_options(how)


def _check_options(how: How) -> None:
    for option, options in (("rules", {"preset": how.rules}), ("match", {"target": how.match})):
        given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
        try:
            UnoOptions(**given)
        except BadOptions as error:
            raise Usage(f"--{option}: {error}") from None


def _settings(bots: Sequence[str], how: How) -> Settings:
    """Return what is asked for; the bots have been found. Raises Usage."""
    with own_affairs():
        names, takes = zip(*map(_described, bots), strict=True)
        if how.think is not None:
            if not any("think" in parameters for parameters in takes):
                raise Usage("--think is for bots that take a parameter think, and none of these does")
            limit = {"think": how.think}
            bots = [added(bot, **limit) if "think" in has else bot for bot, has in zip(bots, takes, strict=True)]
            names, _ = zip(*map(_described, bots), strict=True)
    return Settings(
        tuple(bots),
        tuple(distinct(names, bots)),
        _seed(how),
        how.players or MIN_SEATS,
        how.match,
        how.rules or RULES,
        how.think,
        how.budget or BUDGET,
    )


def _described(bot: str) -> tuple[str, tuple[str, ...]]:
    """Return what a bot is called and which parameters it takes. Raises NoBot, or Usage for one of another game."""
    check_game(bot, GAME)
    found = admitted(bot, GAME)
    found.close()
    if found.entrant.game != GAME:
        raise Usage(f"{bot} does not play {GAME}, but {found.entrant.game}")
    return found.entrant.name, found.takes


def _seed(how: How) -> int:
    """Return the seed: that of the contest that goes on, or any, so that a second look is a second look."""
    if how.seed is not None:
        return how.seed
    begun = journal.settings(how.out) if how.out else None
    return int(begun["seed"]) if begun and "seed" in begun else randbits(32)
