from io import StringIO
from itertools import count

from parlour_bots.tools.progress import EVERY, ContestProgress


def test_a_line_every_few_seconds_where_there_is_no_terminal() -> None:
    out, ticks = StringIO(), count()
    with ContestProgress(8, out, lambda: next(ticks) * EVERY / 4) as progress:
        for number in range(8):
            progress.step([("me", number % 2 == 0)])
    lines = out.getvalue().splitlines()
    assert lines == ["4 of 8 games: me 50.0%", "8 of 8 games: me 50.0%"]


def test_quick_contests_say_nothing() -> None:
    out = StringIO()
    with ContestProgress(1, out, lambda: 0.0) as progress:
        progress.step([("me", True)])
    assert out.getvalue() == ""


def test_other_things_are_told_at_once() -> None:
    out = StringIO()
    with ContestProgress(1, out, lambda: 0.0) as progress:
        progress.write("foreign.py:5: [bold]wrong")
    assert out.getvalue() == "foreign.py:5: [bold]wrong\n"
