"""``parlour load`` as it is typed."""

import json

import pytest

from parlour_client.cli import main

SHORT = ("--rooms", "2", "--seats", "2", "--seconds", "0.2")


def test_load_of_a_server_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["load", *SHORT, "--json"]) == 0
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert data["moves"] > 0
    assert data["errors"] == {}
    assert err.splitlines() == ["warming up: 1 s", "2 tables: 0.2 s"]


def test_load_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["load", *SHORT, "--game", "minesweeper", "--encoding", "json"]) == 0
    assert "moves in 0.2" in capsys.readouterr().out


def test_other_machines_are_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["load", "--server", "parlour.example.org"]) == 2
    assert "--remote" in capsys.readouterr().err


def test_nobody_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["load", *SHORT, "--server", "localhost:1"]) == 3
    assert "no server answers" in capsys.readouterr().err
