"""``parlour server backup``: its output and refusals, and a server started from a copy made under load."""

import asyncio
import os
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import attrs
import pytest
from tests.server.crash.audit import all_faults, rooms
from tests.server.crash.players import ENOUGH, House, Player, seated
from tests.server.store.writes import match, opened
from tests.support.commands import printed
from tests.support.server import environment, server_process
from tests.support.sockets import Map

from parlour_server.store.sqlite.store import SqliteStore

BACKUP = (sys.executable, "-m", "parlour_client.cli.main", "backup")
UNO: Map = {"breath": 10, "pause": 0, "target": 200}
TABLES: tuple[tuple[str, int, Map], ...] = (("uno", 3, UNO), ("uno", 2, UNO), ("minesweeper", 2, {"mode": "duel"}))
ENOUGH_HEARD = 500
"""Messages."""


def run(folder: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        (*BACKUP, *words), capture_output=True, text=True, env=environment(folder, **env), cwd=folder, check=False
    )


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    store = SqliteStore(tmp_path / "games.db")
    await store.commit([*opened("AAAA"), *opened("BBBB"), match("d", ("anna", 1, 5), room="AAAA")])
    await store.close()
    return tmp_path / "games.db"


def test_it_says_what_it_has_copied_and_how_to_go_on(path: Path) -> None:
    done = run(path.parent, "friday.db", "--store", "sqlite:///games.db")
    assert (done.returncode, done.stderr) == (0, "")
    first, second = done.stdout.splitlines()
    size = (path.parent / "friday.db").stat().st_size
    assert first == f"games.db -> friday.db: {size / 1_000_000:.1f} MB, 2 rooms, 1 finished match."
    assert second == "To continue from it: parlour server restore friday.db --store sqlite:///games.db"


def test_somebody_at_a_terminal_sees_how_far_it_is(path: Path) -> None:
    master, terminal = os.openpty()
    words = ("friday.db", "--store", "sqlite:///games.db")
    shown = b""
    with os.fdopen(master, "rb", buffering=0) as screen:
        done = subprocess.run(
            (*BACKUP, *words), cwd=path.parent, env=environment(path.parent, TERM="xterm"), stdout=subprocess.PIPE,
            stderr=terminal, check=True,
        )  # fmt: skip
        os.close(terminal)
        with suppress(OSError):  # how Linux ends what a terminal has shown, which comes in pieces
            while piece := screen.read(65_536):
                shown += piece
    assert b"Copying" in shown
    assert b"Copying" not in done.stdout
    assert shown.rfind(b"\x1b[?25h") > shown.rfind(b"\x1b[?25l"), "the cursor is there again"


def test_store_is_the_one_that_serve_uses(path: Path) -> None:
    """Each in a process of its own, because the settings file is looked up once per process."""
    folder = path.parent
    assert run(folder, "one.db", PARLOUR_STORE=f"sqlite:///{path}").returncode == 0
    (folder / "parlour").mkdir()
    (folder / "parlour" / "parlour.toml").write_text(f'[serve]\nport = 8000\nstore = "sqlite:///{path}"\n')
    assert run(folder, "two.db").returncode == 0
    path.rename(folder / "parlour" / "parlour.db")
    (folder / "parlour" / "parlour.toml").unlink()
    assert run(folder, "three.db").returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("copy.db", "--store", "sqlite:///none.db"), "there is no store none.db"),
        (("copy.db", "--store", "games.db"), "use sqlite:///FILE"),
        (("games.db", "--store", "sqlite:///games.db"), "games.db exists; name another file"),
        (("games.db", "--store", "sqlite:///games.db", "--force"), "is the store itself"),
        (("no/copy.db", "--store", "sqlite:///games.db"), "no/copy.db cannot be written: No such file or directory"),
        ((), "FILE"),
    ],
)
def test_refusals_are_one_line_and_exit_code_2(
    path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(path.parent)
    [line] = printed("backup", *words, code=2).splitlines()
    assert said in line


async def test_matches_go_on_from_a_copy_made_under_load(tmp_path: Path, seed: int) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    after.mkdir()
    with server_process(before) as server:
        house = House(server, random.Random(seed))
        players = seated(house, TABLES, Player)
        playing = [asyncio.create_task(player.play()) for player in players]
        house.up.set()
        async with asyncio.timeout(ENOUGH):
            await house.heard(ENOUGH_HEARD)
            remembered = [
                attrs.evolve(each, shown=[*each.shown], acknowledged={**each.acknowledged}) for each in players
            ]
            command = (str(after / "parlour.db"), "--store", f"sqlite:///{server.store}")
            done = await asyncio.to_thread(run, tmp_path, *command)
            assert (done.returncode, done.stderr) == (0, "")
        server.kill()
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    later = ("digest", "no such match")  # the copy may well hold more than was remembered
    faults = all_faults(rooms(after / "parlour.db"), remembered)
    assert [fault for fault in faults if not any(word in fault for word in later)] == []
    assert sum(len(each.acknowledged) for each in remembered) > 30
    with server_process(after, "--log-level", "warning") as server:
        house = House(server, random.Random(seed), closing=True)
        back = [  # they remember nothing but who they are
            Player(house, each.table, each.name, host=each.host, token=each.token, room=each.room) for each in players
        ]
        house.up.set()
        async with asyncio.timeout(ENOUGH), asyncio.TaskGroup() as group:
            for player in back:
                group.create_task(player.play())
        assert server.stop() == 0
        assert server.log() == ""
    assert all_faults(rooms(server.store), back) == []
