"""Rooms whose spectators see a match later than the players."""

from typing import Any

from tests.server.local_server import OpenRoom, one, only, open_room, playing, received, request

from parlour_protocol import messages as m
from parlour_protocol.wire import plain
from parlour_server.local import Peer

LATER = 5_000
STEP = 100


def deciding(at: OpenRoom) -> int:
    """Return a seat that has to decide."""
    return next(each.seat for each in at.match.book.open.values() if each.must)


def heard(delay: int) -> list[tuple[int, Any]]:
    """Return what a spectator gets of a match, and when."""
    at = open_room("uno", 2, delay=delay, options={"scoring": "single"})
    walt = at.enter("walt", role="spectator")
    walt.inbox.clear()
    found: list[tuple[int, Any]] = []

    def wait(ms: int) -> None:
        for _ in range(ms // STEP):
            found.extend((at.server.now, plain(message)) for message in received(walt))
            at.server.wait(STEP)

    at.start()
    while at.state == "playing":
        at.act(deciding(at), 0)
        wait(700)
        at[0].send(m.Chat(at.code, "well"))
    wait(2 * LATER)
    for _, message in found:
        message.get("table", {}).pop("delay", None)
    return found


def test_spectators_get_the_same_messages_later() -> None:
    present, past = heard(0), heard(LATER)
    assert {"update", "chat", "seats", "over"} == {message["t"] for _, message in present}
    assert [(now - LATER, message) for now, message in past] == present


def late(at: OpenRoom) -> tuple[Peer, m.Joined]:
    """Return a spectator who comes during the match, and the room as it gets it."""
    walt = at.server.connect("walt", "human")
    joined = request(walt, m.Join(at.code, "spectator"), m.Joined)
    return walt, joined


def test_late_spectator_first_gets_the_room_without_the_match() -> None:
    at = playing("uno", 2, delay=LATER)
    at[0].send(m.Chat(at.code, "I have two wilds"))
    walt, joined = late(at)
    assert (joined.view, joined.events, joined.clocks, joined.chat) == (None, [], {}, [])
    assert joined.table["delay"] == LATER
    at.server.wait(LATER - 1)
    shown = at.match.view(None)
    assert received(walt) == []
    at.server.wait(1)
    update = only(walt, m.Update)[0]
    assert (update.seq, update.view) == (joined.seq + 1, shown)


def test_spectator_who_comes_back_gets_nothing_twice() -> None:
    at = playing("uno", 2, delay=LATER)
    walt, _ = late(at)
    at.server.wait(LATER)
    walt.inbox.clear()
    at.act(deciding(at), 0)
    back = request(walt, m.Join(at.code, "spectator"), m.Joined)
    at.server.wait(2 * LATER)
    seqs = [message.seq for message in received(walt) if isinstance(message, m.Update | m.SeatsChanged)]
    assert seqs == list(range(back.seq + 1, back.seq + 1 + len(seqs)))


def test_whoever_takes_a_seat_is_not_delayed() -> None:
    at = playing("uno", 2, delay=LATER)
    walt, _ = late(at)
    at.act(deciding(at), 0)
    walt.send(m.Handover(at.code, 1))
    walt.inbox.clear()
    at[1].send(m.Handover(at.code, to="walt"))
    assert one(walt, m.Joined).view == at.match.view(1)
    assert at[1].inbox
    at.server.wait(LATER)
    assert all(message.view is not None for message in only(walt, m.Update))


def test_a_delayed_view_is_sent_again_after_the_room_is_loaded() -> None:
    at = playing("uno", 2, delay=LATER)
    at.load_again()
    walt, joined = late(at)
    assert joined.view is None
    at.server.wait(LATER)
    assert only(walt, m.Update)[0].view == at.match.view(None)
