"""The messages of each view: their contents and receivers.

SPEC.md#combined-answers, #required-and-optional-decisions, #sequence-numbers, #after-joined, #what-others-see.
"""

from tests.server.local_server import OpenRoom, one, only, open_room, playing, received

from parlour_games.fair import commitment
from parlour_protocol import messages as m
from parlour_server.local import Local, Peer
from parlour_server.rooms.audience import CHAT_KEPT
from parlour_server.rooms.room import replay


def asked(at: OpenRoom) -> int:
    """Return the seat that must decide in UNO."""
    return at.match.book.obligations()[0].seat


def shown(peer: Peer) -> list[m.Plain]:
    """Return the events of the update that ``peer`` has received."""
    [update] = received(peer)
    assert isinstance(update, m.Update | m.Turn)
    return update.events


def sync(at: OpenRoom, peer: Peer) -> list[m.ServerMessage]:
    """Let ``peer`` ask for the whole room; return the answer."""
    peer.inbox.clear()
    peer.send(m.Join(at.code, "spectator"))
    return received(peer)


def test_a_view_that_did_not_change_gets_no_message() -> None:
    at = playing("fake", 3)
    walt = at.enter("walt", role="spectator")
    at.act(0, "bell")
    walt.inbox.clear()
    at.act(1, "shout", at.optional(1))
    assert [len(received(peer)) for peer in [*at, walt]] == [0, 1, 0, 0]


def test_who_draws_is_asked_and_sees_the_card_and_others_share_what_is_public() -> None:
    at = playing("uno", 3)
    walt, wilma = (at.enter(name, role="spectator") for name in ("walt", "wilma"))
    for spectator in (walt, wilma):
        spectator.inbox.clear()
    seat = asked(at)
    at.act(seat, "draw")
    assert walt.inbox[0] is wilma.inbox[0], "spectators share one view"
    public = {"e": "draw", "seat": seat, "n": 1, "why": "turn"}
    for k, peer in enumerate((*at, walt)):
        [event] = one(peer, m.Turn).events if k == seat else one(peer, m.Update).events
        assert event == (public | {"cards": event["cards"]} if k == seat else public)
    at.act(seat, "pass")
    passed = [shown(peer) for peer in at]
    assert passed[0] == [{"e": "pass", "seat": seat}]
    assert all(events is passed[0] for events in passed)


def test_a_turn_carries_all_that_a_simple_bot_needs_and_everybody_sees_whose_it_is() -> None:
    at = playing("uno", 2)
    seat = asked(at)
    turn = sync(at, at[seat])[1]
    assert isinstance(turn, m.Turn)
    assert (turn.room, turn.game, turn.seat, turn.rid, turn.left) == (at.code, "uno", seat, 1, 75_000)
    assert turn.legal
    assert turn.legal[-1] == {"do": "draw"}
    assert len(turn.view["hand"]) == 7
    joined = one(at.enter("walt", role="spectator"), m.Joined)
    assert joined.clocks == turn.clocks == {str(seat): 75_000}
    assert joined.view is not None
    assert (joined.view["turn"], joined.may, "hand" in joined.view) == (seat, [], False)


def row(seat: int, name: str) -> m.SeatRow:
    return {"seat": seat, "name": name, "kind": "human", "here": True, "ready": False, "by": "owner"}


def test_joined_is_the_whole_room() -> None:
    at = open_room("fake", 2, seats=3, options={"breath": 300}, hints=False)
    at[0].send(m.Chat(at.code, "hello"))
    joined, *rest = sync(at, at[1])
    assert rest == []
    assert isinstance(joined, m.Joined)
    commit = at.room.state.commit
    assert joined == m.Joined(
        room=at.code, epoch=1, seq=joined.seq, game="fake", seat=1, view=None, events=[], gap=False, may=[], clocks={},
        chat=[{"from": "anna", "text": "hello"}], why="sync",
        table={
            "state": "waiting", "host": "anna", "options": {"breath": 300, "pause": 0}, "watchers": 0, "hints": False,
            "fair": {"commit": commit, "context": f"{at.code}/1", "nonces": {}},
            "seats": [row(0, "anna"), row(1, "bert")], "size": 3, "clock": m.DEFAULT_CLOCK, "standin": True,
            "start": "host", "kinds": "any", "watch": True, "private": False, "pace": None, "unrated": "address",
        },
    )  # fmt: skip


