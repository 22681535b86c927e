"""``parlour arena``: let bots play many games and tell who is better."""

from typing import Annotated

from cyclopts import Parameter

from parlour_bots.arena.cli import minesweeper, uno
from parlour_bots.arena.cli.options import ArenaOptions
from parlour_client.core.errors import Usage

GAMES = {"uno": uno.arena, "minesweeper": minesweeper.arena}
"""What is played in the arena, and what carries it out."""


def arena(
    game: Annotated[str, Parameter(help="What is played: uno or minesweeper.")],
    /,
    *bots: Annotated[
        str,
        Parameter(
            name="BOT",
            help="Installed bots, FILE.py, FILE.py:NAME, MODULE:NAME, 'exec:COMMAND'; 'BOT(key=value)' with settings.",
        ),
    ],
    options: ArenaOptions = ArenaOptions(),  # noqa: B008  frozen
) -> int:
    """Let bots play many games in this process or several, and tell who is better and how sure that is.

    UNO: every deal is played from every seat, so that the luck cancels.
    With more bots than seats every choice of them meets; with fewer the first
    sits alone against the others, who share the other seats. A bot that is not
    ours plays in a process of its own; any bot's third late, broken or illegal
    answer loses it the game. With --out a contest goes on where it was cut, or
    where one of fewer --games ended.

    Minesweeper: every bot plays the same boards, from a file or fresh, and sees
    what a player sees. The first cell is opened for it.

    Examples:
    parlour arena uno painfirst random --games 4000 --seed 1
    parlour arena uno ./mine.py 'exec:node x.mjs' --out all.jsonl --plot all.svg
    parlour arena uno ./mine.py painfirst --players 4 --match 500 --rules family
    parlour arena minesweeper exact --boards boards.jsonl --out results.jsonl
    parlour arena minesweeper exact ./my_bot.py --level expert --first safe
    parlour arena minesweeper --table --plot solved.svg
    """
    if game not in GAMES:
        raise Usage(f"the arena is for {' and '.join(GAMES)}, not {game!r}")
    return GAMES[game](bots, options)
