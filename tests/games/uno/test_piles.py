"""Drawing, also across a reshuffle and with too few cards; putting cards under the draw pile."""

from tests.games.uno.tables import table

from parlour_games.uno.cards import SHORTS, cards_in
from parlour_games.uno.events import Drawn, Event, Reshuffled
from parlour_games.uno.piles import available, bury, take


def drawn(event: Event) -> str:
    assert isinstance(event, Drawn)
    return " ".join(SHORTS[card] for card in event.cards)


def test_cards_are_drawn_from_the_top_in_order() -> None:
    t = table("r1", "y1 y2", deck="b1 b2 b3")
    log: list[Event] = []
    take(t.state, 1, 3, "turn", log)
    assert drawn(log[0]) == "b1 b2 b3"
    t.count_cards()


def test_the_discards_are_shuffled_only_when_a_card_is_needed() -> None:
    t = table("r1 r2", "y1 y2", top="r5", deck="b1", pile="g1 g2", rest=1, target=10_000)
    t.draw(0)
    assert t.view()["deck"] == 0
    assert t.state.reshuffles == 0
    t.keep(0)
    reshuffled, event = t.draw(1)
    assert reshuffled == Reshuffled(2)
    assert drawn(event) == "g1"  # the stacked shuffle puts the top card at the bottom
    assert (t.view()["deck"], t.state.reshuffles) == (1, 1)


def test_a_reshuffle_in_the_middle_of_a_draw_loses_no_card() -> None:
    t = table("r+2 r2 r3", "y1 y2", top="r5", deck="b1", pile="g1 g2", rest=0)
    _, reshuffled, event = t.play(0, "r+2")
    assert reshuffled == Reshuffled(3)
    assert drawn(event) == "b1 g2"


def test_the_top_card_and_the_current_colour_stay() -> None:
    t = table("r1 r2", "y1 y2", top="w", colour="blue", pile="g1 w w+4", rest=1)
    t.draw(0)
    assert SHORTS[t.view()["top"]] == "w"
    assert t.view()["colour"] == "blue"
    assert t.state.pile == [t.view()["top"]]


def test_too_few_cards_are_drawn_as_far_as_they_go() -> None:
    t = table("w+4 b1", "y1 y2", "g1", top="r5", deck="b2", pile="g2", rest=2, breath=0)
    t.play(0, "w+4", "red")
    assert available(t.state) == 3
    *_, event = t.accept(1)
    assert drawn(event) == "b2 g2 r5"
    assert available(t.state) == 0


def test_buried_cards_are_drawn_last() -> None:
    t = table("r1 r2", "y1 y2", top="r5", deck="b1 b2", rest="pile")
    buried = cards_in(t.state.hands[1])
    bury(t.state, 1)
    t.count_cards()
    assert t.state.deck[:2] == buried
    assert [SHORTS[card] for card in t.state.deck[2:]] == ["b2", "b1"]
    assert t.view()["counts"] == [2, 0]
