"""``parlour server load`` as it is typed."""

import json
from pathlib import Path

import pytest
from tests.support.server import server_process

from parlour_client.cli.main import main

SHORT = ("--rooms", "2", "--seats", "2", "--seconds", "0.2")


@pytest.mark.long
def test_load_of_a_server_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["load", *SHORT, "--json"]) == 0
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert data["moves"] > 0
    assert data["errors"] == {}
    assert err.splitlines() == ["warming up: 1 s", "2 rooms: 0.2 s"]


@pytest.mark.long
def test_load_of_several_servers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "two").mkdir()
    with server_process(tmp_path) as one, server_process(tmp_path / "two") as two:
        assert main(["load", *SHORT, "--server", one.url, "--server", two.url, "--json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert [(each["url"], each["rooms"]) for each in data["servers"]] == [(one.url, 1), (two.url, 1)]
        assert data["moves"] == sum(each["moves"] for each in data["servers"])
        assert all(each["cpu"] > 0 for each in data["servers"])


def test_load_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["load", *SHORT, "--game", "minesweeper", "--encoding", "json"]) == 0
    assert "s in 2 rooms of 2: " in capsys.readouterr().out


def test_other_machines_are_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["load", "--server", "localhost", "--server", "parlour.example.org"]) == 2
    assert "--remote" in capsys.readouterr().err


def test_nobody_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["load", *SHORT, "--server", "localhost:1"]) == 3
    assert "no server answers" in capsys.readouterr().err
