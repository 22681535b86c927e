"""Files and commands in deploy/README.md exist, and the chapter on backups works."""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from tests.deploy.proxies import DEPLOY
from tests.support.commands import run
from tests.support.server import SERVE, environment, first_line, server_process

from parlour_client.cli.verbs import VERBS

TEXT = (DEPLOY / "README.md").read_text()


def _chapter(title: str) -> str:
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def _commands(text: str) -> list[list[str]]:
    """Return the words of each command in the code blocks."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [shlex.split(line) for block in blocks for line in block.splitlines()]


def test_files_exist() -> None:
    table = TEXT.split("\n## ")[0]
    named = set(re.findall(r"`([\w/]+(?:\.\w+)*/?)`", table)) - {"deploy/check"}
    assert len(named) >= 8
    assert all((DEPLOY / name).exists() for name in named)
    assert os.access(DEPLOY / "check", os.X_OK)


def test_verbs_and_flags_exist(tmp_path: Path) -> None:
    ours = [words[1:] for words in _commands(TEXT) if words[0] == "parlour"]
    assert len(ours) > 15
    helps: dict[str, str] = {}
    for verb, *words in ours:
        assert verb in VERBS
        deep = f"{verb} {words[0]}" if verb == "server" else verb
        if deep not in helps:
            done = run(*deep.split(), "--help", env=environment(tmp_path))
            assert done.returncode == 0, deep
            helps[deep] = done.stdout
        for flag in (word for word in words if word.startswith("--")):
            assert flag in helps[deep], (deep, flag)


@pytest.mark.long
def test_backup_and_restore_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    backup, overwrite, look, restore, serve = (words[1:] for words in _commands(_chapter("Backups and restore")))
    monkeypatch.chdir(tmp_path)
    home = environment(tmp_path)
    usual = tmp_path / "parlour"
    usual.mkdir()
    with server_process(usual) as server:  # XDG_DATA_HOME/parlour/parlour.db is the usual store
        room = server.room
        for words in (backup, overwrite):
            assert run(*words, env=home).returncode == 0
    before = (usual / "parlour.db").read_bytes()
    looked = run(*look, env=home)
    assert looked.returncode == 0, looked
    assert "friday.db is sound" in looked.stdout
    kept = run(*restore, env=home).stdout.splitlines()[1].removeprefix("The old store is kept as ").removesuffix(".")
    assert Path(kept).read_bytes() == before
    program = (*SERVE, *serve[1:], "--ready-json", "--port", "0", "--no-house-bots")
    with subprocess.Popen(program, env=home, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as restored:
        try:
            assert json.loads(first_line(restored))["room"] == room
        finally:
            restored.terminate()


def test_secrets_for_compose_are_created(tmp_path: Path) -> None:
    block = re.findall(r"^```sh\n(umask.*?)^```$", _chapter("Many nodes"), re.DOTALL | re.MULTILINE)[0]
    script = re.sub(r"^chown .*$", "", block, flags=re.MULTILINE)
    subprocess.run(("bash", "-euc", script), cwd=tmp_path, check=True)
    password = (tmp_path / "deploy/secrets/postgres-password").read_text().strip()
    settings = (tmp_path / "deploy/secrets/parlour.toml").read_text()
    assert len(password) == 48
    assert settings == f'[serve]\nstore = "postgresql://parlour:{password}@database/parlour"\n'
    assert all(file.stat().st_mode & 0o077 == 0 for file in (tmp_path / "deploy/secrets").iterdir())


@pytest.mark.parametrize("message", re.findall(r"^\| `(.+?)`", _chapter('"Why can\'t I connect?"'), re.MULTILINE))
def test_doctor_prints_the_messages_of_the_table(message: str) -> None:
    sources = "".join(file.read_text() for file in (DEPLOY.parent / "client/parlour_client/cli").glob("*_checks.py"))
    parts = [part.strip() for part in message.replace("port … ", "").split("…")]
    assert [part for part in parts if part not in sources] == []
