"""Bots on offer: who they are when they come again, and what they tell meanwhile."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.bots.messages import ROOM, joined, over, seats
from tests.support.server import ServerProcess, environment
from tests.support.waiting import until

from parlour_bots.tools.progress import StatusReporter
from parlour_client.core.connection import ConnectionState
from parlour_client.core.queries import ask, asked, lobby, visiting
from parlour_client.storage.credentials import InUse, held
from parlour_protocol.messages import Admin, Left, Ok, SeatsChanged, Standings, Update

URL = "ws://localhost:7777"


class Told(list[str]):
    """What a bot tells; results are in it by their digest."""

    def __init__(self, **how: Any) -> None:
        self.status = StatusReporter(
            URL, "hello", lambda report: self.append(report.data["digest"]), self.append, **how
        )


def at_table(state: str, *names: str) -> Any:
    return {**joined().table, "state": state, "seats": seats(*names, ready=False)}


def test_a_line_for_each_thing_that_happens() -> None:
    told = Told(available=True)
    told.status.state(ConnectionState("open"))
    for _ in range(2):  # a bot offers itself anew after every welcome
        told.status.follow(Ok())
    told.status.follow(replace(joined(0), table=at_table("waiting", "hello")))
    told.status.follow(SeatsChanged(ROOM, 2, at_table("playing", "hello", "anna")))
    told.status.follow(SeatsChanged(ROOM, 3, at_table("playing", "hello", "anna")))
    for late in (1, 0):
        told.status.follow(Update(ROOM, 4, {}, [{"e": "timeout", "seat": late}, {"e": "turn", "seat": 1}], [], {}))
    told.status.state(ConnectionState("lost", "no close frame", 0.2))
    told.status.state(ConnectionState("connecting", "no close frame"))
    told.status.state(ConnectionState("lost", "refused", 0.5))
    told.status.state(ConnectionState("open"))
    told.status.follow(Left(ROOM, "forfeited"))
    told.status.follow(replace(joined(1), table=at_table("playing", "bert", "hello")))
    assert told == [
        f"hello waits for invitations at {URL}. Press Ctrl-C to stop.",
        "Match 1 in K7QD against anna.",
        "K7QD: the clock ran out before the answer.",
        "Lost the connection (no close frame); reconnecting.",
        "Reconnected.",
        "K7QD: the match was forfeited.",
        "Match 2 in K7QD against bert.",
    ]


def test_a_bot_in_a_room_tells_where_it_sits_and_of_each_match() -> None:
    told = Told()
    for message in (
        Ok(),
        replace(joined(0), table=at_table("waiting", "hello")),
        SeatsChanged(ROOM, 2, at_table("playing", "hello", "an\x1bna", "bert")),
        replace(joined(0), table=at_table("pause", "hello", "anna", "bert")),  # it was away
        over(2, 1, 3),
        SeatsChanged(ROOM, 3, at_table("finished", "hello", "anna")),
        SeatsChanged(ROOM, 4, at_table("playing", "hello", "anna")),
        replace(joined(0), table=at_table("finished", "hello", "anna")),  # it was away at the end
        Left(ROOM, "left"),
    ):
        told.status.follow(message)
    assert told == [
        f"hello joined K7QD (uno) at {URL}. Press Ctrl-C to stop.",
        "Match 1 in K7QD against an�na, bert.",
        "Match 1 in K7QD is over.",
        "d1",
        "Match 2 in K7QD against anna.",
        "Match 2 in K7QD is over.",
    ]


def test_who_opens_a_room_tells_how_others_come_in() -> None:
    told = Told(opened=True)
    for _ in range(2):
        told.status.follow(replace(joined(0), table=at_table("waiting", "hello")))
    assert told == ["hello opened room K7QD (uno); the match starts when all seats are taken."]


def test_who_only_watches_does_not_sit() -> None:
    told = Told()
    told.status.follow(replace(joined(None), table=at_table("waiting", "anna")))
    told.status.follow(SeatsChanged(ROOM, 2, at_table("playing", "anna", "bert")))
    assert told == []


def test_a_bot_is_known_by_its_name_on_a_server_and_is_no_person_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour_client.storage.credentials.user_state_path", lambda *_, **__: tmp_path)
    with held(URL, "hello", kind="bot") as mine:
        mine.keep("secret")
    with held(URL, "hello", kind="bot") as again, held(URL, "hello") as person:
        assert (again.token, person.token) == ("secret", None)
        with pytest.raises(InUse), held(URL, "hello", kind="bot"):
            raise AssertionError("two processes have the same name")


Run = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def run(server: ServerProcess, tmp_path: Path) -> Iterator[Run]:
    running = []
    home = environment(tmp_path, XDG_STATE_HOME=str(tmp_path / "state"))

    def start(name: str, *how: str, stderr: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
        command = (sys.executable, "-m", "parlour_client.cli.main", "bot", "run", "painfirst")
        where = (*(how or ("--offer", "1")), "--server", server.url, "--name", name)
        child = subprocess.Popen((*command, *where), env=home, stdout=subprocess.DEVNULL, stderr=stderr)
        running.append(child)
        return child

    yield start
    for child in running:
        child.kill()
        child.communicate()


def test_a_bot_in_a_room_tells_that_the_server_is_gone_and_back(server: ServerProcess, run: Run) -> None:
    told = run("anna", "--open", "2", stderr=subprocess.PIPE).stderr
    assert told is not None
    assert told.readline().startswith(b"anna opened room ")
    server.kill()
    assert told.readline().startswith(b"Lost the connection (")
    server.restart(same_port=True)
    assert told.readline() == b"Reconnected.\n"


@pytest.mark.long
async def test_a_bot_that_was_killed_in_a_contest_goes_on_when_it_is_started_again(
    server: ServerProcess, run: Run
) -> None:
    anna = run("anna")
    run("bert")
    await until(lambda: offered(server.url, "anna", "bert"))
    async with visiting(server.url) as operator:
        args = {"game": "uno", "games": 5, "options": {"scoring": "single", "breath": 0}}
        await ask(operator, Admin(server.admin, "contest", "friday", args=args))
    anna.kill()
    anna.wait()
    run("anna")
    await until(lambda: finished(server.url), 0.2, within=240)
    rows = (await asked(server.url, Standings(contest="friday"))).rows
    assert sorted((row["name"], row["games"], row.get("forfeits")) for row in rows) == [("anna", 5, 0), ("bert", 5, 0)]


async def offered(url: str, *names: str) -> bool:
    return {bot["name"] for bot in (await lobby(url))["bots"]} == {*names}


async def finished(url: str) -> bool:
    contest = (await asked(url, Standings(contest="friday"))).contest
    return contest is not None and contest["state"] == "finished"
