import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.bots.arena.layouts import board
from tests.bots.rooms import fail

from parlour_bots.arena.minesweeper import game
from parlour_bots.arena.minesweeper.game import ArenaBoard, BoardMatch, fresh, play, read
from parlour_bots.arena.minesweeper.summary import BoardResult
from parlour_bots.errors import Mistake
from parlour_bots.minesweeper import article
from parlour_bots.sdk import Action, Choice, Turn, bot_spec
from parlour_client.core.errors import BotFault, Usage
from parlour_games.minesweeper.board import around
from parlour_games.minesweeper.options import Options

SMALL = board("..", ".*")
"""The first click shows a 1 and leaves three cells, one of them a mine."""


def answering(*answers: Choice, on: ArenaBoard = SMALL) -> BoardResult:
    given = iter(answers)
    return play(bot_spec(lambda turn: next(given), "given"), on, 1, fail)


def opening(*cells: list[int]) -> Action:
    return {"do": "open", "cells": list(cells)}


def test_a_board_that_the_first_cell_clears_asks_nobody() -> None:
    told = answering(on=board("...", "...", "..*"))
    assert (told.id, told.won, told.moves, told.guesses, told.ms, told.open, told.flagged) == ("b", True, 0, 0, 0, 1, 1)


def test_a_game_that_is_won_by_guesses() -> None:
    told = answering(opening([1, 0]), (opening([0, 1]), "a reason"))
    assert (told.won, told.moves, told.guesses) == (True, 2, 2)
    assert 0 < told.longest <= told.ms


def test_a_game_that_is_lost() -> None:
    told = answering({"do": "flag", "cells": [[1, 1]]}, opening([1, 0]), opening([0, 1]), on=board("..", "*."))
    assert (told.won, told.moves, told.stuck) == (False, 3, False)
    assert told.open == pytest.approx(2 / 3)
    assert told.flagged == 0


def test_correct_flags_are_counted() -> None:
    told = answering({"do": "flag", "cells": [[1, 0]]}, opening([0, 1]), on=board(".*.", "*.."))
    assert (told.won, told.flagged) == (False, 0.5)


def test_certain_openings_are_no_guesses_and_need_no_value() -> None:
    told = play(bot_spec(article.play, "article"), board("..*..", "..*.."), 1, fail, valued=True)
    assert (told.won, told.guesses, told.moves, told.value) == (True, 0, 2, 1.0)


@pytest.mark.parametrize("first", [[1, 0], [1, 1]])
def test_a_game_is_worth_what_perfect_play_wins_from_its_endgame(first: list[int]) -> None:
    # Each of three cells may be the mine, and every safe one shows 1: one layout of three is won.
    cells = iter([first, [0, 1]])
    ended = play(bot_spec(lambda turn: opening(next(cells)), "given"), SMALL, 1, fail, valued=True)
    assert ended.won == (first == [1, 0])
    assert ended.value == pytest.approx(1 / 3)
    assert ended.line()["value"] == ended.value


def test_resigning_loses() -> None:
    told = answering({"do": "resign"})
    assert (told.won, told.value) == (False, None)


def test_the_bot_is_shown_what_a_player_sees() -> None:
    turns: list[Turn] = []

    def watching(turn: Turn) -> Choice:
        turns.append(turn)
        return opening([1, 0] if len(turns) == 1 else [0, 1])

    play(bot_spec(watching, "watching"), SMALL, 1, fail)
    first, second = turns
    assert first.view["rows"] == ["1.", ".."]
    assert (first.view["phase"], first.view["mines"], first.game, first.legal) == ("playing", 1, "minesweeper", [])
    assert [event["e"] for event in first.events] == ["board", "open"]
    assert second.view["rows"] == ["11", ".."]
    assert second.events == [{"e": "open", "seat": 0, "n": 1, "at": [[1, 0]]}]


def test_chances_are_those_of_the_seed() -> None:
    drawn: list[float] = []

    def gambling(turn: Turn) -> Choice:
        drawn.append(turn.rng.random())
        return opening([1, 1])

    for seed in (1, 1, 2):
        play(bot_spec(gambling, "gambling"), SMALL, seed, fail)
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"do": "open", "cells": [[2, 0]]}, "illegal answer: {'do': 'open', 'cells': [[2, 0]]}: cell [2, 0] is off"),
        ({"do": "open", "cells": []}, "name at least one cell"),
        ({"do": "open", "cells": "all"}, "illegal answer"),
        ({"do": "win"}, "no such action; `do` is one of bomb, chord, flag, open"),
        ({"open": [0, 1]}, "no such action"),
        ("open", "illegal answer: an answer is an action or an index, not 'open'"),
    ],
)
def test_an_illegal_answer_is_told_with_the_authors_line_and_chance_plays(answer: Choice, told: str) -> None:
    mistakes: list[Mistake] = []
    bot = bot_spec(lambda turn: answer, "wrong")
    ended = play(bot, SMALL, 1, mistakes.append)
    assert ended.mistakes == len(mistakes) == ended.moves
    assert told in mistakes[0].what
    assert mistakes[0].place.where.startswith(f"{__file__}:")
    assert ended.stuck is False


def test_an_exception_is_told_with_the_authors_line_and_chance_plays() -> None:
    def clumsy(turn: Turn) -> Choice:
        return turn.view["nothing"]  # type: ignore[no-any-return]

    mistakes: list[Mistake] = []
    wins = {play(bot_spec(clumsy, "clumsy"), SMALL, seed, mistakes.append).won for seed in range(20)}
    assert wins == {True, False}
    assert mistakes[0].what == "KeyError: 'nothing'"
    assert mistakes[0].place.text.startswith('return turn.view["nothing"]')


def test_a_bot_that_brings_nothing_forward_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "PATIENCE", 6)
    verbs = iter(["flag", "unflag"] * 10)
    told = play(bot_spec(lambda turn: {"do": next(verbs), "cells": [[1, 1]]}, "idle"), SMALL, 1, fail)
    assert (told.stuck, told.won, told.moves, told.guesses) == (True, False, 10, 0)


def test_a_bot_that_ends_the_process_ends_the_contest() -> None:
    with pytest.raises(BotFault, match="quitter tried to end the process"):
        play(bot_spec(lambda turn: sys.exit(0), "quitter"), SMALL, 1, fail)


def test_a_bare_number_opens_that_cell() -> None:
    match = BoardMatch(SMALL)
    assert match.carry_out(1) is None
    assert match.ask().view["rows"] == ["11", ".."]
    refusal = match.carry_out(4)
    assert refusal is not None
    assert refusal.msg.startswith("there is no cell 4")


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
def test_a_bad_line_is_refused_with_its_number_and_fault(change: dict[str, Any], told: str, tmp_path: Path) -> None:
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
    for made in fresh(Options(level="expert", first=first), start, 1, 8):
        assert (made.width, made.height, len(made.mines)) == (30, 16, 99)
        assert not set(made.mines) & set(around(30, 16, made.first, reach))


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
