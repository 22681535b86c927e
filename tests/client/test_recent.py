from pathlib import Path

from parlour_client.recent import KEPT, recent, remember


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
