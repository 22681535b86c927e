"""``deploy/check`` passes for the files as they are and fails for each fault."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.deploy.proxies import DEPLOY

pytestmark = pytest.mark.validators
ALL = ("--all",) if os.environ.get("PARLOUR_TESTS") == "all" else ()
FROM_PYPI = (
    ("Dockerfile", "FROM base\n", "FROM python:latest\n", "image"),
    ("compose.yaml", "cap_drop: [ALL]", "cap_drop: ALL", "compose, by its schema"),
    ("kubernetes/parlour.yaml", "runAsNonRoot: true", "runAsNoRoot: true", "Kubernetes"),
    ("kubernetes/parlour.yaml", "  replicas: 2", "   replicas: 2", "YAML"),
    ("../.github/workflows/test.yaml", "runs-on: ", "run-on: ", "GitHub workflows"),
    ("../.github/ISSUE_TEMPLATE/bug.yml", "type: textarea", "type: text", "GitHub issue-forms"),
)
"""Faults that validators from PyPI find."""


def _check(deploy: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run((sys.executable, deploy / "check", *words), capture_output=True, text=True)


@pytest.fixture
def deploy(tmp_path: Path) -> Path:
    """Return a copy of deploy/ to put faults into."""
    tls = "tests/support/tls"
    shutil.copytree(DEPLOY.parent / tls, tmp_path / tls)
    (tmp_path / ".venv").symlink_to(DEPLOY.parent / ".venv")
    shutil.copytree(DEPLOY.parent / ".github", tmp_path / ".github")
    return Path(shutil.copytree(DEPLOY, tmp_path / "deploy"))


def test_files_are_valid() -> None:
    done = _check(DEPLOY, *ALL)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "FAIL" not in done.stdout
    for name in ("systemd unit", "HAProxy", "nginx", "Caddy", "alerts' tests"):
        assert f"ok    {name}\n" in done.stdout


@pytest.mark.parametrize(
    ("file", "old", "new", "check"),
    [
        ("systemd/parlour.service", "Type=notify", "Tipe=notify", "systemd unit"),
        ("systemd/parlour.service", "CapabilityBoundingSet=\n", "User=root\nDynamicUser=no\n", "systemd hardening"),
        ("haproxy.cfg", "timeout tunnel 1h", "timeout tunel 1h", "HAProxy"),
        ("nginx.conf", "proxy_http_version", "proxy_htp_version", "nginx"),
        ("Caddyfile", "lb_policy", "lb_polity", "Caddy"),
        ("Caddyfile", "\trespond", "   respond", "Caddy's format"),
        ("prometheus/rules.yaml", "> 9000", "> 9900", "alerts' tests"),
        ("prometheus/rules.yaml", "rate(", "rat(", "alerts"),
        ("prometheus/prometheus.yaml", "scrape_interval", "scrape_intervall", "Prometheus"),
        *(pytest.param(*each, marks=pytest.mark.long) for each in FROM_PYPI),
    ],
)
def test_fault_is_found(deploy: Path, file: str, old: str, new: str, check: str) -> None:
    text = (deploy / file).read_text()
    assert old in text
    (deploy / file).write_text(text.replace(old, new))
    done = _check(deploy, check)
    if "skipped" in done.stdout and not ALL:
        pytest.skip(done.stdout)
    assert done.returncode == 1
    assert f"FAIL  {check}" in done.stdout


def test_skipped_checks_are_listed(deploy: Path) -> None:
    (deploy.parent / ".venv").unlink()
    bare = deploy.parent / "bin"
    bare.mkdir()
    (bare / "python").symlink_to(sys.executable)
    (deploy / "check").write_text((deploy / "check").read_text().replace('"/usr/sbin"', '""'))
    command = (str(bare / "python"), str(deploy / "check"), "nginx", "HAProxy")
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": str(bare)})
    assert done.stdout == "skipped, program not installed: HAProxy, nginx\n"
    assert done.returncode == 0
    strict = subprocess.run((*command, "--all"), capture_output=True, text=True, env={"PATH": str(bare)})
    assert strict.returncode == 1
