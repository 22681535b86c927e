import asyncio
import gc
import inspect
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest
from tests.bots.programs import CONFINES, EACH_FIRST, daemons, python, shell, turn
from tests.support.processes import called
from tests.support.waiting import PATIENCE, until

from parlour_bots.errors import BadChoice, Broken, Late
from parlour_bots.play.limits import Limits
from parlour_bots.play.program import (
    KEPT,
    LINE_LIMIT,
    LINES_A_TURN,
    NOISE_SHOWN,
    STDERR_LIMIT,
    LineReader,
    MessageWriter,
    Program,
    StderrReader,
    split,
)

GREETING = {"parlour": 1, "game": "uno", "name": "it", "seed": 5}
BUDGET = 10_000
SHORT = 20
"""Milliseconds in which nothing can come, as nothing will."""


def program(command: list[str], start: int = 5_000) -> Program:
    return Program(command, "it", GREETING, start)


def ask(playing: Program, rid: int = 1, budget: int = BUDGET) -> Any:
    return playing.ask(turn(rid).plain(), budget)


def test_greeting_comes_first_and_then_the_turns() -> None:
    playing = program(python("for turn in turns(): say({'do': 'tell', 'of': [greeting, turn]})"))
    for rid in (1, 2):
        assert ask(playing, rid) == {"do": "tell", "of": [GREETING, turn(rid).plain()]}


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("0", 0),
        (" 1 ", 1),
        ('{"do":"draw"}', {"do": "draw"}),
        ('{"rid":1,"act":{"do":"draw"},"why":"bored"}', ({"do": "draw"}, "bored")),
        ('{"rid":1,"act":1}', (1, None)),
        ("null", None),
        ("[0]", [0]),
        ("\N{BYTE ORDER MARK}1", 1),
    ],
)
def test_whatever_json_it_writes_is_its_answer(line: str, answer: object) -> None:
    assert ask(program(shell(f"read -r g; read -r t; echo '{line}'; read -r t"))) == answer


def test_answer_need_not_end_its_line_if_the_program_ends_and_may_be_as_long_as_a_line() -> None:
    assert ask(program(shell("printf 1"))) == 1
    longest = "x" * (LINE_LIMIT - 2)
    assert ask(program(python(f"print(json.dumps({longest!r}))"))) == longest


def test_one_that_never_reads_and_floods_is_legal() -> None:
    playing = program(["yes", "0"])
    assert [ask(playing, rid) for rid in range(300)] == [0] * 300
    assert playing.answers == 300


def test_what_is_no_json_is_passed_over_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    garbage = r"printf 'thinking\n\377\376\n\033[2J\n1e\n\n'; yes bla | head -n 100; echo 1"
    playing = program(shell(f"read -r g; read -r t; {garbage}; read -r t"))
    assert ask(playing) == 1
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "it| thinking"
    assert "\033" not in "".join(shown)
    assert len(shown) == NOISE_SHOWN


@pytest.mark.parametrize("line", ["banana", "NaN", "Infinity", "{", "[" * 50_000, "9" * 5_000])
def test_nonsense_alone_is_illegal(line: str) -> None:
    playing = program(shell(f"read -r g; read -r t; echo '{line}'; read -r t; read -r t"))
    with pytest.raises(BadChoice, match=r"is not JSON"):
        ask(playing, budget=SHORT)


@pytest.mark.parametrize(
    ("command", "error", "told"),
    [
        (python("for turn in turns(): os.write(1, '0\\n'.encode('utf-16'))"), BadChoice, "UTF-16"),
        (python("for turn in turns(): os.write(1, '0\\n'.encode('utf-16-be'))"), BadChoice, "UTF-16"),
        (shell("""read -r g; read -r t; echo '{"do":"\\ud800"}'; read -r t"""), BadChoice, "surrogate"),
        (["yes", "banana"], BadChoice, "'banana' is not JSON"),
        (["yes", '{"rid":77,"act":0}'], Broken, f"wrote {LINES_A_TURN} lines and no answer"),
        (shell("cat /dev/zero"), Broken, "wrote a line of more than 65536 bytes"),
        (shell("yes | tr -d '\\n'"), Broken, "wrote a line of more than 65536 bytes"),
    ],
)
def test_what_is_no_answer_is_not_waited_for(command: list[str], error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        ask(program(command))


def test_no_answer_is_late() -> None:
    playing = program(shell("read -r g; read -r t; echo 0; read -r t; read -r t"))
    assert ask(playing) == 0
    with pytest.raises(Late, match=f"no answer within {SHORT} ms"):
        ask(playing, 2, SHORT)


def test_program_has_time_to_begin() -> None:
    slow_start = "read -r g; sleep 0.2; while read -r t; do echo 0; done"
    assert ask(program(shell(slow_start)), budget=1) == 0
    with pytest.raises(Late):
        ask(program(shell(slow_start), start=1), budget=1)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("exit 3", "exited with code 3"),
        ("echo oops >&2; exit 1", "exited with code 1: oops"),
        ("read -r g; kill -SEGV $$", "was killed by SIGSEGV"),
        ("kill -40 $$", "was killed by signal 40"),
        ("exec >&-; sleep 1000", "closed its standard output"),
    ],
)
def test_end_of_a_program_is_told(script: str, told: str) -> None:
    with pytest.raises(Broken) as broken:
        ask(program(shell(script)))
    assert str(broken.value) == told


