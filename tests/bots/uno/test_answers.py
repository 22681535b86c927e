from typing import Any

from tests.games.uno.tables import UNO, Table, table

from parlour_bots.uno.playout import Candidate, PlayoutPosition, candidates
from parlour_games.uno.cards import BIT, CARDS_BY_FACE, SHORTS


def tried(at: Table, seat: int = 0) -> list[str]:
    """What is worth a thought, in short."""
    legal = [UNO.wire(action) for action in UNO.legal(at.state, seat, at.key(seat))]
    found = candidates(UNO.view(at.state, seat), legal, range(at.state.seats))
    return [" ".join(filter(None, (_face(a.action), a.action.get("colour")))) for a in found]


def _face(action: dict[str, Any]) -> str:
    return SHORTS[action["card"]] if "card" in action else str(action["do"])


def test_equal_faces_are_tried_once() -> None:
    assert tried(table("r5 r5 b1 b2", "g1 g2", top="r1")) == ["r5", "b1"]


def test_uno_is_called() -> None:
    at = table("r5 b2", "g1 g2", top="r1")
    legal = [UNO.wire(action) for action in UNO.legal(at.state, 0, at.key(0))]
    assert [a.action.get("uno") for a in candidates(UNO.view(at.state, 0), legal, [0, 1])] == [True]


def test_who_can_lay_a_colour_does_not_draw() -> None:
    assert "draw" not in tried(table("r5 w", "g1 g2", top="r1"))
    assert tried(table("b5 g5 w", "g1 g2", top="r1")) == ["w green", "w blue", "draw"]


def test_a_colour_is_named_that_the_hand_holds() -> None:
    assert tried(table("w b1 b2", "g1 g2", top="r5")) == ["w blue", "draw"]
    assert len(tried(table("w w+4", "g1 g2", top="r5"))) == 9


def test_there_is_always_an_answer() -> None:
    assert tried(table("b1", "g1 g2", top="r5")) == ["draw"]
    at = table("w+4 b1", "g1 g2", top="r5")
    at.play(0, "w+4", "blue", uno=True)
    assert tried(at, 1) == ["accept", "challenge"]
    stacked = table("r+2 r1", "b+2 b1 b2", top="r5", preset="family")
    stacked.play(0, "r+2", uno=True)
    assert tried(stacked, 1) == ["b+2", "accept"]


def position(*hands: int, step: int = 1) -> PlayoutPosition:
    return PlayoutPosition(list(hands), [100, 101], [0], 0, 0, step)


def test_a_seven_swaps_hands_in_a_world() -> None:
    seven, other = CARDS_BY_FACE["r7"][0], CARDS_BY_FACE["r1"][0]
    world = position(BIT[seven] | BIT[other], BIT[30], BIT[60])
    Candidate({"do": "play", "card": seven, "swap": 2}, seven << 3 | 1, swap=2).carry_out(world, lambda _: None)
    assert world.hands == [BIT[60], BIT[30], BIT[other]]


def test_a_nought_passes_the_hands_on_in_a_world() -> None:
    nought, other = CARDS_BY_FACE["r0"][0], CARDS_BY_FACE["r1"][0]
    for step, after in ((1, [BIT[60], BIT[other], BIT[30]]), (-1, [BIT[30], BIT[60], BIT[other]])):
        world = position(BIT[nought] | BIT[other], BIT[30], BIT[60], step=step)
        Candidate({"do": "play", "card": nought}, nought << 3 | 1, rotates=True).carry_out(world, lambda _: None)
        assert world.hands == after


def test_the_last_card_moves_no_hands() -> None:
    seven = CARDS_BY_FACE["r7"][0]
    world = position(BIT[seven], BIT[30])
    Candidate({"do": "play", "card": seven}, seven << 3 | 1, swap=1).carry_out(world, lambda _: None)
    assert (world.over, world.winner, world.hands) == (True, 0, [0, BIT[30]])
