"""Line mode: play or watch in one room, line by line.

::

    exit_code = await run_room(nullcontext(Entry("localhost", Join("K7QD"), "maria")))

Messages, changes of the connection and typed lines go through one queue.
"""

import asyncio
import contextlib
import os
import shutil
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TextIO, TypeAlias

from parlour_client.core.connection import Connection, ConnectionState
from parlour_client.core.errors import OK, Interrupted, Usage, understood
from parlour_client.core.phrases import say
from parlour_client.core.printing import clean, folded
from parlour_client.line_commands import Commands, Dialogue
from parlour_client.play.download import Download
from parlour_client.play.entry import GOODBYE, Entry, connected
from parlour_client.play.room_client import RoomClient
from parlour_client.storage import history
from parlour_protocol.messages import ServerMessage

_PROMPT = "> "
_LONGEST_LINE = 2_000
_LONGEST_INPUT = 65_536


class Console(Protocol):
    """The output and input of line mode."""

    interactive: bool
    """Whether a person sees prompts, and ends the program with the end of the input."""

    def line(self, text: str) -> None:
        """Print one line, sanitized."""

    def prompt(self) -> None:
        """Show a prompt."""

    def lines(self) -> AsyncIterator[str]:
        """Yield typed lines until the end of the input."""


class Terminal:
    """Standard input and output, or replacements for them."""

    def __init__(self, out: TextIO | None = None, fd: int = 0) -> None:
        self._out = sys.stdout if out is None else out
        self._fd = fd
        self.interactive = self._out.isatty() and os.isatty(fd)
        self._prompted = False
        self._wipe = _wipe()

    def line(self, text: str) -> None:
        """Print one line, sanitized and wrapped between words, in place of an open prompt."""
        wipe = self._wipe if self._prompted else ""
        self._prompted = False
        shown = clean(text, _LONGEST_LINE)
        if self.interactive:
            shown = folded(shown, shutil.get_terminal_size().columns - 1)
        self._out.write(f"{wipe}{shown}\n")
        self._out.flush()

    def prompt(self) -> None:
        """Show the prompt if the console is interactive and it is not shown yet."""
        if self.interactive and not self._prompted:
            self._prompted = True
            self._out.write(_PROMPT)
            self._out.flush()

    async def lines(self) -> AsyncIterator[str]:
        """Yield the typed lines until the end of the input.

        A thread reads them, which works for terminals, pipes and files, and on Windows, where no event loop can wait
        for a console. It reads unbuffered, so that it can be abandoned in a pending read at exit.
        """
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def post(line: str | None) -> None:
            with contextlib.suppress(RuntimeError):  # the loop may be closed already
                loop.call_soon_threadsafe(queue.put_nowait, line)

        threading.Thread(target=_pump, args=(self._fd, post), daemon=True, name="typed-lines").start()
        while (line := await queue.get()) is not None:
            self._prompted = False  # the typed newline has ended the line of the prompt
            yield line


def _pump(fd: int, post: Callable[[str | None], None]) -> None:
    """Read lines from ``fd`` and post each; post None at the end."""
    rest = b""
    with contextlib.suppress(OSError), open(fd, "rb", buffering=0, closefd=False) as raw:
        while chunk := raw.read(4096):
            *lines, rest = (rest + chunk).split(b"\n")
            rest = rest[:_LONGEST_INPUT]
            for line in lines:
                post(line.decode(errors="replace").rstrip("\r"))
    if rest:
        post(rest.decode(errors="replace"))
    post(None)


def _wipe() -> str:
    """Return the output that removes an open prompt: an erase sequence, or a newline on terminals without one."""
    plain = sys.platform == "win32" or os.environ.get("TERM", "dumb") in ("", "dumb")
    return "\n" if plain else "\r\x1b[K"


_WORTH_TELLING = 5.0
"""Delays of at least this many seconds are shown again while the connection stays lost."""


class _TypedLine(str):
    """A typed line."""


class _EndOfInput:
    """The end of the input, or of the time to wait for the answer to ``leave``."""


_Input: TypeAlias = ServerMessage | ConnectionState | _TypedLine | _EndOfInput | Exception


