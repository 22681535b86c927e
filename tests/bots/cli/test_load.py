"""``parlour server load`` as it is typed."""

import json
from pathlib import Path

import pytest
from tests.support.commands import run
from tests.support.server import server_process

SHORT = ("--rooms", "2", "--seats", "2", "--seconds", "0.2")


@pytest.mark.long
def test_load_of_a_server_of_its_own() -> None:
    done = run("load", *SHORT, "--json")
    data = json.loads(done.stdout)
    assert data["moves"] > 0
    assert data["errors"] == {}
    assert done.stderr.splitlines() == ["warming up: 1 s", "2 rooms: 0.2 s"]


@pytest.mark.long
def test_load_of_several_servers(tmp_path: Path) -> None:
    (tmp_path / "two").mkdir()
    with server_process(tmp_path) as one, server_process(tmp_path / "two") as two:
        data = json.loads(run("load", *SHORT, "--server", one.url, "--server", two.url, "--json").stdout)
    assert [(each["url"], each["rooms"]) for each in data["servers"]] == [(one.url, 1), (two.url, 1)]
    assert data["moves"] == sum(each["moves"] for each in data["servers"])
    assert all(each["cpu"] > 0 for each in data["servers"])


def test_load_in_words() -> None:
    assert "s in 2 rooms of 2: " in run("load", *SHORT, "--game", "minesweeper", "--encoding", "json").stdout


@pytest.mark.parametrize(
    ("servers", "code", "told"),
    [(["localhost", "parlour.example.org"], 2, "--remote"), (["localhost:1"], 3, "no server answers")],
)
def test_other_machines_and_servers_that_are_not_there_get_no_load(servers: list[str], code: int, told: str) -> None:
    done = run("load", *SHORT, *(word for server in servers for word in ("--server", server)))
    assert (done.returncode, told in done.stderr) == (code, True)
