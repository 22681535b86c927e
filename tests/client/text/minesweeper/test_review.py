from typing import Any

import pytest
from tests.client.messages import over
from tests.client.minesweeper_rooms import player, room, view

from parlour_client.core.errors import WrongProtocol
from parlour_client.text.minesweeper.board import board_of
from parlour_client.text.minesweeper.review import legend, review
from parlour_protocol.messages import Plain

ROW: Plain = {
    "ms": 61_249, "clicks": 41, "opened": 71, "bbbv": 34, "rate": 555, "efficiency": 82, "flagged": 40, "open": 100,
    "forced": 30, "unjudged": 0, "guesses": [[3, 4, 5000], [0, 0, 8_939]],
}  # fmt: skip


def told(stats: Any, seat: int | None = 0) -> list[str]:
    result: Any = {"ranks": {"0": 1}, "scores": {"0": 71}, "why": "won", **({} if stats is None else {"stats": stats})}
    return review(room(view(player(), player()), seat), over(1, result=result))


def test_the_statistics_of_a_seat() -> None:
    assert told({"bbbv": 34, "seats": [ROW]}) == [
        "The board has a 3BV of 34, the least number of openings that clears it.",
        "you: 61.2 s, 3BV 34 (0.56/s), 41 clicks, throughput 82 %, 40 % of the mines flagged, "
        "100 % of the safe cells open.",
        "you: openings: 30 certain, 2 guesses (d5 at 50 %, a1 at 89.39 %).",
    ]


def test_the_others_are_called_by_name() -> None:
    row = {**ROW, "clicks": 1, "guesses": [[0, 0, 1]], "unjudged": 3}
    lines = told({"bbbv": 34, "seats": [row, {**ROW, "guesses": []}]}, None)
    assert lines[1].startswith("maria: 61.2 s, 3BV 34 (0.56/s), 1 click,")
    assert lines[2] == "maria: openings: 30 certain, 1 guess (a1 at 0.01 %), 3 not judged."
    assert lines[4] == "otto: openings: 30 certain, no guess."


def test_many_guesses_are_not_all_named() -> None:
    [line] = told({"bbbv": 1, "seats": [{**ROW, "guesses": [[0, 0, 5000]] * 20}]})[2:]
    assert line.count("a1 at 50 %") == 12
    assert line.endswith(", 8 more).")


@pytest.mark.parametrize("stats", [None, {"seats": [{"found": 3, "opened": 4}]}])
def test_without_statistics_nothing_is_told(stats: Any) -> None:
    assert told(stats) == []


@pytest.mark.parametrize(
    "stats",
    [
        {"bbbv": "34", "seats": []},
        {"bbbv": 34},
        {"bbbv": 34, "seats": [{**ROW, "ms": None}]},
        {"bbbv": 34, "seats": [{**ROW, "guesses": [[1, 2]]}]},
        {"bbbv": 34, "seats": [{**ROW, "guesses": [[1, 200, 3]]}]},
    ],
)
def test_statistics_that_are_none_are_the_servers_fault(stats: Any) -> None:
    with pytest.raises(WrongProtocol):
        told(stats)


def test_the_legend_names_what_is_there() -> None:
    finished = board_of(room(view(phase="over", rows=["F1"])))
    assert finished
    assert legend(finished) == ["On the board: F mine."]
    untouched, running = board_of(room(view(phase="over", rows=["11"]))), board_of(room(view(rows=["F1"])))
    assert untouched
    assert running
    assert legend(untouched) == legend(running) == []
