"""The dense message sequence of each view, and what a returning client has missed."""

from hypothesis import given
from hypothesis import strategies as st

from parlour_server.rooms.streams import BULK, HISTORY, LAST_FEW, Streams, ViewStream


def event(number: int) -> dict[str, int]:
    return {"e": number}


def after(count: int) -> ViewStream:
    stream = ViewStream(0)
    for number in range(1, count + 1):
        assert stream.push([event(number)]) == number
    return stream


@given(st.integers(0, 3 * HISTORY), st.integers(-2, 3 * HISTORY + 2))
def test_a_client_that_missed_at_most_256_messages_gets_exactly_those(count: int, since: int) -> None:
    events, gap = after(count).missed(since)
    if max(count - HISTORY, 0) <= since <= count:
        assert (events, gap) == ([event(number) for number in range(since + 1, count + 1)], False)
    else:
        assert (events, gap) == ([event(number) for number in range(max(1, count - LAST_FEW + 1), count + 1)], True)


def test_events_of_long_acts_are_kept_as_bytes() -> None:
    stream, long = ViewStream(0), [{"e": "flag", "cell": [number, 0], "why": "é"} for number in range(256)]
    stream.push([event(1)])
    stream.push(long, BULK // 2)
    events, gap = stream.missed(0)
    assert (events, gap) == ([event(1), *long], False)
    assert not {*map(id, long)} & {*map(id, events)}
    assert stream.missed(None)[0] == long[-LAST_FEW:]


def test_messages_of_long_acts_push_out_older_ones() -> None:
    stream = after(10)
    for number in range(11, 20):
        stream.push([event(number)], BULK // 4)
    assert stream.missed(15) == ([event(number) for number in range(16, 20)], False)
    assert stream.missed(14)[1]
    for number in range(20, 20 + HISTORY):
        stream.push([event(number)])
    stream.push([event(0)], BULK)
    assert stream.missed(stream.seq - HISTORY)[1] is False


def test_a_new_client_gets_the_last_few_events_and_a_gap_if_there_were_more() -> None:
    assert after(100).missed(None) == ([event(number) for number in range(81, 101)], True)
    assert after(LAST_FEW).missed(None) == ([event(number) for number in range(1, LAST_FEW + 1)], False)
    assert ViewStream(0).missed(None) == ([], False)
    stream = after(1)
    for _ in range(HISTORY):
        stream.push([])
    assert stream.missed(None) == ([], True), "little history is kept"


def test_views_of_a_room_with_a_past_go_on_behind_it() -> None:
    streams = Streams(2, seq=5)
    assert [stream.seq for stream in streams.all()] == [5, 5, 5]
    assert [stream.missed(5) for stream in streams.all()] == [([], False)] * 3
    assert streams.watchers.missed(4) == streams.owners[0].missed(None) == ([], True)


def test_a_person_follows_only_one_view() -> None:
    streams = Streams(2)
    streams.owners[0].people["a"] = None
    assert streams.of("a") is streams.owners[0]
    streams.drop("a")
    assert streams.of("a") is None
    assert [stream.seat for stream in streams.all()] == [0, 1, None]


def test_the_views_are_of_owners_of_standins_and_of_all_spectators() -> None:
    streams = Streams(2)
    streams.standins[1] = ViewStream(1, standin=True)
    shown = [(stream.seat, stream.standin) for stream in streams.all()]
    assert shown == [(0, False), (1, False), (1, True), (None, False)]


def test_a_person_moved_to_another_seat_gets_nothing_of_its_history() -> None:
    streams = Streams(3)
    for number, stream in enumerate(streams.owners):
        stream.people["abc"[number]] = None
        for _ in range(number + 1):
            stream.push([event(number)])
    streams.rearrange({0: 0, 2: 1})
    assert [list(stream.people) for stream in streams.owners] == [["a"], ["c"], []]
    assert [stream.seq for stream in streams.owners] == [1, 2, 3]
    assert streams.owners[1].missed(None) == ([], True)
    assert streams.owners[1].missed(1) == ([], True)
    assert [stream.seat for stream in streams.owners] == [0, 1, 2]
