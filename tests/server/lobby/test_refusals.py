"""The texts of refusals name the field, what is allowed and what to do next, and reveal nothing hidden."""

from typing import Any

import pytest
from tests.server.local_server import new_server, open_room, playing, refused, request

from parlour_games.uno.options import Options
from parlour_protocol import messages as m
from parlour_server.local import Local


def joined_bots(local: Local, **games: list[str]) -> None:
    """Make bots available, each for one room."""
    for name, plays in games.items():
        request(local.connect(name, "bot"), m.OfferBot(plays, 1), m.Ok)


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    error = refused(new_server().connect("anna"), m.Create("uno", options={"scorring": "single"}))
    known, _, listed = error.msg.partition("; choose from ")
    assert (error.code, known) == ("bad_options", "there is no option 'scorring'")
    assert set(listed.split(", ")) == {field for field in Options.__annotations__ if not field.startswith("_")}
    assert "options of each game" in str(error.hint)


def test_options_that_cannot_be_played_are_refused_with_a_phrase() -> None:
    peer = new_server().connect("anna")
    error = refused(peer, m.Create("uno", options={"target": -1}))
    assert (error.code, error.phrase) == ("bad_options", "whole")
    assert error.fields == {"name": "target", "low": 1, "high": 10_000, "value": "-1"}


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    local = new_server()
    games = ", ".join(sorted(local.lobby.games))
    for error in (
        refused(local.connect("anna"), m.Create("chess")),
        refused(local.connect("robo", "bot"), m.OfferBot(["uno", "chess"], 1)),
    ):
        assert error.msg == f"there is no game 'chess' here; choose from {games}"
        assert "`can` of welcome" in str(error.hint)


def test_starting_with_too_few_players_gets_a_hint() -> None:
    at = open_room("uno", 1, seats=4)
    error = refused(at[0], m.Start(at.code))
    assert (error.code, "2 players" in error.msg) == ("wrong_state", True)
    assert all(word in str(error.hint) for word in ("`join`", "`invite`"))


@pytest.mark.parametrize(
    ("bot", "style", "words", "later"),
    [
        (None, None, "no bot that plays fake is free", True),
        ("nobody", None, "no bot 'nobody' is available", False),
        ("ADAM", None, "adam plays uno, not fake", False),
        ("Busy", None, "busy is in as many rooms as it accepts", True),
        (None, "hard", "no bot that plays in the style 'hard' is free", True),
        (None, "hrad", "no bot plays in the style 'hrad', only in guard, hard", False),
        ("BUSY", "hard", "busy has no styles: invite it without one", False),
        ("eve", None, "eve is in this room", False),
    ],
)
def test_why_no_bot_comes_and_whether_it_may_later(bot: str | None, style: str | None, words: str, later: bool) -> None:
    at = open_room("fake", 1, seats=4)
    joined_bots(at.server, adam=["uno"], busy=["fake"])
    at.server.connect("stylist", "bot").send(m.OfferBot(["fake"], 1, ["guard", "hard"]))
    other = request(at[0], m.Create("fake"), m.Joined).room
    for name in ("busy", "stylist"):
        at[0].send(m.Invite(other, name))
    at.server.connect("eve", "bot").send(m.OfferBot(["fake"], 2))
    at[0].send(m.Invite(at.code, "eve"))  # free, but in this room
    error = refused(at[0], m.Invite(at.code, bot, style=style))
    assert (error.msg, error.retry_after is not None) == (words, later)


def test_the_refusal_of_a_busy_bot_names_the_free_ones() -> None:
    at = open_room("fake", 1, seats=4)
    joined_bots(at.server, adam=["uno"], busy=["fake"], kim=["fake"])
    at.server.connect("eve", "bot").send(m.OfferBot(["fake"], 2))
    for bot in ("busy", "kim"):
        at[0].send(m.Invite(at.code, bot))
    assert refused(at[0], m.Invite(at.code, "busy")).why == "eve"
    at[0].send(m.Invite(at.code, "eve"))
    assert refused(at[0], m.Invite(at.code, "busy")).why is None
    assert refused(at[0], m.Invite(at.code)).retry_after is None, "all are in this room"


