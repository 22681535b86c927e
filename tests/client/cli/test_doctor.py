import asyncio
import io
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from cyclopts import App
from tests.support.commands import printed
from tests.support.server import environment

from parlour_bots.hosting.child_server import serving
from parlour_client.cli import doctor, local_checks, server_checks
from parlour_client.cli.app import app_of, run
from parlour_client.cli.local_checks import Finding, report, summary
from parlour_client.cli.verbs import CHECKUP
from parlour_protocol.installation import install_hint

Monkey = pytest.MonkeyPatch
FINE, ODD, BAD = Finding("a", "ok", "1"), Finding("b", "warn", "2", "Mend it"), Finding("c", "fail", "\x1b3", "Stop")


def _system(encoding: str) -> SimpleNamespace:
    return SimpleNamespace(stdout=SimpleNamespace(isatty=lambda: True, encoding=encoding))


@pytest.fixture
def screen(monkeypatch: Monkey) -> Monkey:
    monkeypatch.setattr(local_checks, "sys", _system("utf-8"))
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((120, 40)))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return monkeypatch


def test_python_is_told_with_our_version(monkeypatch: Monkey) -> None:
    monkeypatch.setattr(local_checks, "find_spec", lambda _: "there")
    found = local_checks.python()
    assert (found.status, "Python 3." in found.says, "parlour 0." in found.says) == ("ok", True, True)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no uvloop there")
def test_missing_uvloop_is_worth_a_word(monkeypatch: Monkey) -> None:
    monkeypatch.setattr(local_checks, "find_spec", lambda _: None)
    assert (local_checks.python().status, install_hint("uvloop") in local_checks.python().next) == ("warn", True)


def test_good_terminal(screen: Monkey) -> None:
    assert local_checks.terminal() == Finding("terminal", "ok", "120x40, all colours, UTF-8")
    screen.setenv("COLORTERM", "")
    assert "256 colours" in local_checks.terminal().says
    screen.setenv("TERM", "vt100")
    assert "few colours" in local_checks.terminal().says
    screen.setenv("NO_COLOR", "1")
    assert "no colours" in local_checks.terminal().says


@pytest.mark.parametrize(
    ("size", "status"), [((80, 24), "ok"), ((79, 24), "warn"), ((60, 20), "warn"), ((60, 19), "fail")]
)
def test_small_terminal(screen: Monkey, size: tuple[int, int], status: str) -> None:
    screen.setattr("shutil.get_terminal_size", lambda: os.terminal_size(size))
    assert local_checks.terminal().status == status


def test_smallest_size_is_that_of_the_screens() -> None:
    from parlour_client.tui.screens.base import LEAST

    assert local_checks.SMALL == LEAST


def test_terminal_without_unicode(screen: Monkey) -> None:
    screen.setattr(local_checks, "sys", _system("ANSI_X3.4-1968"))
    assert (local_checks.terminal().status, "PARLOUR_LOOK=ascii" in local_checks.terminal().next) == ("warn", True)


def test_pipe_is_no_terminal_and_that_is_fine(screen: Monkey) -> None:
    screen.setenv("TERM", "dumb")
    assert local_checks.terminal().status == "ok"
    assert "line mode" in local_checks.terminal().says


@pytest.mark.parametrize(("year", "status"), [(1970, "fail"), (2027, "ok")])
def test_clock(year: int, status: str) -> None:
    assert local_checks.clock(datetime(year, 2, 3, tzinfo=UTC)).status == status


def test_finding_is_one_printable_line_that_ends_with_what_to_do() -> None:
    assert FINE.line() == "ok    a           1"
    assert BAD.line() == "fail  c           �3. Stop"
    hostile = Finding("hello", "ok", "\x1b[2J\nowned\u202e").line()
    assert (hostile.isprintable(), "owned" in hostile) == (True, True)


def test_terminal_gets_the_status_in_colour_and_wrapped_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"COLUMNS": "30", "TERM": "xterm", "NO_COLOR": ""}.items():
        monkeypatch.setenv(name, value)
    out = io.StringIO()
    out.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stdout", out)
    report([Finding("port", "fail", "port 1 is held by another")])
    assert out.getvalue() == f"\x1b[1;31mfail\x1b[m  port        port 1 is\n{' ' * 18}held by\n{' ' * 18}another\n"


@pytest.mark.parametrize(
    ("findings", "line"),
    [
        ([FINE], "All checks passed."),
        ([FINE, ODD], "1 warning; all other checks passed."),
        ([BAD, FINE, BAD, ODD], "2 failed, 1 warning; all other checks passed."),
    ],
)
def test_summary(findings: list[Finding], line: str) -> None:
    assert summary(findings) == line


def test_findings_are_told_as_they_come(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(iter([FINE, BAD])) == [FINE, BAD]
    assert [line[:4] for line in capsys.readouterr().out.splitlines()] == ["ok  ", "fail"]
    assert report([FINE], quiet=True) == [FINE]
    assert capsys.readouterr().out == ""


def _hosting(*words: str) -> Iterator[Finding]:
    return local_checks.hosting(
        lambda: run(app_of("parlour doctor", CHECKUP), words), lambda: serving("--no-house-bots")
    )


def test_machine_that_can_host(tmp_path: Path) -> None:
    found = {each.check: each.status for each in _hosting("--port", "0", "--store", f"sqlite:///{tmp_path}/games.db")}
    assert list(found) == ["port", "network", "files", "database", "disk", "sync", "loopback"]
    assert {found[check] for check in ("port", "database", "disk", "loopback")} == {"ok"}
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
    assert (found.check, found.status, bool(found.next)) == ("server", "fail", True)


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


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    asked: list[object] = []

    def check(app: App, words: Sequence[str]) -> list[tuple[str, ...]]:
        asked.append(list(words))
        return []

    def host(checkup: Callable[[], object], serving: object) -> Iterator[Finding]:
        checkup()
        yield ODD

    def visit(url: str) -> Iterator[Finding]:
        asked.append(url)
        yield BAD

    monkeypatch.setattr(local_checks, "here", lambda: iter([FINE]))
    monkeypatch.setattr(doctor, "run", check)
    monkeypatch.setattr(local_checks, "hosting", host)
    monkeypatch.setattr(server_checks, "outside", visit)
    return asked


def test_settings_are_handed_on_and_warnings_are_no_failure(asked: list[object]) -> None:
    assert printed("doctor").splitlines()[-2:] == [ODD.line(), "1 warning; all other checks passed."]
    printed("doctor", "--port", "80", "--store", "sqlite:///a b.db")
    assert asked == [[], ["--port", "80", "--store", "sqlite:///a b.db"]]


def test_a_remote_server_fails_with_its_checks(asked: list[object]) -> None:
    told = printed("doctor", "--url", "games.example", code=1)  # the former name of --server
    assert (asked, told.splitlines()[0]) == (["games.example"], FINE.line())


@pytest.mark.usefixtures("asked")
def test_json_is_one_clean_object() -> None:
    out = printed("doctor", "--url", "x", "--json", code=1)
    assert "\x1b" not in out
    told = json.loads(out)
    assert told["ok"] is False
    assert told["checks"][0] == {"check": "a", "status": "ok", "says": "1", "next": ""}
    assert [each["status"] for each in told["checks"]] == ["ok", "fail"]


@pytest.mark.parametrize("verb", ["doctor", "profile"])
def test_help_does_not_show_former_names_of_options(verb: str) -> None:
    shown = printed(verb, "--help")
    assert ("--server" in shown, "--url" in shown) == (True, False)
