"""``parlour chain`` and ``parlour matches fetch`` against a real server that is killed and started again in between."""

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.support.commands import printed
from tests.support.server import server_process

from parlour_bots.play.network import connection
from parlour_client.core.errors import Fault, Refused, Usage
from parlour_protocol.messages import Act, Create, Deal, Joined, Over, Start, Turn


async def resigned(url: str, name: str = "anna", deal: Deal | None = None) -> str:
    async with connection(url, name) as anna:
        await anna.send(Create("minesweeper", {"mode": "solo"}, seats=1, deal=deal))
        async for message in anna:
            match message:
                case Joined():
                    await anna.send(Start(message.room))
                case Turn():
                    await anna.send(Act(message.room, message.rid, {"do": "resign"}))
                case Over():
                    return message.digest
    raise AssertionError("the connection ended")


def test_chain_has_the_matches_and_continues_the_saved_one(tmp_path: Path) -> None:
    file, saved, other = tmp_path / "match.jsonl", tmp_path / "chain.jsonl", tmp_path / "other.jsonl"

    def chain(*words: str) -> Any:
        return json.loads(printed("chain", "--server", running.url, "--save", str(saved), "--json", *words))

    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    with server_process(tmp_path / "one") as running:
        assert chain()["links"] == 0
        digest = asyncio.run(resigned(running.url))
        printed("games", "fetch", digest, "--server", running.url, "--to", str(file))
        printed("verify", str(file), "--digest", digest)
        assert digest[:12] in printed("games", "--store", f"sqlite:///{running.store}")
        printed("games", "fetch", "ab" * 32, "--server", running.url, code=Refused.exit_code)
        printed("games", "fetch", "AB", code=Usage.exit_code)
        found = chain("--match", str(file))
        assert (found["links"], found["begun"], found["over"], found["under_way"]) == (2, 1, 1, [])
        assert found["matches"] == [{"file": str(file), "begun": 1, "over": 2}]
        running.restart()
        asyncio.run(resigned(running.url, "bert"))
        asyncio.run(resigned(running.url, "cleo", {"secret": "ab" * 32, "context": "seed/1", "nonces": []}))
        assert chain("--match", str(file))["links"] == 4
        assert len(saved.read_text().splitlines()) == 4

        lines = file.read_text().splitlines()
        ended = json.loads(lines[-1])
        other.write_text("\n".join([*lines[:-1], json.dumps({**ended, "h": "ab" * 32})]))
        printed("chain", "--server", running.url, "--match", str(other), code=Fault.exit_code)
        other.write_text("\n".join([lines[0].replace('"nonces":[""]', f'"nonces":["{"ab" * 32}"]'), *lines[1:]]))
        printed("chain", "--server", running.url, "--match", str(other), code=Fault.exit_code)
        printed("chain", "--server", running.url, "--match", str(saved), code=Usage.exit_code)
    with server_process(tmp_path / "two") as running:
        printed("chain", "--server", running.url, "--save", str(saved), code=Fault.exit_code)
        saved.write_text(saved.read_text().replace('"n": 2', '"n": 3'))
        printed("chain", "--server", running.url, "--save", str(saved), code=Fault.exit_code)
        saved.write_text("no links")
        printed("chain", "--server", running.url, "--save", str(saved), code=Usage.exit_code)
