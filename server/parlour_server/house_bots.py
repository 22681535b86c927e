"""Run the house bots in a child process, which connects like any bot."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from importlib.metadata import entry_points
from itertools import cycle
from typing import Any

import attrs

from parlour_games.registry import AnyGame, games
from parlour_protocol.names import LONGEST
from parlour_server.children import keep_child
from parlour_server.metrics import Metrics
from parlour_server.settings import ServerSettings


@attrs.frozen
class HouseBot:
    """A house bot: what plays, and its seconds per card or click in relation to the others'."""

    bot: str
    tempo: float = 1.0


HOUSE_BOTS = {
    "ada": HouseBot("uno.painfirst", 0.9),
    "bruno": HouseBot("uno.guard", 1.1),
    "cleo": HouseBot("uno.counter"),
    "dice": HouseBot("uno.random", 0.9),
    "enno": HouseBot("uno.attacker", 0.9),
    "flora": HouseBot("uno.shaper"),
    "gero": HouseBot("uno.hoarder", 1.1),
    "hedy": HouseBot("uno.counter", 0.9),
    "ivo": HouseBot("uno.guard"),
    "adam": HouseBot("minesweeper.article", 1.1),
    "kira": HouseBot("minesweeper.adjacency", 0.9),
    "lars": HouseBot("minesweeper.exact", 1.1),
    "milo": HouseBot("minesweeper.exact"),
    "mina": HouseBot("minesweeper.exact", 0.75),
    "nora": HouseBot("minesweeper.adjacency", 1.1),
    "ludo": HouseBot("minesweeper.article", 0.9),
    "wanda": HouseBot("minesweeper.exact", 0.9),
    "rosa": HouseBot("minesweeper.adjacency"),
}
"""The house bots by name: nine for each game, so that one person can fill a table of ten. The first of each game in
alphabetical order, which are invited first, differ in style and tempo."""
_NAMES = ("ole", "pia", "rolf", "suse", "tilo", "udo", "vera", "wim", "zita")
"""Names of house bots for all other games, each with the start of the game's name."""
_GAME_LETTERS = 9


def house_bots(games: Mapping[str, AnyGame]) -> dict[str, HouseBot]:
    """Return the house bots by name: for a game without any of its own, the installed ones and ``random`` in turn."""
    served = {house.bot.partition(".")[0] for house in HOUSE_BOTS.values()}
    found = dict(HOUSE_BOTS)
    for name in sorted(games.keys() - served):
        installed = sorted(bot.name for bot in entry_points(group="parlour.bots") if bot.name.startswith(f"{name}."))
        bots = cycle(dict.fromkeys([*installed, f"{name}.random"]))
        opponents = _NAMES[: games[name].max_seats - 1]
        found |= {f"{each}-{name[:_GAME_LETTERS]}": HouseBot(bot) for each, bot in zip(opponents, bots, strict=False)}
    return found


async def keep_house_bots(
    url: str, ticket: Callable[[str], str], metrics: Metrics, settings: ServerSettings, node: str = ""
) -> None:
    """Run the house bots until cancelled.

    ``ticket`` returns a ticket for the bot of a name. Among several nodes the names end with that of their ``node``,
    because names are unique.
    """

    def orders() -> dict[str, Any]:
        names = {name_at(node, name): house for name, house in house_bots(games()).items()}
        tickets = [
            {"name": name, "ticket": ticket(name), "bot": house.bot, "tempo": house.tempo}
            for name, house in names.items()
        ]
        return {"url": url, "pace": settings.pace, "tickets": tickets}

    await keep_child("house_bots", "parlour_bots.hosting.house_bots", orders, metrics)


def name_at(node: str, name: str) -> str:
    """Return the name of a house bot at a node. A long name of a node is cut and gets a hash."""
    if not node:
        return name
    space = LONGEST - len(name) - 1
    ending = "".join(char if char.isascii() and char.isalnum() else "-" for char in node)
    if len(ending) > space:
        ending = f"{ending[: space - 5]}-{sha256(node.encode()).hexdigest()[:4]}"
    return f"{name}-{ending}"
