"""Requests of players to a room.

SPEC.md#one-answer, #combined-answers, #required-and-optional-decisions, #choosing-an-action, #repeated-and-late-acts,
#refused-acts, #pointless-acts, #after-joined, #turn-clock, #computations.
"""

import pytest
from tests.server.local_server import (
    NO_CLOCK,
    QUICK,
    OpenRoom,
    one,
    open_room,
    playing,
    received,
    refused,
    request,
)

from parlour_games.fair import commitment
from parlour_protocol import messages as m
from parlour_protocol.wire import plain
from parlour_server.effects import Post
from parlour_server.rooms.decisions import Past

# --- answers ------------------------------------------------------------------------------------------------


def answered(at: OpenRoom, seat: int) -> Past:
    """Return the first decision of a seat, which is closed."""
    found = at.match.book.find(seat, 1)
    assert isinstance(found, Past)
    return found


def test_a_move_costs_each_viewer_one_frame_and_the_ok_rides_inside() -> None:
    at = playing("uno", 3)
    watcher = at.enter("walt", role="spectator")
    at.clear()
    watcher.inbox.clear()
    seat = at.match.book.obligations()[0].seat
    at.act(seat, 0, id="x")
    action = answered(at, seat).act
    frames = [received(peer) for peer in [*at, watcher]]
    assert [len(messages) for messages in frames] == [1, 1, 1, 1]
    oks = [getattr(messages[0], "ok", None) for messages in frames]
    assert oks == [{"rid": 1, "act": action, "re": "x"} if k == seat else None for k in range(4)]


def test_a_repeated_act_gets_the_recorded_ok_and_changes_nothing() -> None:
    at = playing()
    at.act(0, "take", cell=2)
    at.clear()
    lines, recorded = at.lines()[:], m.Ok(re=7, room=at.code, rid=1, act={"do": "take", "cell": 2})
    for repeat in (2, {"do": "take", "cell": 5}, {"do": "nonsense"}, 10**9, {}):
        assert request(at[0], m.Act(at.code, 1, repeat, id=7)) == recorded
        assert received(at[0]) == []
    assert received(at[1]) == []
    assert at.lines() == lines


def test_a_rid_never_given_is_refused() -> None:
    at = playing()
    for rid in (0, -1, 2, 10**9):
        error = refused(at[0], m.Act(at.code, rid, 0, id=3))
        assert (error.code, error.re, error.room, error.rid) == ("no_such_rid", 3, at.code, rid)
    waiting = open_room()
    assert refused(waiting[0], m.Act(waiting.code, 1, 0)).code == "no_such_rid"


def stale(at: OpenRoom, rid: int) -> tuple[str, str | None, m.Plain | None]:
    error = refused(at[0], m.Act(at.code, rid, 3))
    return error.code, error.why, error.act


def test_an_answer_after_a_time_out_gets_the_default_action() -> None:
    at = playing(clock=QUICK)
    at.server.wait(1_500)
    assert stale(at, 1) == ("stale", "clock", {"do": "take", "cell": 0})


def test_an_overtaken_answer_is_stale_also_after_the_match_and_in_the_next_one() -> None:
    at = playing()
    at.act(1, "hit", seat=0)
    assert stale(at, 1) == ("stale", "overtaken", None)
    at.act(1, "end")
    assert stale(at, 2) == ("stale", "overtaken", None)
    at.start()
    assert stale(at, 2) == ("stale", "overtaken", None)
    assert at.rid(0) == 3


def test_an_answer_from_the_match_before_is_repeated_only_to_its_author() -> None:
    at = playing("fake", 3)
    at.act(0, "take", cell=1)
    at.act(1, "take", cell=2)
    at.act(2, "end")
    at[1].send(m.Leave(at.code))
    zoe = at.enter("zoe")
    at.start()
    assert request(at[0], m.Act(at.code, 1, 5, id=1)) == m.Ok(at.code, 1, {"do": "take", "cell": 1}, re=1)
    assert request(at[2], m.Act(at.code, 1, 5, id=2)) == m.Ok(at.code, 1, {"do": "end"}, re=2)
    assert refused(zoe, m.Act(at.code, 1, 5)).code == "stale"


def test_a_refused_act_leaves_the_decision_open_and_teaches() -> None:
    at = playing()
    at.server.wait(2_000)
    legal = at.match.book.of(0)[0].wire(at.match.game, at.match.state)
    for act in (
        {"do": "spend"},
        99,
        -1,
        {"do": "take", "cell": 6},
        {"do": "take"},
        {"do": "fly"},
        {"do": "bell", "x": 1},
    ):
        error = refused(at[0], m.Act(at.code, 1, act, id="i"))
        assert (error.code, error.re, error.room, error.rid) == ("illegal_action", "i", at.code, 1)
        assert (error.legal, error.left) == (legal, 73_000)
        assert error.why == error.msg != ""
        assert error.strikes is not None
        assert error.hint is not None
        named = ("cell", {"last": 5}) if act == {"do": "take", "cell": 6} else (None, None)
        assert (error.phrase, error.fields) == named
    at.act(0, "take", cell=1)
    assert one(at[0], m.Turn).ok == {"rid": 1, "act": {"do": "take", "cell": 1}}


