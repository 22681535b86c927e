"""Noninterference runs of Goofspiel: the second run has other hidden bids, and other prizes to come."""

import random

from tests.server.local_server import NAMES
from tests.server.rooms.noninterference import WATCHER, Dealt, Run, Step, script

from parlour_games.fair import Fair
from parlour_goofspiel.game import DealOptions, Goofspiel
from parlour_protocol import messages as m
from parlour_server.rooms.decisions import OpenDecision
from parlour_server.rooms.match import Match

STEPS = 20
PRIZES = DealOptions().cards


class GoofspielRun(Run):
    """A match whose prizes are ``cards``."""

    def fair(self) -> Fair:
        return Dealt(self.cards[::-1], self.start, "prizes")

    def options(self) -> m.Plain:
        return {}

    @property
    def match(self) -> Match | None:
        """The match, while it is not over."""
        match = self.server.lobby.rooms.loaded[self.code].room.match
        return match if match and match.state.why is None else None

    def wrong(self, match: Match, seat: int, rng: random.Random) -> m.Plain:
        """Return a bid of a card that ``seat`` does not hold."""
        spent = match.state.spent[seat]
        return {"do": "bid", "card": rng.choice([*spent, 0, PRIZES + 1])}


def runs(seed: int, game: Goofspiel) -> tuple[GoofspielRun, GoofspielRun, str]:
    """Play a match twice into a round with hidden bids; return both runs and the viewer for whom they are one."""
    rng = random.Random(seed)
    seats = rng.randint(2, 4)
    first = GoofspielRun(seed, seats, rng.sample(range(1, PRIZES + 1), PRIZES), 0, Goofspiel())
    viewer = rng.choice([*NAMES[:seats], *NAMES[:seats], WATCHER])
    steps, others = scripts(first, viewer, rng)
    lose: list[Step] = [("lose", seat, None) for seat in range(seats) if NAMES[seat] == viewer]
    one = GoofspielRun(seed, seats, first.cards, 0, game).replay([*steps, *lose])
    two = GoofspielRun(seed, seats, other_prizes(first), 0, game).replay([*others, *lose])
    return one, two, viewer


def scripts(first: GoofspielRun, viewer: str, rng: random.Random) -> tuple[list[Step], list[Step]]:
    """Play ``first`` into a round with hidden bids; return the steps, and those with other bids."""
    steps = script(first, viewer, rng, STEPS)
    steps += _hidden_bids(first, viewer, rng)
    after: list[Step] = [("rewatch", 0, None), ("list", 0, None), *_mistake(first, viewer, rng)]
    return [*steps, *after], [*_other_bids(first, steps, viewer, rng), *after]


def _hidden_bids(run: GoofspielRun, viewer: str, rng: random.Random) -> list[Step]:
    """Let all seats bid except the viewer or, for a spectator, another one; return the steps."""
    asked = _asked(run, viewer)
    steps: list[Step] = []
    if NAMES[asked[-1].seat] != viewer:
        steps += _bids(run, asked, rng)  # the round in which the viewer has bid
        asked = _asked(run, viewer)
    return steps + _bids(run, asked[:-1], rng)


def _asked(run: GoofspielRun, viewer: str) -> list[OpenDecision]:
    """Return the open decisions, that of the viewer last."""
    match = run.match
    assert match is not None
    return sorted(match.book.obligations(), key=lambda decision: NAMES[decision.seat] == viewer)


def _bids(run: GoofspielRun, asked: list[OpenDecision], rng: random.Random) -> list[Step]:
    match = run.match
    assert match is not None
    hands = match.state.hands
    steps: list[Step] = [
        ("act", each.seat, (each.rid, {"do": "bid", "card": rng.choice(hands[each.seat])})) for each in asked
    ]
    run.replay(steps)
    return steps


def _mistake(run: GoofspielRun, viewer: str, rng: random.Random) -> list[Step]:
    match, decision = run.match, _asked(run, viewer)[-1]
    assert match is not None
    if NAMES[decision.seat] != viewer:
        return []
    return [("try", decision.seat, (decision.rid, run.wrong(match, decision.seat, rng)))]


def _other_bids(run: GoofspielRun, steps: list[Step], viewer: str, rng: random.Random) -> list[Step]:
    """Return the steps with other bids where they are hidden from ``viewer``."""
    match = run.match
    assert match is not None
    found = steps[:]
    for seat, bid in enumerate(match.state.bids):
        if bid is not None and NAMES[seat] != viewer:
            last = max(place for place, step in enumerate(steps) if step[:2] == ("act", seat) and "card" in step[2][1])
            others = [card for card in match.state.hands[seat] if card != bid]
            found[last] = ("act", seat, (steps[last][2][0], {"do": "bid", "card": rng.choice(others)}))
    return found


def other_prizes(run: GoofspielRun) -> list[int]:
    """Return the prizes with those to come in another order."""
    match = run.match
    assert match is not None
    seen = match.state.round
    to_come = run.cards[seen:]
    return [*run.cards[:seen], *to_come[1:], *to_come[:1]]
