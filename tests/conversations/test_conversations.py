"""Every conversation in this folder: in process in both encodings, and with a server of each store in one."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from operator import attrgetter
from pathlib import Path

import attrs
import pytest
from tests.conftest import install_examples
from tests.conversations.drivers import Closed, Driver, LocalDriver, Plain, SocketDriver
from tests.conversations.notation import NOTHING, Conversation, Line, Mismatch, filled, match, read
from tests.protocol import spec
from tests.support.postgres import Postgres
from tests.support.server import ServerProcess

from parlour_protocol.codec import JSON, MSGPACK, SUBPROTOCOLS

HERE = Path(__file__).parent
CONVERSATIONS = [read(path) for path in sorted(HERE.glob("*.txt"))]
IN_PROCESS = [each for each in CONVERSATIONS if each.only != "sockets"]
BY_SOCKET = [each for each in CONVERSATIONS if each.only != "local"]
name = attrgetter("name")


@pytest.fixture(scope="module", autouse=True)
def _example_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        install_examples(tmp_path_factory.mktemp("examples"), patch)
        yield


def play(conversation: Conversation, driver: Driver) -> None:
    """Run a conversation. Raises Mismatch at the first line that fails."""
    known: Plain = {"admin": driver.admin}
    sockets: dict[str, int] = {}
    for line in conversation.lines:
        received: list[Plain] = []
        try:
            if line.verb == "opens":
                sockets[line.who] = driver.open()
            elif line.verb == "closes":
                driver.close(sockets[line.who])
            elif line.verb == ">":
                driver.send(sockets[line.who], filled(line.message, known))
            else:
                expect(line, driver, sockets[line.who], known, received)
        except Exception as error:
            error.add_note(f"{conversation.name}.txt, line {line.number}; received: {received}")
            raise


def expect(line: Line, driver: Driver, conn: int, known: Plain, received: list[Plain]) -> None:
    """Receive the next message (``<``), a later one (``<<``) or the end of the socket (``closed``)."""
    while True:
        bound = dict(known)
        try:
            received.append(driver.receive(conn))
            match(line.message, received[-1], bound)
        except (Closed, TimeoutError) as end:
            match(line.message, {"t": "closed", "code": getattr(end, "code", None)}, bound)
        except Mismatch:
            if line.verb == "<<":
                continue
            raise
        known.update(bound)
        return


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
@pytest.mark.parametrize("conversation", IN_PROCESS, ids=name)
def test_in_process(conversation: Conversation, subprotocol: str) -> None:
    play(conversation, local(conversation, subprotocol))


def local(conversation: Conversation, subprotocol: str = JSON) -> LocalDriver:
    return LocalDriver(subprotocol, conversation.deal, conversation.first - 1)


@pytest.mark.parametrize("conversation", IN_PROCESS[::8], ids=name)
def test_a_conversation_that_goes_otherwise_is_found_out(conversation: Conversation) -> None:
    heard = [number for number, line in enumerate(conversation.lines) if line.verb in ("<", "<<")]
    for number in {heard[0], heard[len(heard) // 2], heard[-1]}:
        line = conversation.lines[number]
        wrong = attrs.evolve(line, message={**line.message, "t": NOTHING})
        lines = (*conversation.lines[:number], wrong, *conversation.lines[number + 1 :])
        with pytest.raises(Mismatch):
            play(attrs.evolve(conversation, lines=lines), local(conversation))


class Dealer(ServerProcess):
    """A server that deals as the current conversation says."""

    def __init__(self, folder: Path, store: str | None = None) -> None:
        self._deal = folder / "deal.json"
        program = (sys.executable, str(HERE / "stacked_server.py"), "in", str(self._deal))
        super().__init__(folder, "--lease", "60", program=program, store=store)  # however slow the machine

    def deal(self, conversation: Conversation) -> None:
        """Set the cards or mines of all later matches."""
        self._deal.write_text(json.dumps([conversation.first - 1, conversation.deal]))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dealer]:
    with closing(Dealer(tmp_path_factory.mktemp("server"))) as found:
        yield found


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory, postgres: Postgres) -> Iterator[Dealer]:
    with closing(Dealer(tmp_path_factory.mktemp("node"), postgres.database())) as found:
        yield found


@pytest.mark.postgres
@pytest.mark.parametrize("conversation", BY_SOCKET, ids=name)
@pytest.mark.parametrize("subprotocol", [pytest.param(JSON, marks=pytest.mark.long), MSGPACK])
def test_with_a_node_at_a_database(conversation: Conversation, subprotocol: str, node: Dealer) -> None:
    test_with_a_server(conversation, subprotocol, node)


@pytest.mark.parametrize("conversation", BY_SOCKET, ids=name)
@pytest.mark.parametrize("subprotocol", [JSON, pytest.param(MSGPACK, marks=pytest.mark.long)])
def test_with_a_server(conversation: Conversation, subprotocol: str, server: Dealer) -> None:
    server.deal(conversation)
    driver = SocketDriver(subprotocol, server.url, server.admin)
    try:
        play(conversation, driver)
    finally:
        driver.forget(line.message["name"] for line in conversation.lines if line.message.get("t") == "hello")
        driver.close_all()


def test_conversations_name_rules_that_exist() -> None:
    anchors = spec.anchors()
    assert {rule for each in CONVERSATIONS for rule in each.rules if anchors[rule] != 1} == set()
