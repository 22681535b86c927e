import json
from pathlib import Path

import pytest

from parlour_bots.hosting.demo import RACERS
from parlour_client.cli.main import main


def test_demo_plays_a_whole_match_and_keeps_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--json", "--folder", str(tmp_path / "games")]) == 0
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert list(told) == ["game", "rounds", "moves", "winner", "scores", "seconds", "file", "race"]
    assert told["game"] == "uno"
    assert set(told["scores"]) == {"ada", "bruno", "dice", "rolf"}
    assert told["scores"][told["winner"]] == max(told["scores"].values()) >= 500
    assert told["moves"] > 10 * told["rounds"] > 0
    assert err.count("round ") == told["rounds"]
    assert set(told["race"]["scores"]) == set(RACERS)
    assert told["race"]["winner"] in RACERS
    lines = Path(told["file"]).read_text().splitlines()
    assert len(lines) > told["moves"]
    assert all(isinstance(json.loads(line), dict) for line in lines)


@pytest.mark.long
def test_demo_in_words_and_a_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("parlour_bots.hosting.demo.TARGET", 50)
    for count in (1, 2):
        assert main(["demo", "--folder", str(tmp_path)]) == 0
        out = capsys.readouterr().out.splitlines()
        assert out[0].startswith("1. ")
        assert out[6].startswith("match file: ")
        assert Path(out[6].removeprefix("match file: ")).exists()
        assert out[7].startswith("and a race at Minesweeper, intermediate, in ")
        assert len(out[8:]) == 3
        assert out[8].startswith("1. ")
        assert all(line.endswith(" of 216 cells") for line in out[8:])
        assert len(list(tmp_path.iterdir())) == count
