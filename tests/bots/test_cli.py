import json

import pytest

from parlour_bots.cli import bot
from parlour_client.cli import main


def test_list_tells_the_installed_bots(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split() == ["uno.painfirst", "parlour_bots.uno.painfirst:play"] for line in lines)


def test_list_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["bots"]
    assert {"name": "uno.random", "game": "uno", "from": "parlour_bots.uno.random:play"} in rows


def test_run_takes_a_bot_and_the_options_of_a_bot_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "run", "painfirst", "--arena", "2", "--seed", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2


def test_unknown_bot_exits_2_and_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "run", "painfrist"]) == 2
    assert "Did you mean painfirst?" in capsys.readouterr().err


def test_help_ends_with_examples(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("run", "list"):
        bot([verb, "--help"], result_action="return_value")
        last = capsys.readouterr().out.rstrip().splitlines()[-1]
        assert f"parlour bot {verb}" in last
