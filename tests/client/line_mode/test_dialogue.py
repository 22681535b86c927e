"""The line mode as a conversation: what the server says, what a person reads, what is sent."""

from typing import Any

import pytest
from tests.client.line_mode.talk import Talk, talk
from tests.client.messages import (
    PEOPLE,
    PLAYING,
    ROOM,
    VIEW,
    joined,
    over,
    row,
    said,
    seats,
    table,
    turn,
    update,
    welcome,
)

from parlour_client.core.errors import Refused
from parlour_games.fair import commitment
from parlour_protocol import messages as m

CATCH: m.Offer = {"rid": 5, "legal": [{"do": "catch", "seat": 1}]}
ZOE = table("playing", seats=[*PEOPLE, row(3, "zoe")])


def test_entering_a_room() -> None:
    here = Talk()
    assert here.hear(welcome()) == ["Connected to ws://localhost:7777 as maria."]
    assert here.sent() == [m.Join(ROOM)]
    assert here.hear(joined(0, chat=[{"from": "otto", "text": "hi"}])) == [
        "Room K7QD: UNO, waiting for players. You are maria, at seat 0.",
        "Players: maria (you, host), otto (human), pia (bot).",
        "otto: hi",
        "Others join with: parlour join K7QD --server ws://localhost:7777",
        "Type ready to begin, ? for help.",
    ]


def test_entering_in_the_middle_of_a_match() -> None:
    assert Talk().hear(welcome(), joined(0, **PLAYING))[2:] == [
        "Players: maria (you, host), otto (human), pia (bot).",
        "Round 1. On top: red 7. Cards: you 3, otto 5, pia 1 (called UNO).",
        "Score: you 0, otto 12, pia 40.",
        "Hand: red 5, red skip, wild.",
    ]
    lines = Talk(m.Join(ROOM, as_="spectator")).hear(welcome(), joined(0, seat=None, **PLAYING))
    assert "Hand" not in " ".join(lines)
    assert lines[1] == "Room K7QD: UNO, a match is in progress. You are watching."


def test_a_turn_is_told_with_what_led_to_it_and_again_after_an_illegal_act() -> None:
    here = talk(joined(0, **PLAYING))
    assert here.hear(turn(1, 7, None, {"e": "play", "seat": 2, "card": 13})) == [
        "pia plays red 7.",
        "Your turn (14 s). On top: red 7. Cards: you 3, otto 5, pia 1 (called UNO).",
        "Hand: red 5, red skip, wild.",
        "1 draw [d]",
    ]
    error = m.Error("illegal_action", "red 5 does not match", room=ROOM, rid=7, legal=[{"do": "draw"}], left=9_000)
    assert here.hear(error)[:2] == [
        "Not possible: red 5 does not match.",
        "Your turn (9 s). On top: red 7. Cards: you 3, otto 5, pia 1 (called UNO).",
    ]


@pytest.mark.parametrize(
    ("messages", "lines"),
    [
        (
            [update(1, may=[CATCH]), update(2, may=[CATCH])],
            ["otto has one card left and has not called UNO: c otto catches."],
        ),
        ([update(1, *({"e": "timeout", "seat": seat} for seat in (0, 1)))], ["Your time is up.", "otto's time is up."]),
        (
            [update(1, *({"e": "addtime", "ms": 60_000, "seat": seat} for seat in (0, 1)))],
            ["You have 60 s more.", "otto has 60 s more."],
        ),
        ([said(1, "otto", "hi"), seats(2, ZOE)], ["otto: hi", "zoe (human) took a seat."]),
    ],
    ids=["an offer, once", "an end of time", "more time", "talk, and who comes"],
)
def test_what_happens_is_told(messages: list[m.ServerMessage], lines: list[str]) -> None:
    assert talk(joined(0, **PLAYING)).hear(*messages) == lines


def test_the_end_of_a_match_with_its_proof() -> None:
    secret = bytes(32)
    here = talk(joined(0, table=table("playing", commit=commitment(secret)), view=VIEW))
    lines = here.hear(over(1, reveal=secret.hex()))
    assert lines[0] == "The match is over (the target score was reached). Standings:"
    assert lines[-3:] == [
        "Digest of the match file: d16e57",
        "Fair: the secret behind the deals matches the commitment shown before the match.",
        "Type ready to play again, or leave.",
    ]
    assert not here.client.done


def test_coming_back_tells_what_was_missed_and_asks_again_or_how_things_stand() -> None:
    here = talk(joined(0, **PLAYING), turn(1, 7))
    back: dict[str, Any] = {"why": "resume", "events": [{"e": "pass", "seat": 1}], **PLAYING}
    here.session.hello()
    lines = here.hear(welcome(ROOM), joined(4, **back), turn(4, 7))
    assert lines[:3] == ["Connected again.", "Back in room K7QD.", "otto passes."]
    assert lines[-1] == "1 draw [d]"
    here.session.hello()
    assert here.hear(welcome(ROOM), joined(900, gap=True, **back))[1:] == [
        "Back in room K7QD. You may have missed events:",
        "Round 1. On top: red 7. Cards: you 3, otto 5, pia 1 (called UNO).",
        "Score: you 0, otto 12, pia 40.",
    ]


def test_a_room_that_is_not_there() -> None:
    here = Talk(m.Join("XXXX"))
    here.hear(welcome())
    here.sent()
    assert here.hear(m.Error("no_room", "there is no room 'XXXX' here", re=1)) == []
    assert here.sent() == [m.List()]
    rows: Any = [{"room": ROOM}] * 3
    with pytest.raises(Refused) as refused:
        here.hear(m.Rooms(rows, []))
    told = "Room XXXX isn't on ws://localhost:7777 (3 rooms are). See: parlour rooms --server ws://localhost:7777"
    assert str(refused.value) == told
    with pytest.raises(Refused, match=r"\(1 room is\)"):
        here.hear(m.Rooms(rows[:1], []))
    with pytest.raises(Refused, match=r"\(3 or more rooms are\)"):
        here.hear(m.Rooms(rows, [], after="ZZZZ"))
