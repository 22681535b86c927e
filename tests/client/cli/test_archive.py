"""The command in a single file: an archive, as zipapp, shiv and pex make them, and a frozen program."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipapp
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from venv import EnvBuilder

import pytest
from tests.bots.programs import IS_CONFINED
from tests.support.waiting import PATIENCE, STILL

import parlour_bots
import parlour_client
import parlour_games
import parlour_protocol
import parlour_server

FROZEN = """#!{python}
import subprocess, sys
sys.path[:], sys.frozen, sys.executable = {path}, True, __file__
from parlour_protocol.installation import module_command, run_module_if_child
run_module_if_child()
sys.exit(subprocess.run(module_command("parlour_client", "--version")).returncode)
"""


def archive_command(folder: Path) -> list[str]:
    """Return the command that runs an archive of parlour by a Python that has the dependencies, but no parlour."""
    for package in (parlour_bots, parlour_client, parlour_games, parlour_protocol, parlour_server):
        place = Path(str(package.__file__)).parent
        shutil.copytree(place, folder / "contents" / place.name, ignore=shutil.ignore_patterns("__pycache__"))
    zipapp.create_archive(folder / "contents", folder / "parlour.pyz", main="parlour_client.cli.main:main")
    EnvBuilder(symlinks=os.name != "nt").create(folder / "venv")
    base = {"base": str(folder / "venv"), "platbase": str(folder / "venv")}
    dependencies = Path(sysconfig.get_path("purelib", "venv", base), "dependencies.pth")
    dependencies.write_text(sysconfig.get_path("purelib"))  # its .pth files, as of an editable parlour, are not read
    return [str(Path(sysconfig.get_path("scripts", "venv", base), "python")), str(folder / "parlour.pyz")]


@pytest.mark.long
def test_an_archive_plays_and_checks_itself(tmp_path: Path) -> None:
    command, pipe = archive_command(tmp_path), subprocess.PIPE
    (tmp_path / "first.py").write_text("def play(turn): return 0")
    confined = ("--confined",) if IS_CONFINED else ()
    verbs = (
        ["demo", "--json", "--folder", str(tmp_path)],
        ["doctor", "--json"],
        ["play", "minesweeper", "--plain"],
        ["arena", "uno", "first.py", "exec:yes 0", "--games", "2", "--jobs", "1", "--json", *confined],
    )
    with ExitStack() as stack:
        running = [
            stack.enter_context(subprocess.Popen([*command, *words], stdin=pipe, stdout=pipe, cwd=tmp_path, text=True))
            for words in verbs
        ]
        demo, doctor, play, arena = [each.communicate("open e5\nleave\n", timeout=STILL)[0] for each in running]
    assert Path(json.loads(demo)["file"]).exists()
    assert {check["check"]: check["status"] for check in json.loads(doctor)["checks"]}["loopback"] == "ok"
    assert running[2].returncode == 0, play
    assert json.loads(arena)["games"] == 2


@pytest.mark.skipif(os.name == "nt", reason="Windows runs no script as a program")
def test_a_frozen_program_starts_itself_to_run_a_module(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text(FROZEN.format(python=sys.executable, path=sys.path))
    program.chmod(0o700)
    asked = subprocess.run(program, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
    assert asked.splitlines()[0] == f"parlour {version('parlour')}"
