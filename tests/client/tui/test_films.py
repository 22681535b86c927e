"""Films of matches: as SVG, as a recording of a terminal, and as a picture of one position."""

import io
import json
import re
import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pyte
import pytest
from tests.client.tui.match_files import RIGHT, lines, read, written

from parlour_client import replays
from parlour_client.cli import matches
from parlour_client.cli.main import main
from parlour_client.core.errors import Usage
from parlour_client.replays import ShownVerdict, Timeline
from parlour_client.tui.filming import film_of
from parlour_client.tui.theme import look_for

LOOK = look_for({})


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read and verify without processes."""

    async def check(_: Path) -> ShownVerdict:
        return RIGHT

    for module in (replays, matches):
        monkeypatch.setattr(module, "read", read)
    monkeypatch.setattr(replays, "verdict", check)


@pytest.fixture
def mines(tmp_path: Path) -> Path:
    return written(tmp_path, "minesweeper", 5)


def test_a_film_shows_every_act_to_the_end(mines: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, recording = mines.with_name("match.svg"), mines.with_name("match.cast")
    assert main(["replay", str(mines), "--as", "0", "--svg", str(out), "--cast", str(recording)]) == 0
    film, timeline = out.read_text(encoding="utf-8"), Timeline(read(mines, 0))
    words = {text.text for text in ElementTree.fromstring(film).iter("{http://www.w3.org/2000/svg}text")}
    assert {"verified", timeline.positions[0].room.name(0)} <= words
    head, *events = map(json.loads, recording.read_text(encoding="utf-8").splitlines())
    assert (head["version"], head["width"], head["height"]) == (2, 80, 24)
    assert timeline.last / 2 < len(events) <= timeline.last + 2, "one for each act that changes the screen, and the end"
    assert len(re.findall(r"%\{transform", film)) == len(events) - 1
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)
    for _, kind, text in events:
        assert kind == "o"
        stream.feed(text)
    assert any("verified" in line for line in screen.display)
    assert all(before[0] <= after[0] <= before[0] + 4 for before, after in pairwise(events))
    printed = capsys.readouterr()
    assert str(out) in printed.out
    assert str(recording) in printed.out
    assert printed.err == "", "there is a bar on terminals only"


async def test_the_progress_of_a_film_counts_its_acts(mines: Path) -> None:
    told: list[tuple[int, int]] = []
    await film_of(mines, (80, 24), LOOK, report=lambda done, of: told.append((done, of)))
    total = Timeline(read(mines)).last + 1
    assert told == [(done, total) for done in range(1, total + 1)]


@pytest.mark.long
async def test_a_round_is_filmed_alone(tmp_path: Path) -> None:
    uno = written(tmp_path, "uno", 2)
    timeline = Timeline(read(uno))
    told: list[tuple[int, int]] = []
    await film_of(uno, (80, 24), LOOK, round_=2, report=lambda done, of: told.append((done, of)))
    [_, begin] = timeline.rounds
    assert told[-1] == (timeline.last + 1 - begin,) * 2
    with pytest.raises(Usage, match="has 2 rounds"):
        await film_of(uno, (80, 24), LOOK, round_=99)


def test_a_spectator_sees_no_hand_and_a_player_their_own(tmp_path: Path) -> None:
    uno = written(tmp_path, "uno", 1)
    out = tmp_path / "at.svg"
    pictures = []
    for whose in ([], ["--as", "0"]):
        assert main(["replay", str(uno), *whose, "--at", "2", "--svg", str(out)]) == 0
        pictures.append(out.read_text(encoding="utf-8"))
    assert "@keyframes" not in "".join(pictures), "a picture does not move"
    hand = (Timeline(read(uno, 0)).positions[2].room.view or {})["hand"]
    assert hand
    assert pictures[0].count("<rect") < pictures[1].count("<rect")


def test_a_match_from_standard_input(mines: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = "".join(f"{line}\n" for line in lines("minesweeper", 5)).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(match)))
    out = mines.with_name("stdin.svg")
    assert main(["replay", "-", "--at", "0", "--svg", str(out), "--size", "60x20", "--look", "mono,ascii"]) == 0
    assert "#e3b23c" not in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--size", "80"], "60x20"),
        (["--size", "20x5"], "60x20"),
        (["--size", "999x999"], "300x100"),
        (["--at", "3", "--cast", "x.cast"], "--at"),
        (["--at", "3", "--round", "1"], "--at"),
        (["--at", "30000"], "30000"),
        (["--as", "nobody"], "nobody"),
        (["--look", "pink"], "pink"),
        (["--cast", "/none/x.cast"], "/none"),
    ],
)
def test_what_cannot_be_filmed(
    mines: Path, wrong: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path, viewer: int | str | None = None) -> replays.Replay:
        if viewer == "nobody":
            raise Usage("no player has the name 'nobody'")
        return read(path, viewer)

    monkeypatch.setattr(replays, "read", refused)
    out = mines.with_name("none.svg")
    assert main(["replay", str(mines), "--svg", str(out), *wrong]) == 2
    assert said in capsys.readouterr().err
    assert not out.exists()
