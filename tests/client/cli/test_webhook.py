"""``parlour webhook``: a server calls a player's URL when it is their turn."""

import asyncio
import json
from pathlib import Path

import pytest
from tests.support.receiver import receiving
from tests.support.server import ServerProcess, server_process

from parlour_client.cli.main import main
from parlour_client.cli.players import NotDelivered

KEY = ("--name", "anna", "--key", "ab" * 32)


async def test_webhook_is_set_tried_shown_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with receiving() as receiver:
        flags = ("--webhooks", "--webhook-host", receiver.host)
        with server_process(tmp_path, *flags) as running:

            async def done(*words: str) -> tuple[int, str]:
                code = await asyncio.to_thread(main, ["webhook", *words, "--server", running.url, *KEY])
                return code, "".join(capsys.readouterr())

            assert json.loads((await done("--json"))[1])["host"] is None
            assert (await done("set", "http://10.0.0.1/hush"))[0] != 0
            code, text = await done("set", receiver.url, "--format", "discord")
            assert code == 0
            assert (await done("test"))[0] == 0
            assert "anna" in (await receiver.received()).json["content"]
            shown = json.loads((await done("--json"))[1])
            assert (shown["host"], shown["format"], shown["off"]) == ("127.0.0.1", "discord", None)
            receiver.answer = b"HTTP/1.1 404 Not Found\r\n\r\n"
            code, failed = await done("test")
            assert code == NotDelivered.exit_code
            assert "404" in failed
            assert (await done("remove"))[0] == 0
            assert json.loads((await done("--json"))[1])["host"] is None
            assert "hush" not in text + failed + running.log()


def test_server_that_calls_none_says_so(server: ServerProcess, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["webhook", "set", "https://ntfy.sh/x", "--server", server.url, *KEY]) == 4
    assert "admin" in "".join(capsys.readouterr())
