"""``parlour arena GAME``: play the contest and print its result."""

import os
import sys
from collections.abc import Sequence
from secrets import randbits

import attrs

from parlour_bots.arena import measures
from parlour_bots.arena.isolation import arena_bot
from parlour_bots.arena.league import run
from parlour_bots.arena.league.report import of_league, svg
from parlour_bots.arena.league.run import BUDGET, LeagueContest, LeagueSettings
from parlour_bots.arena.losses import losses
from parlour_bots.arena.options import ArenaOptions, check_game, contained_bots, distinct, refuse_others
from parlour_bots.loading import add_parameters
from parlour_bots.play.limits import Limits
from parlour_bots.profiles import profile
from parlour_bots.tools import review
from parlour_bots.tools.progress import ContestProgress
from parlour_client.core.errors import INTERRUPTED_BY_USER, OK, Usage
from parlour_client.core.options import checked, options_of, rules_of
from parlour_games.game import BadOptions
from parlour_games.registry import games

GAMES = 100
_OWN = ("players", "match", "rules", "why", "think", "budget", "option")
_RULES = "official"


def arena(game: str, bots: Sequence[str], options: ArenaOptions) -> int:
    """Play a contest, print the result, and return the exit code. Raises Fault."""
    _check(game, bots, options)
    limits = options.limits()
    settings, jobs = _settings(game, bots, options, limits), options.jobs or os.cpu_count() or 1
    league = LeagueContest(settings, options.games or GAMES, jobs, limits, options.why)
    with ContestProgress(league.size, sys.stderr) as progress, contained_bots():
        league.run(progress, options.out)
    report = of_league(league)
    if options.plot and league.standings.deals:
        measures.write(options.plot, svg(league))
    if options.why and not league.interrupted:
        why = losses(game, league.settings.names[0], league.lost, league.settings.seed, sys.stderr)
        report = why.added_to(report)
    report.write(sys.stdout, as_json=options.json)
    return INTERRUPTED_BY_USER if league.interrupted else OK


def _check(game: str, bots: Sequence[str], options: ArenaOptions) -> None:
    """Raise Usage for invalid options."""
    refuse_others(options, game, _OWN)
    if len(bots) < 2:
        raise Usage("name at least two bots. See: parlour bot list")
    _check_options(game, options)
    least, most = _seats(game, options)
    if most < least:
        raise Usage(f"{game} is played alone: the arena compares bots in matches of two or more")
    if options.players is not None and not least <= options.players <= most:
        raise Usage(f"--players must be from {least} to {most}, not {options.players}")
    measures.check(options.plot)
    if options.why and game not in review.JUDGES:
        raise Usage(f"--why is not for {game}: no bot judges its decisions. It is for {', '.join(review.JUDGES)}")


def _check_options(game: str, asked: ArenaOptions) -> None:
    known = {field.name for field in attrs.fields(games()[game].Options)}
    for flag, needed, options in (
        ("rules", None, rules_of(asked.rules, game) if asked.rules else {}),
        ("match", "target", {"target": asked.match}),
        ("option", None, options_of(asked.option or (), game)),
    ):
        given = {name: value for name, value in options.items() if value is not None}
        if given and needed not in (None, *known):
            raise Usage(f"--{flag} is not for {game}, which has no option {needed}")
        try:
            checked(games()[game], given)
        except BadOptions as error:
            raise Usage(f"--{flag}: {str(error).removeprefix('options: ')}") from None


def _seats(game: str, asked: ArenaOptions) -> tuple[int, int]:
    """Return the least and the most seats of a match between bots."""
    given = {**profile(game).contest, **options_of(asked.option or (), game)}
    try:
        least, most = games()[game].seats(checked(games()[game], given))
    except BadOptions as error:
        raise Usage(f"--option: {error}") from None
    return max(2, least), most


def _settings(game: str, bots: Sequence[str], options: ArenaOptions, limits: Limits | None) -> LeagueSettings:
    """Return the settings, after loading each bot once. Raises NoBot, Usage."""
    with contained_bots():
        names, takes = zip(*(_described(bot, game, limits) for bot in bots), strict=True)
        if options.think is not None:
            if not any("think" in parameters for parameters in takes):
                raise Usage("--think needs a bot with a parameter think")
            limit = {"think": options.think}
            bots = [
                add_parameters(bot, **limit) if "think" in has else bot for bot, has in zip(bots, takes, strict=True)
            ]
            names, _ = zip(*(_described(bot, game, limits) for bot in bots), strict=True)
    rules = rules_of(options.rules, game) if options.rules else {}
    usual = _RULES if hasattr(games()[game].Options(), "preset") else None
    return LeagueSettings(
        tuple(bots),
        tuple(distinct(names, bots)),
        _seed(options),
        options.players or _seats(game, options)[0],
        options.match,
        rules.pop("preset", usual),
        options.think,
        options.budget or BUDGET,
        game,
        {**rules, **options_of(options.option or (), game)},
    )


def _described(bot: str, game: str, limits: Limits | None) -> tuple[str, tuple[str, ...]]:
    """Return a bot's name and parameters. Raises NoBot, or Usage for a bot of another game."""
    check_game(bot, game)
    found = arena_bot(bot, game, limits)
    found.close()
    if found.spec.game != game:
        raise Usage(f"{bot} plays {found.spec.game}, not {game}")
    return found.spec.name, found.takes


def _seed(options: ArenaOptions) -> int:
    """Return the seed: as given, that of the contest to continue, or a random one."""
    if options.seed is not None:
        return options.seed
    begun = run.settings(options.out) if options.out else None
    return int(begun["seed"]) if begun and "seed" in begun else randbits(32)
