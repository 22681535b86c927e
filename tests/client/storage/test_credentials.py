import json
from pathlib import Path
from unittest.mock import Mock

import pytest

from parlour_client.cli.admin import AdminParams
from parlour_client.core.errors import Usage
from parlour_client.storage import credentials, keys
from parlour_client.storage.credentials import AdminToken, Credentials, InUse, find_admin_token, held, token_file
from parlour_protocol.messages import Join
from parlour_server.app import admin_file
from parlour_server.app import admin_token as of_server
from parlour_server.settings import ServerSettings

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
    with held(SERVER, "maria") as mine:
        monkeypatch.setattr("parlour_client.storage.private_files.write", Mock(side_effect=OSError("no space left")))
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
    assert credentials.in_order(SERVER, names) == names
    with held(SERVER, "sam-3") as mine:
        mine.keep("t")
    assert credentials.in_order(SERVER, names) == ["sam-3", "sam", "sam-2"]
    assert credentials.in_order("elsewhere", names) == names
    keys.make("Sam-2")
    assert credentials.in_order(SERVER, names) == ["sam-2", "sam-3", "sam"]


def test_no_secret_is_shown_by_chance() -> None:
    shown = repr(Credentials("maria", KEY, "token", Path("x")))
    assert KEY not in shown
    assert "'token'" not in shown
    assert "secret" not in repr(find_admin_token(SERVER, "secret", None)) + repr(AdminParams(token="secret"))


ELSEWSERVER = "parlour.example.org"


@pytest.fixture(autouse=True)
def _no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PARLOUR_ADMIN", raising=False)


def test_what_is_said_outweighs_file_environment_and_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "other"
    file.write_text("from-file\n")
    monkeypatch.setenv("PARLOUR_ADMIN", "from-environment")
    of_server(ServerSettings().store_url())
    assert find_admin_token(SERVER, "said", file) == AdminToken("said", "--token")
    assert find_admin_token(ELSEWSERVER, None, file) == AdminToken("from-file", str(file))
    for server in (ELSEWSERVER, SERVER):
        assert find_admin_token(server, None, None) == AdminToken("from-environment", "PARLOUR_ADMIN")


@pytest.mark.parametrize("server", [SERVER, "127.0.0.1:1", "::1"])
def test_on_the_servers_own_machine_it_is_where_the_server_has_put_it(server: str) -> None:
    made = of_server(ServerSettings().store_url())
    assert find_admin_token(server, None, None) == AdminToken(made, str(credentials.admin_token_file()))
    assert credentials.admin_token_file().stat().st_mode & 0o777 == 0o600
    assert credentials.admin_token_file() == admin_file(ServerSettings().store_url())


def test_the_token_of_this_machine_is_given_to_no_server_elsewhere() -> None:
    made = of_server(ServerSettings().store_url())
    with pytest.raises(Usage, match="not on this machine") as fault:
        find_admin_token(ELSEWSERVER, None, None)
    assert made not in str(fault.value)


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff")
    for file in (None, tmp_path / "bytes", tmp_path):
        with pytest.raises(Usage, match="--token-file FILE"):
            find_admin_token(SERVER, None, file)
