"""Games and bots that cannot be loaded: every verb works without them and names them where they are asked for."""

import json
from pathlib import Path

import pytest
from tests.bots.laws.variants import TakesFloats
from tests.support.commands import printed, run
from tests.support.plugins import BROKEN_BOTS, BROKEN_GAMES, BROKEN_LOOKS, LOOKS, TAKEN, install_broken
from tests.support.server import server_process
from tests.support.sockets import open_socket

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


def test_doctor_names_them() -> None:
    checks = json.loads(run("doctor", "--json", "--port", "0").stdout)["checks"]
    found = [check["says"] for check in checks if check["check"] == "plug-ins"]
    expected = [f"game {name} " for name in [*BROKEN_GAMES, *TAKEN]] + [f"bot {name} " for name in BROKEN_BOTS]
    expected += [f"{kind} {game} " for kind in LOOKS.values() for game in BROKEN_LOOKS]
    assert len(found) == len(expected)
    assert all(any(name in says for says in found) for name in expected)


@pytest.mark.parametrize(
    "words", ["arena unimportable random", "play unimportable", "bot new mine --game unimportable"]
)
def test_a_command_for_one_says_why_it_cannot_be_loaded(words: str) -> None:
    assert "not today" in printed(*words.split(), code=2)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("arena uno random painfirst --games 2 --jobs 1", 0),
        ("arena uno random broken --games 2 --jobs 1", 2),
        ("bot list", 0),
        ("games --store sqlite:///none.db", 2),
        ("protocol --schema", 0),
    ],
)
def test_other_verbs_work(words: str, code: int) -> None:
    assert "Traceback" not in printed(*words.split(), code=code)


def test_schema_leaves_out_a_game_that_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_installed", lambda: ({"uno": Uno(), "goofspiel": TakesFloats()}, {}))
    done = run("protocol", "--schema")
    assert "goofspiel" in done.stderr
    defined = json.loads(done.stdout)["$defs"]
    assert ("uno.action" in defined, "goofspiel.action" in defined) == (True, False)
