"""House rules in a room: presets in ``create``, and a jump-in during a reaction window."""

from tests.games.uno.tables import pick
from tests.server.local_server import StrictLocal, one, only, received
from tests.server.rooms.noninterference import Dealt

from parlour_games.uno.cards import CARDS, CARDS_BY_FACE
from parlour_protocol import messages as m
from parlour_server.local import Local, Peer

HANDS = "r1 b2 b3 b4 b5 b6 b7 y1 y2 y3 y4 y5 y6 y7 r1 g2 g3 g4 g5 g6 g7 r5"
"""Three hands and the first card: anna lays red 1, carl holds the other."""


def seated(preset: str, hands: str = HANDS, **options: object) -> tuple[Local, str, list[Peer]]:
    """Return a room of three in which anna, bert and carl sit; it begins when they do."""
    cards = pick(hands)
    rest = [card for card in range(CARDS) if card not in cards]
    server = StrictLocal(1, randomness=lambda *_: Dealt([*cards, *rest], start=2))
    peers = [server.connect(name, "human") for name in ("anna", "bert", "carl")]
    peers[0].send(m.Create("uno", {"preset": preset, "breath": 750, **options}, seats=3, start="full"))
    code = one(peers[0], m.Joined).room
    for peer in peers[1:]:
        peer.send(m.Join(code))
    return server, code, peers


def answered(peer: Peer, act: m.Act) -> bool:
    """Send ``act`` and return whether it is the answer to an open decision."""
    peer.send(act)
    return not only(peer, m.Error)


def test_a_preset_is_resolved_and_what_is_given_comes_first() -> None:
    _, _, peers = seated("family", stack2=False)
    options = next(message.table["options"] for message in received(peers[1]) if isinstance(message, m.Joined))
    assert (options["preset"], options["stack2"], options["stack4"], options["breath"]) == ("family", False, True, 750)


def test_a_jump_ends_a_breath_and_has_one_of_its_own() -> None:
    server, code, peers = seated("chaos", first_card_number_only=True)
    turn = only(peers[0], m.Turn)[-1]
    red = CARDS_BY_FACE["r1"]
    peers[0].send(m.Act(code, turn.rid, {"do": "play", "card": red[0]}))
    for peer in peers[:2]:
        assert only(peer, m.Update)[-1].may == []
    [offer] = only(peers[2], m.Update)[-1].may
    assert offer["legal"] == [{"do": "jump", "card": red[1]}]
    server.wait(400)
    peers[2].send(m.Act(code, offer["rid"], 0))
    for peer in peers:
        event = one(peer, m.Update).events[0]
        assert event == {"e": "play", "seat": 2, "card": red[1], "jump": True}
    server.wait(749)
    assert [received(peer) for peer in peers] == [[], [], []]
    server.wait(1)
    assert one(peers[0], m.Turn).view["turn"] == 0, "play goes on from carl"


def test_the_first_jump_in_plays_and_overtakes_the_seat_to_move() -> None:
    server, code, peers = seated("chaos", first_card_number_only=True)
    red = CARDS_BY_FACE["r1"]
    peers[0].send(m.Act(code, only(peers[0], m.Turn)[-1].rid, {"do": "play", "card": red[0]}))
    [offer] = only(peers[2], m.Update)[-1].may
    server.wait(750)
    asked = only(peers[1], m.Turn)[-1]
    peers[2].send(m.Act(code, offer["rid"], 0))
    received(peers[1])
    peers[1].send(m.Act(code, asked.rid, 0))
    error = one(peers[1], m.Error)
    assert (error.code, error.why) == ("stale", "overtaken")


def test_a_jump_that_leaves_the_list_of_the_seat_to_move_as_it_was_keeps_its_rid_and_its_clock() -> None:
    hands = "rr r2 b3 b4 b5 b6 b7 rr y2 y3 y4 y5 y6 y7 r8 g2 g3 g4 g5 g6 g7 r5"
    server, code, peers = seated("chaos", hands, breath=0)
    first, second = CARDS_BY_FACE["rr"]
    peers[0].send(m.Act(code, 1, {"do": "play", "card": first}))
    asked = only(peers[2], m.Turn)[-1]
    assert asked.left is not None
    server.wait(1_000)
    [offer] = only(peers[1], m.Update)[-1].may
    peers[1].send(m.Act(code, offer["rid"], 0))
    told = one(peers[2], m.Update)
    assert (told.view["turn"], told.view["top"], told.clocks) == (2, second, {"2": asked.left - 1_000})
    assert answered(peers[2], m.Act(code, asked.rid, 0))


def test_a_penalty_that_adds_nothing_to_the_list_of_the_seat_to_move_keeps_its_rid() -> None:
    hands = "r1 r1 b1 b1 y1 y1 g9 y2 g3 g4 g5 g6 g7 g8 b2 b3 b4 b5 b6 b7 b8 r5"
    _, code, peers = seated("chaos", hands, breath=0)
    peers[0].send(m.Act(code, 1, {"do": "play", "cards": pick("r1 r1 b1 b1 y1 y1"), "uno": True}))
    asked = only(peers[1], m.Turn)[-1]
    [offer] = asked.may
    assert offer["legal"] == [{"do": "catch", "seat": 0}]
    peers[1].send(m.Act(code, offer["rid"], 0))
    assert one(peers[1], m.Update).events[0] == {"e": "mistake", "seat": 1, "of": 0, "n": 2}
    assert answered(peers[1], m.Act(code, asked.rid, 0))
