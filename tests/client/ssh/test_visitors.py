import os
import subprocess
import sys

import pytest

from parlour_client.ssh.visitors import CRASHED

SCRIPT = """
import asyncio, os, sys
from parlour_client.ssh import visitors
from parlour_client.ssh.visitors import Nursery, Visit, live

def play(visit):
    match visit.words:
        case ["spin"]:
            asyncio.run(spin())
        case ["fail"]:
            raise ValueError("on purpose")
        case ["hoard"]:
            return len(bytearray(visitors._MEMORY * 2))
        case ["write"]:
            with open(f"{visit.home}/file", "wb") as file:
                file.write(bytes(visitors._FILE + 1))
        case ["tell"]:
            print(sorted(os.environ), os.isatty(0), os.getsid(0) == os.getpid(), os.listdir("/proc/self/fd"))
    return 3

async def spin():
    asyncio.get_running_loop().call_soon(endless)
    await live()

def endless():
    while True:
        pass

visitors._STUCK = 1
nursery = Nursery(lambda: None, play)
terminal, ending = nursery.begin(Visit({"TERM": "dumb"}, sys.argv[1], "anna", None, "192.0.2.1", sys.argv[2:]))
said = b""
while True:
    try:
        more = os.read(terminal, 1000)
    except OSError:
        break
    if not more:
        break
    said += more
code = os.read(ending, 1)
print(list(code), said.decode())
"""


@pytest.mark.parametrize(
    ("words", "codes"), [("spin", []), ("fail", [CRASHED]), ("hoard", [CRASHED]), ("write", [CRASHED]), ("tell", [3])]
)
def test_a_visitor_is_bounded(words: str, codes: list[int], tmp_path: "os.PathLike[str]") -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path), words], capture_output=True, text=True, check=True, env=os.environ
    )
    told, _, said = done.stdout.partition("] ")
    assert f"{told}]" == str(codes), done.stderr
    if words == "tell":
        assert "True True" in said
        assert "PARLOUR" not in said
        assert "'TERM'" in said
    else:
        assert (words == "spin") == ("Error" not in done.stderr)


def test_visitors_load_no_game_no_screen_and_no_phrases_after_the_fork() -> None:
    program = """
import sys
from parlour_client.core import phrases
from parlour_client.ssh import visit
from parlour_protocol.phrases import LANGUAGES
visit.warm_up()
before = set(sys.modules)
del phrases.table  # it reads files
for language in LANGUAGES:
    phrases.phrases.use(language)
    phrases.say("ssh.stopped")
import parlour_client.tui.driver
from parlour_client.tui.games.base import widget_for
from parlour_games.registry import games
for game in games():
    widget_for(game)
sys.exit(", ".join(set(sys.modules) - before) or 0)
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)
