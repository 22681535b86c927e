"""``parlour bot``: run a bot, list those that are installed."""

import json as encoding
import sys
from typing import Annotated

from cyclopts import App, Parameter

from parlour_bots.command import How, carry_out
from parlour_bots.loader import find, installed

bot = App(name="bot", help="Play with bots, and list them.", version_flags=[])


@bot.command
def run(what: Annotated[str, Parameter(name="BOT")], how: How = How(), *, game: str = "uno") -> int:  # noqa: B008
    """Play with a bot: a match in process, or in a room over the network.

    Parameters
    ----------
    what
        The name of an installed bot, FILE.py, FILE.py:NAME or MODULE:NAME.
    game
        The game of a bot that does not say one.

    Examples
    --------
        parlour bot run painfirst
        parlour bot run ./hello.py --arena 200 --against painfirst
        parlour bot run ./hello.py --check
        parlour bot run ./hello.py --room K7QD --server ws://10.0.0.4:7777
    """
    return carry_out(find(what, game), how)


@bot.command(name="list")
def list_(*, json: Annotated[bool, Parameter(negative="")] = False) -> None:
    """List the installed bots.

    Parameters
    ----------
    json
        Print one JSON object.

    Examples
    --------
        parlour bot list
    """
    bots = [{"name": name, "game": name.partition(".")[0], "from": entry.value} for name, entry in installed().items()]
    lines = [f"{row['name']:<20} {row['from']}" for row in bots]
    sys.stdout.write(encoding.dumps({"bots": bots}) if json else "\n".join(lines))
    sys.stdout.write("\n")
