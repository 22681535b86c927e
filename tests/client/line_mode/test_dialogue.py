"""The line mode as a conversation: what the server says, what a person reads and types, what is sent."""

from typing import Any

import attrs
import pytest
from msgspec import structs
from tests.client.line_mode.talk import Talk, talk
from tests.client.messages import PEOPLE, PLAYING, ROOM, joined, over, row, said, seats, table, turn, update, welcome

from parlour_client.core.errors import Refused
from parlour_client.text.base import lines_for
from parlour_games.fair import commitment
from parlour_games.registry import games
from parlour_games.uno.cards import CARDS_BY_FACE, COLOURS
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
    here = talk(joined(0, **{**PLAYING, "table": table("playing", commit=commitment(secret))}))
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


WILD = CARDS_BY_FACE["w"][0]
PLAY: list[m.Plain] = [{"do": "play", "card": 9}, {"do": "draw"}]
COLOUR: list[m.Plain] = [{"do": "draw"}, *({"do": "play", "card": WILD, "colour": colour} for colour in COLOURS)]


def playing(legal: list[m.Plain] = PLAY) -> Talk:
    return talk(joined(0, **PLAYING), turn(1, 7, legal))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ready", m.Ready(ROOM)),
        (" READY ", m.Ready(ROOM)),
        ("start", m.Start(ROOM)),
        ("say  hello there ", m.Chat(ROOM, "hello there")),
        ("invite", m.Invite(ROOM)),
        ("invite ada", m.Invite(ROOM, "ada")),
        ("invite as hard", m.Invite(ROOM, style="hard")),
        ("invite ada as guard", m.Invite(ROOM, "ada", style="guard")),
        ("kick otto", m.Manage(ROOM, "kick", "otto")),
        ("ban otto", m.Manage(ROOM, "ban", "otto")),
        ("mute otto", m.Manage(ROOM, "mute", "otto")),
        ("unmute otto", m.Manage(ROOM, "unmute", "otto")),
        ("host otto", m.Manage(ROOM, "host", "otto")),
        ("AddTime  otto ", m.Manage(ROOM, "addtime", "otto")),
        ("leave", m.Leave(ROOM)),
        ("quit", m.Leave(ROOM)),
        ("ask ot", m.Handover(ROOM, 1)),
        ("ask", m.Handover(ROOM)),
        ("give vera", m.Handover(ROOM, to="vera")),
        ("give", m.Handover(ROOM)),
    ],
)
def test_commands_become_messages(line: str, message: Any) -> None:
    out, [sent] = talk().types(line)
    assert (out, structs.replace(sent, id=None)) == ([], message)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("hand", "Hand: red 5, red skip, wild."),
        ("seats", "Players: maria (you, host), otto (human), pia (bot)."),
        ("score", "Round 1. On top: red 7. Cards: you 3, otto 5, pia 1 (called UNO)."),
        ("? room", "As host: start"),
        ("say", "Usage: say TEXT"),
        ("say " + "x" * 201, "Usage: say TEXT"),
        ("kick", "Usage: kick NAME."),
        ("ban ", "Usage: ban NAME. Players:"),
        ("mute", "Usage: mute NAME."),
        ("unmute", "Usage: unmute NAME."),
        ("host", "Usage: host NAME."),
        ("addtime", "Usage: addtime NAME."),
        ("", "Your turn (14 s)."),
    ],
)
def test_commands_that_only_tell(line: str, told: str) -> None:
    out, sent = playing().types(line)
    assert out[0].startswith(told)
    assert sent == []


@pytest.mark.parametrize("line", ["?", "help"])
def test_help_says_how_the_game_is_played_and_how_to_answer(line: str) -> None:
    out, sent = playing().types(line)
    lines = lines_for("uno")
    help_ = [*lines.how_to("uno", table()["options"]), *lines.manual()]
    assert (out[: len(help_)], sent) == (help_, [])
    assert len(help_) > len(lines.manual())


@pytest.mark.parametrize("line", ["kick otto", "ban Otto", "addtime otto", "give vera"])
def test_nobody_is_removed_from_a_match_that_counts(line: str) -> None:
    fixed = "This match counts"
    out, sent = playing().types(line)
    assert (out[0][: len(fixed)], sent) == (fixed, [])
    assert any(told.startswith(fixed) for told in playing().types("? room")[0])
    casual = talk(joined(0, **{**PLAYING, "table": table("playing", unrated="casual")}))
    assert len(casual.types(line)[1]) == 1
    assert not any(told.startswith(fixed) for told in casual.types("? room")[0])


