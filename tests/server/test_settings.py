"""Settings: what they mean, and what is refused."""

import resource
import socket
import ssl
import stat
from ipaddress import ip_network
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.server.nodes import Here
from tests.server.shared_store import Shared
from tests.support.tls import CERTIFICATE, KEY

from parlour_server.app import admin_token
from parlour_server.lobby.lobby import Lobby
from parlour_server.metrics import Metrics
from parlour_server.node.node import Node
from parlour_server.settings import BadSettings, ServerSettings, data_folder
from parlour_server.store.base import without_password
from parlour_server.system import possible_connections
from parlour_server.transport.gateway import MAX_CONNECTIONS, Gateway
from parlour_server.transport.listening import tls


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'new' / 'games.db'}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the admin token of the store at ``url(tmp_path)`` is."""
    return tmp_path / "new" / "games.admin"


def test_token_is_made_once_beside_the_store_for_the_owner_alone(tmp_path: Path, path: Path) -> None:
    token = admin_token(url(tmp_path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == f"{token}\n"
    assert len(token) == 48
    assert admin_token(url(tmp_path)) == token
    assert admin_token(url(tmp_path / "other")) != token


@pytest.mark.parametrize("content", ["  my own token \n", "", "\n", "  \n"])
def test_token_of_ones_own_is_kept_but_an_empty_one_would_open_to_everybody(
    tmp_path: Path, path: Path, content: str
) -> None:
    path.parent.mkdir()
    path.write_text(content)
    path.chmod(0o644)
    token = admin_token(url(tmp_path))
    if content.strip():
        assert token == "my own token"
    else:
        assert (len(token), stat.S_IMODE(path.stat().st_mode)) == (48, 0o600)


def test_token_that_cannot_be_used(tmp_path: Path, path: Path) -> None:
    path.mkdir(parents=True)
    (tmp_path / "other.admin").write_bytes(b"\xff\xfe\x00")
    for store in (url(tmp_path), f"sqlite:///{tmp_path / 'other.db'}", url(tmp_path / "other.admin")):
        with pytest.raises(BadSettings, match=r"\.admin, the admin token, cannot be used: "):
            admin_token(store)


def test_store_is_in_the_platforms_data_folder_unless_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert ServerSettings().store_url() == f"sqlite:///{data_folder() / 'parlour.db'}"
    assert ServerSettings(store="sqlite:///x.db").store_url() == "sqlite:///x.db"


def gateway(settings: ServerSettings) -> Gateway:
    lobby = Lobby({}, Random(1).randbytes, settings)
    return Gateway(Metrics(), Node(lobby, Shared().store("one"), Metrics(), Here()))


def test_gateway_trusts_networks_and_addresses_and_knows_its_names() -> None:
    settings = ServerSettings(
        host="play.example", origin=("https://page.example", "http://localhost:8000", "*"),
        public_url="wss://One.example/a", trusted_proxy=("10.0.0.0/8", "::1"),
    )  # fmt: skip
    found = gateway(settings)
    assert found._proxies == (ip_network("10.0.0.0/8"), ip_network("::1/128"))
    assert {"play.example", "page.example", "one.example", socket.gethostname().lower()} <= found._hosts


@pytest.mark.parametrize(
    ("soft", "hard", "limit"),
    [
        (64, 64, 32),
        (256, 256, 192),
        (1_024, 1_024, 960),
        (256, 4_096, 4_032),
        (256, resource.RLIM_INFINITY, MAX_CONNECTIONS),
        (1_000_000, 1_000_000, MAX_CONNECTIONS),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, MAX_CONNECTIONS),
        (1, 1, 1),
    ],
)
def test_open_files_limit_the_connections(monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, limit: int) -> None:
    limits = [(soft, hard)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, raised: limits.append(raised))
    assert possible_connections(MAX_CONNECTIONS) == limit
    assert limits[-1][1] == hard


@pytest.mark.parametrize("error", [OSError, ValueError])
def test_a_system_that_allows_fewer_files_than_it_says(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", refuse)
    assert possible_connections(MAX_CONNECTIONS) == 192


def test_node_as_the_others_know_it() -> None:
    settings = ServerSettings(node="one.example", public_url="wss://one", peer_url="ws://10.0.0.1:7777", lease=1.5)
    member = settings.member()
    assert (member.name, member.url, member.peer) == (settings.node, settings.public_url, settings.peer_url)
    assert member.lease == 1_500
    assert ServerSettings().member().name


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("sqlite:///games.db", "sqlite:///games.db"),
        ("sqlite:///games.db?key=secret", "sqlite:///games.db"),
        ("postgresql://parlour:secret@db:5432/parlour?password=secret", "postgresql://parlour@db:5432/parlour"),
        ("postgresql://parlour@db/parlour", "postgresql://parlour@db/parlour"),
        ("postgres://parlour:secret@db/parlour", "postgres://parlour@db/parlour"),
        ("postgresql:///parlour?host=/run&password=secret", "postgresql:///parlour"),
    ],
)
def test_no_password_is_shown(url: str, shown: str) -> None:
    assert without_password(url) == shown


ADDRESSES = ["play.example.org", "https://play.example.org", "ws//x"]


@pytest.mark.parametrize(
    ("use", "name", "values", "words"),
    [
        (gateway, "trusted_proxy", [("proxy.example",), ("10.0.0.1/8",), ("10.0.0.0/33",), ("",)], r"10\.0\.0\.0/8"),
        (
            gateway,
            "origin",
            [("example.org",), ("https://example.org/",), ("https://",), ("",)],
            r"https://example\.org",
        ),
        (ServerSettings.member, "node", ["a node", "-one", "x" * 64, "ümlaut"], "is not a name"),
        (ServerSettings.member, "public_url", ADDRESSES, r"wss://play\.example\.org"),
        (ServerSettings.member, "peer_url", ADDRESSES, r"wss://play\.example\.org"),
        (ServerSettings.ssh_place, "ssh", ["here", "*:65536"], ""),
        (tls, "tls_cert", [CERTIFICATE], "go together"),
        (tls, "tls_key", [KEY], "go together"),
    ],
)
def test_values_that_a_setting_may_not_have(use: Any, name: str, values: list[Any], words: str) -> None:
    for value in values:
        with pytest.raises(BadSettings, match=f"--{name.replace('_', '-')}.*{words}"):
            use(ServerSettings(**{name: value}))


def test_ssh_needs_a_network() -> None:
    with pytest.raises(BadSettings, match="--ssh"):
        ServerSettings(ssh="22", host="unix:/x").ssh_place()


@pytest.mark.parametrize(("cert", "key"), [("none.pem", str(KEY)), (str(KEY), str(KEY)), (str(CERTIFICATE), __file__)])
def test_certificate_that_cannot_be_used(cert: str, key: str) -> None:
    with pytest.raises(BadSettings, match=r"the TLS certificate cannot be used: .+"):
        tls(ServerSettings(tls_cert=Path(cert), tls_key=Path(key)))


def test_certificate_and_key_make_tls() -> None:
    assert tls(ServerSettings()) is None
    context = tls(ServerSettings(tls_cert=CERTIFICATE, tls_key=KEY))
    assert context is not None
    assert context.minimum_version == ssl.TLSVersion.TLSv1_2
