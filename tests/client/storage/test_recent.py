from pathlib import Path

import pytest

from parlour_client.storage.credentials import held
from parlour_client.storage.history import (
    KEPT,
    HeldSeat,
    call,
    name,
    recent,
    remember,
    seat,
    sit,
    stand_up,
    usual_folder,
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    usual_folder().mkdir()
    return usual_folder()


def test_the_latest_come_first_and_none_twice() -> None:
    for n in (*range(KEPT + 3), KEPT):
        remember(f"ws://{n}")
    assert recent() == [f"ws://{n}" for n in (KEPT, KEPT + 2, KEPT + 1, *range(KEPT - 1, 2, -1))]


def test_what_cannot_be_read_or_written_is_nothing_to_complain_about(folder: Path) -> None:
    (folder / "servers.txt").mkdir()
    assert recent() == []
    remember("ws://a")
    assert recent() == []


def test_a_name_is_kept_if_it_can_be_one(folder: Path) -> None:
    assert name() == ""
    call("maria")
    call("no name")
    assert name() == "maria"
    (folder / "name.txt").write_text("x" * 21)
    assert name() == ""
    (folder / "name.txt").write_bytes(b"\xff")
    assert name() == ""


SEAT = HeldSeat("ws://a", "K7QD", "maria", hosted=True)


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


def test_a_seat_that_cannot_be_kept_is_not(folder: Path) -> None:
    (folder / "seat.json").mkdir()
    sit(SEAT)
    assert seat() is None
    stand_up()
