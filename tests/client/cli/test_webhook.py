import asyncio
import json
from pathlib import Path

from tests.support.commands import printed
from tests.support.receiver import receiving
from tests.support.server import ServerProcess, server_process

from parlour_client.cli.players import NotDelivered

KEY = ("--name", "anna", "--key", "ab" * 32)


async def test_webhook_is_set_tried_shown_and_removed(tmp_path: Path) -> None:
    async with receiving() as receiver:
        flags = ("--webhooks", "--webhook-host", receiver.host)
        with server_process(tmp_path, *flags) as running:

            async def webhook(*words: str, code: int = 0) -> str:
                told = ("webhook", *words, "--server", running.url, *KEY)
                return await asyncio.to_thread(lambda: printed(*told, code=code))

            assert json.loads(await webhook("--json"))["host"] is None
            await webhook("set", "http://10.0.0.1/hush", code=4)
            text = await webhook("set", receiver.url, "--format", "discord")
            await webhook("test")
            assert "anna" in (await receiver.received()).json["content"]
            shown = json.loads(await webhook("--json"))
            assert (shown["host"], shown["format"], shown["off"]) == ("127.0.0.1", "discord", None)
            receiver.answer = b"HTTP/1.1 404 Not Found\r\n\r\n"
            failed = await webhook("test", code=NotDelivered.exit_code)
            assert "404" in failed
            await webhook("remove")
            assert json.loads(await webhook("--json"))["host"] is None
            assert "hush" not in text + failed + running.log()


def test_server_that_calls_none_says_so(server: ServerProcess) -> None:
    assert "admin" in printed("webhook", "set", "https://ntfy.sh/x", "--server", server.url, *KEY, code=4)
