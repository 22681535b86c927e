"""One game of a contest: the bots at a table of the server's own rooms, in process, and how that ended."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any

import attrs

from parlour_bots.arena.engine.timings import Times
from parlour_bots.arena.uno.schedule import Game
from parlour_bots.errors import MISTAKES_SHOWN, Mistake
from parlour_bots.play.in_process import Match, MatchTooLong, play_match, win_share
from parlour_bots.play.player import RESIGN, Player
from parlour_bots.sdk import Bot, BotSpec, Choice, Function, Turn
from parlour_protocol.messages import Plain

FAULTS = 3
"""The fault that loses a bot its game. After those before it chance answers instead."""
ANSWERS = 20_000
"""Answers to a round after which a game is stopped, shared by all: bots that only draw and pass never end it."""

_DEAL_BITS = 32


@attrs.frozen
class Outcome:
    """How a game ended. All tuples are by seat."""

    game: int
    deal: int
    seats: tuple[int, ...]
    """Which bot sat there."""
    ranks: tuple[int, ...]
    points: tuple[int, ...]
    answers: int
    """How many the seats gave together."""
    faults: tuple[dict[str, int], ...]
    """What went wrong how often: ``late``, ``broken``, ``illegal``."""
    times: tuple[tuple[int, ...], ...]
    """What ``Times.numbers`` says of the answers."""
    stopped: bool = False

    def share(self, seat: int) -> float:
        """Return the part of the win that the seat has."""
        return win_share(self.ranks, seat)

    def plain(self) -> Plain:
        """Return it as plain data."""
        return attrs.asdict(self)


@attrs.frozen
class Played:
    """The outcome of a game, and the first few mistakes in it, told for their authors."""

    outcome: Outcome
    mistakes: tuple[str, ...]


@attrs.define
class _Conduct:
    """What one seat did wrong in one game."""

    faults: Counter[str] = attrs.field(factory=Counter)

    @property
    def lost(self) -> bool:
        return self.faults.total() >= FAULTS


def play(specs: Sequence[BotSpec], game: Game, seed: int, options: Plain) -> Played:
    """Play one game of a contest with this ``seed``; ``specs`` are by bot.

    The cards come from the seed and the number of the deal alone, chance also from the seat: whoever plays from there
    meets the same.
    """
    told: list[str] = []
    conducts = [_Conduct() for _ in game.seats]

    def report(conduct: _Conduct, mistake: Mistake) -> None:
        conduct.faults[mistake.kind] += 1
        if len(told) < MISTAKES_SHOWN:
            told.append(str(mistake))

    players = [
        Player(_judged(specs[bot], conduct), f"{seed}/{game.deal}/{seat}", partial(report, conduct))
        for seat, (bot, conduct) in enumerate(zip(game.seats, conducts, strict=True))
    ]
    try:
        match: Match | None = play_match(players, (seed << _DEAL_BITS) + game.deal, options, ANSWERS * _rounds(options))
    except MatchTooLong:
        match = None
    return Played(_outcome(game, match, players, conducts), tuple(told))


def _rounds(options: Plain) -> int:
    """Return how many rounds a match might have."""
    return 1 if options.get("scoring") == "single" else 10


def _outcome(game: Game, match: Match | None, players: Sequence[Player], conducts: Sequence[_Conduct]) -> Outcome:
    seats = len(game.seats)
    return Outcome(
        game.number,
        game.deal,
        game.seats,
        match.ranks if match else (1,) * seats,
        match.scores if match else (0,) * seats,
        sum(len(player.acts) for player in players),
        tuple(dict(conduct.faults) for conduct in conducts),
        tuple(tuple(Times.of(player.thinking).numbers()) for player in players),
        match is None,
    )


def _judged(spec: BotSpec, conduct: _Conduct) -> BotSpec:
    """Return ``spec`` so that it resigns a game in which it failed too often."""

    def make() -> Bot:
        if conduct.lost:  # it may be its beginning that fails
            return Function(lambda _: RESIGN)
        bot = spec.make()
        play, may = _held(bot.play, conduct, RESIGN), getattr(bot, "may", None)
        return _Judged(play, _held(may, conduct, None)) if may else Function(play)

    return attrs.evolve(spec, make=make)


@attrs.frozen
class _Judged:
    play: Callable[[Turn], Choice]
    may: Callable[[Turn], Choice | None]


def _held(ask: Callable[[Turn], Any], conduct: _Conduct, otherwise: Choice | None) -> Callable[[Turn], Any]:
    """Return ``ask``, which is not asked any more but answers ``otherwise`` once the game is lost."""

    @wraps(ask)
    def asked(turn: Turn) -> Any:
        return otherwise if conduct.lost else ask(turn)

    return asked
