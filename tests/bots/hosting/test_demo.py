import json
from pathlib import Path

import pytest
from tests.support.commands import run

from parlour_bots.hosting.demo import RACERS


def test_demo_plays_a_whole_match_and_keeps_its_file(tmp_path: Path) -> None:
    done = run("demo", "--json", "--folder", str(tmp_path / "games"))
    told = json.loads(done.stdout)
    assert (told["game"], set(told["scores"])) == ("uno", {"ada", "bruno", "dice", "rolf"})
    assert told["scores"][told["winner"]] == max(told["scores"].values()) >= 500
    assert told["moves"] > 10 * told["rounds"] > 0
    assert done.stderr.count("round ") == told["rounds"]
    assert set(told["race"]["scores"]) == set(RACERS) > {told["race"]["winner"]}
    assert len(Path(told["file"]).read_text().splitlines()) > told["moves"]


@pytest.mark.long
def test_demo_in_words_and_a_second_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_bots.hosting.demo.TARGET", 50)
    for count in (1, 2):
        out = run("demo", "--folder", str(tmp_path)).stdout.splitlines()
        assert (out[0][:3], out[8][:3]) == ("1. ", "1. ")
        assert Path(out[6].removeprefix("match file: ")).exists()
        assert out[7].startswith("and a race at Minesweeper, intermediate, in ")
        assert [line.endswith(" of 216 cells") for line in out[8:]] == [True] * 3
        assert len(list(tmp_path.iterdir())) == count
