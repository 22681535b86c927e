"""`parlour identity`, but for what a real server has to do with it (test_coming_back.py)."""

import io
import json
import sys
from pathlib import Path

import pytest

from parlour_client.cli import main
from parlour_client.storage import keys

KEY = "0123456789abcdef" * 4


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("LOGNAME", "sam")
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{KEY}\n"))
    return tmp_path


def parlour(*words: str) -> int:
    return main.main(("identity", *words))


def test_a_key_is_made_for_ones_login_name_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert parlour() == 0
    told = capsys.readouterr().out
    assert told == f"sam is reserved: its key is stored in {keys.file()}.\n"
    key = keys.key_of("sam")
    assert parlour("Sam", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"name": "Sam", "done": "kept"}
    assert keys.kept() == {"sam": key}


def test_a_key_is_carried_to_another_device_by_standard_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert parlour("--add", "maria", "-") == 0
    assert KEY not in capsys.readouterr().out
    assert parlour("--show", "maria") == 0
    assert capsys.readouterr().out == f"{KEY}\n"
    assert parlour("--add", "maria", KEY) == 0


def test_the_list_tells_names_and_no_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert parlour("--list") == 0
    assert "parlour identity NAME" in capsys.readouterr().out
    keys.add("maria", KEY)
    keys.make("Anna")
    assert parlour("--list") == 0
    assert capsys.readouterr().out == "Anna\nmaria\n"
    assert parlour("--list", "--json") == 0
    told = capsys.readouterr().out
    assert json.loads(told) == {"file": str(keys.file()), "names": ["Anna", "maria"]}
    assert KEY not in told


def test_forgetting_asks_first(capsys: pytest.CaptureFixture[str]) -> None:
    keys.add("maria", KEY)
    assert parlour("--forget", "maria") == 2
    assert "--yes" in capsys.readouterr().err
    assert keys.key_of("maria") == KEY
    assert parlour("--forget", "maria", "--yes", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"name": "maria", "done": "forgotten"}
    assert keys.kept() == {}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--show", "nobody"], "no key for 'nobody'"),
        (["--forget", "nobody", "--yes"], "no key for"),
        (["--delete", "nobody", "--yes"], "no key for"),
        (["maria", "--list"], "choose one of"),
        (["--show", "maria", "--forget", "maria"], "choose one of"),
        (["\x1b[2J"], "is not a name"),
        (["--add", "../x", KEY], "is not a name"),
        (["--add", "maria", "too-short"], "not a key"),
        (["--add", "maria"], "--add"),
    ],
)
def test_what_cannot_be_done_is_said_without_a_key(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert parlour(*words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert err.strip().isprintable()
    assert KEY not in err
    assert "too-short" not in err


def test_a_key_file_that_others_can_read_is_closed_to_them(capsys: pytest.CaptureFixture[str]) -> None:
    keys.add("maria", KEY)
    keys.file().chmod(0o644)
    assert parlour("--list") == 0
    assert str(keys.file()) in capsys.readouterr().err
    assert keys.file().stat().st_mode & 0o777 == 0o600


def test_the_help_ends_with_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert parlour("--help") == 0
    assert "Examples:\n  parlour identity\n" in capsys.readouterr().out
