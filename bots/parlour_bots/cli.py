"""``parlour bot``: run a bot, list those that are installed."""

import json as encoding
import sys
from typing import Annotated

from cyclopts import App, Parameter

from parlour_bots.command import How, carry_out
from parlour_bots.loader import find, installed

_RUN_EXAMPLES = """Examples:
  parlour bot run painfirst
  parlour bot run ./hello.py --arena 200 --against painfirst
  parlour bot run ./hello.py --check
  parlour bot run ./hello.py --room K7QD --server ws://10.0.0.4:7777"""
_LIST_EXAMPLES = """Examples:
  parlour bot list
  parlour bot list --json"""

bot = App(
    name="parlour bot",
    help="Run bots, or list those that are installed.",
    help_format="plaintext",
    help_epilogue="\n".join((_RUN_EXAMPLES, *_LIST_EXAMPLES.splitlines()[1:])),
    version_flags=[],
    suppress_keyboard_interrupt=False,
)


@bot.command(help_epilogue=_RUN_EXAMPLES)
def run(
    what: Annotated[str, Parameter(name="BOT", help="An installed bot, FILE.py, FILE.py:NAME or MODULE:NAME.")],
    /,
    how: How = How(),  # noqa: B008  frozen
    *,
    game: Annotated[str, Parameter(help="The game of a bot that does not say one.")] = "uno",
) -> int:
    """Play with a bot: a match in this process, or in a room over the network."""
    return carry_out(find(what, game), how)


@bot.command(name="list", help_epilogue=_LIST_EXAMPLES)
def list_(*, json: Annotated[bool, Parameter(negative="", help="Print one JSON object.")] = False) -> None:
    """List the installed bots."""
    bots = [{"name": name, "game": name.partition(".")[0], "from": entry.value} for name, entry in installed().items()]
    lines = [f"{row['name']:<20} {row['from']}" for row in bots]
    sys.stdout.write(encoding.dumps({"bots": bots}) if json else "\n".join(lines))
    sys.stdout.write("\n")
