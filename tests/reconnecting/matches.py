"""A deterministic match: its deal, its bots, and its outcome."""

import json
from typing import Any

import attrs
from tests.conversations.drivers import SECRET

from parlour_bots.sdk import BotSpec, Turn, bot_spec
from parlour_games.registry import games
from parlour_protocol.messages import Plain
from parlour_server.rooms.match import Randomness
from parlour_server.rooms.records import RoomOpened, parse
from parlour_server.rooms.state import State

DEAL = SECRET + "2a" * 32
"""The secret of every match here. Nonces are ignored."""
STEPS = ("act", "timeout", "timer", "job")


@attrs.frozen
class Case:
    """A kind of match: game, seats, options."""

    game: str
    seats: int
    options: Plain


UNO = Case("uno", 3, {"scoring": "single", "breath": 300})
MINES = Case("minesweeper", 2, {"mode": "duel", "level": "custom", "width": 8, "height": 8, "mines": 13})


@attrs.define
class FixedBot:
    """A deterministic bot that records its turns. Its answer depends on the request id only."""

    seat: int
    asked: list[Plain] = attrs.field(factory=list)

    def play(self, turn: Turn) -> Any:
        """Play the listed action, or open the closed cell, that the request id selects."""
        self.asked.append({"rid": turn.rid, "view": turn.view, "legal": turn.legal, "events": turn.events})
        choices: list[Any] = turn.legal or [cell for cell, char in enumerate("".join(turn.view["rows"])) if char == "."]
        plays = max(1, len(choices) - 1)  # leaves out the last one, to draw, so that rounds end
        return choices[turn.rid * (self.seat + 3) % plays]

    def may(self, turn: Turn) -> int | None:
        """Take reactions at the last seat only."""
        return 0 if self.seat == 2 else None

    def bot_spec(self, game: str) -> BotSpec:
        """Return a spec that always gives this bot."""
        return bot_spec(self, f"bot-{self.seat}", game, call_uno=False)


def outcome(lines: list[str], randomness: Randomness) -> list[Plain]:
    """Return the steps of a match with their events, and its result, from the log of a room."""
    first = parse(lines[0])
    assert isinstance(first, RoomOpened)
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
