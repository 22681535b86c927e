"""Match files that a client keeps, as ``save`` in the line mode does."""

from pathlib import Path

import pytest
from tests.client.line_mode.test_app import Person, seat, visit
from tests.client.messages import over, turn
from tests.client.scripted_server import ScriptedSocket, server
from tests.server.matches import play

from parlour_client.core.errors import Usage
from parlour_client.play import download
from parlour_client.play.download import Download
from parlour_protocol.messages import File, FileLines
from parlour_server.game_files.verify import verify

PLAYED = play("minesweeper", 2)
LINES = PLAYED.lines
HALF = len(LINES) // 2


def test_a_file_comes_by_pages(tmp_path: Path) -> None:
    download = Download(PLAYED.digest, tmp_path / "match.jsonl")
    assert download.ask() == File(PLAYED.digest, 0)
    download.take(FileLines(PLAYED.digest, LINES[:HALF], HALF))
    assert not download.done
    assert download.ask() == File(PLAYED.digest, HALF)
    download.take(FileLines(PLAYED.digest, LINES[HALF:]))
    assert download.done
    told = download.write()
    assert verify(download.path.read_text().splitlines(), PLAYED.digest).ok
    assert told[1].endswith(f"parlour verify {download.path} --digest {PLAYED.digest}")
    cut = Download(PLAYED.digest)
    cut.take(FileLines(PLAYED.digest, [], 5))
    assert cut.done, "the server sends nothing more"


def test_a_folder_is_made_only_for_files_without_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Usage, match="cannot be written"):
        Download(PLAYED.digest, tmp_path / "new" / "match.jsonl", [*LINES]).write()
    assert not (tmp_path / "new").exists()
    monkeypatch.setattr(download, "folder", lambda: tmp_path / "data" / "games")
    assert Download(PLAYED.digest, None, [*LINES]).write()
    assert [path.suffix for path in (tmp_path / "data" / "games").iterdir()] == [".jsonl"]


def test_what_is_there_already_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text("mine")
    with pytest.raises(Usage, match="already exists"):
        Download(PLAYED.digest, path, [*LINES]).write()
    assert path.read_text() == "mine"
    with pytest.raises(Usage, match="cannot be written"):
        Download(PLAYED.digest, path / "below", [*LINES]).write()


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('{"game":"uno"}', "uno"),
        ('{"game":"../../etc/x"}', "match"),
        ('{"game":7}', "match"),
        ("[]", "match"),
        ("nonsense", "match"),
    ],
)
def test_no_name_from_a_server_leads_out_of_the_folder(line: str, name: str) -> None:
    assert Download("ab" * 32, lines=[line]).path == download.folder() / f"{name}-{'ab' * 6}.jsonl"


async def test_the_line_mode_writes_the_file(tmp_path: Path) -> None:
    async def script(it: ScriptedSocket) -> None:
        await seat(it, turn(1, 7), over(2, digest=PLAYED.digest))
        for _ in range(2):
            ask = await it.expect(File)
            await it.say(FileLines(PLAYED.digest, LINES, re=ask.id))
        await it.hear()
        await it.socket.close()

    path = tmp_path / "my match.jsonl"
    person = Person(
        ("Digest of the match file", f"save {path}"), ("To verify it", f"save {path}"), ("Not saved: ", "leave")
    )
    async with server(script) as url:
        await visit(url, person)
    assert path.read_text().splitlines() == LINES
    assert f"Saved as {path}" in person.printed
    assert f"Not saved: {path} already exists; name another file." in person.printed
