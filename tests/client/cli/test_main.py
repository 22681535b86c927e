import gc
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version
from importlib.resources import files
from itertools import pairwise
from typing import Any

import pytest
from tests.support.commands import printed, run
from tests.support.output import redirected
from tests.support.waiting import PATIENCE

from parlour_client.cli import app
from parlour_client.cli.main import main
from parlour_client.cli.verbs import ALIASES, HEADINGS, VERBS
from parlour_client.core import errors
from parlour_client.core.errors import CannotConnect, Fault
from parlour_games.options import options_of
from parlour_games.registry import games

EVERY = [*([name] for name in VERBS), *([name, each] for name, verb in VERBS.items() for each in verb.verbs)]


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_help_of_each_verb_fits_80_columns_and_has_examples(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = printed(*words, "--help")
    assert not re.search(r"default: *(False|\"\"|\(\))", shown), "defaults that go without saying"
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert not re.search(r"\[ARGS|--empty-", shown), "words of the library in place of ours"
    text = shown.partition("\n\n")[2].partition("╭")[0].partition("Examples:")[0].splitlines()
    for line, after in pairwise(text):
        short = after and not after.startswith(" ") and len(f"{line.rstrip()} {after.split()[0]}") <= 80
        assert not (line and short) or line.startswith(" "), "lines of a paragraph that were wrapped twice"
    last = shown.split("Examples:")[-1]
    assert "parlour" in last
    cut = [line for line in last.splitlines() if line.strip() and not line.startswith((" ", "\t"))]
    assert cut == [], "an example that is broken in two cannot be copied"


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["help"], ["help", "all"]])
def test_the_overview_lists_the_verbs(words: list[str]) -> None:
    out = printed(*words)
    assert all(len(line) <= 80 for line in out.splitlines())
    headings = [*HEADINGS, *([""] if "all" in words else [])]
    shown = {name: verb for heading in headings for name, verb in VERBS.items() if verb.heading == heading}
    assert re.findall(r"^  (\w+)", out, re.MULTILINE) == list(shown)
    assert all(verb.summary in out for verb in shown.values())
    assert "all" in words or len(out.splitlines()) <= 24


@pytest.mark.parametrize(
    ("words", "path"),
    [*(([alias, "--help"], path) for alias, path in ALIASES.items()), (["help", "bot", "run"], ["bot", "run"])],
)
def test_an_alias_and_help_before_a_verb_give_the_help_of_the_verb(words: list[str], path: Sequence[str]) -> None:
    assert printed(*words) == printed(*path, "--help")


def test_version() -> None:
    parlour, system, libraries = printed("--version").splitlines()
    assert parlour.startswith("parlour 0.")
    assert platform.python_version() in system
    assert f"textual {version('textual')}" in libraries


