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
    lines = Talk().hear(welcome(), joined(0, **PLAYING))
    assert lines[2:] == [
        "Players: maria (you, host), otto (human), pia (bot).",
        "Round 1. On top: red 7. Cards: you 3, otto 5, pia 1 (called UNO).",
        "Score: you 0, otto 12, pia 40.",
        "Hand: red 5, red skip, wild.",
    ]


def test_a_spectator_is_asked_for_nothing() -> None:
    lines = Talk(m.Join(ROOM, as_="spectator")).hear(welcome(), joined(0, seat=None, **PLAYING))
    assert "Hand" not in " ".join(lines)
    assert lines[1] == "Room K7QD: UNO, a match is in progress. You are watching."


def test_a_turn_is_told_with_what_led_to_it() -> None:
    here = talk(joined(0, **PLAYING))
    assert here.hear(turn(1, 7, None, {"e": "play", "seat": 2, "card": 13})) == [
        "pia plays red 7.",
        "Your turn (14 s). On top: red 7. Cards: you 3, otto 5, pia 1 (called UNO).",
        "Hand: red 5, red skip, wild.",
        "1 draw [d]",
    ]


def test_an_offer_is_told_once() -> None:
    catch: m.Offer = {"rid": 5, "legal": [{"do": "catch", "seat": 1}]}
    here = talk(joined(0, **PLAYING))
    assert here.hear(update(1, may=[catch]), update(2, may=[catch])) == [
        "otto has one card left and has not called UNO: c otto catches."
    ]


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        ({"e": "timeout"}, ["Your time is up.", "otto's time is up."]),
        ({"e": "addtime", "ms": 60_000}, ["You have 60 s more.", "otto has 60 s more."]),
    ],
)
def test_events_of_any_game_are_told(event: m.Plain, lines: list[str]) -> None:
    assert talk(joined(0, **PLAYING)).hear(update(1, *({**event, "seat": seat} for seat in (0, 1)))) == lines


def test_an_illegal_act_is_explained_and_asked_again() -> None:
    here = talk(joined(0, **PLAYING), turn(1, 7))
    error = m.Error("illegal_action", "red 5 does not match", room=ROOM, rid=7, legal=[{"do": "draw"}], left=9_000)
    assert here.hear(error)[:2] == [
        "Not possible: red 5 does not match.",
        "Your turn (9 s). On top: red 7. Cards: you 3, otto 5, pia 1 (called UNO).",
    ]


def test_talk_and_comings_and_goings() -> None:
    here = talk()
    assert here.hear(said(1, "otto", "hi"), seats(2, table(seats=[*PEOPLE, row(3, "zoe")]))) == [
        "otto: hi",
        "zoe (human) took a seat.",
    ]


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


def test_coming_back_tells_what_was_missed_and_asks_again() -> None:
    here = talk(joined(0, **PLAYING), turn(1, 7))
    missed: list[m.Plain] = [{"e": "pass", "seat": 1}]
    here.session.hello()
    lines = here.hear(welcome(ROOM), joined(4, why="resume", events=missed, **PLAYING), turn(4, 7))
    assert lines[:3] == ["Connected again.", "Back in room K7QD.", "otto passes."]
    assert lines[-1] == "1 draw [d]"


def test_coming_back_after_more_than_can_be_told_says_how_things_stand() -> None:
    here = talk(joined(0, **PLAYING))
    here.session.hello()
    told: list[m.Plain] = [{"e": "pass", "seat": 1}]
    assert here.hear(welcome(ROOM), joined(900, why="resume", gap=True, events=told, **PLAYING))[1:] == [
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
