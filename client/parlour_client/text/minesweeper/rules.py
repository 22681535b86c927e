"""The rules of a match of Minesweeper in words."""

from collections.abc import Iterator

from parlour_client.core.phrases import phrases, say
from parlour_protocol.messages import Plain

phrases.add("parlour_games.minesweeper.phrases")


def in_short(game: str, options: Plain) -> Iterator[str]:
    """Yield mode and board, and the special rules in force."""
    mode, level = options.get("mode"), options.get("level")
    if mode:
        yield say(f"minesweeper.option.mode.{mode}")
    if level == "custom":
        yield say("minesweeper.rules.size", options)
    elif mode == "duel":
        yield "16×16"
    elif level:
        yield say(f"minesweeper.option.level.{level}")
    if options.get("no_guess"):
        yield say("minesweeper.rules.no_guess")
    if options.get("kind"):
        yield say("minesweeper.rules.kind")
    if options.get("lives", 1) > 1:
        yield say("minesweeper.rules.lives", n=options["lives"])
    if options.get("penalty"):
        yield say("minesweeper.rules.penalty", ms=options["penalty"])


def how_to(game: str, options: Plain) -> Iterator[str]:
    """Yield how the game is played with ``options``, in sentences."""
    mode, lives = options.get("mode"), options.get("lives", 1)
    yield say("minesweeper.manual.numbers")
    yield say("minesweeper.manual.mode", mode=mode)
    if mode != "duel":
        yield say("minesweeper.manual.flags")
    if options.get("kind"):
        yield say("minesweeper.manual.kind")
    if mode == "coop" and lives > 1:
        yield say("minesweeper.manual.lives", n=lives)
    if mode == "race":
        yield say("minesweeper.manual.penalty", ms=options.get("penalty") or None)
    yield say("minesweeper.manual.bbbv")
