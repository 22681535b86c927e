from pathlib import Path

import pytest

from parlour_client.storage.credentials import held
from parlour_client.storage.history import KEPT, HeldSeat, call, name, recent, remember, seat, sit, stand_up


def test_the_latest_comes_first_and_none_twice(tmp_path: Path) -> None:
    for url in ("ws://a", "ws://b", "ws://a"):
        remember(url, tmp_path / "new")
    assert recent(tmp_path / "new") == ["ws://a", "ws://b"]


def test_only_a_few_are_kept(tmp_path: Path) -> None:
    for n in range(KEPT + 3):
        remember(f"ws://{n}", tmp_path)
    assert recent(tmp_path) == [f"ws://{n}" for n in range(KEPT + 2, 2, -1)]


def test_what_cannot_be_read_or_written_is_nothing_to_complain_about(tmp_path: Path) -> None:
    (tmp_path / "servers.txt").mkdir()
    assert recent(tmp_path) == []
    remember("ws://a", tmp_path)
    assert recent(tmp_path) == []


def test_a_name_is_kept_if_it_can_be_one(tmp_path: Path) -> None:
    assert name(tmp_path) == ""
    call("maria", tmp_path)
    call("no name", tmp_path)
    assert name(tmp_path) == "maria"
    (tmp_path / "name.txt").write_text("x" * 21)
    assert name(tmp_path) == ""
    (tmp_path / "name.txt").write_bytes(b"\xff")
    assert name(tmp_path) == ""


SEAT = HeldSeat("ws://a", "K7QD", "maria", hosted=True)


def test_a_seat_is_kept_until_it_is_given_up(tmp_path: Path) -> None:
    assert seat(tmp_path) is None
    sit(SEAT, tmp_path / "new")
    sit(SEAT, tmp_path / "new")
    assert seat(tmp_path / "new") == SEAT
    stand_up(tmp_path / "new")
    assert seat(tmp_path / "new") is None
    stand_up(tmp_path / "new")


def test_a_seat_in_another_terminal_of_ours_is_not_offered(tmp_path: Path) -> None:
    sit(SEAT, tmp_path)
    with held(SEAT.url, SEAT.name):
        assert seat(tmp_path) is None
    assert seat(tmp_path) == SEAT


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"url": 1, "room": "K7QD", "name": "maria"}', '{"what": 1}'])
def test_what_is_no_seat_is_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "seat.json").write_text(text)
    assert seat(tmp_path) is None


def test_a_seat_that_cannot_be_kept_is_not(tmp_path: Path) -> None:
    (tmp_path / "seat.json").mkdir()
    sit(SEAT, tmp_path)
    assert seat(tmp_path) is None
    stand_up(tmp_path)
