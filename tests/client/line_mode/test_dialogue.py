"""The line mode as a conversation: what the server says, what a person reads, what is sent."""

from typing import Any

import pytest
from tests.client.messages import PEOPLE, ROOM, VIEW, joined, over, row, said, seats, table, turn, update, welcome

from parlour_client.core.errors import Fault, Interrupted, Refused
from parlour_client.core.session import Session
from parlour_client.line_commands import Dialogue
from parlour_client.play.entry import Entry
from parlour_client.play.room_client import RoomClient
from parlour_games.fair import commitment
from parlour_protocol import messages as m

URL = "ws://localhost:7777"
PLAYING: dict[str, Any] = {"table": table("playing"), "view": VIEW}


class Talk:
    """A dialogue with its session, as a runner would drive them."""

    def __init__(self, enter: m.Join | m.Create | None = None, **more: Any) -> None:
        self.session = Session("maria", entropy=bytes)
        self.session.hello()
        self.client = RoomClient(self.session, Entry(URL, enter or m.Join(ROOM), "maria", **more), url=URL)
        self.dialogue = Dialogue(self.client)

    def hear(self, *messages: m.ServerMessage) -> list[str]:
        """Let messages come in; return the lines they make."""
        for message in messages:
            if self.session.is_news(message):
                self.session.receive(message)
                self.dialogue.message(message)
        lines, self.dialogue.out = self.dialogue.out, []
        return lines

    def sent(self) -> list[Any]:
        sent = list(self.client.outgoing)
        self.client.outgoing.clear()
        for message in sent:
            self.session.outgoing(message)
        return sent


def talk(*messages: m.ServerMessage, **more: Any) -> Talk:
    made = Talk(**more)
    made.hear(welcome(), *(messages or (joined(0),)))
    made.sent()
    return made


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


def test_bots_are_invited_one_after_the_other_and_then_the_person_is_ready() -> None:
    here = Talk(m.Create("uno"), invite=("ada", None), ready=True)
    here.hear(welcome())
    assert here.sent() == [m.Create("uno")]
    assert "Others join with" not in " ".join(here.hear(joined(0)))
    assert here.sent() == [m.Invite(ROOM, "ada")]
    here.hear(m.Ok(re=1, room=ROOM, seat=1))
    assert here.sent() == [m.Invite(ROOM)]
    here.hear(m.Ok(re=2, room=ROOM, seat=2))
    assert here.sent() == [m.Ready(ROOM)]
    here.hear(m.Ok(re=3, room=ROOM))
    assert here.sent() == []


def test_a_refused_invitation_is_told_and_the_rest_is_left_to_the_person() -> None:
    here = talk(invite=("ada",), ready=True)
    assert here.hear(m.Error("no_bot", "ada is busy", hint="`list` shows the bots", room=ROOM)) == [
        "No such bot is available. Choose another one, or try again later."
    ]
    here.hear(m.Ok(room=ROOM))
    assert here.sent() == []


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


def test_a_time_out_is_told() -> None:
    here = talk(joined(0, **PLAYING))
    events: list[m.Plain] = [{"e": "timeout", "seat": 0}, {"e": "timeout", "seat": 1}]
    assert here.hear(update(1, *events)) == ["Your time is up.", "otto's time is up."]


def test_more_time_is_told() -> None:
    here = talk(joined(0, **PLAYING))
    events: list[m.Plain] = [{"e": "addtime", "seat": 0, "ms": 60_000}, {"e": "addtime", "seat": 1, "ms": 60_000}]
    assert here.hear(update(1, *events)) == ["You have 60 s more.", "otto has 60 s more."]


def test_an_illegal_act_is_explained_and_asked_again() -> None:
    here = talk(joined(0, **PLAYING), turn(1, 7))
    error = m.Error("illegal_action", "red 5 does not match", room=ROOM, rid=7, legal=[{"do": "draw"}], left=9_000)
    assert here.hear(error)[:2] == [
        "Not possible: red 5 does not match.",
        "Your turn (9 s). On top: red 7. Cards: you 3, otto 5, pia 1 (called UNO).",
    ]


def test_what_was_played_for_a_late_person_is_told() -> None:
    here = talk(joined(0, **PLAYING), turn(1, 7))
    here.session.outgoing(m.Act(ROOM, 7, 0))
    late = m.Error("stale", "its time was up", room=ROOM, rid=7, why="clock", act={"do": "draw"})
    assert here.hear(late) == ["Too late: your time was up. Played for you: draw."]
    assert here.hear(late) == []


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


