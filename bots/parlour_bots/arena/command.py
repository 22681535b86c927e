"""``parlour arena``: compare bots in many games."""

from typing import Annotated

from cyclopts import Parameter

from parlour_bots.arena.league import command as league
from parlour_bots.arena.minesweeper import command as minesweeper
from parlour_bots.arena.options import ArenaOptions
from parlour_bots.loading import INSTALLED, require_loadable
from parlour_client.cli.params import GAMES
from parlour_client.core.errors import Usage
from parlour_games.registry import games

_OWN = {"minesweeper": minesweeper.arena}
"""Games with an arena of their own: bots play the same boards alone."""


def arena(
    game: Annotated[str, Parameter(help="The game: uno, minesweeper or another one that is installed."), GAMES],
    /,
    *bots: Annotated[
        str,
        Parameter(
            name="BOT",
            help="Installed bots, FILE.py, FILE.py:NAME, MODULE:NAME, 'exec:COMMAND', llm:MODEL@BASE_URL; or "
            "'BOT(key=value)'.",
        ),
        INSTALLED,
    ],
    options: ArenaOptions = ArenaOptions(),  # noqa: B008  frozen
) -> int:
    """Compare bots in many games: win rates, ratings, and confidence intervals.

    In UNO and other games for several seats every deal is played from every seat,
    so that luck cancels out. With more bots than seats all combinations play; with
    fewer, the first bot plays alone against the others, who share the remaining
    seats. Third-party bots run in processes of their own. A bot loses a game with
    its third late, broken or illegal answer. With --out an interrupted contest
    continues where it ended, also with more --games.

    Minesweeper: every bot plays the same boards, generated or from a file, and sees
    only what a player sees. The first cell is opened for it.

    Examples:
    parlour arena uno painfirst random --games 4000 --seed 1
    parlour arena uno ./mine.py 'exec:node x.mjs' --out all.jsonl --plot all.svg
    parlour arena uno ./mine.py painfirst --players 4 --match 500 --rules family
    parlour arena uno ./mine.py painfirst --why lost
    parlour arena minesweeper exact --boards boards.jsonl --out results.jsonl
    parlour arena minesweeper exact ./my_bot.py --level expert --first safe
    parlour arena minesweeper --table --plot solved.svg
    parlour arena goofspiel ./mine.py random --players 3 --option cards=5
    """
    require_loadable(game)
    if game not in games():
        raise Usage(f"the arena plays {' and '.join(games())}, not {game!r}")
    return _OWN[game](bots, options) if game in _OWN else league.arena(game, bots, options)
