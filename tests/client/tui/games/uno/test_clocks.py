"""Clocks that run on between messages."""

from tests.client.messages import VIEW, joined, row, table

from parlour_client.core.room import JoinedRoom, Question
from parlour_client.tui.games.base import ShownClocks


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def room(**clocks: int) -> JoinedRoom:
    here = JoinedRoom.of(joined(0, seat=0, view=VIEW, table=table("playing", seats=[row(0, "maria"), row(1, "otto")])))
    here.clocks = {seat.strip("s"): ms for seat, ms in clocks.items()}
    return here


def test_a_clock_runs_down_to_nothing() -> None:
    time = Time()
    clocks = ShownClocks(time)
    clocks.update(room(s1=20_000))
    assert (clocks.left(1), clocks.share(1), clocks.running) == (20_000, 1.0, True)
    time.now = 5.0
    assert (clocks.left(1), clocks.share(1)) == (15_000, 0.75)
    time.now = 90.0
    assert (clocks.left(1), clocks.share(1)) == (0, 0.0)
    assert clocks.left(0) is None
    assert clocks.left(None) is None


def test_the_same_clocks_told_again_do_not_set_it_back_and_others_do() -> None:
    time, here = Time(), room(s1=20_000)
    clocks = ShownClocks(time)
    clocks.update(here)
    time.now = 5.0
    clocks.update(here)
    assert clocks.left(1) == 15_000
    here.clocks = {"0": 9_000}
    clocks.update(here)
    assert (clocks.left(1), clocks.left(0)) == (None, 9_000)


def test_a_refusal_tells_anew_what_is_left_for_our_question() -> None:
    time, here = Time(), room(s0=20_000)
    here.question = Question(1, [], 20_000)
    clocks = ShownClocks(time)
    clocks.update(here)
    time.now = 5.0
    here.question = Question(1, [], 14_000)
    clocks.update(here)
    assert clocks.left(0) == 14_000


def test_a_seat_is_held_until_its_owner_is_back() -> None:
    time, here = Time(), room()
    clocks = ShownClocks(time)
    here.table["seats"][1]["left"] = 28_000
    clocks.update(here)
    time.now = 3.0
    clocks.update(here)
    assert (clocks.held(1), clocks.running) == (25_000, True)
    del here.table["seats"][1]["left"]
    clocks.update(here)
    assert (clocks.held(1), clocks.running) == (None, False)
