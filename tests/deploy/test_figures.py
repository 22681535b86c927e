"""Metrics, settings and commands in the files of deploy/ exist and work."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.request import urlopen

import pytest
from tests.bots.programs import CONFINES
from tests.deploy.proxies import DEPLOY
from tests.support.commands import printed
from tests.support.processes import children
from tests.support.server import SERVE, ServerProcess, server_process
from tests.support.tls import CERTIFICATE, KEY
from tests.support.waiting import PATIENCE

IMAGE = (DEPLOY / "Dockerfile").read_text()
"""How the image is built. It is linted and not built."""


def _metrics(server: ServerProcess) -> set[str]:
    """Return the names of all metrics that a server exposes."""
    with urlopen(f"{server.url.replace('ws', 'http', 1)}/metrics", timeout=PATIENCE) as answer:
        text = answer.read().decode()
    types = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
    histograms = {
        f"{name}_{part}" for name, kind in types.items() if kind == "histogram" for part in ("bucket", "count", "sum")
    }
    return types.keys() | histograms


def _named(expression: str) -> set[str]:
    """Return the metrics in a PromQL expression."""
    bare = re.sub(r"\{[^}]*\}|\[[^]]*\]|(by|without) \([^)]*\)", "", expression)
    return {word for word in re.findall(r"[a-zA-Z_]\w*(?!\w*\()", bare) if "_" in word or word == "up"} - {
        "histogram_quantile",
        "label_values",
    }


def _expressions() -> dict[str, list[str]]:
    dashboard = json.loads((DEPLOY / "grafana/dashboard.json").read_text())
    panels = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    asked = [each["query"] for each in dashboard["templating"]["list"] if each["type"] == "query"]
    rules = re.findall(
        r"expr: (?:>-\n)?((?:.+\n)(?:          / .+\n)?)", (DEPLOY / "prometheus/rules.yaml").read_text()
    )
    return {"dashboard": panels + asked, "rules": rules}


def test_metrics_exist(server: ServerProcess) -> None:
    there = _metrics(server) | {"up"}  # which Prometheus adds for each target
    for place, expressions in _expressions().items():
        assert len(expressions) >= 8
        named = set().union(*map(_named, expressions))
        assert len(named) > 4
        assert named <= there, place


def test_metrics_are_found_in_expressions() -> None:
    assert _named('sum by (le, a_b) (rate(parlour_x_bucket{code="c_d"}[5m])) / up') == {"parlour_x_bucket", "up"}
    assert len(_expressions()["rules"]) == (DEPLOY / "prometheus/rules.yaml").read_text().count("alert:")


def test_settings_exist() -> None:
    files = ("Dockerfile", "compose.yaml", "kubernetes/parlour.yaml", "systemd/parlour.service")
    text = "".join((DEPLOY / name).read_text() for name in files)
    named = set(re.findall(r"\bPARLOUR_[A-Z_]+\b(?=[:=,} ]|$)", text)) - {"PARLOUR_HOST", "PARLOUR_A", "PARLOUR_B"}
    flags = re.findall(r"--([a-z][a-z-]+)", printed("serve", "--help"))
    assert len(named) >= 3
    assert named <= {f"PARLOUR_{flag.upper().replace('-', '_')}" for flag in flags}


def test_flags_of_the_unit_start_a_server(tmp_path: Path) -> None:
    unit = (DEPLOY / "systemd/parlour.service").read_text()
    [line] = re.findall(r"^ExecStart=/opt/parlour/bin/parlour serve (.*)$", unit, re.MULTILINE)
    *flags, store, file = shlex.split(line)
    assert (store, file) == ("--store", "sqlite:////var/lib/parlour/parlour.db")
    with server_process(tmp_path, *flags) as server:
        assert server.url.startswith("ws://")


def test_image_copies_existing_files() -> None:
    copied = [name for line in re.findall(r"^COPY (?!--from)(.*) \S+$", IMAGE, re.MULTILINE) for name in line.split()]
    needed = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {*needed["shared-data"], *(package.partition("/")[0] for package in needed["packages"])} <= set(copied)
    assert all((DEPLOY.parent / name).exists() for name in copied)
    let_through = re.findall(r"^!(\S+)$", (DEPLOY / "Dockerfile.dockerignore").read_text(), re.MULTILINE)
    assert set(let_through) == set(copied)


def test_images_are_pinned_by_exact_versions() -> None:
    base, *stages = re.findall(r"^FROM (\S+)", IMAGE, re.MULTILINE)
    composed = re.findall(r"^    image: (\S+:\S+)$", (DEPLOY / "compose.yaml").read_text(), re.MULTILINE)
    assert re.search(r":\d+\.\d+\.\d+-.*@sha256:[0-9a-f]{64}$", base)
    assert (stages, len(composed)) == (["base", "base"], 2)
    assert all(re.search(r":\d+\.\d+(\.\d+)?-", each) for each in composed)


def test_image_does_not_run_as_root_and_any_user_of_its_group_may_write() -> None:
    final = IMAGE.rpartition("FROM ")[2]
    assert re.findall(r"^USER (\S+)$", final, re.MULTILINE) == ["10001:0"]
    assert "--group root --mode 0770 /data" in final
    assert "runAsUser: 10001" in (DEPLOY / "kubernetes/parlour.yaml").read_text()


def is_healthy(server: ServerProcess) -> bool:
    """Return what the health check of the image says about a server."""
    settings = {**os.environ, "PARLOUR_PORT": server.url.rpartition(":")[2]}
    return subprocess.run((sys.executable, DEPLOY / "health.py"), env=settings, check=False).returncode == 0


@pytest.mark.long
@pytest.mark.parametrize("tls", [(), ("--tls-cert", str(CERTIFICATE), "--tls-key", str(KEY))], ids=["plain", "tls"])
def test_health_check_of_the_image_detects_a_stopped_server(tmp_path: Path, tls: tuple[str, ...]) -> None:
    [words] = re.findall(r"^HEALTHCHECK .* CMD (\[.*\])$", IMAGE, re.MULTILINE)
    assert json.loads(words) == ["python", "/opt/parlour/health.py"]
    assert re.search(r"^COPY .*deploy/health.py /opt/parlour/$", IMAGE, re.MULTILINE)
    with server_process(tmp_path, *tls) as server:
        assert is_healthy(server)
        server.stop()
        assert not is_healthy(server)


CONTAINED = """
mount --bind "$1" "$1"
mount -o remount,bind,ro /
shift
exec unshare --user --map-user=12345 --map-group=0 -- "$@"
"""


@CONFINES
def test_server_runs_as_the_first_process_of_an_unknown_user_on_a_read_only_root(tmp_path: Path) -> None:
    namespaces = ("unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
    program = (*namespaces, "sh", "-ec", CONTAINED, "sh", str(tmp_path), "env", "--unset=HOME", *SERVE)
    with server_process(tmp_path, house_bots=True, program=program) as server:
        assert server.pid == 1
        assert is_healthy(server)
        [first] = children(server.outer_pid)
        os.kill(first, signal.SIGTERM)
        assert server.wait() == 0
