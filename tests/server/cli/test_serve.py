"""``parlour serve``: flags, environment, file; what it refuses and says."""

import json
import os
import re
import socket
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
import structlog
from cyclopts import App
from cyclopts.config import Toml
from tests.support.commands import printed
from tests.support.server import SERVE, ServerProcess, environment, first_line
from tests.support.tls import CERTIFICATE, KEY
from tests.support.waiting import PATIENCE

from parlour_server import settings
from parlour_server.cli import serve as cli
from parlour_server.settings import ServerSettings


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Let ``parlour serve`` find no settings of this machine, and write nothing but into a folder of the test."""
    for name in list(os.environ):
        if name.startswith("PARLOUR_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    env, file = settings.SERVE
    assert isinstance(file, Toml)
    own = Toml(tmp_path / "parlour.toml", root_keys=file.root_keys, must_exist=False)
    monkeypatch.setattr(settings, "SERVE", (env, own))
    yield
    structlog.reset_defaults()


def refused(*flags: str) -> str:
    """Run ``parlour serve``, which has to exit with 2; return the one line that it says."""
    [line] = printed("serve", *flags, code=2).splitlines()
    return line


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--bogus",), "--bogus"),
        (("--port", "many"), "--port"),
        (("--port", "65536"), "65535"),
        (("--port", "-1"), "--port"),
        (("--log-level", "loud"), "warning"),
        (("--keep-days", "-1"), "--keep-days"),
        (("--lease", "nan"), "--lease"),
        (("--pace", "nan"), "--pace"),
        (("--store", "mysql://localhost"), "sqlite:///FILE"),
        (("--store", "games.db"), "sqlite:///FILE"),
        (("--store", "sqlite:////proc/parlour/games.db"), "/proc/parlour/games.db.lock cannot be written"),
        (("--tls-cert", "cert.pem"), "go together"),
        (("--tls-cert", "none.pem", "--tls-key", "none.pem"), "certificate cannot be used"),
        (("uno",), "uno"),
        (("--trusted-proxy", "nginx"), "10.0.0.0/8"),
        (("--origin", "example.org"), "https://example.org"),
        (("--port", "0", "--host", "192.0.2.1"), "cannot listen on 192.0.2.1:0"),
    ],
)
def test_bad_flags(flags: tuple[str, ...], words: str) -> None:
    assert words in refused(*flags, "--no-house-bots")


def test_refusal_leaves_no_token_behind(tmp_path: Path) -> None:
    refused("--store", "games.db")
    assert list(tmp_path.iterdir()) == []


def test_second_server_on_one_store(server: ServerProcess) -> None:
    said = refused("--port", "0", "--store", f"sqlite:///{server.store}")
    assert f"is in use by parlour serve, pid {server.pid}" in said


def test_port_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused("--port", str(port), "--no-house-bots")
    assert f"cannot listen on 127.0.0.1:{port}: " in said
    assert "Try --port 0" in said


def test_bad_environment_and_a_bad_file_are_refused_like_a_bad_flag(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "parlour.toml").write_text('[serve]\nport = "many"\n')
    assert "port" in refused()
    for number in ("many", "65536"):
        monkeypatch.setenv("PARLOUR_PORT", number)
        assert "PARLOUR_PORT" in refused()


Told = dict[str, Any]
README = Path(__file__).parents[3] / "deploy" / "README.md"
MARK = "<!-- generated: PARLOUR_GOLDEN=write pytest tests/server/cli/test_serve.py -->\n"
GIVEN: dict[str, Any] = {
    "host": "192.0.2.1", "port": 8000, "store": "sqlite:///x.db", "house-bots": False,
    "origin": ["https://a.example", "https://b.example"], "trusted-proxy": ["10.0.0.0/8"],
    "tls-cert": str(CERTIFICATE), "tls-key": str(KEY), "log-level": "debug", "keep-days": 30, "require-key": True,
}  # fmt: skip
WANTED = ServerSettings(
    host="192.0.2.1", port=8000, store="sqlite:///x.db", house_bots=False,
    origin=("https://a.example", "https://b.example"), trusted_proxy=("10.0.0.0/8",),
    tls_cert=CERTIFICATE, tls_key=KEY, log_level="debug", keep_days=30, require_key=True,
)  # fmt: skip


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """Catches the settings that ``parlour serve`` comes to."""
    told: Told = {}

    async def run(settings: ServerSettings) -> None:
        told.update(settings=settings)

    monkeypatch.setattr(cli, "run", run)
    return told


def test_defaults(told: Told) -> None:
    printed("serve")
    assert told == {"settings": ServerSettings()}
    printed("serve", "--lan")
    assert told["settings"].bind == "*"


def test_every_flag_is_a_setting(told: Told) -> None:
    flags = []
    for name, value in GIVEN.items():
        for each in value if isinstance(value, list) else [value]:
            flags += [f"--{name}" if each else f"--no-{name}"] if isinstance(each, bool) else [f"--{name}", str(each)]
    printed("serve", *flags, "--ready-json")
    assert told == {"settings": attrs.evolve(WANTED, ready_json=True)}


def test_environment_says_the_same_as_flags(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in GIVEN.items():
        text = " ".join(value) if isinstance(value, list) else str(value)
        monkeypatch.setenv(f"PARLOUR_{name.upper().replace('-', '_')}", text)
    printed("serve")
    assert told["settings"] == WANTED


def test_file_says_the_same_as_flags(told: Told, tmp_path: Path) -> None:
    lines = [f"{name} = {json.dumps(value)}" for name, value in GIVEN.items()]
    (tmp_path / "parlour.toml").write_text("\n".join(["[serve]", *lines]))
    printed("serve")
    assert told["settings"] == WANTED


def test_flag_wins_over_environment_over_file(told: Told, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "parlour.toml").write_text('[serve]\nhost = "192.0.2.3"\nport = 3\nstore = "sqlite:///3.db"\n')
    monkeypatch.setenv("PARLOUR_HOST", "192.0.2.2")
    monkeypatch.setenv("PARLOUR_PORT", "2")
    printed("serve", "--host", "192.0.2.1")
    assert told["settings"] == ServerSettings(host="192.0.2.1", port=2, store="sqlite:///3.db")


def test_settings_in_force_are_shown_with_where_they_come_from(tmp_path: Path) -> None:
    file = tmp_path / "parlour" / "parlour.toml"
    file.parent.mkdir()
    file.write_text('[serve]\nport = 3\norigin = ["https://a.example"]\nstore = "postgresql://me:secret@db/parlour"\n')
    env = environment(tmp_path, PARLOUR_PORT="2", PARLOUR_WEB="no")
    done = subprocess.run((*SERVE, "settings"), capture_output=True, env=env, timeout=PATIENCE, check=True)
    rows = {line.split()[0]: line.split()[1:] for line in done.stdout.decode().splitlines()}
    assert (rows["--port"], rows["--web"]) == (["2", "PARLOUR_PORT"], ["false", "PARLOUR_WEB"])
    assert rows["--origin"] == ['["https://a.example"]', str(file)]
    assert rows["--store"] == ['"postgresql://me@db/parlour"', str(file)]
    assert rows["--pace"] == ["0.8", "default"]


def test_every_setting_is_in_the_table_of_the_documentation() -> None:
    app = App()
    app.default(cli.serve)
    rows = ["", "| setting | default | range | meaning |", "|---|---|---|---|"]
    group = ""
    for each in app.assemble_argument_collection(parse_docstring=False):
        about: Any = each.parameter
        default = each.field_info.default
        if each.name == "*" or not each.show:
            continue
        if group != (group := about.group[0].name):
            rows.append(f"| **{group}** | | | |")
        [most] = [each.lte for each in about.validator] or [None]
        [least] = [each.gte for each in about.validator] or [None]
        limits = "" if least is None else f"at least {least:g}" if most is None else f"{least:g}–{most:g}"
        shown = {True: "on", False: "off"}[default] if isinstance(default, bool) else default or ""
        rows.append(" ".join(f"| `{each.name}` | {shown} | {limits} | {about.help} |".split()))
    head, _, rest = README.read_text(encoding="utf-8").partition(MARK)
    _, _, tail = rest.partition(MARK)
    text = MARK.join([head, "\n".join([*rows, "", ""]), tail])
    if os.environ.get("PARLOUR_GOLDEN") == "write":
        README.write_text(text, encoding="utf-8")
    assert README.read_text(encoding="utf-8") == text


def test_invitation_is_printed_with_a_line_to_join(tmp_path: Path) -> None:
    env = environment(tmp_path, PARLOUR_PORT="0", PARLOUR_HOUSE_BOTS="no", PARLOUR_LOG_LEVEL="error")
    with subprocess.Popen(SERVE, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=env) as child:
        first = first_line(child).decode()
        child.terminate()
        assert child.stdout is not None
        rest = child.stdout.read().decode()
        assert child.wait(PATIENCE) == 0
    found = re.search(r"Room ([A-Z0-9]{4}) is waiting", first)
    assert found
    assert re.search(rf"^  parlour join {found[1]} --server ws://localhost:\d+$", rest, re.MULTILINE)
    assert (tmp_path / "parlour" / "parlour.db").exists()
    assert stat.S_IMODE((tmp_path / "parlour" / "parlour.admin").stat().st_mode) == 0o600


def test_ready_json_without_stdin_ends_at_once(tmp_path: Path) -> None:
    command = f"exec {' '.join(SERVE)} --port 0 --ready-json --no-house-bots <&-"
    done = subprocess.run(
        ("sh", "-c", command), capture_output=True, env=environment(tmp_path), timeout=PATIENCE, check=False
    )
    assert done.returncode == 0
    assert set(json.loads(done.stdout)) == {"url", "pid", "admin", "room"}
