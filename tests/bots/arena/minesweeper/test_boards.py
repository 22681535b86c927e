import json
from pathlib import Path
from typing import Any

import pytest

from parlour_bots.arena.minesweeper.game import ArenaBoard, fresh, read
from parlour_client.core.errors import Usage
from parlour_games.minesweeper.board import around
from parlour_games.minesweeper.options import Options

LINE: dict[str, Any] = {"id": "a1", "width": 3, "height": 2, "mine_count": 1, "first": [0, 0], "mines": [[2, 1]]}


def written(folder: Path, *lines: str) -> Path:
    path = folder / "boards.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_line_is_a_board(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps({**LINE, "level": "tiny", "java_won": True}), "", json.dumps({**LINE, "id": 7}))
    assert read(path) == [ArenaBoard("a1", 3, 2, 0, (5,)), ArenaBoard(7, 3, 2, 0, (5,))]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"id": None}, "id must be a string"),
        ({"width": "3"}, "width must be a whole number, not '3'"),
        ({"height": True}, "height must be a whole number, not True"),
        ({"width": 1}, "width and height must be whole numbers from 2 to 100"),
        ({"width": 101}, "width must be"),
        ({"mine_count": 6}, "mines must be a whole number from 1 to 5 on 3×2 cells"),
        ({"mine_count": 2}, "mine_count is 2, but mines has 1"),
        ({"mine_count": 2, "mines": [[2, 1], [2, 1]]}, "mines has [2, 1] twice"),
        ({"mines": [[3, 1]]}, "mines: [3, 1] is off the board, x is 0 to 2, y is 0 to 1"),
        ({"mines": [[2, -1]]}, "mines: [2, -1] is off the board"),
        ({"mines": [[2]]}, "mines: a cell is [x, y], not [2]"),
        ({"mines": {"x": 2}}, "mines must be a list of cells"),
        ({"first": [0, 2]}, "first: [0, 2] is off the board"),
        ({"first": [0.0, 0]}, "first: a cell is [x, y]"),
        ({"first": [2, 1]}, "first [2, 1] is a mine"),
    ],
)
def test_a_bad_line_is_refused_with_its_number_and_what_is_wrong(
    change: dict[str, Any], told: str, tmp_path: Path
) -> None:
    path = written(tmp_path, json.dumps(LINE), json.dumps({**LINE, **change}))
    with pytest.raises(Usage) as refused:
        read(path)
    assert str(refused.value).startswith(f"{path}:2: ")
    assert told in str(refused.value)


@pytest.mark.parametrize("name", LINE)
def test_nothing_may_be_missing(name: str, tmp_path: Path) -> None:
    line = {key: value for key, value in LINE.items() if key != name}
    with pytest.raises(Usage, match=f":1: {name} is missing"):
        read(written(tmp_path, json.dumps(line)))


@pytest.mark.parametrize(
    ("lines", "told"),
    [(["{"], ":1: this is not JSON"), (["[]"], ":1: a board is a map"), (["", " "], "has no boards")],
)
def test_files_without_boards_are_refused(lines: list[str], told: str, tmp_path: Path) -> None:
    with pytest.raises(Usage, match=told):
        read(written(tmp_path, *lines))


def test_fresh_boards_follow_from_the_seed() -> None:
    one, same, other = (list(fresh(Options(level="beginner"), "corner", seed, 4)) for seed in (5, 5, 6))
    assert one == same
    assert not {each.mines for each in one} & {each.mines for each in other}


@pytest.mark.parametrize(("first", "reach"), [("any", 0), ("safe", 0), ("opening", 1), ("radius", 3)])
@pytest.mark.parametrize("start", ["corner", "centre", "random"])
def test_fresh_boards_keep_what_the_first_click_promises(first: str, reach: int, start: str) -> None:
    for board in fresh(Options(level="expert", first=first), start, 1, 8):
        assert (board.width, board.height, len(board.mines)) == (30, 16, 99)
        assert not set(board.mines) & set(around(30, 16, board.first, reach))


def test_where_fresh_boards_start() -> None:
    options = Options(level="custom", width=5, height=3, mines=2)
    assert {board.first for board in fresh(options, "corner", 1, 5)} == {0}
    assert {board.first for board in fresh(options, "centre", 1, 5)} == {7}
    assert len({board.first for board in fresh(options, "random", 1, 20)}) > 5


@pytest.mark.parametrize(
    ("first", "size", "cell"),
    [
        ("opening", (30, 16), (3, 3)),
        ("opening", (9, 9), (3, 3)),
        ("opening", (7, 5), (3, 2)),
        ("opening", (4, 30), (1, 3)),
        ("any", (30, 16), (0, 0)),
        ("safe", (30, 16), (0, 0)),
        ("radius", (30, 16), (0, 0)),
    ],
)
def test_where_fresh_boards_start_unless_told(first: str, size: tuple[int, int], cell: tuple[int, int]) -> None:
    options = Options(level="custom", width=size[0], height=size[1], mines=3, first=first)
    boards = list(fresh(options, None, 1, 4))
    assert {board.first for board in boards} == {cell[1] * size[0] + cell[0]}
    assert boards == list(fresh(options, f"{cell[0]},{cell[1]}", 1, 4))


@pytest.mark.parametrize("start", ["30,0", "0,16", "3;3", "middle", "-1,0"])
def test_a_first_cell_off_the_board_is_refused(start: str) -> None:
    with pytest.raises(Usage, match="corner, centre, random or X,Y with x 0 to 29 and y 0 to 15"):
        list(fresh(Options(level="expert"), start, 1, 1))
