"""``parlour arena uno``: play the contest and print its result."""

import json as encoding
import os
import sys
from collections.abc import Sequence
from secrets import randbits
from typing import Any

from parlour_bots.arena.charts import image_file
from parlour_bots.arena.cli.options import ArenaOptions, check_game, contained_bots, distinct, refuse_others
from parlour_bots.arena.engine.isolation import arena_bot
from parlour_bots.arena.engine.progress import ContestProgress
from parlour_bots.arena.uno import chart, figures, journal
from parlour_bots.arena.uno.report import heading, of_league
from parlour_bots.arena.uno.run import BUDGET, GAME, RULES, League, Settings
from parlour_bots.loading.parameters import add_parameters
from parlour_client.core.errors import INTERRUPTED_BY_USER, OK, Usage
from parlour_client.core.folding import folded_for
from parlour_games.game import BadOptions
from parlour_games.uno.options import MAX_SEATS, MIN_SEATS
from parlour_games.uno.options import Options as UnoOptions

GAMES = 100
_OWN = ("players", "match", "rules", "think", "budget")


def arena(bots: Sequence[str], options: ArenaOptions) -> int:
    """Play a contest, print the result, and return the exit code. Raises Fault."""
    _check(bots, options)
    league = League(_settings(bots, options), options.games or GAMES, options.jobs or os.cpu_count() or 1)
    with ContestProgress(league.size, sys.stderr) as progress, contained_bots():
        league.run(progress, options.out)
    report = of_league(league)
    if options.plot and league.standings.deals:
        names = league.settings.names
        rows, pairs = figures.rows(league.standings, names), figures.pairs(league.standings, names)
        image_file.write(options.plot, chart.svg(heading(league), rows, pairs))
    sys.stdout.write(f"{encoding.dumps(report.data) if options.json else folded_for(sys.stdout, report.text)}\n")
    return INTERRUPTED_BY_USER if league.interrupted else OK


def _check(bots: Sequence[str], options: ArenaOptions) -> None:
    """Raise Usage for invalid options."""
    refuse_others(options, GAME, _OWN)
    if len(bots) < 2:
        raise Usage("name at least two bots. See: parlour bot list")
    if options.players is not None and not MIN_SEATS <= options.players <= MAX_SEATS:
        raise Usage(f"--players must be from {MIN_SEATS} to {MAX_SEATS}, not {options.players}")
    image_file.check(options.plot)
    _check_options(options)


def _check_options(asked: ArenaOptions) -> None:
    for option, options in (("rules", {"preset": asked.rules}), ("match", {"target": asked.match})):
        given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
        try:
            UnoOptions(**given)
        except BadOptions as error:
            raise Usage(f"--{option}: {error}") from None


def _settings(bots: Sequence[str], options: ArenaOptions) -> Settings:
    """Return the settings, after loading each bot once. Raises NoBot, Usage."""
    with contained_bots():
        names, takes = zip(*map(_described, bots), strict=True)
        if options.think is not None:
            if not any("think" in parameters for parameters in takes):
                raise Usage("--think needs a bot with a parameter think")
            limit = {"think": options.think}
            bots = [
                add_parameters(bot, **limit) if "think" in has else bot for bot, has in zip(bots, takes, strict=True)
            ]
            names, _ = zip(*map(_described, bots), strict=True)
    return Settings(
        tuple(bots),
        tuple(distinct(names, bots)),
        _seed(options),
        options.players or MIN_SEATS,
        options.match,
        options.rules or RULES,
        options.think,
        options.budget or BUDGET,
    )


def _described(bot: str) -> tuple[str, tuple[str, ...]]:
    """Return a bot's name and parameters. Raises NoBot, or Usage for a bot of another game."""
    check_game(bot, GAME)
    found = arena_bot(bot, GAME)
    found.close()
    if found.spec.game != GAME:
        raise Usage(f"{bot} plays {found.spec.game}, not {GAME}")
    return found.spec.name, found.takes


def _seed(options: ArenaOptions) -> int:
    """Return the seed: as given, that of the contest to continue, or a random one."""
    if options.seed is not None:
        return options.seed
    begun = journal.settings(options.out) if options.out else None
    return int(begun["seed"]) if begun and "seed" in begun else randbits(32)