def test_end_is_told_where_it_can_only_be_reaped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.waitid")
    with pytest.raises(Broken, match="exited with code 3: oops"):
        ask(program(shell("echo oops >&2; exit 3")))


def test_program_that_cannot_be_begun(tmp_path: Path) -> None:
    file = tmp_path / "bot"
    file.write_text("no program")
    file.chmod(0o755)
    with pytest.raises(Broken, match="cannot be started"):
        program([str(file)])


def test_answer_that_names_another_turn_is_passed_over() -> None:
    playing = program(
        python("""
        for turn in turns():
            say({"rid": turn["rid"] - 1, "act": 1})
            say({"rid": turn["rid"], "act": 0})
            say({"rid": turn["rid"], "act": 1})
        """)
    )
    assert [ask(playing, rid) for rid in range(5, 50)] == [(0, None)] * 45


async def test_second_line_for_a_turn_is_not_an_answer_to_the_next(capsys: pytest.CaptureFixture[str]) -> None:
    playing = program(shell('read -r g; read -r t; printf "0\\n1\\n" ; read -r t; echo 2; read -r t'))
    assert ask(playing) == 0
    await until(lambda: bool(playing._running.lines._waiting))
    assert ask(playing, 2) == 2
    assert capsys.readouterr().out == "it| 1 (more than one line for a turn)\n"


@pytest.fixture
def name(tmp_path: Path) -> str:
    """A name that only the processes of this test have."""
    return f"daemon-{tmp_path.name}-{os.getpid()}"


@pytest.mark.parametrize("confined", [False, pytest.param(True, marks=CONFINES)])
async def test_program_and_its_children_end_with_their_owner(confined: bool, name: str) -> None:
    command = python(f"{daemons(name)}\nfor turn in turns(): say(0)\nos.execlp('sleep', {name!r}, '1000')")
    playing = Program(command, "it", GREETING, limits=Limits(memory=512, confined=confined))
    assert ask(playing) == 0
    await until(lambda: len(called(name)) == 50)
    del playing
    gc.collect()
    assert called(name) == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing watches over the launcher")
@pytest.mark.parametrize("confined", [False, pytest.param(True, marks=CONFINES)])
async def test_program_ends_with_its_launcher(confined: bool, name: str) -> None:
    command = python(f"next(turns())\nsay(0)\nos.execlp('sleep', {name!r}, '1000')")
    playing = Program(command, "it", GREETING, limits=Limits(memory=512, confined=confined))
    assert ask(playing) == 0
    await until(lambda: len(called(name)) == 1)
    os.kill(playing._running.child.process.pid, signal.SIGKILL)
    await until(lambda: called(name) == [])


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes without a parent are not adopted")
async def test_a_launcher_whose_report_is_not_read_still_ends_what_was_started(name: str) -> None:
    (orders, lifeline), (status, report) = os.pipe(), os.pipe()
    command = (sys.executable, "-c", f"import os\n{daemons(name, 2)}\nos.execlp('sleep', {name!r}, '1000')")
    order = {"command": command, "patience": 0, "limits": {}, "confined": None}
    launcher = inspect.getfile(Program).replace("program.py", "launcher.py")
    os.write(lifeline, json.dumps(order).encode() + b"\n")
    os.close(status)
    ours = (sys.executable, launcher, f"{orders}", f"{report}")
    running = await asyncio.create_subprocess_exec(*ours, pass_fds=(orders, report))
    os.close(orders)
    os.close(report)
    await until(lambda: len(called(name)) == 3)
    os.close(lifeline)
    await running.wait()
    assert called(name) == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes without a parent are not adopted")
