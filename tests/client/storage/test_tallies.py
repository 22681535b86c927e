"""The tallies of one's own table: what they count, and what a broken file does."""

from pathlib import Path

import pytest

from parlour_client.storage.history import count_match, tallies, usual_folder
from parlour_games.statistics import KEPT, Finish


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def mines(ms: int | None, rank: int = 1) -> Finish:
    return Finish(0, rank, 1, 71, "beginner" if ms else None, ms)


def test_matches_are_counted_by_game_and_kept() -> None:
    for finish in (mines(47_000), mines(None, 2), mines(50_000), mines(41_000)):
        count_match("minesweeper", finish)
    count_match("uno", Finish(0, 2, 4, 10))
    found = tallies()
    board = found["minesweeper"]
    assert (board.matches, board.wins, board.streak, board.longest) == (4, 3, 2, 2)
    assert board.times == {"beginner": 41_000}
    assert [(each.ms, each.record, each.before) for each in board.last] == [
        (41_000, True, 47_000),
        (50_000, False, None),
        (None, False, None),
        (47_000, True, None),
    ]
    assert found["uno"].matches == 1
    assert board.last[0].at > 0


def test_a_match_with_odds_is_no_record_and_one_for_practice_counts_for_nothing() -> None:
    helped, lost, practice = mines(20_000), mines(None, 2), mines(10_000)
    helped.unrated, lost.unrated, practice.unrated = "odds", "odds", "chosen"
    for finish in (mines(47_000), helped, practice):
        board = count_match("minesweeper", finish)
    assert (board.matches, board.wins, board.streak, board.longest) == (2, 2, 1, 1)
    assert board.times == {"beginner": 47_000}
    listed = [(each.ms, each.record, each.unrated) for each in tallies()["minesweeper"].last]
    assert listed == [(10_000, False, "chosen"), (20_000, False, "odds"), (47_000, True, None)]
    assert count_match("minesweeper", lost).streak == 0


def test_only_the_latest_matches_are_listed() -> None:
    for ms in range(1, KEPT + 3):
        tally = count_match("minesweeper", mines(ms))
    assert [each.ms for each in tally.last] == list(range(KEPT + 2, 2, -1))


def test_a_broken_file_counts_from_the_beginning() -> None:
    usual_folder().mkdir()
    (usual_folder() / "tallies.json").write_text("{")
    assert tallies() == {}
    assert count_match("uno", Finish(0, 1, 2, 9)).matches == 1
