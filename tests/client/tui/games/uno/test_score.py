"""The points after a round."""

from typing import Any

from tests.client.messages import VIEW, joined, table
from tests.client.tui.games.uno.tables import TRUECOLOUR

from parlour_client.core.room import JoinedRoom
from parlour_client.tui.games.uno import words
from parlour_protocol.messages import Plain

ENDED: Plain = {"e": "round", "winner": 1, "points": [20, 0, 5], "scores": [20, 60, 40]}


def told(ended: Plain | None, view: Plain | None = None, **options: Any) -> list[list[str]]:
    here = JoinedRoom.of(
        joined(0, seat=0, view={**VIEW, "scores": [20, 60, 40]}, table=table("pause", options=options))
    )
    here.view = view if view is not None else here.view
    return [line.plain.split() for line in words.score_table(TRUECOLOUR, here, ended)]


def test_the_most_points_come_first_with_what_was_left_in_hand() -> None:
    assert told(ENDED) == [
        ["points", "in", "hand"],
        ["otto", "60", "–", "wins"],
        ["pia", "40", "5"],
        ["you", "20", "20"],
    ]


def test_where_points_are_bad_the_fewest_come_first() -> None:
    assert [line[0] for line in told(ENDED, scoring="lowest")[1:]] == ["you", "pia", "otto"]


def test_who_came_in_after_the_round_sees_the_points() -> None:
    assert told(None) == [["points"], ["otto", "60"], ["pia", "40"], ["you", "20"]]


def test_before_a_match_there_is_nothing_to_tell() -> None:
    here = JoinedRoom.of(joined(0, seat=0, view=None, table=table("waiting")))
    assert words.score_table(TRUECOLOUR, here, None) == []
