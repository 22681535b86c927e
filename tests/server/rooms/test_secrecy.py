"""No byte of any message depends on cards or bids that its receiver may not see."""

import random
from typing import Any

import pytest
from tests.bots.laws import variants
from tests.server.local_server import NAMES
from tests.server.rooms import goofspiel_noninterference as goofspiel
from tests.server.rooms.noninterference import WATCHER, Run, exchanged, script, shuffled
from tests.support.examples import seeds

from parlour_games.game import IllegalAction
from parlour_games.uno.cards import CARDS, POINTS, cards_in
from parlour_games.uno.plugin import Uno
from parlour_goofspiel.game import Goofspiel

WORLDS, STEPS = 60, 70
GOOFSPIEL_WORLDS = 6


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


def apart(one: Run, two: Run, viewer: str) -> bool:
    """Tell whether some viewer was told something else in the other run."""
    return any(
        one.frames(name) != two.frames(name) or one.sentences(name) != two.sentences(name)
        for name in {viewer, WATCHER, "zoe"}
    )


def check(one: Run, two: Run, viewer: str) -> None:
    """Check that ``viewer`` and spectators cannot tell the runs apart."""
    assert one.records() == two.records(), "the same was done in both runs, behind one commitment"
    assert one.match
    assert two.match
    assert one.game.canonical(one.match.state) != two.game.canonical(two.match.state)
    assert not apart(one, two, viewer)
    assert len(one.frames(viewer)) > 10
    assert one.sentences(viewer)


@pytest.mark.parametrize("seed", seeds(WORLDS))
def test_runs_that_differ_in_hidden_cards_look_the_same_to_the_viewer(seed: int) -> None:
    check(*runs(seed, Uno()))


@pytest.mark.parametrize("seed", seeds(GOOFSPIEL_WORLDS))
def test_runs_that_differ_in_hidden_bids_look_the_same_to_the_viewer(seed: int) -> None:
    one, two, viewer = goofspiel.runs(seed, Goofspiel())
    check(one, two, viewer)
    assert any(one.frames(name) != two.frames(name) for name in NAMES[: one.seats] if name != viewer)


def test_the_worlds_differ_for_those_whose_cards_were_exchanged() -> None:
    differ = 0
    for seed in range(8):
        one, two, viewer = runs(seed, Uno())
        differ += any(one.frames(name) != two.frames(name) for name in NAMES[: one.seats] if name != viewer)
    assert differ >= 6


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
    assert any(apart(*runs(seed, leaky())) for seed in range(20))


@pytest.mark.parametrize("leaky", [variants.ShowsBidsInView, variants.ShowsBidsInEvents, variants.ShowsBidsInRefusals])
def test_the_detector_detects_shown_bids(leaky: type[Goofspiel]) -> None:
    assert any(apart(*goofspiel.runs(seed, leaky())) for seed in range(2))
