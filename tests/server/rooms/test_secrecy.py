"""No byte of any message depends on cards that its receiver may not see."""

import random
from typing import Any

import pytest
from tests.server.local_server import NAMES
from tests.server.rooms.noninterference import WATCHER, Run, exchanged, script, shuffled

from parlour_games.game import IllegalAction
from parlour_games.uno.cards import CARDS, POINTS, cards_in
from parlour_games.uno.plugin import Uno

WORLDS, STEPS = 60, 70


def runs(seed: int, game: Uno) -> tuple[Run, Run, str]:
    """Play a match twice; return both runs and the viewer for whom they are one."""
    rng = random.Random(seed)
    seats = rng.randint(2, 5)
    first = Run(seed, seats, shuffled(seats, rng), rng.randrange(seats), Uno())
    viewer = rng.choice([*NAMES[:seats], WATCHER])
    steps = script(first, viewer, rng, STEPS)
    one, two = (
        Run(seed, seats, cards, first.start, game).replay(steps)
        for cards in (first.cards, exchanged(first, viewer, rng))
    )
    return one, two, viewer


def told_apart(seed: int, game: Uno) -> bool:
    """Tell whether some viewer was sent other bytes in the other run."""
    one, two, viewer = runs(seed, game)
    return any(one.frames(name) != two.frames(name) for name in {viewer, WATCHER, "zoe"})


@pytest.mark.parametrize("seed", range(WORLDS))
def test_runs_that_differ_in_hidden_cards_look_the_same_to_the_viewer(seed: int) -> None:
    one, two, viewer = runs(seed, Uno())
    assert one.server.log == two.server.log, "the same was done in both runs, behind one commitment"
    assert one.cards != two.cards
    assert one.frames(viewer) == two.frames(viewer)
    assert one.frames(WATCHER) == two.frames(WATCHER)
    assert one.frames("zoe") == two.frames("zoe")
    assert len(one.frames(viewer)) > 10


def test_the_worlds_differ_for_those_whose_cards_were_exchanged() -> None:
    apart = 0
    for seed in range(20):
        one, two, viewer = runs(seed, Uno())
        apart += any(one.frames(name) != two.frames(name) for name in NAMES[: one.seats] if name != viewer)
    assert apart >= 15


# --- the detector detects -------------------------------------------------------------------------------------------


class ShowsNextCard(Uno):
    def view(self, state: Any, viewer: int | None) -> Any:
        return {**super().view(state, viewer), "next": state.deck[-1]}


class CountsBySecret(Uno):
    """Hides the smallest of leaks in a number that everybody sees."""

    def view(self, state: Any, viewer: int | None) -> Any:
        shown = super().view(state, viewer)
        odd = [sum(POINTS[card] for card in cards_in(hand)) % 2 for hand in state.hands]
        return {**shown, "counts": [count + more for count, more in zip(shown["counts"], odd, strict=True)]}


class OrdersBySecret(Uno):
    """The same data; only their order depends on a secret."""

    def view(self, state: Any, viewer: int | None) -> Any:
        shown = super().view(state, viewer)
        return dict(sorted(shown.items(), reverse=state.deck[-1] % 2 == 1))


class ShowsDraws(Uno):
    def announce(self, event: Any) -> Any:
        shown = super().announce(event)
        return {**shown, "cards": event.cards} if shown and event.e == "draw" else shown


class TellsWhoHoldsIt(Uno):
    def apply(self, state: Any, seat: int, key: str, action: Any) -> Any:
        try:
            return super().apply(state, seat, key, action)
        except IllegalAction as error:
            card = getattr(action, "card", None)
            held = isinstance(card, int) and 0 <= card < CARDS and any(hand >> card & 1 for hand in state.hands)
            raise IllegalAction(f"{error.reason}: {'somebody holds it' if held else ''}") from None


LEAKY = [ShowsNextCard, CountsBySecret, OrdersBySecret, ShowsDraws, TellsWhoHoldsIt]


@pytest.mark.parametrize("leaky", LEAKY)
def test_the_detector_detects(leaky: type[Uno]) -> None:
    assert sum(told_apart(seed, leaky()) for seed in range(20)) >= 2
