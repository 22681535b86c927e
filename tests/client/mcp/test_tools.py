import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.conftest import install_examples
from tests.support.ports import free_port, is_open
from tests.support.server import ServerProcess, server_process
from tests.support.waiting import PATIENCE, until
from tests.web.running_matches import wait_for_bots

from parlour_client.core.queries import visiting
from parlour_games.registry import games

pytestmark = pytest.mark.mcp

PARLOUR = (sys.executable, "-c", "from parlour_client.cli.main import main; raise SystemExit(main())")
CELLS = [" ".join(f"{column}{row}" for column in columns for row in range(1, 10)) for columns in ("ea", "bcd", "fghi")]
"""All cells of a beginner's board, to be opened in three moves, or until a mine is set off."""
SHORT = {"scoring": "single"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A real server with house bots and the games in ``games/examples``."""
    with pytest.MonkeyPatch.context() as patch:
        install_examples(tmp_path_factory.mktemp("examples"), patch)
        with server_process(tmp_path_factory.mktemp("server"), house_bots=True) as running:
            wait_for_bots(running, *games())
            yield running


@asynccontextmanager
async def tools_of(house: ServerProcess, wait: float = 20.0) -> AsyncIterator[Any]:
    """Connect an MCP client to the tools in this process."""
    from mcp import Client

    from parlour_client.mcp import make_server
    from parlour_client.model_seats import Seats

    async with Seats(house.url) as seats, Client(make_server(seats, wait)) as client:
        yield client


async def call(client: Any, tool: str, **arguments: Any) -> dict[str, Any]:
    """Return the structured result of a tool. Fails if it is an error."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    found: dict[str, Any] = result.structured_content
    return found


async def refused(client: Any, tool: str, code: str | None = None, **arguments: Any) -> str:
    """Return the text of a tool's error, after a check of its structure."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert result.structured_content == {"status": "refused", "code": code or result.structured_content["code"]}
    text: str = result.content[0].text
    return text


async def play(client: Any, game: str, **arguments: Any) -> dict[str, Any]:
    found = await call(client, "sit", game=game, **arguments)
    for answer in CELLS if game == "minesweeper" else iter(lambda: 0, 1):
        while found["status"] == "wait":
            found = await call(client, "look", seat=found["seat"], wait=found["wait"])
        if found["status"] == "over":
            break
        with contextlib.suppress(AssertionError):  # the cell may be open already
            found = await call(client, "act", seat=found["seat"], rid=found["rid"], answer=answer)
    return found


async def test_server_ends_quietly_when_its_client_has_gone() -> None:
    reading, writing = os.pipe()
    pipe = asyncio.subprocess.PIPE
    serving = await asyncio.create_subprocess_exec(*PARLOUR, "mcp", stdin=pipe, stdout=writing, stderr=pipe)
    os.close(writing)
    os.close(reading)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "gone", "version": "1"}}
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})
    _, said = await serving.communicate(f"{asked}\n".encode())
    assert (serving.returncode, b"Traceback" in said) == (0, False), said.decode()


async def test_both_games_are_played_to_the_end_over_stdio(house: ServerProcess) -> None:
    from mcp import Client, StdioServerParameters, stdio_client

    command, *arguments = PARLOUR
    program = StdioServerParameters(command=command, args=[*arguments, "mcp", "--server", house.url])
    async with Client(stdio_client(program)) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == {"rooms", "sit", "start", "act", "look", "leave"}
        uno = await play(client, "uno", options=SHORT)
        assert (uno["status"], sorted(uno["result"]["ranks"].values())) == ("over", [1, 2])
        assert len(uno["digest"]) == 64
        assert (await play(client, "minesweeper"))["status"] == "over"


async def test_a_match_is_played_over_http(house: ServerProcess) -> None:
    from mcp import Client

    port = free_port()
    serving = await asyncio.create_subprocess_exec(*PARLOUR, "mcp", "--server", house.url, "--http", str(port))
    try:
        await until(lambda: is_open(port))
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            assert (await play(client, "uno", options=SHORT))["status"] == "over"
    finally:
        serving.terminate()
        await serving.wait()


async def test_a_repeated_act_is_not_played_twice_and_a_seat_outlives_the_mcp_server(house: ServerProcess) -> None:
    async with tools_of(house) as tools:
        first = await call(tools, "sit", game="minesweeper")
        act = {"seat": first["seat"], "rid": first["rid"], "answer": "e5"}
        acted = await tools.call_tool("act", act)
        second, happened = acted.structured_content, acted.content[0].text
        assert second["rid"] != first["rid"]
        again = await tools.call_tool("act", act)
        assert (again.structured_content, again.content[0].text) == (second, happened)
        assert "What happened" in happened
        text = await refused(tools, "act", "illegal_action", **act | {"rid": second["rid"], "answer": "z99"})
        assert "What happened" not in text
    async with tools_of(house) as tools:
        found = await call(tools, "look", seat=first["seat"])
        assert (found["status"], found["room"], found["rid"]) == ("decide", first["room"], second["rid"])


async def test_refusals_say_what_is_allowed(house: ServerProcess) -> None:
    async with tools_of(house) as tools:
        found = await call(tools, "sit", game="uno", options=SHORT)
        while found["status"] == "wait":
            found = await call(tools, "look", seat=found["seat"], wait=found["wait"])
        text = await refused(tools, "act", "illegal_action", seat=found["seat"], rid=found["rid"], answer="castle")
        assert f" {len(found['legal']) - 1}." in text  # "write 0." or "from 0 to 3."
        assert len(found["words"]) == len(found["legal"])
        await refused(tools, "act", "no_such_rid", seat=found["seat"], rid=999, answer=0)
        answer, why = found["legal"][-1], '{"because": 1}'
        after = await call(tools, "act", seat=found["seat"], rid=found["rid"], answer=answer, why=why)
        assert after.get("rid") != found["rid"]
        assert "uno" in await refused(tools, "sit", "no_game", game="chess")
        assert "welcome" not in await refused(tools, "sit", "no_room", room="CHES")
        assert "room" in await refused(tools, "sit", "bad_arguments")
        assert "sit" in await refused(tools, "look", seat="secret-token")
        await call(tools, "sit", game="uno", opponents=1, name="mia")
        told = await refused(tools, "sit", "name_taken", game="uno", opponents=1, name="mia")
        assert ("sit(name=" in told, "--name" in told) == (True, False)
        await call(tools, "leave", seat=found["seat"])
        assert "sit" in await refused(tools, "look", seat=found["seat"])


async def test_only_games_of_the_server_are_offered(house: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    from parlour_client import mcp

    known = {**games(), "installed_here_only": games()["uno"]}
    monkeypatch.setattr(mcp, "games", lambda: known)
    async with tools_of(house) as tools:
        assert "installed_here_only" not in (await call(tools, "rooms"))["games"]
        text = await refused(tools, "sit", "no_game", game="installed_here_only")
        assert "minesweeper, uno" in text


async def test_every_parameter_has_a_type_and_refusals_are_ours(house: ServerProcess) -> None:
    async with tools_of(house) as tools:
        for tool in (await tools.list_tools()).tools:
            assert "  " not in tool.description
            assert all("type" in schema for schema in tool.input_schema["properties"].values()), tool.name
        found = await call(tools, "sit", room="", game="uno", opponents=1, options=None, name=None)
        assert "rid is missing" in await refused(tools, "act", "bad_arguments", seat=found["seat"], answer=0)
        text = await refused(tools, "act", seat=found["seat"], rid="one", answer=0)
        assert "rid must be a whole number" in text
        assert "pydantic" not in text
        assert "object" in await refused(tools, "sit", game="uno", options="no")
        assert "×" in await refused(tools, "sit", game="3 × 4")


async def test_a_player_learns_the_rules_and_its_seat_once(house: ServerProcess) -> None:
    async with tools_of(house) as tools:
        sat = await tools.call_tool("sit", {"game": "uno", "options": SHORT})
        seat, text = sat.structured_content["seat"], sat.content[0].text
        short = text.splitlines()[0].removeprefix("seat: ")
        [rules] = (await tools.read_resource("parlour://rules/uno")).contents
        listed = {str(resource.uri) for resource in (await tools.list_resources()).resources}
        assert {"parlour://rules/minesweeper", "parlour://rules/uno"} <= listed
        assert rules.text.splitlines()[0] in text
        assert "  scoring = [race] | lowest | elimination | single" in rules.text.splitlines()
        looked = await tools.call_tool("look", {"seat": seat})
        assert looked.structured_content["seat"] == short
        assert seat.split("/")[1] not in str(looked)
        assert len(short) < 20
        looked = await tools.call_tool("look", {"seat": short})
        assert looked.structured_content["seat"] == short
    async with tools_of(house) as tools:
        assert "long" in await refused(tools, "look", seat=short)


async def test_house_rules_are_said_once_and_again_on_request(house: ServerProcess) -> None:
    async with tools_of(house) as tools:
        result = await tools.call_tool("sit", {"game": "uno", "options": {**SHORT, "preset": "chaos"}})
        texts = [result.content[0].text]
        while (found := result.structured_content)["status"] == "wait":
            result = await tools.call_tool("look", {"seat": found["seat"], "wait": found["wait"]})
            texts.append(result.content[0].text)
        assert "".join(texts).count("House rules: ") == 1
        act = await tools.call_tool("act", {"seat": found["seat"], "rid": found["rid"], "answer": 0})
        assert "House rules: " not in act.content[0].text
        assert f"rid: {found['rid']}" in texts[-1]
        looked = await tools.call_tool("look", {"seat": found["seat"]})
        assert "House rules: " in looked.content[0].text


async def test_a_level_that_no_bot_has_is_refused_with_those_that_they_have(house: ServerProcess) -> None:
    async with tools_of(house) as tools:
        told = ""
        async with asyncio.timeout(PATIENCE):
            while "'godlike'" not in told:  # bots may still be starting
                told = await refused(tools, "sit", "no_bot", game="uno", level="godlike")
        assert {"easy", "hard", "painfirst"} <= set(told.replace(",", "").split())


async def finish(client: Any, *seats: str) -> None:
    while True:
        for seat in seats:
            found = await call(client, "look", seat=seat)
            if found["status"] == "over":
                return
            if found["status"] == "decide":
                await call(client, "act", seat=seat, rid=found["rid"], answer=0)


async def test_models_start_a_match_among_themselves(house: ServerProcess) -> None:
    from parlour_client.client import Client

    async with tools_of(house, wait=0.02) as tools, Client(house.url, "opener") as opener:
        code = (await opener.create("uno", SHORT, seats=4, start="host")).room
        first = await call(tools, "sit", room=code, name="one")
        second = await call(tools, "sit", room=code, name="two")
        assert (first["status"], second["status"]) == ("wait", "wait")
        looked = await tools.call_tool("look", {"seat": second["seat"]})
        assert "3 of 4" in looked.content[0].text
        assert "opener" in looked.content[0].text.splitlines()[-1]
        assert "opener" in await refused(tools, "start", seat=second["seat"])
        await opener.seats[code].leave()
        for _ in ("a match", "the next one"):
            assert (await call(tools, "start", seat=first["seat"]))["status"] in ("decide", "wait")
            await finish(tools, first["seat"], second["seat"])


async def test_models_have_a_label_and_secret_seats(house: ServerProcess, caplog: pytest.LogCaptureFixture) -> None:
    async with tools_of(house) as tools:
        from parlour_client.client import Client

        found = await call(tools, "sit", game="uno", opponents=1, options=SHORT, level="easy")
        token = found["seat"].split("/")[1]
        await refused(tools, "act", seat=found["seat"], rid=999, answer=0)
        async with Client(house.url, "watcher") as watcher:
            table = (await watcher.ask({"t": "join", "room": found["room"], "as": "spectator"}))["table"]
        row = next(row for row in table["seats"] if row["seat"] == 0)
        assert (row["kind"], row["style"]) == ("bot", "llm")
        assert table["seats"][1]["style"] == "easy"
        assert token not in house.log() + caplog.text + str(table)


async def test_a_game_that_parlour_does_not_know_is_played(house: ServerProcess) -> None:
    async with tools_of(house) as tools:
        text = await refused(tools, "sit", "bad_arguments", game="goofspiel", options={"cards": 99})
        assert "99" in text
        assert "dealoptions" not in text
        found = await play(tools, "goofspiel", opponents=1, options={"cards": 3})
    assert (found["status"], len(found["result"]["ranks"])) == ("over", 2)


async def test_rooms_and_games_are_listed_by_one_visit(house: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    from parlour_client import model_seats

    visits: list[str] = []

    def counted(url: str) -> Any:
        visits.append(url)
        return visiting(url)

    monkeypatch.setattr(model_seats, "visiting", counted)
    async with tools_of(house) as tools:
        await asyncio.gather(call(tools, "rooms"), call(tools, "rooms"))
        result = await tools.call_tool("rooms", {})
    assert visits == [house.url]
    assert house.room in result.content[0].text
    assert "minesweeper" in result.content[0].text
