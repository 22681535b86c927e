from pathlib import Path

import pytest

from parlour_client.storage import history
from parlour_client.storage.credentials import held
from parlour_client.storage.history import HeldSeat, count_match, name, recent, remember, seat, sit, stand_up, tallies
from parlour_games.statistics import KEPT, Finish


@pytest.fixture(autouse=True)
def folder(home: Path) -> Path:
    history.usual_folder().mkdir(parents=True)
    return history.usual_folder()


SEAT = HeldSeat("ws://a", "K7QD", "maria", hosted=True)


def test_the_latest_come_first_and_none_twice() -> None:
    most = history.KEPT
    for n in (*range(most + 3), most):
        remember(f"ws://{n}")
    assert recent() == [f"ws://{n}" for n in (most, most + 2, most + 1, *range(most - 1, 2, -1))]


def test_what_cannot_be_read_or_written_is_nothing_to_complain_about(folder: Path) -> None:
    (folder / "servers.txt").mkdir()
    assert recent() == []
    remember("ws://a")
    assert recent() == []
    (folder / "seat.json").mkdir()
    sit(SEAT)
    assert seat() is None
    stand_up()


def test_a_name_is_kept_if_it_can_be_one(folder: Path) -> None:
    assert name() == ""
    history.call("maria")
    history.call("no name")
    assert name() == "maria"
    (folder / "name.txt").write_text("x" * 21)
    assert name() == ""
    (folder / "name.txt").write_bytes(b"\xff")
    assert name() == ""


def test_a_seat_is_kept_until_it_is_given_up() -> None:
    assert seat() is None
    sit(SEAT)
    sit(SEAT)
    assert seat() == SEAT
    stand_up()
    assert seat() is None
    stand_up()


def test_a_seat_in_another_terminal_of_ours_is_not_offered() -> None:
    sit(SEAT)
    with held(SEAT.url, SEAT.name):
        assert seat() is None
    assert seat() == SEAT


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"url": 1, "room": "K7QD", "name": "maria"}', '{"what": 1}'])
def test_what_is_no_seat_is_none(text: str, folder: Path) -> None:
    (folder / "seat.json").write_text(text)
    assert seat() is None


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
    listed = [(41_000, True, 47_000), (50_000, False, None), (None, False, None), (47_000, True, None)]
    assert [(each.ms, each.record, each.before) for each in board.last] == listed
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


def test_a_broken_file_counts_from_the_beginning(folder: Path) -> None:
    (folder / "tallies.json").write_text("{")
    assert tallies() == {}
    assert count_match("uno", Finish(0, 1, 2, 9)).matches == 1
