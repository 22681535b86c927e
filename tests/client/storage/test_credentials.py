"""What a name is proved by on a server, and that one process at a time has it."""

import json
from pathlib import Path

import pytest

from parlour_client.core.errors import Usage
from parlour_client.storage import keys
from parlour_client.storage.credentials import Credentials, InUse, held, in_order, token_file
from parlour_protocol.messages import Join

SERVER = "ws://localhost:7777"
KEY = "ab" * 32


def test_a_token_is_there_again_for_this_name_on_this_server_alone() -> None:
    with held(SERVER, "maria") as mine:
        assert (mine.token, mine.key) == (None, None)
        mine.keep("t1")
        mine.keep("t2")
    with held("localhost", "MARIA") as mine:
        assert mine.token == "t2"
    for server, name in (("localhost:7778", "maria"), ("wss://localhost:7777", "maria"), (SERVER, "otto")):
        with held(server, name) as other:
            assert other.token is None


def test_a_refused_token_is_gone() -> None:
    with held(SERVER, "maria") as mine:
        mine.keep("t1")
        mine.keep(None)
    assert not token_file(SERVER, "maria").exists()
    with held(SERVER, "maria") as mine:
        assert mine.token is None


def test_a_session_keeps_what_it_is_given() -> None:
    keys.add("maria", KEY)
    with held(SERVER, "maria") as mine:
        mine.keep("t1")
        session = mine.session(Join("K7QD"))
        hello = session.hello()
        assert (hello.name, hello.token, hello.key) == ("maria", "t1", KEY)
        assert mine.session(Join("K7QD"), "other").hello().key == "other"
        session._keep("t2")
        assert json.loads(token_file(SERVER, "maria").read_text()) == {"name": "maria", "token": "t2"}


def test_nobody_else_has_it_meanwhile() -> None:
    with held(SERVER, "maria"):
        with pytest.raises(InUse, match="in another terminal"), held(SERVER, "Maria"):
            pytest.fail("two have it")
        with held(SERVER, "maria-2"):
            pass
        with held(SERVER, "maria", keep=False) as nothing:
            assert nothing == Credentials("maria")
    with held(SERVER, "maria"):
        pass


def test_without_a_place_to_write_one_plays_all_the_same(home: Path) -> None:
    (home / "state").write_text("a file where the folder should be")
    with held(SERVER, "maria") as mine:
        mine.keep("t1")
        assert mine.token == "t1"


def test_a_disk_that_is_full_ends_no_match(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no space left")

    with held(SERVER, "maria") as mine:
        monkeypatch.setattr("parlour_client.storage.private_files.write", fail)
        mine.keep("t1")
    assert not token_file(SERVER, "maria").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"token"}', '{"name":"maria"}'])
def test_a_file_that_is_none_of_ours_is_no_token(text: str) -> None:
    path = token_file(SERVER, "maria")
    path.parent.mkdir(parents=True)
    path.write_text(text)
    path.chmod(0o600)
    with held(SERVER, "maria") as mine:
        assert mine.token is None


@pytest.mark.parametrize("name", ["../../../etc/passwd", "a/b", "", "\x00", "a" * 5_000, "ä\n"])
def test_hostile_names_and_servers_stay_in_the_folder(name: str, home: Path) -> None:
    with held(SERVER, name) as mine:
        mine.keep("t1")
    [kept] = (home / "state").rglob("*.json")
    assert kept == token_file(SERVER, name)
    with pytest.raises(Usage):
        token_file("not an address", "maria")


def test_names_by_which_the_server_may_know_us_come_first() -> None:
    names = ["sam", "sam-2", "sam-3"]
    assert in_order(SERVER, names) == names
    with held(SERVER, "sam-3") as mine:
        mine.keep("t")
    assert in_order(SERVER, names) == ["sam-3", "sam", "sam-2"]
    assert in_order("elsewhere", names) == names
    keys.make("Sam-2")
    assert in_order(SERVER, names) == ["sam-2", "sam-3", "sam"]


def test_no_secret_is_shown_by_chance() -> None:
    shown = repr(Credentials("maria", KEY, "token", Path("x")))
    assert KEY not in shown
    assert "'token'" not in shown