def test_a_match_that_counts_goes_on_without_spectators() -> None:
    for line in ("kick vera", "mute otto", "host otto", "give"):
        assert len(playing().types(line)[1]) == 1


CLOCK: m.Clock = {"bank": 30_000, "add": 5_000}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rules target=60", m.Configure(ROOM, {"preset": "family", "target": 60}, 4, CLOCK)),
        ("rules preset=official stack2=yes", m.Configure(ROOM, {"preset": "official", "stack2": True}, 4, CLOCK)),
        ("rules seats=6", m.Configure(ROOM, {"preset": "family"}, 6, CLOCK)),
        ("rules clock=none", m.Configure(ROOM, {"preset": "family"}, 4, None)),
        ("rules clock=60+2.5", m.Configure(ROOM, {"preset": "family"}, 4, {"bank": 60_000, "add": 2_500})),
    ],
)
def test_a_host_changes_rules_and_keeps_the_others(line: str, message: m.Configure) -> None:
    options = attrs.asdict(games()["uno"].Options(preset="family"))
    host = talk(joined(0, table=table(options=options, size=4, clock=CLOCK)))
    out, [sent] = host.types(line)
    assert (out, structs.replace(sent, id=None)) == ([], message)
    [told] = host.hear(m.Error("bad_options", "seats: cleo would lose theirs", re=sent.id))
    assert "cleo would lose theirs" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "Rules: target=60 seats=4"),
        ("target", "options are written NAME=VALUE"),
        ("clock=fast", "a clock is BANK+ADD in seconds"),
        ("target=1 target=2", "target is given twice"),
    ],
)
def test_rules_that_are_not_sent(words: str, told: str) -> None:
    out, sent = talk(joined(0, table=table(options={"target": 60}, size=4))).types(f"rules {words}")
    assert (out[0].startswith(told), sent) == (True, [])


def test_an_answer_is_an_act_in_full_and_wrong_words_leave_the_question_open() -> None:
    person = playing()
    assert person.types("b9") == (["You hold no blue 9: type r5, d, or a number from 1 to 2."], [])
    assert person.types("r5") == ([], [m.Act(ROOM, 7, {"do": "play", "card": 9})])
    assert person.types("d") == (["Your answer has been sent; please wait."], [])


def test_quitting_a_match_has_to_be_meant_unless_it_is_over_or_one_only_watches() -> None:
    person = playing()
    assert person.types("quit") == (["A match is in progress. Type quit again to give up your seat."], [])
    person.types("hand")
    assert person.types("quit")[1] == []
    assert person.types("quit")[1] == [m.Leave(ROOM)]
    assert person.client.leaving
    person = playing()
    person.hear(over(2))  # though the table has not told it yet
    assert person.types("quit")[1] == [m.Leave(ROOM)]
    assert talk(joined(0, seat=None, **PLAYING)).types("q")[1] == [m.Leave(ROOM)]


def test_before_there_is_a_room_nothing_is_understood_but_quit_and_before_a_match_there_is_no_score() -> None:
    person = Talk()
    person.hear(welcome())
    person.sent()
    assert person.types("ready", "r5", "") == ([], [])
    person.types("quit")
    assert person.client.done
    assert talk().types("score", "") == (["Nothing has been played yet."], [])


@pytest.mark.parametrize(("then", "colour"), [("green", "green"), ("b", "blue"), ("w red", "red")])
def test_a_colour_may_follow_in_the_next_line(then: str, colour: str) -> None:
    typist = playing(COLOUR)
    assert typist.types("w")[1] == []
    assert typist.types(then) == ([], [m.Act(ROOM, 7, {"do": "play", "card": WILD, "colour": colour})])


def test_what_was_begun_can_be_left_unfinished() -> None:
    typist = playing(COLOUR)
    [asked], _ = typist.types("w")
    assert "pink" in typist.types("pink")[0][0]
    assert typist.types("d") == ([], [m.Act(ROOM, 7, {"do": "draw"})])
    again = playing(COLOUR)
    assert again.types("w")[0] == again.types("w")[0] == [asked]
    again.hear(turn(2, 8, COLOUR))
    assert again.types("green")[1] == [], "it was begun for another decision"
