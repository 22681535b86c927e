import json
from collections import Counter
from typing import Any

import pytest
from tests.bots.uno.decisions import FILE, PER_SITUATION, table, words
from tests.games.uno.tables import pick

from parlour_bots.sdk import Turn, seeded
from parlour_bots.uno.painfirst import best, play
from parlour_games.uno.cards import CARDS_BY_FACE, COLOUR, COLOURS, SHORTS, SYMBOL, WILD

PUBLISHED = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
SITUATIONS = {
    *(
        f"{phase}: {kind}"
        for phase in ("play", "drawn")
        for kind in ("draw two", "skip", "reverse", "number", "wild", "wild draw four")
    ),
    *("play: draw", "drawn: pass", "challenge: accept", "colour: colour"),
    *("number by colour", "number by number", "uno", "last card", "chance", "much to choose from"),
}


def position(hand: str, top: str, colour: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the view of a seat on its turn and its legal actions, by the matching rule written out once more."""
    cards, (on_top, *_) = sorted(pick(hand)), CARDS_BY_FACE[top]
    legal: list[dict[str, Any]] = []
    for card in cards:
        fits = COLOUR[card] is None or COLOURS[COLOUR[card] or 0] == colour or SYMBOL[card] == SYMBOL[on_top] < WILD
        colours: list[dict[str, Any]] = [{"colour": name} for name in COLOURS] if COLOUR[card] is None else [{}]
        calls: list[dict[str, Any]] = [{"uno": True}, {}] if len(cards) == 2 else [{}]
        legal += [{"do": "play", "card": card, **c, **u} for c in colours for u in calls if fits]
    return {"phase": "play", "hand": cards, "top": on_top, "colour": colour}, [*legal, {"do": "draw"}]


def decided(view: dict[str, Any], legal: list[dict[str, Any]]) -> set[str]:
    return {words(action) for action in best(view, legal)}


@pytest.mark.parametrize("line", PUBLISHED, ids=lambda line: f"{line['hand']} on {line['table']}")
def test_published_decision(line: dict[str, Any]) -> None:
    view, legal = line["view"], line["legal"]
    answers = [legal[position] for position in line["answers"]]
    assert best(view, legal) == answers
    assert sorted({words(action) for action in answers}) == line["best"]
    assert line["hand"] == " ".join(SHORTS[card] for card in view["hand"])
    assert line["table"] == table(view)
    for seed in range(3):
        assert play(Turn("uno", "TEST", 0, 1, view, legal, None, [], seeded(seed))) in answers


def test_enough_is_published_of_every_situation() -> None:
    count = Counter(situation for line in PUBLISHED for situation in line["situations"])
    assert len(PUBLISHED) >= 200
    assert {situation for situation in SITUATIONS if count[situation] < PER_SITUATION} == set()


# Each line reasoned by hand from the description of the player, not made by it.
BY_HAND = [
    ("attack before number", "r+2 r5 r6 r7", "r1", "red", {"r+2"}),
    ("Draw Two before Skip and Reverse", "rr rs r+2", "r1", "red", {"r+2"}),
    ("Skip before Reverse", "rr rs r9", "r1", "red", {"rs"}),
    ("Reverse before number", "rr r9 r8", "r1", "red", {"rr"}),
    ("an attack matches by symbol, too", "b+2 r9 r8", "r+2", "red", {"b+2"}),
    ("a Draw Two that does not fit is no attack", "b+2 r9 r8 r7", "r1", "red", {"r9", "r8", "r7"}),
    ("of two Draw Twos the one in the fuller colour", "r+2 b+2 b1 b2", "r+2", "red", {"b+2"}),
    ("of two Draw Twos in equal colours either", "r+2 b+2 g7", "g+2", "red", {"r+2", "b+2"}),
    ("attack before Wild", "rs w w+4", "r1", "red", {"rs"}),
    ("number before Wild", "r3 w", "r1", "red", {"r3 uno"}),
    ("three by colour beat one by number", "r3 r4 r5 b1", "r1", "red", {"r3", "r4", "r5"}),
    ("three by number beat one by colour", "r3 y7 g7 b7", "r7", "red", {"y7", "g7", "b7"}),
    ("one each: the fuller colour", "r3 b7 b2 b9 y1", "r7", "red", {"b7"}),
    ("one each and equal colours: chance", "r3 b7", "r7", "red", {"r3 uno", "b7 uno"}),
    ("a card that matches both ways counts both ways", "r7 r2 b7 b8 b9", "r7", "red", {"b7"}),
    ("by number, and there the fuller colour", "y7 g7 g1 r2", "r7", "red", {"g7"}),
    ("only a number of another colour fits", "y7 g1 g2", "r7", "red", {"y7"}),
    ("the colour named before, not the wild, is matched", "g3 r3 b3 b4", "w", "green", {"g3"}),
    ("plain Wild when nothing else fits", "g1 g2 y3 w", "r7", "red", {"w green"}),
    ("plain Wild before Wild Draw Four", "g1 y3 y4 w w+4", "r7", "red", {"w yellow"}),
    ("Wild Draw Four when it is the last resort", "g1 y3 y4 w+4", "r7", "red", {"w+4 yellow"}),
    ("wilds do not count as a colour", "w w+4 w+4 b2", "r7", "red", {"w blue"}),
    ("equal colours are named by chance", "g1 y3 w b4 b5 y6", "r7", "red", {"w yellow", "w blue"}),
    ("nothing to name by: any colour", "w", "r7", "red", {"w red", "w yellow", "w green", "w blue"}),
    ("the second-to-last card is played with the call", "rs b2", "r7", "red", {"rs uno"}),
    ("the last card needs no call", "r2", "r7", "red", {"r2"}),
    ("nothing fits", "g1 y3 b4", "r7", "red", {"draw"}),
    ("two red fives are two cards by colour", "r5 r5 b7", "r7", "red", {"r5"}),
    ("a Skip on a Skip of another colour", "gs r1 r2", "rs", "red", {"gs"}),
    ("zero is a number like others", "r0 b0 b1 b2", "g0", "green", {"b0"}),
]


@pytest.mark.parametrize(("why", "hand", "top", "colour", "expected"), BY_HAND, ids=[case[0] for case in BY_HAND])
def test_decision_by_hand(why: str, hand: str, top: str, colour: str, expected: set[str]) -> None:
    assert decided(*position(hand, top, colour)) == expected, why


def test_drawn_card_is_played_if_it_can_be() -> None:
    view, legal = position("r5 g1 b2", "r7", "red")
    only_drawn = [action for action in legal if action.get("card") in CARDS_BY_FACE["r5"]]
    assert decided({**view, "phase": "drawn"}, [*only_drawn, {"do": "pass"}]) == {"r5"}
    assert decided({**view, "phase": "drawn"}, [{"do": "pass"}]) == {"pass"}


def test_wild_draw_four_is_never_challenged_and_the_first_colour_is_the_one_held_most_of() -> None:
    view, _ = position("r5 g1 g2 y1 w", "w+4", "blue")
    assert decided({**view, "phase": "challenge"}, [{"do": "accept"}, {"do": "challenge"}]) == {"accept"}
    colours = [{"do": "colour", "colour": colour} for colour in COLOURS]
    assert decided({**view, "phase": "colour", "colour": None}, colours) == {"colour green"}


def test_chance_decides_between_equals_and_reaches_all_of_them() -> None:
    view, legal = position("r3 r4 r5", "r1", "red")
    picked = {play(Turn("uno", "TEST", 0, 1, view, legal, None, [], seeded(seed)))["card"] for seed in range(40)}
    assert picked == set(view["hand"])
