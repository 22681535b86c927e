import sys

import pytest
from tests.bots.arena.layouts import board
from tests.bots.rooms import fail

from parlour_bots.arena.minesweeper import game
from parlour_bots.arena.minesweeper.game import ArenaBoard, BoardMatch, play
from parlour_bots.arena.minesweeper.summary import BoardResult
from parlour_bots.errors import Mistake
from parlour_bots.minesweeper import article
from parlour_bots.sdk import Action, Choice, Turn, bot_spec
from parlour_client.core.errors import BotFault

SMALL = board("..", ".*")
"""The first click shows a 1 and leaves three cells, one of them a mine."""


def answering(*answers: Choice, on: ArenaBoard = SMALL) -> BoardResult:
    """Play with a bot that gives these answers in turn."""
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