def test_a_secret_that_does_not_fit_is_a_warning() -> None:
    here = talk(joined(0, table=table("playing", commit="c1"), view=VIEW))
    lines = here.hear(over(1))
    assert lines[-1].startswith("WARNING: the revealed secret does not match")
    assert not any(line.startswith("Fair") for line in lines)


def test_once_means_leaving_after_the_match() -> None:
    here = talk(joined(0, **PLAYING), once=True)
    here.hear(over(1))
    assert here.sent() == [m.Leave(ROOM)]
    here.hear(m.Left(ROOM, "left"))
    assert here.client.done


def test_coming_back_tells_what_was_missed_and_asks_again() -> None:
    here = talk(joined(0, **PLAYING), turn(1, 7))
    missed: list[m.Plain] = [{"e": "pass", "seat": 1}]
    here.session.hello()
    lines = here.hear(welcome(ROOM), joined(4, why="resume", events=missed, **PLAYING), turn(4, 7))
    assert lines[:3] == ["Connected again.", "Back in room K7QD.", "otto passes."]
    assert lines[-1] == "1 draw [d]"


def test_coming_back_does_not_ask_what_was_answered_already() -> None:
    here = talk(joined(0, **PLAYING), turn(1, 7))
    here.session.outgoing(m.Act(ROOM, 7, 0))
    here.session.hello()
    assert here.hear(welcome(ROOM), joined(1, why="resume", **PLAYING), turn(1, 7)) == [
        "Connected again.",
        "Back in room K7QD.",
    ]


def test_coming_back_after_more_than_can_be_told_says_how_things_stand() -> None:
    here = talk(joined(0, **PLAYING))
    here.session.hello()
    told: list[m.Plain] = [{"e": "pass", "seat": 1}]
    assert here.hear(welcome(ROOM), joined(900, why="resume", gap=True, events=told, **PLAYING))[1:] == [
        "Back in room K7QD. You may have missed events:",
        "Round 1. On top: red 7. Cards: you 3, otto 5, pia 1 (called UNO).",
        "Score: you 0, otto 12, pia 40.",
    ]


def test_coming_back_after_the_end_tells_it_once() -> None:
    here = talk(joined(0, **PLAYING))
    here.hear(over(1))
    here.session.hello()
    finished: dict[str, Any] = {"table": table("finished", commit="c2"), "view": VIEW, "why": "resume"}
    assert here.hear(welcome(ROOM), joined(1, **finished), over(1))[2:] == []


def test_another_seat_number_is_told() -> None:
    here = talk()
    assert here.hear(joined(1, why="sync")) == []
    assert here.hear(joined(2, why="sync", seat=1)) == ["You are at seat 1 now."]


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


@pytest.mark.parametrize(
    ("messages", "fault", "told"),
    [
        ([m.Error("room_full", "all seats are taken", hint="watch", re=1)], Refused, "all seats are taken (watch)"),
        (
            [m.Error("bad_options", "x must be y", hint="mend what `msg` names", re=1)],
            Refused,
            "x must be y (all options are in: parlour protocol)",
        ),
        ([joined(0), m.Left(ROOM, "kicked")], Refused, "the host has kicked you from room K7QD"),
        ([joined(0, **PLAYING), m.Left(ROOM, "expired")], Interrupted, "was interrupted: it was idle for too long"),
    ],
)
def test_being_put_out(messages: list[m.ServerMessage], fault: type[Fault], told: str) -> None:
    here = Talk()
    here.hear(welcome())
    with pytest.raises(fault) as raised:
        here.hear(*messages)
    assert told in str(raised.value)


def test_a_closed_room_without_a_match_is_a_good_end() -> None:
    here = talk()
    assert here.hear(m.Left(ROOM, "expired")) == ["Room K7QD is closed: it was idle for too long."]
    assert here.client.done


def test_a_lost_seat_interrupts() -> None:
    here = talk(joined(0, **PLAYING))
    here.session.hello()
    with pytest.raises(Interrupted, match="is gone"):
        here.hear(welcome())


def test_a_farewell_is_told() -> None:
    assert talk().hear(m.Bye("drain", "the server is restarting")) == ["The server says: the server is restarting."]
