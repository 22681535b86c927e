"""The matchmaker: lets bots that are available play rated matches for the ladder, all the time.

The next match is the most informative one: between two of about equal strength, who have played little here, and
little with each other. The result of a match with winning chances p and 1 - p has the variance p (1 - p).
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

import attrs
from msgspec.structs import replace

from parlour_games.game import BadOptions, Plain
from parlour_games.registry import AnyGame
from parlour_protocol.errors import BadMessage
from parlour_protocol.messages import Create
from parlour_protocol.wire import strict
from parlour_server.contests.contest import CLOCK
from parlour_server.contests.ladder import AVERAGE
from parlour_server.directory import room_creation
from parlour_server.directory.bot_pool import BotPool
from parlour_server.directory.identities import Identities, Ratings
from parlour_server.directory.room_creation import new_code
from parlour_server.directory.rooms import RoomDirectory
from parlour_server.directory.sessions import Connections
from parlour_server.persistence import Meeting
from parlour_server.rooms.room import Room
from parlour_server.settings import BadSettings, ServerSettings

LADDER = "(ladder)"
"""The reserved contest name in the records of the matchmaker's rooms."""
EACH = 5_000
"""Milliseconds from one match of a ladder to the next, so that bots that answer quickly leave time for others."""
_APART = 400
"""Points of a rating for ten wins to one."""


@attrs.frozen
class Ladder:
    """A game that is always played, between two, under ``options``."""

    game: str
    options: Plain


@attrs.define(eq=False)
class Matchmaker:
    """Opens a room for the next match of each ladder. It reads from the store what was played before a restart."""

    _games: dict[str, AnyGame]
    _entropy: Callable[[int], bytes]
    _identities: Identities
    _connections: Connections
    _rooms: RoomDirectory
    _bots: BotPool
    _ratings: Ratings
    _awaited: Callable[[str], bool]
    """Whether a contest waits for an identity."""
    _settings: ServerSettings
    ladders: list[Ladder] = attrs.field(init=False)
    _next: dict[str, int] = attrs.field(factory=dict, init=False)
    """When the next match of each game may begin."""
    _played: Counter[tuple[str, str]] = attrs.field(factory=Counter, init=False)
    """How many matches of a game each has played, by game and identity."""
    _met: Counter[tuple[str, str, str]] = attrs.field(factory=Counter, init=False)
    """How many of them with whom, by game and the two identities in order."""

    @ladders.default
    def _from_settings(self) -> list[Ladder]:
        """Return what bots play all the time. Raises BadSettings."""
        return [_ladder(text, self._games) for text in self._settings.ladder]

    def restore(self, game: str, meetings: Iterable[Meeting]) -> None:
        """Load how often any two bots have met in a game."""
        for one, other, times in meetings:
            self._count(game, (one, other), times)

    def arrange(self, now: int) -> None:
        """Open the rooms that are due, unless the server is stopping."""
        if self._connections.draining:
            return
        for ladder in self.ladders:
            if now >= self._next.get(ladder.game, 0) and (pair := self._best(ladder.game)) is not None:
                self._next[ladder.game] = now + EACH
                self._open(ladder, pair, now)

    def _best(self, game: str) -> tuple[str, str] | None:
        """Return the two bots from different addresses whose match tells most; None if no such two are free."""
        free = [who for who, offer in self._bots.available.items() if game in offer.games and self._is_free(who, game)]
        addresses = {who: self._bots.person(who).address for who in free}
        pairs = (pair for pair in combinations(sorted(free), 2) if addresses[pair[0]] != addresses[pair[1]])
        return max(pairs, key=lambda pair: self._information(game, pair), default=None)

    def _is_free(self, who: str, game: str) -> bool:
        places = self._bots.places(who, game)
        return not self._identities.get(who).house and not self._awaited(who) and places is not None and places > 0

    def _information(self, game: str, pair: tuple[str, str]) -> float:
        one, other = (self._ratings.of(who, game) or AVERAGE for who in pair)
        chance = 1 / (1 + 10 ** ((other - one) / _APART))
        unknown = sum(1 / (1 + self._played[game, who]) for who in pair)
        return chance * (1 - chance) * unknown / (1 + self._met[game, *pair])

    def _open(self, ladder: Ladder, pair: tuple[str, str], now: int) -> None:
        rooms, code = self._rooms, new_code(False, self._rooms.used, self._entropy)
        create = Create(ladder.game, ladder.options, seats=2, kinds="bots", standin=False, start="full", clock=CLOCK)
        record = room_creation.opened(create, self._games[ladder.game], code, self._entropy(32))
        rooms.open(replace(record, contest=LADDER), now)
        players = pair if self._met[ladder.game, *pair] % 2 == 0 else pair[::-1]
        self._count(ladder.game, pair, 1)

        def seat_both(room: Room, at: int) -> None:
            for who in players:
                style = self._bots.usual_style(who)
                room.seating.sit(at, self._bots.person(who), None, None, "invited", style)
            room.readiness.proceed(at)

        rooms.update(code, now, seat_both)

    def _count(self, game: str, pair: tuple[str, str], times: int) -> None:
        one, other = sorted(pair)
        self._met[game, one, other] += times
        for who in pair:
            self._played[game, who] += times


def _ladder(text: str, games: dict[str, AnyGame]) -> Ladder:
    """Return the ladder of ``GAME`` or ``GAME:NAME=VALUE,…``. Raises BadSettings."""
    name, _, given = text.partition(":")
    game = games.get(name)
    if game is None:
        raise BadSettings(f"--ladder: there is no game {name!a}; there is {', '.join(sorted(games))}")
    options: dict[str, Any] = {}
    for part in filter(None, given.split(",")):
        option, _, value = part.partition("=")
        try:
            options[option] = json.loads(value)
        except ValueError:
            options[option] = value
    try:
        least, most = game.seats(strict(game.Options)(options))
    except (BadOptions, BadMessage) as error:
        raise BadSettings(f"--ladder {text}: {error}") from None
    if not least <= 2 <= most:
        raise BadSettings(f"--ladder {text}: {name} with these options is not for two; try minesweeper:mode=duel")
    return Ladder(name, options)
