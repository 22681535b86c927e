"""Tables of every game and mode, and the players that sit at them."""

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from tests.outsider.client import Player, Table
from tests.outsider.sight import Map

SPEC = Path("protocol/parlour_protocol/SPEC.md").read_text(encoding="utf-8")
_UNO = SPEC.partition("\n## UNO")[2].partition("\n## ")[0]
HOUSE_RULES = re.findall(r"^\| `(\w+)` \| `false` \|", _UNO, re.MULTILINE)
"""The switches among the options of UNO."""
SCORING = ("race", "lowest", "elimination", "single")
FLAGS = ("--per-address", "1000")
"""Flags of a server for all of these tables."""
MODES = {"solo": (1, 1), "race": (2, 4), "coop": (2, 3), "duel": (2, 2)}
"""The modes of Minesweeper, with the fewest and the most seats that are used here."""


def uno(rng: Random, *, rules: float) -> Table:
    """Return a table of UNO; each house rule is on with the probability ``rules``."""
    options: Map = {
        "scoring": rng.choice(SCORING),
        "target": rng.choice([50, 120]),
        "breath": rng.choice([0, 20]),
        "pause": rng.choice([0, 0, 30]),
        "false_call_penalty": 2 if rng.random() < rules else 0,
        **{rule: rng.random() < rules for rule in HOUSE_RULES},
    }
    return Table("uno", rng.randint(2, 5), options)


def minesweeper(rng: Random, mode: str) -> Table:
    """Return a table of Minesweeper."""
    options: Map = {
        "mode": mode,
        "level": rng.choice(["beginner", "intermediate"]),
        "first": rng.choice(["any", "safe", "opening", "radius"]),
        "lives": rng.choice([1, 3]) if mode == "coop" else 1,
        "penalty": rng.choice([0, 1000]) if mode == "race" else 0,
        "no_guess": mode != "duel" and rng.random() < 0.2,
    }
    if mode in ("solo", "coop") and not options["no_guess"]:
        options["kind"] = rng.random() < 0.5
    return Table("minesweeper", rng.randint(*MODES[mode]), options)


def mixture(rng: Random) -> Iterator[Table]:
    """Yield tables of all kinds, without end."""
    while True:
        for mode in MODES:
            yield uno(rng, rules=rng.choice([0, 0.3]))
            yield minesweeper(rng, mode)
        hasty = uno(rng, rules=0.2)
        hasty.clock, hasty.dawdle = {"bank": 50, "add": 20}, 0.05
        yield hasty
        quitting = rng.choice([uno(rng, rules=0.2), minesweeper(rng, rng.choice(["race", "duel"]))])
        quitting.resign = 0.02
        yield quitting
        housed = uno(rng, rules=0.2)
        housed.seats, housed.players = 2, 1
        housed.options |= {"scoring": "single"}
        yield housed


def seated(tables: Iterable[Table], addresses: Sequence[Callable[[], str]], rng: Random) -> list[Player]:
    """Return the players of all tables. Each goes through the addresses in an order of its own."""
    players = []
    for number, table in enumerate(tables):
        for seat in range(table.players or table.seats):
            ours = rng.sample(addresses, len(addresses))
            players.append(Player(f"p{number}-{seat}", ours, table, host=seat == 0, rng=Random(rng.random())))
    return players


async def play(players: Iterable[Player]) -> None:
    """Play until all tables have had their matches."""
    async with asyncio.TaskGroup() as playing:
        for player in players:
            playing.create_task(player.play())
