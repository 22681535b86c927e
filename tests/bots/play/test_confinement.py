"""A hostile program tries each promise of confinement."""

import json
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import attrs
import pytest
from tests.bots.programs import CONFINES
from tests.support.processes import bystander

from parlour_bots.play.child import Child, start
from parlour_bots.play.limits import PROCESSES, SCRATCH, Limits

MIB = 1 << 20


pytestmark = CONFINES

HEAD = """
import ctypes, json, os, resource, signal, socket, subprocess, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *args):
    if getattr(libc, name)(*args) < 0:
        raise OSError(ctypes.get_errno(), name)
told = {}
"""
REFUSED = {
    "overwrite a file": "open(HOME + '/thesis', 'r+').write('gone')",
    "append to its own file": "open(OWN, 'a').write('changed')",
    "remove its own file": "os.remove(OWN)",
    "read a file of its author": "open(HOME + '/thesis').read()",
    "read what is hidden": "open(HOME + '/readable/staff/answers').read()",
    "list what is hidden": "print(os.listdir(HOME + '/readable/staff')[0], file=sys.stderr)",
    "write into a readable folder": "open(HOME + '/readable/new', 'w')",
    "write beside the programs": "open(sys.prefix + '/new', 'w')",
    "write into the root": "os.mkdir('/new')",
    "write into the settings": "open('/etc/new', 'w')",
    "write beside devices": "open('/dev/new', 'w')",
    "signal a process of its user": "os.kill(VICTIM, signal.SIGKILL)",
    "signal the process that started it": "os.kill(PARENT, signal.SIGKILL)",
    "attach to the first process": "call('ptrace', 16, 1, 0, 0)",
    "read another environment": "open('/proc/1/environ').read(1)",
    "go through another's root": "os.listdir('/proc/1/root')",
    "reach a server": "socket.create_connection(('127.0.0.1', PORT), 5)",
    "reach a server by its path": "socket.socket(socket.AF_UNIX).connect(HOME + '/socket')",
    "reach a server by its name": "socket.socket(socket.AF_UNIX).connect('\\0' + NAME)",
    "reach another computer": "socket.create_connection(('192.0.2.1', 80), 5)",
    "uncover a folder": "call('umount2', (HOME + '/readable/staff').encode(), 2)",
    "leave its root": "call('umount2', b'/', 2)",
    "make the root writable": "call('mount', None, b'/', None, 1 << 5, None)",
    "mount another file system": "call('mount', b'tmpfs', b'/tmp/work', b'tmpfs', 0, None)",
    "turn the root": "call('pivot_root', b'.', b'.')",
    "change its root": "os.chroot('/tmp')",
    "enter a second user namespace": "call('unshare', 0x10000000)",
    "enter a second mount namespace": "call('unshare', 0x20000)",
    "make a device": "os.mknod('/tmp/disk', 0o60600, os.makedev(8, 0))",
    "open the terminal": "open('/dev/tty')",
    "become root": "os.setuid(0)",
    "change a setting of the system": "open('/proc/sys/kernel/core_pattern', 'w')",
    "become more important": "os.nice(-1)",
    "raise a limit": "resource.setrlimit(resource.RLIMIT_NPROC, (10_000, 10_000))",
}
"""What is to raise OSError, ValueError or PermissionError."""


