from typing import Any

import attrs
import pytest
from msgspec import structs
from tests.client.line_mode.talk import Talk, talk
from tests.client.messages import PLAYING, ROOM, VIEW, joined, over, table, turn, welcome

from parlour_client.text.base import lines_for
from parlour_games.registry import games
from parlour_games.uno.cards import CARDS_BY_FACE, COLOURS
from parlour_protocol import messages as m

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
    casual = talk(joined(0, table=table("playing", unrated="casual"), view=VIEW))
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