def test_who_acts_is_answered_before_the_others() -> None:
    at = playing()
    act = plain(m.Act(at.code, at.rid(1), {"do": "take", "cell": 1}))
    effects = at.server.lobby.receive(at[1].conn, act, at.server.now)
    sent = [effect.to for effect in effects if isinstance(effect, Post)]
    assert len(sent) > 1
    assert sent[0] == (at[1].conn,)


def test_a_refused_offer_has_no_time_left_to_tell() -> None:
    at = playing()
    at.act(0, "bell")
    error = refused(at[1], m.Act(at.code, at.optional(1), {"do": "bell"}))
    assert (error.code, error.left, error.legal) == ("illegal_action", None, [{"do": "shout"}])


def test_a_number_is_a_place_in_the_list_or_a_cell_of_the_grid() -> None:
    at = playing()
    at.act(0, 7)
    assert answered(at, 0).act == {"do": "make"}
    grid = playing("grid")
    grid.act(0, 3)
    turn = one(grid[0], m.Turn)
    assert turn.ok == {"rid": 1, "act": {"do": "take", "cell": 3}}
    assert turn.legal is None
    error = refused(grid[1], m.Act(grid.code, 1, 6))
    assert (error.code, error.legal) == ("illegal_action", None)
    grid.act(1, "bell")
    assert grid.match.state.bell == 1


def test_resigning_is_never_listed_but_taken_under_any_open_rid() -> None:
    at = playing("fake", 3)
    at.act(0, "bell")
    assert {"do": "resign"} not in at.match.book.of(1)[0].wire(at.match.game, at.match.state)
    at.act(1, "resign", at.optional(1))
    assert at.match.state.out == [1]
    uno = playing("uno", 3)
    seat = uno.match.book.obligations()[0].seat
    turn = uno.match.book.obligations()[0]
    assert {"do": "resign"} not in turn.wire(uno.match.game, uno.match.state)
    uno.act(seat, "resign")
    assert uno.match.state.leavers == [seat]


def test_an_action_that_others_have_overtaken_is_accepted_without_effect() -> None:
    at = playing()
    at.act(0, "take", cell=4)
    at.act(1, "take", cell=4)
    assert one(at[1], m.Turn).ok == {"rid": 1, "act": {"do": "take", "cell": 4}}
    assert at.match.state.cells[4] == 0
    assert received(at[0]) == []


def test_every_message_lists_exactly_the_open_optional_decisions() -> None:
    at = playing("fake", 3)
    at.act(0, "bell")
    offer: m.Offer = {"rid": 2, "legal": [{"do": "shout"}]}
    assert one(at[1], m.Update).may == [offer]
    assert one(at[0], m.Update).may == []
    at.server.wait(750)
    turn = one(at[1], m.Turn)
    assert (turn.may, turn.rid) == ([offer], 3)
    at.act(2, "take", cell=1)
    assert one(at[1], m.Update).may == []
    assert refused(at[1], m.Act(at.code, 2, 0)).why == "overtaken"


def test_an_optional_decision_may_be_ignored() -> None:
    at = playing(clock=NO_CLOCK)
    at.act(0, "bell")
    at.server.wait(500_000)
    assert at.match.timeouts == [0, 0]
    at.act(1, "shout", at.optional(1))
    assert at.match.state.shouts == [1]


def test_why_is_recorded_and_not_sent() -> None:
    at = playing()
    at[0].send(m.Act(at.code, 1, 0, why="the corner looked safe"))
    assert '"why":"the corner looked safe"' in at.lines()[-1]
    assert "corner" not in "".join(str(plain(message)) for peer in at for message in received(peer))


def test_a_spectator_acts_on_nothing() -> None:
    at = playing()
    watcher = at.enter("walt", role="spectator")
    assert refused(watcher, m.Act(at.code, 1, 0)).code == "not_seated"
    assert refused(watcher, m.Ready(at.code)).code == "not_seated"


# --- fairness ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("why", ["ended", "aborted"])
def test_the_commitment_is_shown_before_anybody_acts_and_the_secret_at_the_end(why: str) -> None:
    at = open_room()
    walt = at.enter("walt", role="spectator")
    commit = one(walt, m.Joined).table["fair"]["commit"]
    at.start()
    if why == "ended":
        at.act(0, "end")
    else:
        for peer in at:
            peer.send(m.Leave(at.code))
    over = one(walt, m.Over)
    assert over.result["why"] == why
    assert commitment(bytes.fromhex(over.reveal)) == commit


def test_refusals_name_the_room_as_it_is_called_however_it_was_written() -> None:
    at = playing()
    code = at.code.lower()
    asked = (m.Act(code, 77, 0), m.Manage(code, "kick", "zoe"), m.Start(code))
    assert [refused(at[0], each).room for each in asked] == [at.code] * 3
