import json
from pathlib import Path

import pytest
from tests.bots.minesweeper.positions import turn

from parlour_bots.cli.bot import review as command
from parlour_bots.judgement import Judgement
from parlour_bots.minesweeper.review import MinesweeperReviewer
from parlour_bots.sdk import Action
from parlour_client.core.errors import Usage

MATCHES = Path(__file__).parents[2] / "server" / "golden" / "matches"
SURE = ("...", "121")
"""The corners are mined, the cell between them is safe."""


def opening(x: int, y: int) -> Action:
    return {"do": "open", "cells": [[x, y]]}


def judged(*rows: str, mines: int, action: Action, worlds: int = 40) -> Judgement:
    asked = turn(*rows, mines=mines)
    reviewer = MinesweeperReviewer({asked.rid: (9, action)}, worlds)
    reviewer.play(asked)
    [found] = reviewer.judgements
    return found


@pytest.mark.parametrize(
    ("rows", "action", "cost"),
    [
        (SURE, opening(0, 0), 1.0),
        (SURE, {"do": "seq", "moves": [["open", 1, 0], ["open", 2, 0]]}, 1.0),
        (("F..", "121"), {"do": "seq", "moves": [["unflag", 0, 0], ["open", 0, 0]]}, 1.0),
        (("FF.", "121"), {"do": "chord", "cells": [[1, 1]]}, 1.0),
        (SURE, opening(1, 0), 0.0),
        (SURE, {"do": "seq", "moves": [["flag", 0, 0], ["open", 1, 0]]}, 0.0),
        (("F.F", "121"), {"do": "chord", "cells": [[1, 1]]}, 0.0),
        (("F..", "121"), opening(0, 0), 0.0),
    ],
)
def test_only_to_open_a_certain_mine_costs_the_board(rows: tuple[str, ...], action: Action, cost: float) -> None:
    found = judged(*rows, mines=2, action=action)
    assert (found.n, found.cost, found.error, found.mistake, found.chance) == (9, cost, 0.0, cost > 0, cost or None)
    assert cost == 0 or found.best == opening(1, 0) or found.best["do"] == "seq"


def test_an_equal_guess_is_no_mistake_and_a_worse_one_is() -> None:
    equal = [judged("..", "11", mines=1, action=opening(x, 0)) for x in range(2)]
    assert sorted(each.chance is None for each in equal) == [False, True], "one of them is what exact opens"
    assert not any(each.mistake for each in equal)
    worse = judged("....", "1...", mines=3, action=opening(3, 0), worlds=300)
    assert worse.mistake
    assert worse.best["cells"] != [[3, 0]]


def test_the_first_click_is_not_judged() -> None:
    found = judged("....", "....", mines=1, action=opening(3, 1))
    assert (found.cost, found.chance) == (0.0, None)


def test_a_match_file_is_reviewed_for_each_person(capsys: pytest.CaptureFixture[str]) -> None:
    file = MATCHES / "minesweeper-1-race.jsonl"
    assert command(file, worlds=10, json=True) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["game"], found["judge"], found["worlds"]) == ("minesweeper", "exact", 10)
    records = [json.loads(line) for line in file.read_text().splitlines()]
    for player in found["players"]:
        own = [each for each in records if each["r"] == "act" and each["seat"] == player["seat"]]
        assert 0 < len(player["decisions"]) <= len(own)
        assert player["rounds"] == []
    assert command(file, viewer="0", worlds=10) == 0
    assert capsys.readouterr().out.startswith(found["players"][0]["name"])


@pytest.mark.parametrize("name", ["minesweeper-1-coop", "minesweeper-1-duel", "minesweeper-3-kind"])
def test_boards_that_a_mine_does_not_end_are_refused(name: str) -> None:
    with pytest.raises(Usage):
        command(MATCHES / f"{name}.jsonl")
