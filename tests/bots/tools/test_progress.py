from io import StringIO
from itertools import count

from tests.bots.messages import joined

from parlour_bots.tools.progress import EVERY, ContestProgress, MatchProgress
from parlour_client.core.room import JoinedRoom
from parlour_protocol.messages import Plain


def shown(*views: Plain | None) -> str:
    out = StringIO()
    with MatchProgress(500, out) as progress:
        for view in views:
            progress.show(JoinedRoom.of(joined(view=view)))
    return out.getvalue()


def test_one_line_a_round_where_there_is_no_terminal() -> None:
    views: list[Plain] = [{"round": n, "scores": [10 * n, 0]} for n in (1, 1, 2, 2, 2)]
    assert shown(None, {}, *views) == "round 1: seat 0 10, seat 1 0\nround 2: seat 0 20, seat 1 0\n"


def test_a_line_every_few_seconds_where_there_is_no_terminal() -> None:
    out, ticks = StringIO(), count()
    with ContestProgress(8, out, lambda: next(ticks) * EVERY / 4) as progress:
        for number in range(8):
            progress.step([("me", number % 2 == 0)])
    lines = out.getvalue().splitlines()
    assert lines == ["4 of 8 games: me 50.0%", "8 of 8 games: me 50.0%"]


def test_quick_contests_say_nothing_but_tell_other_things_at_once() -> None:
    out = StringIO()
    with ContestProgress(1, out, lambda: 0.0) as progress:
        progress.step([("me", True)])
        assert out.getvalue() == ""
        progress.write("foreign.py:5: [bold]wrong")
    assert out.getvalue() == "foreign.py:5: [bold]wrong\n"
