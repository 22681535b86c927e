import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.commands import Finished
from tests.support.output import redirected

from parlour_bots.cli.play import guarded, main
from parlour_bots.errors import MISTAKES_SHOWN
from parlour_bots.loading import find
from parlour_bots.sdk import BotSpec, Choice, Turn, bot_spec
from parlour_bots.tools.check import random_move
from parlour_bots.uno import painfirst
from parlour_client.cli.app import app
from parlour_client.core.errors import Refused

PAINFIRST = find("painfirst")


@pytest.fixture(autouse=True)
def _few_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_bots.tools.check.MATCHES", 4)


WRONG = bot_spec(lambda turn: 99 if len(turn.view["hand"]) > 6 else painfirst.play(turn), "wrong")


Played = Callable[..., Finished]


@pytest.fixture
def played(capsys: pytest.CaptureFixture[str]) -> Played:
    def run(bot: BotSpec, words: str = "") -> Finished:
        return Finished(main(bot, words.split()), *capsys.readouterr())

    return run


def test_without_arguments_a_match_against_random_is_played(played: Played) -> None:
    example = Path(__file__).parents[3] / "bots" / "examples" / "hello.py"
    assert len(example.read_text().splitlines()) <= 15
    done = played(find(str(example)))
    assert {line.split()[1] for line in done.stdout.splitlines()[:2]} == {"hello-0", "random-1"}
    assert "Repeat with --seed " in done.stdout
    assert (done.returncode, done.stderr) == (0, "")


def test_seed_tells_the_match(played: Played) -> None:
    first, again = (json.loads(played(PAINFIRST, "--against uno.painfirst --seed 77 --json").stdout) for _ in range(2))
    assert first == again
    assert (first["seed"], first["scores"].keys()) == (77, {"painfirst-0", "painfirst-1"})


@pytest.mark.long
def test_check_of_a_bot_at_fault_exits_7(played: Played) -> None:
    done = played(WRONG, "--check")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (7, "NOT sound")
    assert f"{__file__}:" in done.stderr
    assert done.stderr.count("illegal answer") == MISTAKES_SHOWN
    assert done.stderr.count("turn: {") == 1, "what a turn looks like is told once"
    assert "Further mistakes are only counted." in done.stderr


@pytest.mark.parametrize(("words", "code"), [("", 0), ("--strict", 7)])
def test_mistakes_do_not_end_the_match_but_strict_tells_them_by_exit_code(
    words: str, code: int, played: Played
) -> None:
    done = played(WRONG, f"--seed 1 {words}")
    assert (done.returncode, "wrong-0" in done.stdout, "wrong made " in done.stderr) == (code, True, True)


@pytest.mark.parametrize("words", ["", "--arena 2"])
def test_mistakes_of_the_opponent_are_its_own(words: str, tmp_path: Path, played: Played) -> None:
    opponent = tmp_path / "clumsy.py"
    opponent.write_text("def play(turn):\n    return 99\n")
    done = played(PAINFIRST, f"--against {opponent} --seed 1 --strict {words}")
    mistakes = ("painfirst made" in done.stderr, "The opponent made " in done.stderr)
    assert (done.returncode, mistakes) == (0, (False, True))


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ("--arena 2 --against minesweeper.exact", 2, "minesweeper.exact plays minesweeper, not uno"),
        ("--check --arena 3", 2, "--room, --open, --offer, --arena and --check exclude each other"),
        ("--arena 0", 2, "--arena must be at least 1 match, not 0"),
        ("--against painfrist", 2, "Did you mean painfirst?"),
        ("--arena many", 2, "many"),
        ("--chekc", 2, "--chekc"),
        ("--offer 2 --name Müll.er", 2, "'Müll.er' is not a name: it must be letters, digits, - and _"),
        ("--room K7QD --server ws://127.0.0.1:1", 3, "no server answers at ws://127.0.0.1:1"),
    ],
)
def test_wrong_usage_exits_2_and_no_server_3(words: str, code: int, told: str, played: Played) -> None:
    done = played(PAINFIRST, words)
    assert (done.returncode, done.stdout, told in done.stderr) == (code, "", True), done


def test_ctrl_c_exits_130() -> None:
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    assert main(bot_spec(interrupted, "me"), []) == 130


def test_help_names_every_option(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["hello.py"])
    out = played(PAINFIRST, "--help").stdout
    assert all(f"--{option}" in out for option in ("room", "server", "name", "arena", "check", "seed", "strict"))
    assert "hello.py --arena 200" in out


