from pathlib import Path

import pytest

from parlour_client.cli.admin import AdminParams
from parlour_client.core.errors import Usage
from parlour_client.storage.credentials import AdminToken, admin_token_file, find_admin_token
from parlour_server.app import admin_file
from parlour_server.app import admin_token as of_server
from parlour_server.settings import ServerSettings

HERE, ELSEWHERE = "ws://localhost:7777", "parlour.example.org"


@pytest.fixture(autouse=True)
def _no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PARLOUR_ADMIN", raising=False)


def test_what_is_said_outweighs_a_file_and_that_the_environment_and_that_the_default_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "other"
    file.write_text("from-file\n")
    monkeypatch.setenv("PARLOUR_ADMIN", "from-environment")
    of_server(ServerSettings().store_url())
    assert find_admin_token(HERE, "said", file) == AdminToken("said", "--token")
    assert find_admin_token(ELSEWHERE, None, file) == AdminToken("from-file", str(file))
    assert (
        find_admin_token(ELSEWHERE, None, None)
        == find_admin_token(HERE, None, None)
        == AdminToken("from-environment", "PARLOUR_ADMIN")
    )


@pytest.mark.parametrize("server", [HERE, "127.0.0.1:1", "::1"])
def test_on_the_servers_own_machine_it_is_where_the_server_has_put_it(server: str) -> None:
    made = of_server(ServerSettings().store_url())
    assert find_admin_token(server, None, None) == AdminToken(made, str(admin_token_file()))
    assert admin_token_file().stat().st_mode & 0o777 == 0o600
    assert admin_token_file() == admin_file(ServerSettings().store_url())


def test_no_token_is_shown_by_chance() -> None:
    assert "secret" not in repr(find_admin_token(HERE, "secret", None)) + repr(AdminParams(token="secret"))


def test_the_token_of_this_machine_is_given_to_no_server_elsewhere() -> None:
    made = of_server(ServerSettings().store_url())
    with pytest.raises(Usage, match="not on this machine") as fault:
        find_admin_token(ELSEWHERE, None, None)
    assert made not in str(fault.value)


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff")
    for file in (None, tmp_path / "bytes", tmp_path):
        with pytest.raises(Usage, match="--token-file FILE"):
            find_admin_token(HERE, None, file)
