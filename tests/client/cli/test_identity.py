"""`parlour identity`, but for what a real server has to do with it (test_coming_back.py)."""

import json
from pathlib import Path

import pytest
from tests.support.commands import printed

from parlour_client.storage import keys

KEY = "0123456789abcdef" * 4


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("LOGNAME", "sam")


def parlour(*words: str, code: int = 0, stdin: str = "") -> str:
    return printed("identity", *words, code=code, stdin=stdin)


def test_a_key_is_made_for_ones_login_name_once() -> None:
    assert parlour() == f"sam is reserved: its key is stored in {keys.file()}.\n"
    key = keys.key_of("sam")
    assert json.loads(parlour("Sam", "--json")) == {"name": "Sam", "done": "kept"}
    assert keys.kept() == {"sam": key}


def test_a_key_is_carried_to_another_device_by_standard_input() -> None:
    assert KEY not in parlour("--add", "maria", "-", stdin=f"{KEY}\n")
    assert parlour("--show", "maria") == f"{KEY}\n"
    parlour("--add", "maria", KEY)


def test_the_list_tells_names_and_no_keys() -> None:
    assert "parlour identity NAME" in parlour("--list")
    keys.add("maria", KEY)
    keys.make("Anna")
    assert parlour("--list") == "Anna\nmaria\n"
    told = parlour("--list", "--json")
    assert json.loads(told) == {"file": str(keys.file()), "names": ["Anna", "maria"]}
    assert KEY not in told


def test_forgetting_asks_first() -> None:
    keys.add("maria", KEY)
    assert "--yes" in parlour("--forget", "maria", code=2)
    assert keys.key_of("maria") == KEY
    assert json.loads(parlour("--forget", "maria", "--yes", "--json")) == {"name": "maria", "done": "forgotten"}
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
def test_what_cannot_be_done_is_said_without_a_key(words: list[str], told: str) -> None:
    said = parlour(*words, code=2)
    assert told in said
    assert said.strip().isprintable()
    assert KEY not in said
    assert "too-short" not in said
