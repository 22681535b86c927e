"""Terminals that are closed and opened again, two at once, names with keys: real processes, a real server."""

import asyncio
import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.client.line_mode.test_terminal import Person
from tests.support.commands import Finished
from tests.support.commands import run as parlour
from tests.support.server import ServerProcess, server_process
from tests.support.waiting import PATIENCE

from parlour_client.core.queries import lobby


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine of one's own, where nothing is kept yet."""
    return on_machine(tmp_path / "home", monkeypatch)


def on_machine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for variable in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(folder))
    for variable in ("PARLOUR_NAME", "PARLOUR_KEY", "PARLOUR_SERVER"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("LOGNAME", "sam")
    return folder


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with server_process(tmp_path) as server:
        yield server


@contextmanager
def terminal(server: ServerProcess, *words: str) -> Iterator[Person]:
    with Person("join", server.room, "--plain", "--server", server.url, *words) as person:
        person.wait_for("Connected to")
        person.wait_for(", at seat ")  # the rules of the room are shown before one sits there
        yield person


def seats(server: ServerProcess) -> tuple[int, str | None]:
    """Return how many seats are taken, and the host."""
    [row] = [row for row in asyncio.run(lobby(server.url))["rooms"] if row["room"] == server.room]
    return row["taken"], row["host"]


def joining(server: ServerProcess, name: str) -> Finished:
    return parlour("join", server.room, "--server", server.url, "--name", name)


def sits(server: ServerProcess, name: str, *words: str) -> None:
    """Assert that somebody new at a terminal has the only seat under this name."""
    with terminal(server, *words) as person:
        person.wait_for(f"as {name}.")
        assert seats(server) == (1, name)


@pytest.mark.parametrize(
    "how", [signal.SIGKILL, *(pytest.param(each, marks=pytest.mark.long) for each in (signal.SIGHUP, signal.SIGINT))]
)
def test_who_closes_the_terminal_has_the_seat_again(home: Path, server: ServerProcess, how: signal.Signals) -> None:
    with terminal(server, "--name", "maria") as first:
        first.wait_for("Type ready")
        first.process.send_signal(how)
        first.process.wait(PATIENCE)
    sits(server, "maria", "--name", "maria")


def test_a_token_outlives_the_server(home: Path, server: ServerProcess) -> None:
    sits(server, "sam")
    server.restart(same_port=True)
    sits(server, "sam")


@pytest.mark.long
def test_a_second_terminal_does_not_throw_out_the_first(home: Path, server: ServerProcess) -> None:
    for _ in range(2):
        with terminal(server) as first, terminal(server) as second:
            first.wait_for("as sam.")
            second.wait_for("as sam-2.")
            assert seats(server) == (2, "sam")
            refused = joining(server, "SAM")
            assert (refused.returncode, "in another terminal" in refused.stderr) == (2, True)
            assert first.process.poll() is None


@pytest.mark.long
def test_who_goes_to_another_room_hears_of_the_seat_that_is_kept(home: Path, server: ServerProcess) -> None:
    with terminal(server):
        pass
    with Person("create", "--plain", "--server", server.url) as elsewhere:
        elsewhere.wait_for(f"you also have a seat in {server.room}")
        elsewhere.wait_for("Others join with")
        assert f"Room {server.room}" not in elsewhere.screen


def test_what_is_kept_is_for_its_owners_eyes_only(home: Path, server: ServerProcess) -> None:
    assert parlour("identity", "maria").returncode == 0
    with terminal(server, "--name", "maria"):
        pass
    files = [path for path in home.rglob("*") if path.is_file()]
    assert len(files) == 4, "keys and a token, each with its lock"
    assert {oct(path.stat().st_mode & 0o777) for path in files} == {"0o600"}


@pytest.mark.long
def test_a_name_with_a_key_is_ones_own_on_every_device(
    home: Path, server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert parlour("identity", "maria").returncode == 0
    key = parlour("identity", "--show", "maria").stdout
    sits(server, "maria", "--name", "maria")
    on_machine(tmp_path / "strangers", monkeypatch)
    for told in ("the name Maria is taken", "belongs to another key"):
        stranger = joining(server, "Maria")
        assert (stranger.returncode, told in stranger.stderr) == (4, True)
        assert parlour("identity", "Maria").returncode == 0
    on_machine(tmp_path / "laptop", monkeypatch)
    assert parlour("identity", "--add", "maria", "-", stdin=key).returncode == 0
    sits(server, "maria", "--name", "maria")
    assert key.strip() not in server.log()


@pytest.mark.long
def test_a_guest_that_makes_a_key_keeps_seat_and_name(
    home: Path, server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sits(server, "sam")
    assert json.loads(parlour("identity", "--json").stdout) == {"name": "sam", "done": "made"}
    key = parlour("identity", "--show", "sam").stdout
    sits(server, "sam")
    on_machine(tmp_path / "laptop", monkeypatch)
    assert parlour("identity", "--add", "sam", "-", stdin=key).returncode == 0
    sits(server, "sam")


@pytest.mark.long
def test_a_server_that_requires_keys(home: Path, tmp_path: Path) -> None:
    with server_process(tmp_path, "--require-key", house_bots=True) as server:
        refused = joining(server, "maria")
        assert (refused.returncode, "parlour identity" in refused.stderr) == (4, True)
        assert seats(server) == (0, None), "who only looks needs no key"
        parlour("identity", "maria")
        with terminal(server, "--name", "maria") as person:
            person.wait_for("as maria.")
            person.type("invite\n")
            person.wait_for("bot) took a seat")


@pytest.mark.long
def test_deleting_oneself(home: Path, server: ServerProcess) -> None:
    parlour("identity", "maria")
    key = parlour("identity", "--show", "maria").stdout.strip()
    delete = ("identity", "--delete", "maria", "--server", server.url)
    with terminal(server, "--name", "maria"):
        busy = parlour(*delete, "--yes")
        assert (busy.returncode, "another terminal" in busy.stderr) == (2, True)
    unsure = parlour(*delete)
    assert (unsure.returncode, "--yes" in unsure.stderr) == (2, True)
    assert seats(server) == (1, "maria")
    done = parlour(*delete, "--yes", "--json")
    assert json.loads(done.stdout) == {"name": "maria", "done": "deleted"}
    assert seats(server) == (0, None)
    assert key not in done.stdout + done.stderr + busy.stderr + unsure.stderr + server.log()
