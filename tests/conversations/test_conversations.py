"""Every conversation in this folder, in both encodings: with the room core in process, and with a server process."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import pytest
from tests.conversations.drivers import LocalDriver, SocketDriver
from tests.conversations.notation import NOTHING, Conversation, Unlike, read
from tests.conversations.playing import play
from tests.support import server as support
from tests.support.postgres import Postgres
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from parlour_protocol.version import JSON, SUBPROTOCOLS

HERE = Path(__file__).parent
CONVERSATIONS = [read(path) for path in sorted(HERE.glob("*.txt"))]
IN_PROCESS = [each for each in CONVERSATIONS if each.only != "sockets"]
BY_SOCKET = [each for each in CONVERSATIONS if each.only != "local"]


def name(conversation: Conversation) -> str:
    return conversation.name


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
@pytest.mark.parametrize("conversation", IN_PROCESS, ids=name)
def test_in_process(conversation: Conversation, subprotocol: str) -> None:
    play(conversation, local(conversation, subprotocol))


def local(conversation: Conversation, subprotocol: str = JSON) -> LocalDriver:
    return LocalDriver(subprotocol, conversation.deal, conversation.first - 1)


@pytest.mark.parametrize("conversation", IN_PROCESS, ids=name)
def test_a_conversation_that_goes_otherwise_is_found_out(conversation: Conversation) -> None:
    heard = [number for number, line in enumerate(conversation.lines) if line.verb in ("<", "<<")]
    for number in {heard[0], heard[len(heard) // 2], heard[-1]}:
        line = conversation.lines[number]
        wrong = attrs.evolve(line, message={**line.message, "t": NOTHING})
        lines = (*conversation.lines[:number], wrong, *conversation.lines[number + 1 :])
        with pytest.raises(Unlike):
            play(attrs.evolve(conversation, lines=lines), local(conversation))


class Servers:
    """Server processes by the deal of their matches, each started when it is first wanted."""

    def __init__(self, folder: Path, database: Callable[[], str] | None = None) -> None:
        self._folder = folder
        self._database = database
        self._running: dict[tuple[str | None, int], support.ServerProcess] = {}

    def dealing(self, conversation: Conversation) -> support.ServerProcess:
        """Return a server whose matches are dealt as the conversation says."""
        deal = conversation.deal, conversation.first - 1
        if deal not in self._running:
            folder = self._folder / str(len(self._running))
            folder.mkdir()
            with pytest.MonkeyPatch.context() as patch:
                if deal[0] is not None:
                    command = (sys.executable, str(HERE / "stacked_server.py"), str(deal[1]), deal[0])
                    patch.setattr(support, "SERVE", command)
                database = self._database() if self._database else None
                self._running[deal] = support.ServerProcess(folder, store=database)
        return self._running[deal]

    def close(self) -> None:
        for server in self._running.values():
            server.close()


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    found = Servers(tmp_path_factory.mktemp("servers"))
    yield found
    found.close()


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory, postgres: Postgres) -> Iterator[Servers]:
    found = Servers(tmp_path_factory.mktemp("nodes"), postgres.database)
    yield found
    found.close()


@pytest.mark.postgres
@pytest.mark.parametrize("conversation", BY_SOCKET, ids=name)
@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
def test_with_a_node_at_a_database(conversation: Conversation, subprotocol: str, nodes: Servers) -> None:
    test_with_a_server(conversation, subprotocol, nodes)


@pytest.mark.parametrize("conversation", BY_SOCKET, ids=name)
@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
def test_with_a_server(conversation: Conversation, subprotocol: str, servers: Servers) -> None:
    server = servers.dealing(conversation)
    driver = SocketDriver(subprotocol, server.url, server.admin)
    try:
        play(conversation, driver)
    finally:
        driver.forget(line.message["name"] for line in conversation.lines if line.message.get("t") == "hello")
        driver.close_all()


def test_rule_1_no_subprotocol_is_json_and_an_unknown_one_is_told_the_known_ones(servers: Servers) -> None:
    server = servers.dealing(CONVERSATIONS[0])
    with connect(server.url) as socket:
        socket.send('{"t":"ping","id":1}')
        assert '"code":"hello_first"' in str(socket.recv(10))
    with pytest.raises(InvalidStatus) as refusal, connect(server.url, subprotocols=[Subprotocol("parlour.v9.xml")]):
        pass
    assert refusal.value.response.status_code == 400
    assert all(known in refusal.value.response.body.decode() for known in SUBPROTOCOLS)
