"""The verbs for contests and standings, against a real server with two bots on offer."""

import csv
import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.server import ServerProcess, environment, server_process

from parlour_client.cli import contest, main
from parlour_client.cli.admin import AdminParams
from parlour_client.core.errors import INTERRUPTED_BY_USER, Refused, Usage
from parlour_client.storage import credentials


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("server"), house_bots=True) as server:
        yield server


@pytest.fixture(scope="module")
def bots(server: ServerProcess) -> Iterator[None]:
    """Two bots on offer, as their authors run them."""
    command = (sys.executable, "-m", "parlour_client.cli.main", "bot", "run", "painfirst", "--offer", "2")
    where = ("--server", server.url)
    running = [
        subprocess.Popen((*command, *where, "--name", name), stdout=subprocess.DEVNULL, env=environment(server.folder))
        for name in ("robo", "tick")
    ]
    yield
    for bot in running:
        bot.send_signal(signal.SIGINT)
    assert [bot.wait(10) for bot in running] == [INTERRUPTED_BY_USER] * 2


def parlour(*words: str) -> int:
    return main.main(words)


def test_a_contest_from_beginning_to_end(
    server: ServerProcess, bots: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    token = tmp_path / "token"
    token.write_text(f"{server.admin}\n")
    options = ("--option", "scoring=single", "--option", "breath=0")
    where = ("--server", server.url)
    assert parlour("contest", "start", "cup", "--games", "3", *options, *where, "--token-file", str(token)) == 0
    assert "parlour standings --contest cup" in capsys.readouterr().out
    rows = played(server, capsys)
    assert sorted(row["name"] for row in rows) == ["robo", "tick"], "the bots of the house take no part"
    assert [row["games"] for row in rows] == [3, 3]
    assert rows[0]["wins"] + rows[1]["wins"] == 3
    assert parlour("standings", "--contest", "cup", *where) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "cup is over: all 3 tables are done."
    assert told[1].split()[:5] == ["place", "name", "games", "won", "share"]
    assert told[2].split()[:3] == ["1–2", rows[0]["name"], "3"]
    assert parlour("contest", "results", "cup", *where, "--csv") == 0
    lines = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert [line[2] for line in lines] == ["name", *(row["name"] for row in rows)]
    assert lines[0][-2:] == [f"against {row['name']}" for row in rows]
    assert lines[1][-1] == f"{rows[0]['wins']} of 3"
    assert parlour("contest", "results", "cup", *where) == 0
    assert "Won against:" in capsys.readouterr().out
    assert parlour("contest", "results", "cup", *where, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["contest"]["state"] == "finished"
    assert found["rows"][0]["against"] == [{"name": rows[1]["name"], "games": 3, "wins": rows[0]["wins"]}]
    again = ("contest", "start", "cup", *where, "--token", server.admin)
    assert parlour(*again) == Refused.exit_code
    assert "choose another name" in capsys.readouterr().err
    assert parlour("standings", "--game", "uno", *where) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].split()[-1] == "rating"
    assert int(told[1].split()[-1]) > int(told[2].split()[-1])
    assert parlour("contest", "stop", "cup", *where, "--token", server.admin) == 0
    assert parlour("contest", "resume", "cup", *where, "--token", server.admin) == 0
    assert "parlour contest resume cup" in capsys.readouterr().out
    assert parlour("contest", "resume", "cup", *where, "--token", server.admin) == Refused.exit_code


def played(server: ServerProcess, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    while True:
        time.sleep(0.1)
        assert parlour("standings", "--contest", "cup", "--server", server.url, "--json") == 0
        rows: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["rows"]
        if all(row["games"] == 3 for row in rows):
            return rows


def test_only_an_admin_runs_contests(
    server: ServerProcess, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "parlour.admin"
    monkeypatch.setattr(credentials, "admin_token_file", lambda: file)
    file.write_text("of another server")
    for verb in (("stop",), ("start", "--bots", "99")):
        assert parlour("contest", *verb, "cup", "--server", server.url) == Refused.exit_code
        told = capsys.readouterr().err
        assert f"The token came from {file};" in told
        assert "of another server" not in told


def test_what_would_be_refused_is_refused_before_anybody_waits(
    server: ServerProcess, bots: None, capsys: pytest.CaptureFixture[str]
) -> None:
    start, where = ("contest", "start", "new", "--bots", "99"), ("--server", server.url)
    assert parlour("standings", "--contest", "monday", *where) == Refused.exit_code
    assert "there is no contest 'monday'" in capsys.readouterr().err
    assert parlour(*start, *where, "--token", server.admin, "--game", "chess") == Refused.exit_code
    assert "there is no game 'chess'" in capsys.readouterr().err
    assert parlour(*start, *where, "--token", server.admin, "--option", "scoring=singel") == Refused.exit_code
    assert "scoring must be one of" in capsys.readouterr().err
    assert parlour(*start, *where, "--token", "guess") == Refused.exit_code
    assert parlour(*start, *where, "--token", server.admin, "--clock", "soon") == Usage.exit_code
    assert "not 'soon'" in capsys.readouterr().err


def test_a_bot_is_dropped(server: ServerProcess, bots: None, capsys: pytest.CaptureFixture[str]) -> None:
    where = ("--server", server.url, "--token", server.admin)
    options = ("--option", "scoring=single", "--option", "breath=0")
    assert parlour("contest", "start", "long", "--games", "200", *options, *where) == 0
    assert parlour("contest", "drop", "long", "Robo", *where) == 0
    capsys.readouterr()
    found: dict[str, Any] = {"contest": {"state": "running"}}
    while found["contest"]["state"] == "running":  # until the matches in progress have ended
        time.sleep(0.1)
        assert parlour("standings", "--contest", "long", "--server", server.url, "--json") == 0
        found = json.loads(capsys.readouterr().out)
    assert found["contest"]["state"] == "finished"
    forfeits = {row["name"]: row["forfeits"] for row in found["rows"]}
    assert forfeits["tick"] == 0
    assert 100 < forfeits["robo"] <= 200, "tables that had begun are played to their end"
    assert parlour("contest", "drop", "long", "nobody", *where) == Refused.exit_code


async def test_it_waits_until_enough_bots_are_available(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = iter([1, 1, 3])
    told: list[object] = []

    async def available(url: str, game: str) -> int:
        return next(there)

    async def send(how: AdminParams, do: str, name: str, *, args: object) -> None:
        told.append((do, name, args))

    monkeypatch.setattr(contest, "_available", available)
    monkeypatch.setattr(AdminParams, "send", send)
    monkeypatch.setattr(contest, "_INTERVAL", 0)
    await contest._start(AdminParams(), "friday", {"game": "uno"}, 3)
    assert told == [("contest", "friday", {"game": "uno", "check": 3}), ("contest", "friday", {"game": "uno"})]
    assert capsys.readouterr().err == "1 of 3 bots is available.\n"
