"""A jump-in during a reaction window."""

from tests.games.uno.tables import pick
from tests.server.local_server import OpenRoom, StrictLocal, one, only, open_room, received, refused
from tests.server.rooms.noninterference import Dealt

from parlour_games.uno.cards import CARDS, CARDS_BY_FACE
from parlour_protocol import messages as m

RED = CARDS_BY_FACE["r1"]
HANDS = "r1 b2 b3 b4 b5 b6 b7 y1 y2 y3 y4 y5 y6 y7 r1 g2 g3 g4 g5 g6 g7 r5"
"""Three hands and the first card: seat 0 plays red 1, seat 2 holds the other."""


def played() -> tuple[OpenRoom, m.Offer]:
    """Return a room in which seat 0 has played its card, and what seat 2 is offered."""
    cards = pick(HANDS)
    deck = [*cards, *(card for card in range(CARDS) if card not in cards)]
    local = StrictLocal(1, randomness=lambda *_: Dealt(deck, start=2))
    options = {"preset": "chaos", "breath": 750, "first_card_number_only": True}
    at = open_room("uno", 3, local=local, start="full", options=options)
    at.act(0, "play", card=RED[0])
    [offer] = only(at[2], m.Update)[-1].may
    return at, offer


def test_a_jump_ends_a_breath_and_has_one_of_its_own() -> None:
    at, offer = played()
    assert offer["legal"] == [{"do": "jump", "card": RED[1]}]
    assert only(at[1], m.Update)[-1].may == []
    at.server.wait(400)
    at.act(2, 0, offer["rid"])
    for peer in at:
        assert one(peer, m.Update).events[0] == {"e": "play", "seat": 2, "card": RED[1], "jump": True}
    at.server.wait(749)
    assert [received(peer) for peer in at] == [[], [], []]
    at.server.wait(1)
    assert one(at[0], m.Turn).view["turn"] == 0, "play goes on from seat 2"


def test_a_jump_overtakes_the_seat_to_move() -> None:
    at, offer = played()
    at.server.wait(750)
    rid = at.rid(1)
    at.act(2, 0, offer["rid"])
    error = refused(at[1], m.Act(at.code, rid, 0))
    assert (error.code, error.why) == ("stale", "overtaken")