@pytest.mark.parametrize("language", ["en", "de"])
def test_rules_lists_every_option_of_every_game_with_its_values(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_LANG", language)
    out = printed("help", "rules")
    assert all(len(line) <= 80 for line in out.splitlines())
    for game in games().values():
        for option in options_of(game):
            (line,) = re.findall(rf"^  {option.name} = (.*)$", out, re.MULTILINE)
            assert all(f"{choice}".lower() in line for choice in option.choices)
            assert f"[{str(option.default).lower()}]" in line


def test_rules_of_one_game_as_json() -> None:
    (rows,) = json.loads(printed("rules", "uno", "--json")).values()
    assert [row["name"] for row in rows] == [option.name for option in options_of(games()["uno"])]
    assert rows[0]["choices"] == ["official", "family", "chaos"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["jion"], "There is no verb jion. Did you mean join? See: parlour --help"),
        (["exprot"], "There is no verb exprot. Did you mean matches export? See: parlour --help"),
        (["games", "exprot"], "There is no verb exprot. Did you mean export? See: parlour matches --help"),
        (["\x1b[2J"], r"There is no verb \x1b[2J. See: parlour --help"),
        (["join"], "See: parlour join --help"),
        (["join", "K7QD", "--srever", "x"], "Did you mean --server?"),
        (["join", "K7QD", "too", "many"], "See: parlour join --help"),
        (["join", "K7QD", "--server", "a b"], "'a b' is not the address of a server"),
        (["--server", "a b"], "the start screen needs a terminal"),
        (["rooms", "--json=7"], "See: parlour rooms --help"),
    ],
)
def test_wrong_usage_is_explained_in_one_line(words: list[str], told: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert done.stderr.startswith("parlour: ")
    assert told in done.stderr


@pytest.mark.parametrize(
    ("result", "code"), [(None, 0), (6, 6), (KeyboardInterrupt(), 130), (CannotConnect("no server\x1b[2J answers"), 3)]
)
def test_exit_codes(result: Any, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def verb() -> Any:
        if isinstance(result, BaseException):
            raise result
        return result

    monkeypatch.setattr(app, "load", lambda _: verb)
    assert "\x1b" not in printed("join", code=code)


def test_each_fault_has_an_exit_code_of_its_own() -> None:
    classes: list[type[Fault]] = [Fault, *Fault.__subclasses__()]
    ours = [cls for cls in classes if cls.__module__ == errors.__name__]
    codes = {cls.exit_code: cls.__name__ for cls in ours}
    names = ["Fault", "Usage", "CannotConnect", "Refused", "WrongProtocol", "Interrupted", "BotFault"]
    assert codes == dict(enumerate(names, 1))
    assert {errors.OK, errors.INTERRUPTED_BY_USER}.isdisjoint(codes)


def test_what_the_encoding_lacks_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    def verb() -> None:
        sys.stdout.write("Łukasz −3 \udcff\n")

    monkeypatch.setattr(app, "load", lambda function: verb)
    with redirected() as file:
        assert main(["join"]) == 0
    assert file.getvalue() == b"?ukasz ?3 ?\r\n"


def test_arguments_that_are_no_text_are_refused() -> None:
    assert sys.getfilesystemencoding() in printed("rooms", "--mine", "--name", "Jos\udce9", code=2)


def test_documents_are_the_same_on_every_system() -> None:
    with redirected() as file:
        assert main(["protocol"]) == 0
    assert file.getvalue() == files("parlour_protocol").joinpath("SPEC.md").read_bytes()
    with redirected() as file:
        assert main(["protocol", "--schema"]) == 0
        assert main(["completion", "bash"]) == 0
    assert b"\r" not in file.getvalue()


def test_garbage_is_collected_while_a_verb_runs_but_not_while_it_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    collects: list[bool] = []

    def load(_: str) -> Any:
        collects.append(gc.isenabled())
        return lambda: collects.append(gc.isenabled())

    monkeypatch.setattr(app, "load", load)
    assert main(["join"]) == 0
    assert collects == [False, True]


HEAVY = ["websockets", "cyclopts", "textual", "rich", "attrs", "msgpack", "asyncio"]
OTHERS = ["parlour_server", "parlour_bots"]


@pytest.mark.parametrize(
    ("program", "unwanted"),
    [
        ("main(['--help'])", [*HEAVY, *OTHERS]),
        ("main(['--version'])", [*HEAVY, *OTHERS]),
        ("main(['nonsense'])", [*HEAVY, *OTHERS]),
        ("main(['join', '--help'])", ["websockets"]),
        ("import parlour_client.cli.rooms, parlour_client.line_mode, parlour_client.core.queries", OTHERS),
    ],
)
def test_no_more_is_loaded_than_is_needed(program: str, unwanted: list[str]) -> None:
    loaded = f"print({{name.partition('.')[0] for name in sys.modules}} & {{*{unwanted}}})"
    code = f"import sys; from parlour_client.cli.main import main; {program}; {loaded}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout.splitlines()[-1] == "set()"


@pytest.mark.parametrize("words", [["protocol"], ["--version"]])
def test_a_reader_that_has_had_enough_is_no_error(words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "parlour_client.cli.main", *words]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_complaints_wrap_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert main(["nonsense"]) == 2
    err = capsys.readouterr().err
    assert max(map(len, err.splitlines())) <= 30
    assert " ".join(err.split()) == "parlour: There is no verb nonsense. See: parlour --help"


@pytest.mark.parametrize(
    "words", ["follow URL", "fetch URL --round 5", "give 5 ab --chain 52 --genesis 1 --period 3 --token x"]
)
def test_beacon_is_refused(words: str) -> None:
    assert "nonces" in printed("beacon", *words.split(), code=2)
