from io import StringIO

from tests.bots.messages import joined

from parlour_bots.tools.progress import MatchProgress
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
    assert shown(None, *views) == "round 1: seat 0 10, seat 1 0\nround 2: seat 0 20, seat 1 0\n"


def test_nothing_before_the_game_begins() -> None:
    assert shown(None, {}) == ""
