"""The smoke: what people do first with an installed parlour, each step with the command that they type.

Needs only the standard library, and ``parlour`` beside the Python that runs it. It prints one JSON object per check as
the check ends: ``{"check": "demo", "ok": true, "seconds": 9.1, "says": ""}``, and exits with 1 if a check failed.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from threading import Timer
from typing import Any
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

PARLOUR = str(Path(sys.executable).with_name("parlour.exe" if os.name == "nt" else "parlour"))
PATIENCE = 180.0
"""Seconds within which a command must end."""


def main() -> int:
    """Run all checks in a temporary folder; return the exit code."""
    failed = False
    with tempfile.TemporaryDirectory(prefix="parlour-smoke-", ignore_cleanup_errors=True) as folder:
        os.chdir(folder)
        for name, check in CHECKS.items():
            began, says = time.monotonic(), ""
            try:
                check()
            except Exception as error:
                says, failed = f"{type(error).__name__}: {error}", True
            seconds = round(time.monotonic() - began, 1)
            print(json.dumps({"check": name, "ok": not says, "seconds": seconds, "says": says}), flush=True)
        os.chdir(os.path.dirname(folder))
    return int(failed)


def demo() -> None:
    """Bots play a match over sockets; the match file is there afterwards."""
    result = json.loads(parlour("demo", "--json", "--folder", "."))
    expect(result["winner"] in result["scores"], result)
    expect(Path(result["file"]).is_file(), result)


def verify() -> None:
    """The match file of the demo is accepted, and refused with one byte changed."""
    (file,) = Path().glob("uno-*.jsonl")
    parlour("verify", str(file))
    changed = Path("changed.jsonl")
    changed.write_bytes(file.read_bytes().replace(b'"red', b'"blue', 1))
    done = run("verify", str(changed))
    expect(done.returncode != 0 and "Traceback" not in done.stderr, done)


def serve() -> None:
    """A server lists its room, serves the page, and stops when its input closes."""
    with server() as ready:
        listed = json.loads(parlour("rooms", "--server", ready["url"], "--json"))["rooms"]
        expect(ready["room"] in [room["room"] for room in listed], listed)
        address = urlsplit(ready["url"])
        with build_opener(ProxyHandler({})).open(f"http://{address.netloc}/", timeout=PATIENCE) as page:
            html = page.read().decode()
        expect(page.headers["Content-Type"].startswith("text/html") and "<title>" in html, html[:500])


def second_server() -> None:
    """A second server on the same store is refused."""
    with server():
        done = run("serve", "--ready-json", "--port", "0", "--store", "sqlite:///smoke.db")
        expect(done.returncode != 0 and "in use by parlour serve, pid " in done.stderr, done)


def play() -> None:
    """Line mode plays Minesweeper: it opens what the hints call safe until none is safe, then resigns."""
    moves = 0
    with started("play", "minesweeper", "--plain", "--once", "--seed", "7") as child:
        for line in child.stdout:
            if line.startswith("Your move"):
                typed = "hint"
            elif safe := re.match(r"Safe: ((?:[a-i][1-9](?:, )?)+)", line):
                typed = safe[1].replace(",", "")
                moves += 1
            elif re.match("Mines:|Least risk|Away from", line):
                typed = "resign"
            else:
                continue
            child.stdin.write(f"{typed}\n")
            child.stdin.flush()
    expect(child.returncode == 0 and moves > 1, f"exit code {child.returncode} after {moves} moves")


def doctor() -> None:
    """The machine can play and host."""
    done = run("doctor", "--json", "--store", "sqlite:///doctor.db")
    failures = [check for check in json.loads(done.stdout)["checks"] if check["status"] == "fail"]
    expect(done.returncode == 0 and not failures, failures or done.stderr)


def bots() -> None:
    """Two bots, each a process of its own, play a match on a server."""
    with (
        server() as ready,
        started("bot", "run", "painfirst", "--open", "2", "--server", ready["url"], "--json") as host,
    ):
        opened = expect(re.search(r"room (\w+)", host.stderr.readline()), "no room was opened")
        joined = parlour("bot", "run", "random", "--room", opened[1], "--server", ready["url"], "--json")
        output, _ = host.communicate()
        expect(json.loads(joined)["digest"] == json.loads(output)["digest"], (joined, output))


def arena() -> None:
    """Bots are compared, in processes of their own."""
    words = ("uno", "painfirst", "random", "--games", "4", "--seed", "1", "--jobs", "2")
    result = json.loads(parlour("arena", *words, "--json"))
    expect(sum(bot["wins"] for bot in result["bots"]) == result["games"] == 4, result)


def protocol() -> None:
    """The specification can be redirected to a file, whatever the encoding of the output."""
    with Path("protocol.txt").open("wb") as file:
        done = subprocess.run((PARLOUR, "protocol"), stdout=file, stderr=subprocess.PIPE, timeout=PATIENCE)
    expect(done.returncode == 0, done.stderr.decode())
    packaged = files("parlour_protocol").joinpath("SPEC.md").read_bytes()
    expect(Path("protocol.txt").read_bytes() == packaged, "the file differs from the one in the package")


CHECKS: dict[str, Callable[[], None]] = {
    "demo": demo,
    "verify": verify,
    "serve": serve,
    "second server": second_server,
    "play": play,
    "doctor": doctor,
    "bot run": bots,
    "arena": arena,
    "protocol": protocol,
}


def expect(fact: Any, otherwise: object) -> Any:
    """Return ``fact`` if it is true. Raises AssertionError, with what was found instead, if it is not."""
    if not fact:
        raise AssertionError(str(otherwise)[-2_000:])
    return fact


def run(*words: str) -> "subprocess.CompletedProcess[str]":
    """Run ``parlour`` with ``words`` until it has ended."""
    return subprocess.run(
        (PARLOUR, *words),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=PATIENCE,
    )


def parlour(*words: str) -> str:
    """Return the output of ``parlour`` with ``words``. Raises AssertionError if it failed."""
    done = run(*words)
    expect(done.returncode == 0, f"{' '.join(words)}: exit code {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


@contextmanager
def started(*words: str) -> Iterator[Any]:
    """Run ``parlour`` with ``words`` and pipes meanwhile; kill it after ``PATIENCE``, or if the context fails."""
    with subprocess.Popen(
        (PARLOUR, *words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    ) as child:
        limit = Timer(PATIENCE, child.kill)
        limit.start()
        try:
            yield child
        except BaseException:
            child.kill()
            raise
        finally:
            limit.cancel()


@contextmanager
def server() -> Iterator[dict[str, Any]]:
    """Host a server on a free port; yield its ready line."""
    with started("serve", "--ready-json", "--port", "0", "--store", "sqlite:///smoke.db") as child:
        yield json.loads(child.stdout.readline() or expect(None, child.stderr.read()))
        _, log = child.communicate()  # closes its input, which stops it
        expect(child.returncode == 0 and "Traceback" not in log, log)


if __name__ == "__main__":
    sys.exit(main())