async def run_room(way: AbstractAsyncContextManager[Entry], console: Console | None = None) -> int:
    """Play in a room, entered through ``way``, until the player leaves. Returns the exit code. Raises Fault."""
    inputs: asyncio.Queue[_Input] = asyncio.Queue()
    async with way as entry, connected(entry, inputs.put_nowait) as connection:
        client = RoomClient(connection.session, entry, url=connection.url, tally=history.count_match)
        return await _LineMode(connection, client, console or Terminal(), inputs).run()


class _LineMode:
    """Runs a dialogue between a console and a connection."""

    def __init__(
        self, connection: Connection, client: RoomClient, console: Console, inputs: "asyncio.Queue[_Input]"
    ) -> None:
        self._connection = connection
        self._client = client
        self._dialogue = Dialogue(client)
        self._commands = Commands(self._dialogue)
        self._console = console
        self._inputs = inputs
        self._tasks: list[asyncio.Task[None]] = []
        self._typing = False
        self._lost = False
        self._saying_goodbye = False

    async def run(self) -> int:
        """Run until we have left the room. Returns the exit code. Raises Fault."""
        self._tasks.append(asyncio.create_task(self._listen()))
        try:
            while not self._client.done:
                self._handle(await self._inputs.get())
                await self._flush()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        return OK

    async def _listen(self) -> None:
        try:
            async for message in self._connection:
                self._inputs.put_nowait(message)
        except Exception as error:  # raised again by run()
            self._inputs.put_nowait(error)

    async def _read_lines(self) -> None:
        async for line in self._console.lines():
            self._inputs.put_nowait(_TypedLine(line))
        self._inputs.put_nowait(_EndOfInput())

    def _handle(self, received: _Input) -> None:
        match received:
            case _TypedLine():
                with understood("what the server has shown"):
                    self._commands.line(received)
            case _EndOfInput():
                self._input_ended()
            case ConnectionState():
                self._state(received)
            case Exception():
                raise received
            case _:
                with understood(f"a message {received.t!r} of the server"):
                    self._dialogue.message(received)

    def _state(self, state: ConnectionState) -> None:
        match state:
            case ConnectionState("lost"):
                self._client.done = self._client.leaving
                if not self._lost or state.retry_in >= _WORTH_TELLING:
                    seconds = max(1, round(state.retry_in))
                    self._dialogue.out.append(say("line.room.retry", why=state.reason, n=seconds))
                self._lost = True
            case ConnectionState("open"):
                self._lost = False
            case ConnectionState("closed") if not self._client.done:
                raise Interrupted(say("fault.ended", why=state.reason))

    def _input_ended(self) -> None:
        room = self._client.room
        watching = room is not None and room.seat is None
        if self._client.leaving:
            self._client.done = True
        elif self._console.interactive or not watching:
            self._client.quit()

    async def _flush(self) -> None:
        """Write files, print lines and send messages."""
        dialogue, client = self._dialogue, self._client
        for download in dialogue.files:
            dialogue.out += _written(download)
        dialogue.files.clear()
        for line in dialogue.out:
            self._console.line(line)
        dialogue.out.clear()
        while client.outgoing:
            await self._connection.send(client.outgoing.popleft())
        if client.leaving and not self._saying_goodbye:
            self._saying_goodbye = True
            asyncio.get_running_loop().call_later(GOODBYE, self._inputs.put_nowait, _EndOfInput())
        elif client.room is not None and not client.leaving:
            self._await_input()

    def _await_input(self) -> None:
        """Show the prompt unless others are to move, and start to read: earlier input waits until we are in a room."""
        client, room = self._client, self._client.room
        asked = room is not None and room.question is not None and not client.answering(room.question.rid)
        if room is None or not room.under_way or room.seat is None or asked or room.may:
            self._console.prompt()
        if not self._typing:
            self._typing = True
            self._tasks.append(asyncio.create_task(self._read_lines()))


def _written(download: Download) -> list[str]:
    try:
        return download.write()
    except Usage as fault:
        return [say("line.not_saved", why=fault)]
