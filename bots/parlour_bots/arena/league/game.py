"""Play one game of a contest in a room of this process, and return its outcome."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any

import attrs

from parlour_bots.arena.engine.pool import Played
from parlour_bots.arena.engine.timings import Times
from parlour_bots.arena.league.schedule import Game
from parlour_bots.errors import MISTAKES_SHOWN, Mistake
from parlour_bots.play.in_process import Match, MatchTooLong, play_match, win_share
from parlour_bots.play.player import RESIGN, Player
from parlour_bots.sdk import Bot, BotSpec, Choice, Function, Functions, Turn
from parlour_protocol.messages import Plain

FAULTS = 3
"""The number of faults that lose a game. A random move replaces each earlier faulty answer."""
ANSWERS = 20_000
"""Answers per round after which a game is stopped and its win shared: bots that only draw never end it."""

_DEAL_BITS = 32


@attrs.frozen
class Outcome:
    """The outcome of a game. All tuples are indexed by seat."""

    game: int
    deal: int
    seats: tuple[int, ...]
    """The bot in each seat."""
    ranks: tuple[int, ...]
    points: tuple[int, ...]
    answers: int
    """The number of answers of all seats."""
    faults: tuple[dict[str, int], ...]
    """The number of faults by kind: ``late``, ``broken``, ``illegal``."""
    times: tuple[tuple[int, ...], ...]
    """The answer times, as ``Times.numbers``."""
    stopped: bool = False
    usage: tuple[dict[str, int], ...] = ()
    """The use of language models: see ``LanguageModel.usage``. Empty without one."""

    def share(self, seat: int) -> float:
        """Return the part of the win that the seat has."""
        return win_share(self.ranks, seat)

    def plain(self) -> Plain:
        """Return the outcome as plain data."""
        return attrs.asdict(self, filter=lambda field, value: field.name != "usage" or bool(value))


@attrs.define
class _FaultCount:
    """The faults of one seat in one game."""

    faults: Counter[str] = attrs.field(factory=Counter)

    @property
    def lost(self) -> bool:
        return self.faults.total() >= FAULTS


def match_seed(seed: int, deal: int) -> int:
    """Return the seed of the matches on a deal of a contest."""
    return (seed << _DEAL_BITS) + deal


def play(
    specs: Sequence[BotSpec], game: Game, seed: int, options: Plain, save: Callable[[list[str]], None] | None = None
) -> Played[Outcome]:
    """Play one game of a contest. ``specs`` are indexed by bot.

    The cards depend on the seed and the deal only, ``turn.rng`` also on the seat, so that all bots in a seat get the
    same. ``save`` gets the lines of the game file, unless the game is stopped.
    """
    mistakes: list[str] = []
    counts = [_FaultCount() for _ in game.seats]

    def report(count: _FaultCount, mistake: Mistake) -> None:
        count.faults[mistake.kind] += 1
        if len(mistakes) < MISTAKES_SHOWN:
            mistakes.append(str(mistake))

    players = [
        Player(_resigning(specs[bot], count), f"{seed}/{game.deal}/{seat}", partial(report, count))
        for seat, (bot, count) in enumerate(zip(game.seats, counts, strict=True))
    ]
    try:
        match: Match | None = play_match(
            players, match_seed(seed, game.deal), options, ANSWERS * _rounds(options), save
        )
    except MatchTooLong:
        match = None
    return Played(_outcome(game, match, players, counts), tuple(mistakes))


def _rounds(options: Plain) -> int:
    """Return an upper estimate of the rounds of a match."""
    return 1 if options.get("scoring") == "single" else 10


def _outcome(game: Game, match: Match | None, players: Sequence[Player], counts: Sequence[_FaultCount]) -> Outcome:
    seats = len(game.seats)
    return Outcome(
        game.number,
        game.deal,
        game.seats,
        match.ranks if match else (1,) * seats,
        match.scores if match else (0,) * seats,
        sum(len(player.acts) for player in players),
        tuple(dict(count.faults) for count in counts),
        tuple(tuple(Times.of(player.thinking).numbers()) for player in players),
        match is None,
        tuple(dict(player.usage) for player in players) if any(player.usage for player in players) else (),
    )


def _resigning(spec: BotSpec, count: _FaultCount) -> BotSpec:
    """Return ``spec`` with bots that resign after too many faults."""

    def make() -> Bot:
        if count.lost:  # making the bot may be what fails
            return Function(lambda _: RESIGN)
        bot = spec.make()
        play, may = _until_lost(bot.play, count, RESIGN), getattr(bot, "may", None)
        usage = getattr(bot, "usage", {})
        return Functions(play, _until_lost(may, count, None), usage) if may else Function(play, usage)

    return attrs.evolve(spec, make=make)


def _until_lost(ask: Callable[[Turn], Any], count: _FaultCount, otherwise: Choice | None) -> Callable[[Turn], Any]:
    """Return ``ask``, which answers ``otherwise`` without asking the bot once the game is lost."""

    @wraps(ask)
    def asked(turn: Turn) -> Any:
        return otherwise if count.lost else ask(turn)

    return asked
