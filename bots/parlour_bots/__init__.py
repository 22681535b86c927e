"""Bots: the SDK to write one, the bundled ones, and the commands that run them."""

import sys
from collections.abc import Sequence
from pathlib import Path

from parlour_bots.sdk import Bot, BotSource, Turn, bot_spec, declare

__all__ = ["Bot", "Turn", "run"]


def run(playing: BotSource, game: str = "uno", *, call_uno: bool = True, argv: Sequence[str] | None = None) -> None:
    """Read the command line (``argv``, else that of the process), play, and exit.

    ``python hello.py`` plays a match against ``random`` in this process; ``--help`` lists the rest. Returns only
    while the file is loaded by ``parlour bot run`` or another command that looks for the bot in it.
    """
    bot = bot_spec(playing, Path(sys.argv[0]).stem, game, call_uno)
    if declare(bot):
        return
    from parlour_bots.cli.play import main  # a file that is only loaded needs no command line, 0.3 s of imports

    raise SystemExit(main(bot, argv))