def test_joined_says_for_how_long_a_board_has_been_open() -> None:
    at = open_room("minesweeper", 1, local=Local(), options={"mode": "solo"}, start="full", clock=None)

    def elapsed() -> int | None:
        joined, *_ = sync(at, at[0])
        assert isinstance(joined, m.Joined)
        return joined.elapsed

    at.server.wait(5_000)
    assert elapsed() is None
    at.act(0, 40)
    at.server.wait(7_000)
    assert elapsed() == 7_000
    at.act(0, "resign")
    assert elapsed() is None


def test_over_follows_joined_until_the_next_match_also_after_a_restart() -> None:
    at = playing()
    at.act(0, "end")
    first = one(at[0], m.Over)
    joined, over = sync(at, at[0])
    assert isinstance(joined, m.Joined)
    assert isinstance(over, m.Over)
    assert (over.result, over.reveal, over.digest, over.view) == (first.result, first.reveal, first.digest, first.view)
    assert over.seq == joined.seq
    assert over.commit == commitment(bytes.fromhex(over.reveal)) != joined.table["fair"]["commit"]
    assert (over.context, joined.table["fair"]["context"]) == (f"{at.code}/1", f"{at.code}/2")
    room = replay(at.lines(), at.room.state.game)
    room.resume(99, 2)
    at.server.lobby.rooms.loaded[at.code].room = room
    joined, over = sync(at, at[0])[:2]
    assert isinstance(joined, m.Joined)
    assert isinstance(over, m.Over)
    assert (joined.epoch, over.digest, over.reveal) == (2, first.digest, first.reveal)
    at[1].send(m.Join(at.code))
    at[0].send(m.Start(at.code))
    assert [type(message) for message in sync(at, at[0])] == [m.Joined, m.Turn]


def test_over_has_ranks_scores_and_no_clocks() -> None:
    at = playing("fake", 3, apart=True)
    at.act(1, "take", cell=0)
    at.act(2, "end")
    over = one(at[0], m.Over)
    assert over.result == {"ranks": {"0": 2, "1": 1, "2": 2}, "scores": {"0": 0, "1": 1, "2": 0}, "why": "ended"}
    assert over.clocks == {}


def test_a_room_keeps_fifty_lines_of_chat() -> None:
    at = open_room()
    for number in range(60):
        at[0].send(m.Chat(at.code, f"line {number}"))
        at.server.wait(200)
    [joined] = sync(at, at[1])
    assert isinstance(joined, m.Joined)
    assert CHAT_KEPT == 50
    assert [row["text"] for row in joined.chat] == [f"line {number}" for number in range(10, 60)]


def test_chat_is_one_message_for_all_views_with_the_same_seq() -> None:
    at = open_room()
    at[0].send(m.Chat(at.code, "hello"))
    first, second = (one(peer, m.Said) for peer in at)
    assert first is second
    at = playing("fake", 3)
    at.act(0, "bell")
    at.act(1, "shout", at.optional(1))
    at[0].send(m.Chat(at.code, "well"))
    seqs = [only(peer, m.Said)[-1].seq for peer in at]
    assert seqs == [stream.seq for stream in at.room.audience.streams.owners]
    assert len(set(seqs)) > 1


def test_seats_shows_what_changes_apart_from_the_game() -> None:
    at = open_room()
    at[0].send(m.Ready(at.code))
    rows = one(at[1], m.SeatsChanged).table["seats"]
    assert [row["ready"] for row in rows] == [True, False]
    at.start()
    states = [message.table["state"] for message in only(at[1], m.SeatsChanged)]
    assert states[-1] == "playing"
    at.act(0, "end")
    assert only(at[1], m.SeatsChanged)[0].table["state"] == "finished"
