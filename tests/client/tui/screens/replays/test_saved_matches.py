"""Keeping the record of a match from its end on the screen: S, and it is among the replays."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from tests.client.messages import PLAYING, joined, over, welcome
from tests.client.tui.scripted_app import Seen, at_table
from tests.client.tui.snapshots import shows

from parlour_client.play import download
from parlour_client.tui.screens.saved_matches import summary
from parlour_protocol.messages import Error, File, FileLines

BEGUN = '{"game":"uno","options":{},"players":[{"name":"maria"},{"name":"otto"}],"r":"begun"}'
OVER = '{"r":"over","ranks":[2,1],"why":"target"}'


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(download, "folder", lambda: tmp_path / "games")
    return tmp_path / "games"


def kept(folder: Path) -> Path:
    """Return the only file."""
    [file] = folder.iterdir()
    return file


def ended() -> AbstractAsyncContextManager[Seen]:
    return at_table(welcome(), joined(**PLAYING), over(1), size=(110, 32))


async def test_the_record_is_kept_page_by_page_and_not_overwritten(folder: Path) -> None:
    async with ended() as seen:
        await seen.press("S", "S")
        [first] = seen.far.heard(File)
        await seen.hear(FileLines("d16e57", [BEGUN], after=1, re=first.id))
        *_, second = seen.far.heard(File)
        assert (second.digest, second.after) == ("d16e57", 1)
        await seen.hear(FileLines("d16e57", [OVER], re=second.id))
        assert shows(seen.app, "Saved as ")
        await seen.press("S")
        await seen.hear(FileLines("d16e57", [BEGUN], re=seen.far.heard(File)[-1].id))
        assert shows(seen.app, "Not saved:")
    assert kept(folder).read_text() == f"{BEGUN}\n{OVER}\n"
    assert summary(kept(folder)) == "UNO: 1. otto, 2. maria"


async def test_a_refusal_is_told_and_it_may_be_tried_again_but_not_before_the_end() -> None:
    async with ended() as seen:
        await seen.press("S")
        await seen.hear(Error("no_file", "that record was deleted", re=seen.far.heard(File)[0].id))
        assert shows(seen.app, "The server does not have")
        await seen.press("S")
        assert len(seen.far.heard(File)) == 2
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        await seen.press("S")
        assert shows(seen.app, "A match can be saved when")
        assert seen.far.heard(File) == []


@pytest.mark.parametrize("text", ["", "nonsense", "[]", '{"players": 3}', f"{BEGUN}\n{{}}"])
def test_a_file_that_is_no_record_has_no_summary(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(text)
    assert summary(tmp_path / "x.jsonl") == ""
    assert summary(tmp_path / "none.jsonl") == ""
