"""The types of the SDK, as the two common checkers see them from outside."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOURCES = ("protocol", "games", "server", "client", "bots")
FILES = [
    HERE / "api.py",
    HERE / "turns.py",
    *(ROOT / "bots" / "examples").glob("hello.py"),
    *(ROOT / "bots/parlour_bots/templates").glob("*.py"),
]


def documented(folder: Path) -> Path:
    """Write the typed bot of the tutorial into a folder."""
    text = (ROOT / "docs" / "first-bot.md").read_text(encoding="utf-8")
    found = re.search(r"^```python anna\.py\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    file = folder / "anna.py"
    file.write_text(found[1], encoding="utf-8")
    return file


@pytest.mark.long
def test_mypy_agrees(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "mypy", "--strict", "--warn-unused-ignores", "--cache-dir", os.devnull)
    done = subprocess.run(
        (*command, *FILES, documented(tmp_path)), cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.pyright
def test_pyright_agrees_and_sees_what_is_wrong(tmp_path: Path, node_executable: Path) -> None:
    """In a copy without the marks each marked line is an error, and no other is."""
    for number, file in enumerate(FILES):
        shutil.copy(file, tmp_path / f"{number}_{file.name}")
    documented(tmp_path)
    marked = (HERE / "api.py").read_text().splitlines()
    (tmp_path / "bare.py").write_text("\n".join(line.partition("# type: ignore")[0] for line in marked))
    lines = {number for number, line in enumerate(marked, start=1) if "# type: ignore" in line}
    assert len(lines) == 7
    found = pyright(tmp_path, node_executable)
    assert found["summary"]["filesAnalyzed"] == len(FILES) + 2
    told = [(Path(each["file"]).name, each["range"]["start"]["line"] + 1) for each in found["generalDiagnostics"]]
    assert {name for name, _ in told} == {"bare.py"}
    assert {line for _, line in told} == lines


def pyright(folder: Path, node: Path) -> Any:
    """Return what pyright has to say about the files in a folder."""
    spec = find_spec("pyright")
    assert spec is not None
    assert spec.origin is not None
    settings = {
        "extraPaths": [str(ROOT / source) for source in SOURCES],
        "typeCheckingMode": "strict",
        "reportUnnecessaryTypeIgnoreComment": "error",
        "enableTypeIgnoreComments": False,
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    script = Path(spec.origin).parent / "dist" / "index.js"
    command = (node, script, "--pythonpath", sys.executable, "--outputjson")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return json.loads(done.stdout)
