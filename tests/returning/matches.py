"""One match of which every run is the same: its deal, its bots, and what is left of it when it is over."""

import json
from typing import Any

import attrs
from tests.conversations.drivers import SECRET

from parlour_bots.errors import Mistake
from parlour_bots.sdk import BotSpec, Turn, bot_spec
from parlour_games.registry import games
from parlour_protocol.messages import Plain
from parlour_server.rooms.match import Randomness
from parlour_server.rooms.records import Opened, parse
from parlour_server.rooms.state import State

DEAL = SECRET + "2a" * 32
"""The secret of every match here; nonces count for nothing."""
STEPS = ("act", "timeout", "timer", "job")


@attrs.frozen
class Case:
    """What is played: its game, how many play, by which options."""

    game: str
    seats: int
    options: Plain


UNO = Case("uno", 3, {"scoring": "single", "breath": 300})
MINES = Case("minesweeper", 2, {"mode": "duel", "level": "custom", "width": 8, "height": 8, "mines": 13})


@attrs.define
class Steady:
    """A bot without chance that notes what it is asked. It answers by the number of the question alone."""

    seat: int
    asked: list[Plain] = attrs.field(factory=list)

    def play(self, turn: Turn) -> Any:
        """Play the listed action, or open the closed cell, that the question's number points at."""
        self.asked.append({"rid": turn.rid, "view": turn.view, "legal": turn.legal, "events": turn.events})
        choices: list[Any] = turn.legal or [cell for cell, char in enumerate("".join(turn.view["rows"])) if char == "."]
        plays = max(1, len(choices) - 1)  # the last one is to draw, and rounds are to end
        return choices[turn.rid * (self.seat + 3) % plays]

    def may(self, turn: Turn) -> int | None:
        """Take the last seat's offers and no others."""
        return 0 if self.seat == 2 else None

    def bot_spec(self, game: str) -> BotSpec:
        """Return the spec whose only bot this is."""
        return bot_spec(self, f"bot-{self.seat}", game, call_uno=False)


def fail(mistake: Mistake) -> None:
    """Let a bot's mistake fail the test."""
    raise AssertionError(str(mistake))


def story(lines: list[str], randomness: Randomness) -> list[Plain]:
    """Return what happened in a match, from a room's lines: each step with what follows from it, and the result."""
    first = parse(lines[0])
    assert isinstance(first, Opened)
    state = State(first, games()[first.game], randomness)
    told = []
    for line in lines:
        events = state.fold(parse(line), line)
        record = json.loads(line)
        if record["r"] in STEPS and state.match:
            step = {name: record.get(name) for name in ("r", "seat", "rid", "act")}
            told.append({**step, "events": state.match.redacted(events, None)})
        elif record["r"] == "over":
            told.append({name: record[name] for name in ("r", "ranks", "scores", "why")})
    return told
