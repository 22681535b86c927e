"""A store that cannot be used, told by ``parlour serve`` as an operator gets it: one sentence, exit code 2.

And a disk that is full in the middle of a match: what cannot be stored is not acknowledged, and can be done again.
"""

import os
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from tests.server.store.writes import long_room
from tests.support.commands import run
from tests.support.server import SERVE, ServerProcess, environment, server_process
from tests.support.sockets import first_turn, open_socket
from tests.support.stores import FILE, execute
from tests.support.waiting import PATIENCE

from parlour_server.persistence import Append
from parlour_server.store.sqlite.backup import back_up
from parlour_server.store.sqlite.store import SqliteStore

PAGE = 4_096


def refused(store: Path, limit: int = resource.RLIM_INFINITY) -> str:
    """Run ``parlour serve``, whose files cannot grow beyond ``limit`` bytes; return the one sentence that it says."""
    env = {name: value for name, value in environment(store.parent).items() if not name.startswith("COVERAGE")}
    words = ("--port", "0", "--no-house-bots", "--store", f"sqlite:///{store}")
    done = subprocess.run(
        (*SERVE, *words),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=env,
        timeout=PATIENCE,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY)),
    )
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("parlour serve: ")
    return line


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    return await long_room(tmp_path / "parlour.db")


def test_another_program_has_it_locked(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        said = refused(path)
    assert "database is locked. Another program has it open: close that and start again" in said


def test_a_copy_was_put_in_its_place_beside_the_log_of_the_old_one(path: Path, tmp_path: Path) -> None:
    copy, log, of_path = tmp_path / "copy.db", path.with_name("parlour.db-wal"), f"sqlite:///{path}"
    back_up(path, copy, overwrite=False, progress=lambda done, total: None)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE room SET epoch = epoch + 1")
        left = log.read_bytes()
    assert left
    shutil.copy(copy, path)
    log.write_bytes(left)
    sound = path.read_bytes()
    assert f"Move {log} away" in refused(path)
    for words in (("doctor", "--store"), ("games", "--store"), ("backup", "new.db", "--store")):
        done = run(*words, of_path, env=environment(tmp_path))
        assert str(log) in done.stdout + done.stderr, words
    assert (path.read_bytes(), log.read_bytes()) == (sound, left), "nothing was written"
    restored = run("restore", str(copy), "--store", of_path, env=environment(tmp_path))
    assert restored.returncode == 0, restored.stderr
    assert not log.exists()
    assert run("doctor", "--store", of_path, "--json", env=environment(tmp_path)).returncode == 0


@pytest.mark.parametrize(
    "limit", [0, 3 * PAGE, *(pytest.param(each, marks=pytest.mark.long) for each in (PAGE, 8 * PAGE))]
)
def test_no_room_for_a_new_store(tmp_path: Path, limit: int) -> None:
    assert "Free space on the disk" in refused(tmp_path / "parlour.db", limit)


async def test_no_room_for_one_more_commit(path: Path, tmp_path: Path) -> None:
    """What a killed server has left behind can be read, and not be added to."""
    store = SqliteStore(path)
    await store.commit([Append("AAAA", 1, n, f"{n} " * 200) for n in range(500, 1_300)])
    dead = tmp_path / "dead.db"
    for end in ("", "-wal"):
        shutil.copy(f"{path}{end}", f"{dead}{end}")
    await store.close()
    size = os.stat(f"{dead}-wal").st_size  # the longest of its files
    assert "disk I/O error. Free space on the disk" in refused(dead, limit=size)


@contextmanager
def _full(server: ServerProcess) -> Iterator[None]:
    """While in the context no file of the server can grow."""
    size = os.stat(f"{server.store}-wal").st_size
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    yield
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


async def test_full_disk_acknowledges_nothing_and_passes(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        async with open_socket(server.url) as anna, open_socket(server.url) as bert:
            tokens = [(await client.hello(name))["token"] for name, client in (("anna", anna), ("bert", bert))]
            room = (await anna.ask("create", "joined", game="uno", seats=2, clock=None, options={"breath": 0}))["room"]
            await bert.ask("join", "joined", room=room)
            await anna.send("start", room=room)
            seat, turn = await first_turn(anna, bert)
            for client in (anna, bert):
                await client.ask("ping", "pong")
            with _full(server):
                await (anna, bert)[seat].send("act", room=room, rid=turn["rid"], act=0, id=1)
                for client in (anna, bert):
                    told = await client.receive()
                    assert (told["t"], told["code"]) == ("bye", "retry")
                    assert await client.closed() == 1013
        async with open_socket(server.url) as anna, open_socket(server.url) as bert:
            for name, client, token in zip(("anna", "bert"), (anna, bert), tokens, strict=True):
                await client.hello(name, token=token)
            again, asked = await first_turn(anna, bert)
            assert (again, asked["rid"], asked["legal"]) == (seat, turn["rid"], turn["legal"])
            told = await (anna, bert)[seat].ask("act", "update", "turn", room=room, rid=turn["rid"], act=0, id=2)
            assert told["ok"] == {"rid": turn["rid"], "act": turn["legal"][0], "re": 2}
        assert server.stop() == 0
        assert '"event": "not stored"' in server.log()
        assert "Traceback" not in server.log()
    acts = """SELECT COUNT(*) FROM log WHERE line LIKE '%"r":"act"%'"""
    assert await execute(f"{FILE}{server.store}", acts) == [(1,)]