async def test_children_end_with_their_program(name: str) -> None:
    playing = program(python(f"{daemons(name, 3)}\nnext(turns())\nsay(0)"))
    assert ask(playing) == 0
    with pytest.raises(Broken, match="exited with code 0"):
        ask(playing)
    assert called(name) == []


def test_program_may_see_to_its_affairs_when_its_input_ends(tmp_path: Path) -> None:
    note = tmp_path / "note"
    playing = program(shell(f"{EACH_FIRST}; echo done > {note}"))
    assert ask(playing) == 0
    del playing
    gc.collect()
    assert note.read_text() == "done\n"


def test_our_settings_are_kept_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_KEY", "secret")
    monkeypatch.setenv("COLOUR", "red")
    playing = program(
        python("for turn in turns(): say({key: os.environ.get(key) for key in ('PARLOUR_KEY', 'COLOUR')})")
    )
    assert ask(playing) == {"PARLOUR_KEY": None, "COLOUR": "red"}


def test_what_it_says_aside_is_shown_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    playing = program(shell(r"printf 'look\033[2J here\n' >&2; exit 0"))
    with pytest.raises(Broken):
        ask(playing)
    assert capsys.readouterr().err == "it| look\N{REPLACEMENT CHARACTER}[2J here\n"


class Pipe:
    def __init__(self) -> None:
        out, into = os.pipe()
        self.out: IO[bytes] = os.fdopen(out, "rb", buffering=0)
        self.into: IO[bytes] = os.fdopen(into, "wb", buffering=0)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    made = Pipe()
    yield made
    made.into.close()


async def test_flood_is_not_read_ahead(pipe: Pipe) -> None:
    lines = LineReader(pipe.out)
    flood = _Flood(pipe)
    await until(lambda: len(lines.discard()) == KEPT)
    for _ in range(3 * KEPT):
        lines.read(time.monotonic() + PATIENCE)
    assert flood.written < 200 * KEPT + 65_536 + 8_192 + 4 * KEPT
    lines.close()
    lines.discard()
    assert lines.ended.wait(PATIENCE)
    assert flood.ended.wait(PATIENCE)


def test_mail_reaches_who_reads_and_ends_when_closed(pipe: Pipe) -> None:
    mail = MessageWriter(pipe.into)
    mail.send(b"one\n")
    assert pipe.out.read(100) == b"one\n"
    mail.send(b"two\n")
    assert pipe.out.read(100) == b"two\n"
    mail.close()
    assert pipe.out.read(100) == b""
    pipe.out.close()


def test_who_does_not_read_gets_the_newest_mail_later(pipe: Pipe) -> None:
    mail = MessageWriter(pipe.into)
    mail.send(b"a" * 200_000)  # more than a pipe holds
    assert pipe.out.read(1) == b"a"
    for number in range(1000):
        mail.send(b"%d\n" % number)
    mail.close()
    rest = b"".join(iter(lambda: pipe.out.read(65_536), b""))
    assert rest == b"a" * 199_999 + b"999\n"
    pipe.out.close()


def test_mail_to_nobody_is_no_error(pipe: Pipe) -> None:
    mail = MessageWriter(pipe.into)
    pipe.out.close()
    mail.send(b"one\n")
    mail.send(b"two\n")
    mail.close()
    assert pipe.out.closed


def test_what_is_said_aside_is_passed_on_within_limits(pipe: Pipe) -> None:
    told: list[str] = []
    aside = StderrReader(pipe.out, told.append)
    pipe.into.write(b"hello\n\n\xff\n")
    for _ in range(STDERR_LIMIT // 10):
        pipe.into.write(b"a dozen of\n")
    pipe.into.write(b"last words\n")
    pipe.into.close()
    assert aside.ended.wait(PATIENCE)
    assert told[:2] == ["hello", "\N{REPLACEMENT CHARACTER}"]
    assert sum(map(len, told)) <= STDERR_LIMIT + 100
    assert told[-1].endswith("(further output is not shown)")
    assert aside.last == "last words"


def test_split_gives_up_a_long_line_in_pieces(pipe: Pipe) -> None:
    pipe.into.write(b"short\n" + b"y" * 25 + b"\nend")
    pipe.into.close()
    found = list(split(pipe.out, 10))
    assert found == [b"short", b"y" * 25, b"end"]
    pipe.out.close()


class _Flood:
    def __init__(self, pipe: Pipe) -> None:
        self.written = 0
        self.ended = threading.Event()
        self._pipe = pipe
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            while True:
                self.written += self._pipe.into.write(b"0\n") or 0
        except (OSError, ValueError):
            self.ended.set()
