import os
from asyncio.subprocess import Process
from pathlib import Path

import pytest
from tests.support.processes import gone

from parlour_bots.hosting.child_server import serving
from parlour_bots.play.network import connection
from parlour_client.core.errors import CannotConnect


async def test_server_answers_while_in_the_context_and_ends_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    killed: list[Process] = []
    monkeypatch.setattr(Process, "kill", killed.append)
    async with serving("--no-house-bots") as server, connection(server.url, "guest") as guest:
        assert guest.state.name == "open"
        assert not gone(server.pid)
        assert server.admin
    assert (gone(server.pid), killed) == (True, [])


async def test_settings_of_the_environment_do_not_reach_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PARLOUR_STORE", f"sqlite:///{tmp_path / 'precious.db'}")
    async with serving("--no-house-bots"):
        pass
    assert os.listdir(tmp_path) == []


async def test_server_that_does_not_start_says_why() -> None:
    with pytest.raises(CannotConnect, match=r"did not start: .*--trusted-proxy") as error:
        async with serving("--trusted-proxy", "nonsense"):
            raise AssertionError("it has started")
    assert error.value.exit_code == 3