@attrs.frozen
class Place:
    """What the hostile program must not reach."""

    home: Path
    names: dict[str, Any]

    def run(self, script: str, **limits: Any) -> Any:
        """Return what a confined script puts into ``told``."""
        child = self.start(script, **limits)
        out, err = child.process.communicate()
        assert child.end(at_once=False) == 0, err.decode()
        return json.loads(out)

    def start(self, script: str, **limits: Any) -> Child:
        """Start a confined script that ends by printing ``told``."""
        names = "".join(f"{name} = {value!r}\n" for name, value in self.names.items())
        text = f"{HEAD}\n{names}\n{dedent(script)}\nprint(json.dumps(told), flush=True)\n"
        limits = {"readable": (str(self.home / "readable"),), "hidden": (str(self.home / "readable/staff"),), **limits}
        allowed = Limits(memory=512, own=(self.names["OWN"],), **limits)
        return start([sys.executable, "-I", "-S", "-c", text], allowed)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A home folder with files, a server, and another process of the same user."""
    home = tmp_path_factory.mktemp("home")
    for path in ("bots/bot.py", "bots/sibling.py", "readable/data", "readable/staff/answers", "thesis"):
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(path)
    name = f"parlour-{os.getpid()}"
    with (
        bystander() as victim,
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as by_path,
        socket.socket(socket.AF_UNIX) as by_name,
    ):
        by_path.bind(str(home / "socket"))
        by_path.listen()
        by_name.bind(f"\0{name}")
        by_name.listen()
        port = server.getsockname()[1]
        names = {"HOME": str(home), "OWN": str(home / "bots/bot.py"), "PORT": port, "NAME": name}
        yield Place(home, {**names, "VICTIM": victim, "PARENT": os.getpid()})


@pytest.fixture(scope="module")
def refusals(place: Place) -> Any:
    """How each attack ended: by the name of an error, or "done"."""
    script = "".join(
        f"try:\n    {attack}\n    told[{name!r}] = 'done'\n"
        f"except (OSError, ValueError, IndexError) as error:\n    told[{name!r}] = type(error).__name__\n"
        for name, attack in REFUSED.items()
    )
    return place.run(script)


@pytest.mark.parametrize("attack", REFUSED)
def test_hostile_program_is_refused(attack: str, refusals: Any) -> None:
    assert refusals[attack] != "done"


def test_files_are_limited_in_total(place: Place) -> None:
    """Neither large files nor many small ones outgrow the scratch space, and nothing is left of them."""
    script = """
    def fill(folder, size):
        os.mkdir(folder)
        try:
            for number in range(100_000):
                with open(f"{folder}/{number}", "wb") as file:
                    file.write(bytes(size))
        except OSError:
            return number
    told["bytes"] = fill("large", 1 << 20) << 20
    subprocess.run(["rm", "-r", "large"])
    told["files"] = fill("/dev/shm/small", 0)
    """
    told = place.run(script)
    assert SCRATCH * MIB - 2 * MIB <= told["bytes"] <= SCRATCH * MIB
    assert 1_000 < told["files"] < 10_000
    assert not Path("/dev/shm/small").exists()


def test_processes_are_limited_in_total(place: Place) -> None:
    script = """
    told["processes"] = 1
    try:
        while told["processes"] < 10_000:
            if os.fork() == 0:
                os.setsid()
                time.sleep(1_000)
            told["processes"] += 1
    except BlockingIOError:
        pass
    """
    assert place.run(script)["processes"] == PROCESSES


def test_program_is_given_no_secrets(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    monkeypatch.setenv("LC_TIME", "C")
    script = """
    told["environment"] = dict(os.environ)
    told["files"] = os.listdir("/proc/self/fd")
    told["devices"] = os.listdir("/dev")
    lines = open("/proc/self/status").read().splitlines()
    told["status"] = dict(line.split(":\\t") for line in lines if ":\\t" in line)
    told["processes"] = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    told["folder"] = os.listdir(os.getcwd())
    """
    told = place.run(script)
    assert "SECRET_TOKEN" not in told["environment"]
    assert (told["environment"]["LC_TIME"], told["environment"]["HOME"]) == ("C", "/tmp")
    assert told["files"] == ["0", "1", "2", "3"], "the last is the listing itself"
    assert not {"sda", "vda", "kvm", "pts", "ptmx", "tty", "mem", "fuse"} & {*told["devices"]}
    assert int(told["status"]["CapEff"], 16) == int(told["status"]["CapPrm"], 16) == 0
    assert told["status"]["NoNewPrivs"] == "1"
    assert told["processes"] == [1, 2]
    assert told["folder"] == []
