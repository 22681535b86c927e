import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.server import environment

from parlour_bots.hosting.child_server import serving
from parlour_client.cli import local_checks
from parlour_client.cli.app import app_of, run
from parlour_client.cli.local_checks import Finding
from parlour_client.cli.verbs import CHECKUP


def _hosting(*words: str) -> Iterator[Finding]:
    return local_checks.hosting(
        lambda: run(app_of("parlour doctor", CHECKUP), words), lambda: serving("--no-house-bots")
    )


def _by_check(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.check: finding for finding in findings}


def test_machine_that_can_host(tmp_path: Path) -> None:
    found = _by_check(list(_hosting("--port", "0", "--store", f"sqlite:///{tmp_path}/games.db")))
    assert list(found) == ["port", "network", "files", "database", "disk", "sync", "loopback"]
    assert {found[check].status for check in ("port", "database", "disk", "loopback")} == {"ok"}
    assert list(tmp_path.iterdir()) == []  # it changes nothing


def test_port_that_is_held(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        found = next(_hosting("--port", str(port), "--store", f"sqlite:///{tmp_path}/games.db"))
    assert (found.check, found.status) == ("port", "fail")


def test_settings_that_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_PORT", "seven")
    [found] = _hosting()
    assert (found.check, found.status) == ("settings", "fail")
    assert "seven" in found.says


def test_server_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "parlour_server.cli.doctor", None)
    [found] = _hosting()
    assert (found.check, found.status) == ("server", "fail")
    assert found.next


def test_server_that_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "parlour").mkdir()
    (tmp_path / "parlour" / "parlour.toml").write_text("[serve]\nkeep_days = -1\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    found = asyncio.run(local_checks.loopback(lambda: serving("--no-house-bots")))
    assert (found.check, found.status) == ("loopback", "fail")
    assert "keep" in found.says


def test_client_does_not_import_the_server_for_a_remote_check(tmp_path: Path) -> None:
    program = (
        "import sys; from parlour_client.cli.main import main; code = main(['doctor', '--url', 'localhost:1']); "
        "assert not [name for name in sys.modules if name.startswith('parlour_server')]; sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", program], env=environment(tmp_path), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "")
    assert os.linesep.join(done.stdout.splitlines()[-1:]) == "1 failed; all other checks passed."