@pytest.mark.parametrize("style", ["", "a b", "é", "x" * 21, "a\x1b"])
def test_a_style_is_a_word(style: str) -> None:
    for message in (m.OfferBot(["fake"], 1, [style]), m.Create("uno", style=style)):
        assert refused(new_server().connect("robo", "bot"), message).code == "bad_message"


def test_a_house_bot_that_is_still_starting_can_be_invited_later() -> None:
    at = open_room("fake", 1, seats=3)
    ticket = at.server.lobby.bots.expect("hal")
    joined_bots(at.server, robo=["uno"])
    for bot in (None, "Hal"):
        error = refused(at[0], m.Invite(at.code, bot))
        assert isinstance(error.retry_after, int)
        assert f"in {error.retry_after} ms" in str(error.hint)
    assert refused(at[0], m.Invite(at.code, "robo")).retry_after is None
    hal = at.server.open("hal")
    hal.send(m.Hello("hal", "bot", ticket=ticket))
    assert isinstance(refused(at[0], m.Invite(at.code, "hal")).retry_after, int)
    hal.send(m.OfferBot(["uno"], 1))
    assert refused(at[0], m.Invite(at.code, "hal")).retry_after is None


def test_a_full_room_gives_its_host_another_hint() -> None:
    at = open_room("fake", 2, seats=2)
    joined_bots(at.server, robo=["fake"])
    host, guest = refused(at[0], m.Invite(at.code)), refused(at.server.connect("cleo"), m.Join(at.code))
    assert (host.code, "`kick`" in str(host.hint)) == ("room_full", True)
    assert (guest.code, "spectator" in str(guest.hint)) == ("room_full", True)
    at[1].send(m.Leave(at.code))
    assert refused(at[0], m.Invite(at.code, "robo", 0)).msg.endswith("free: 1")


def test_a_taken_name_is_refused_with_when_it_becomes_free() -> None:
    local = new_server()
    local.connect("anna")
    error = refused(local.open("other"), m.Hello("Anna", "human"))
    assert (error.code, "Anna" in error.msg) == ("name_taken", True)
    assert "3 minutes after a guest has left" in str(error.hint)


@pytest.mark.parametrize(
    ("mode", "verbs"), [("race", "chord, flag, open, resign, seq, unflag"), ("duel", "bomb, open, resign")]
)
def test_an_unknown_action_is_refused_with_those_of_the_mode(mode: str, verbs: str) -> None:
    at = open_room("minesweeper", 2, local=Local(1), options={"mode": mode}).start()
    acts: list[tuple[Any, str]] = [({}, "`do`"), ({"do": 3}, "`do`"), ({"do": "fly"}, "'fly'")]
    for act, words in acts:
        error = refused(at[at.match.book.obligations()[0].seat], m.Act(at.code, 1, act))
        assert error.code == "illegal_action"
        assert words in error.msg
        assert error.msg.endswith(f" {verbs}")
        assert "legal" not in f"{error.hint}", "a grid has no list"


def test_no_refusal_reveals_who_holds_a_card() -> None:
    """A card of the other seat and one that does not exist are refused in the same words."""
    at = playing("uno", 2)
    seat = at.match.book.obligations()[0].seat
    state: Any = at.match.state
    theirs = next(card for card in range(108) if state.hands[1 - seat] >> card & 1)
    buried = next(card for card in range(108) if not (state.hands[0] | state.hands[1]) >> card & 1)
    errors = [refused(at[seat], m.Act(at.code, 1, {"do": "play", "card": card})) for card in (theirs, buried, 999)]
    assert len({(error.msg, error.hint, error.why) for error in errors}) == 1