def test_what_a_bot_prints_is_not_among_the_results(played: Played) -> None:
    def play(turn: Turn) -> Choice:
        print("hello")
        return 0

    done = played(bot_spec(play, "talker"), "--seed 1 --json")
    assert json.loads(done.stdout)["seed"] == 1
    assert done.stderr.startswith("hello\n")


def test_late_answers_are_mistakes_if_there_is_a_budget(played: Played) -> None:
    slow = bot_spec(lambda turn: sum(range(1_000_000)) * 0 if turn.rid == 1 else painfirst.play(turn), "slow")
    done = played(slow, "--seed 1 --budget 1 --strict")
    assert (done.returncode, "Late: the answer took " in done.stderr) == (7, True)


def test_minesweeper_is_played_alone_unless_there_is_an_opponent(played: Played) -> None:
    mines = bot_spec(random_move, "chance", "minesweeper")
    assert json.loads(played(mines, "--seed 1 --json").stdout)["winner"] is None
    assert played(mines, "--seed 1 --arena 3").stdout.startswith("chance won 0 of 3: 0.0%")


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        ("sys.exit(0)", []),
        pytest.param("os._exit(0)", [], marks=pytest.mark.long),
        pytest.param("os._exit(0)", ["--check"], marks=pytest.mark.long),
        pytest.param("sys.modules[os.name]._exit(0)", ["--arena", "1"], marks=pytest.mark.long),
        ("os.execl(sys.executable, 'python', '-c', '')", ["--check"]),
    ],
)
def test_bot_that_ends_the_process_is_at_fault(ends: str, words: list[str], tmp_path: Path) -> None:
    (tmp_path / "quitter.py").write_text(f"import os, sys\ndef play(turn):\n    {ends}\n")
    command = [sys.executable, "-m", "parlour_client.cli.main", "bot", "run", str(tmp_path / "quitter.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (7, "")
    assert done.stderr


def keeps_too_much(turn: Turn) -> Choice:
    return len(bytearray(1 << 40))


def starts_a_process(turn: Turn) -> Choice:
    subprocess.run([sys.executable, "-c", ""], check=True)
    return 0


@pytest.mark.parametrize("words", ["", "--arena 2"])
@pytest.mark.parametrize("play", [keeps_too_much, starts_a_process])
def test_a_bot_that_takes_more_than_it_may_is_ended_at_its_line(
    play: Callable[[Turn], Choice], words: str, played: Played
) -> None:
    done = played(bot_spec(play, "greedy"), f"{words} --memory 64")
    assert (done.returncode, done.stdout) == (7, "")
    assert f"{__file__}:{play.__code__.co_firstlineno + 1}: " in done.stderr
    assert done.stderr.rstrip().endswith("The mistake is the bot's.")


def test_programs_may_be_opponents_of_a_bot_that_may_start_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(PAINFIRST, ["--against", "exec:yes 0", "--seed", "1"]) == 0
    assert "mistake" not in capsys.readouterr().err


@pytest.mark.parametrize("words", [pytest.param("", marks=pytest.mark.long), "--check"])
def test_the_debugger_opens_once_where_the_bot_raises(
    words: str, monkeypatch: pytest.MonkeyPatch, played: Played
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("p turn.game\nq\n"))
    err = played(bot_spec(lambda turn: turn.view["nothing"], "broken"), f"{words} --pdb --seed 1").stderr
    assert "'uno'" in err
    assert err.count("(Pdb)") == 2, "two commands were read"


def test_the_debugger_needs_a_bot_in_this_process(played: Played) -> None:
    done = played(find("exec:yes 0"), "--pdb")
    assert (done.returncode, "--pdb" in done.stderr) == (2, True)


def test_what_the_encoding_lacks_is_replaced() -> None:
    with redirected() as file:
        assert main(bot_spec(painfirst.play, "Łukasz"), ["--arena", "1", "--seed", "1"]) == 0
    assert b"?ukasz" in file.getvalue()


def test_the_words_of_a_server_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    def refused() -> None:
        raise Refused("no_room", "gone\x1b]0;title\x07\x1b[2J")

    assert guarded(app("hello", refused), []) == Refused.exit_code
    told = capsys.readouterr().err
    assert ("gone" in told, "\x1b" in told) == (True, False)
