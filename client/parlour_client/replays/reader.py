"""Read a game file as one viewer saw the match, and verify it.

Both run in a process of their own. The reader's process replays the match in the server's own rooms and prints protocol
messages as they went over the socket, and before those of each act a ``Step``.
"""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import attrs

from parlour_client.core.errors import OK, Fault, Usage, WrongProtocol
from parlour_protocol.codec import CODECS, FROM_SERVER
from parlour_protocol.errors import Refusal
from parlour_protocol.messages import ServerMessage
from parlour_protocol.version import JSON
from parlour_protocol.wire import server_message

_TELLER = "parlour_server.game_files.replay"
_VERIFIER = ("parlour_client.cli.main", "verify", "--json")
_USAGE = 2


@attrs.frozen
class Step:
    """Act ``n`` (from 1) of the match; what it brought is told by the messages from number ``start`` on.

    A time-out is an act, too. ``at`` is room time in ms, ``why`` the note that its player left with it.
    """

    n: int
    seat: int
    rid: int
    at: int
    start: int
    why: str | None = None


@attrs.frozen
class Verdict:
    """What a check of a game file came to: ``text`` says it in one line, ``proved`` what is certain, in sentences."""

    ok: bool
    text: str
    proved: tuple[str, ...] = ()


@attrs.frozen
class Replay:
    """A match as one viewer saw it, from ``joined`` to ``over``; to ``left`` for a seat that was given up."""

    messages: list[ServerMessage]
    steps: list[Step]

    def after(self, acts: int) -> int:
        """Return how many messages have been told once so many acts are done."""
        return self.steps[acts].start if acts < len(self.steps) else len(self.messages)


def read(path: Path, viewer: int | str | None = None) -> Replay:
    """Return the match in a game file as ``viewer`` (a seat or a name; None: a spectator) saw it.

    Raises Fault for a file that is wrong, Usage for one that cannot be read and for a viewer who is not in it.
    """
    whose = [] if viewer is None else ["--as", str(viewer)]
    command = [sys.executable, "-m", _TELLER, str(path), *whose]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != OK:
        reason = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise (Usage if done.returncode == _USAGE else Fault)(reason or f"{path} cannot be replayed")
    return _parse(done.stdout.decode().splitlines())


async def verdict(path: Path) -> Verdict:
    """Check a game file in a process of its own, which ends with the task that waits for it."""
    command = [sys.executable, "-m", *_VERIFIER, str(path)]
    child = await asyncio.create_subprocess_exec(
        *command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        out, _ = await child.communicate()
    finally:
        if child.returncode is None:
            child.kill()
            await child.communicate()  # to the end of its output, so that nothing of it is left open
    try:
        found = json.loads(out)
        wrong = None if found["ok"] else f"line {found['line']}: {found['wrong']}"
        return Verdict(found["ok"], wrong or "every deal, act and result is right", tuple(found["proved"]))
    except (ValueError, LookupError, TypeError):
        return Verdict(False, "the check itself has failed; see: parlour verify")


def _parse(lines: list[str]) -> Replay:
    messages: list[ServerMessage] = []
    steps: list[Step] = []
    for line in lines:
        try:
            data = CODECS[JSON].decode(line, FROM_SERVER)
            message = server_message(data)
        except Refusal as refusal:
            raise WrongProtocol(f"the replay cannot be understood: {refusal.msg}") from None
        if message is not None:
            messages.append(message)
        elif data["t"] == "step":
            steps.append(Step(data["n"], data["seat"], data["rid"], data["at"], len(messages), data.get("why")))
    return Replay(messages, steps)
