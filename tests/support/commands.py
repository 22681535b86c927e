"""Run ``parlour`` in this process: for commands whose own process is not what a test is about."""

import io
import os
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

import attrs

from parlour_client.cli.main import main
from parlour_client.core.errors import OK


@attrs.frozen
class Finished:
    """A command that has ended."""

    returncode: int
    stdout: str
    stderr: str


def run(*words: str, stdin: str = "", env: Mapping[str, str] | None = None) -> Finished:
    """Run ``parlour`` with ``words``, in the environment ``env`` if given."""
    out, err = io.StringIO(), io.StringIO()
    surroundings = patch.dict(os.environ, env or {}, clear=env is not None)
    with surroundings, patch("sys.stdin", io.StringIO(stdin)), redirect_stdout(out), redirect_stderr(err):
        code = main(words)
    return Finished(code, out.getvalue(), err.getvalue())


def printed(*words: str, code: int = OK, stdin: str = "") -> str:
    """Run ``parlour`` with ``words``, which ends by ``code``; return all that it has printed."""
    done = run(*words, stdin=stdin)
    assert done.returncode == code, done
    return done.stdout + done.stderr
