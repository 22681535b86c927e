"""Hosting from the start screen, with a real server on a port of its own."""

from pathlib import Path

import pytest
from tests.bots.rooms import until
from tests.support.ports import free_port
from tests.support.server import server_process

from parlour_bots.hosting import child_server
from parlour_bots.hosting.child_server import at_home
from parlour_client.core.queries import lobby
from parlour_client.play.entry import connected
from parlour_protocol.messages import Create, Join, Joined, Welcome

NOWHERE = "ws://localhost:1"


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(child_server, "DEFAULT_PORT", free_port())
    monkeypatch.setattr(child_server, "DEFAULT_URL", NOWHERE)


async def enter(way: Create | Join, name: str = "maria") -> Joined:
    """Go in at a server of one's own, and out again without leaving the seat."""
    async with at_home(way, name=name, key=None) as entry:
        assert entry.ends
        async with connected(entry, lambda _: None) as connection:
            async for message in connection:
                if isinstance(message, Welcome):
                    await connection.send(entry.enter)
                elif isinstance(message, Joined):
                    return message
    raise AssertionError("never in the room")


@pytest.mark.long
async def test_who_hosts_again_goes_on_with_the_same_room() -> None:
    first = await enter(Create("uno", seats=3))
    again = await enter(Join(first.room))
    assert (again.room, again.seat) == (first.room, 0)


@pytest.mark.ssh
async def test_friends_come_in_by_ssh_if_asked_for() -> None:
    port = free_port()
    hosted = at_home(Create("uno"), name="maria", key=None, ssh=str(port))
    async with hosted as entry, connected(entry, lambda _: None) as connection:
        welcome = await until(connection, lambda message: isinstance(message, Welcome))
    assert isinstance(welcome, Welcome)
    assert welcome.ssh == port


async def test_there_are_bots_to_invite_and_the_server_ends_with_the_context() -> None:
    async with at_home(Create("uno"), name="maria", key=None) as entry:
        found = await lobby(entry.url)
        while not found["bots"]:
            found = await lobby(entry.url)
    with pytest.raises(Exception, match="no server answers"):
        await lobby(entry.url)


async def test_a_server_that_runs_here_already_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with server_process(tmp_path) as running:
        monkeypatch.setattr(child_server, "DEFAULT_URL", running.url)
        async with at_home(Create("uno"), name="maria", key=None) as entry:
            assert (entry.url, entry.ends) == (running.url, False)
        await lobby(running.url)  # it is still there
