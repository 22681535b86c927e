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
from tests.support.commands import printed
from tests.support.server import ServerProcess, environment, server_process

from parlour_client.cli import contest
from parlour_client.cli.admin import AdminParams
from parlour_client.core.errors import INTERRUPTED_BY_USER, Refused, Usage
from parlour_client.storage import credentials

SINGLE = ("--option", "scoring=single", "--option", "breath=0")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("server"), house_bots=True) as server:
        yield server


@pytest.fixture(autouse=True)
def _token(server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_SERVER", server.url)
    monkeypatch.setenv("PARLOUR_ADMIN", server.admin)


@pytest.fixture(scope="module")
def bots(server: ServerProcess) -> Iterator[None]:
    command = (sys.executable, "-m", "parlour_client.cli.main", "bot", "run", "painfirst", "--offer", "2", "--name")
    env = environment(server.folder, PARLOUR_SERVER=server.url)
    running = [subprocess.Popen((*command, name), stdout=subprocess.DEVNULL, env=env) for name in ("robo", "tick")]
    yield
    for bot in running:
        bot.send_signal(signal.SIGINT)
    assert [bot.wait(10) for bot in running] == [INTERRUPTED_BY_USER] * 2


def test_a_contest_from_beginning_to_end(server: ServerProcess, bots: None, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{server.admin}\n")
    start = ("contest", "start", "cup", "--games", "3", *SINGLE, "--token-file", str(tmp_path / "token"))
    assert "parlour standings --contest cup" in printed(*start)
    rows = played()
    assert sorted(row["name"] for row in rows) == ["robo", "tick"], "the bots of the house take no part"
    assert [row["games"] for row in rows] == [3, 3]
    assert rows[0]["wins"] + rows[1]["wins"] == 3
    told = printed("standings", "--contest", "cup").splitlines()
    assert told[0] == "cup is over: all 3 tables are done."
    assert told[1].split()[:5] == ["place", "name", "games", "won", "share"]
    assert told[2].split()[:3] == ["1–2", rows[0]["name"], "3"]
    lines = list(csv.reader(io.StringIO(printed("contest", "results", "cup", "--csv"))))
    assert [line[2] for line in lines] == ["name", *(row["name"] for row in rows)]
    assert lines[0][-2:] == [f"against {row['name']}" for row in rows]
    assert lines[1][-1] == f"{rows[0]['wins']} of 3"
    assert "Won against:" in printed("contest", "results", "cup")
    found = json.loads(printed("contest", "results", "cup", "--json"))
    assert found["contest"]["state"] == "finished"
    assert found["rows"][0]["against"] == [{"name": rows[1]["name"], "games": 3, "wins": rows[0]["wins"]}]
    assert "choose another name" in printed("contest", "start", "cup", code=Refused.exit_code)
    told = printed("standings", "--game", "uno").splitlines()
    assert told[0].split()[-1] == "rating"
    assert int(told[1].split()[-1]) > int(told[2].split()[-1])
    assert "parlour contest resume cup" in printed("contest", "stop", "cup")
    printed("contest", "resume", "cup")
    printed("contest", "resume", "cup", code=Refused.exit_code)


def played() -> list[dict[str, Any]]:
    while True:
        time.sleep(0.1)
        rows: list[dict[str, Any]] = json.loads(printed("standings", "--contest", "cup", "--json"))["rows"]
        if all(row["games"] == 3 for row in rows):
            return rows


def test_only_an_admin_runs_contests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PARLOUR_ADMIN")
    file = tmp_path / "parlour.admin"
    monkeypatch.setattr(credentials, "admin_token_file", lambda: file)
    file.write_text("of another server")
    for verb in (("stop",), ("start", "--bots", "99")):
        told = printed("contest", *verb, "cup", code=Refused.exit_code)
        assert f"The token came from {file};" in told
        assert "of another server" not in told


def test_what_would_be_refused_is_refused_before_anybody_waits(bots: None) -> None:
    start = ("contest", "start", "new", "--bots", "99")
    assert "there is no contest 'monday'" in printed("standings", "--contest", "monday", code=Refused.exit_code)
    assert "there is no game 'chess'" in printed(*start, "--game", "chess", code=Refused.exit_code)
    assert "scoring must be one of" in printed(*start, "--option", "scoring=singel", code=Refused.exit_code)
    printed(*start, "--token", "guess", code=Refused.exit_code)
    assert "not 'soon'" in printed(*start, "--clock", "soon", code=Usage.exit_code)


def test_a_bot_is_dropped(bots: None) -> None:
    printed("contest", "start", "long", "--games", "200", *SINGLE)
    printed("contest", "drop", "long", "Robo")
    found: dict[str, Any] = {"contest": {"state": "running"}}
    while found["contest"]["state"] == "running":  # until the matches in progress have ended
        time.sleep(0.1)
        found = json.loads(printed("standings", "--contest", "long", "--json"))
    assert found["contest"]["state"] == "finished"
    forfeits = {row["name"]: row["forfeits"] for row in found["rows"]}
    assert forfeits["tick"] == 0
    assert 100 < forfeits["robo"] <= 200, "tables that had begun are played to their end"
    printed("contest", "drop", "long", "nobody", code=Refused.exit_code)


async def test_it_waits_for_enough_bots(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
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
