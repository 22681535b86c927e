"""Run JavaScript in Node.js, for tests marked ``node``."""

import json
import subprocess
from pathlib import Path
from typing import Any


def run(node: Path, *words: object, given: str = "") -> str:
    """Return what a program prints that reads ``given``."""
    call = [str(node), *map(str, words)]
    done = subprocess.run(call, input=given, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def evaluate(node: Path, module: Path, expression: str) -> Any:
    """Return the value of ``expression`` where ``it`` holds the exports of ``module``."""
    script = f"const it = await import({json.dumps(module.as_uri())}); console.log(JSON.stringify({expression}));"
    return json.loads(run(node, "--input-type=module", "--eval", script))


def ask(node: Path, driver: Path, questions: list[Any]) -> list[Any]:
    """Return the answers of a program that reads all ``questions`` at once."""
    answers: list[Any] = json.loads(run(node, driver, given=json.dumps(questions)))
    return answers
