"""Games and bots that cannot be loaded: every verb works without them and names them where they are asked for."""

import json
from pathlib import Path

import pytest
from tests.bots.laws.variants import TakesFloats
from tests.support.plugins import BROKEN_BOTS, BROKEN_GAMES, BROKEN_LOOKS, LOOKS, TAKEN, install_broken
from tests.support.server import server_process
from tests.support.sockets import open_socket

from parlour_client.cli.main import main
from parlour_games import registry
from parlour_games.uno.plugin import Uno


@pytest.fixture(autouse=True)
def _broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site").mkdir()
    site = install_broken(tmp_path / "site")
    monkeypatch.syspath_prepend(site)
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.setattr(registry, "_installed", registry._installed.__wrapped__)


async def test_server_names_them_in_its_log_and_in_refusals(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        async with open_socket(server.url) as socket:
            welcome = await socket.hello("anna")
            assert {"uno", "minesweeper"} <= set(welcome["can"])
            assert not BROKEN_GAMES.keys() & set(welcome["can"])
            refused = await socket.ask("create", "error", game="unimportable")
            assert refused["code"] == "no_game"
            assert "installed" in refused["msg"]
            await socket.ask("create", "joined", game="uno")
        entries = [json.loads(line) for line in server.log().splitlines()]
    assert {entry["game"] for entry in entries if entry["level"] == "error"} == BROKEN_GAMES.keys() | TAKEN.keys()


def test_doctor_names_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json", "--port", "0"]) == 0
    checks = json.loads(capsys.readouterr().out)["checks"]
    found = [check["says"] for check in checks if check["check"] == "plug-ins"]
    expected = [f"game {name} " for name in [*BROKEN_GAMES, *TAKEN]] + [f"bot {name} " for name in BROKEN_BOTS]
    expected += [f"{kind} {game} " for kind in LOOKS.values() for game in BROKEN_LOOKS]
    assert len(found) == len(expected)
    assert all(any(name in says for says in found) for name in expected)


@pytest.mark.parametrize(
    "words", ["arena unimportable random", "play unimportable", "bot new mine --game unimportable"]
)
def test_a_command_for_one_says_why_it_cannot_be_loaded(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 2
    assert "not today" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["arena", "uno", "random", "painfirst", "--games", "2", "--jobs", "1"], 0),
        (["arena", "uno", "random", "broken", "--games", "2", "--jobs", "1"], 2),
        (["bot", "list"], 0),
        (["games", "--store", "sqlite:///none.db"], 2),
        (["protocol", "--schema"], 0),
    ],
    ids=["arena", "arena with a broken bot", "bot list", "games", "protocol"],
)
def test_other_verbs_work(words: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == code
    assert "Traceback" not in capsys.readouterr().err


def test_schema_leaves_out_a_game_that_has_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "_installed", lambda: ({"uno": Uno(), "goofspiel": TakesFloats()}, {}))
    assert main(["protocol", "--schema"]) == 0
    out, err = capsys.readouterr()
    assert "goofspiel" in err
    defined = json.loads(out)["$defs"]
    assert ("uno.action" in defined, "goofspiel.action" in defined) == (True, False)
