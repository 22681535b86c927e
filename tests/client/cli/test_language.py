import errno
from pathlib import Path

import pytest
from tests.support.commands import Finished, run

from parlour_client.cli.verbs import VERBS
from parlour_client.core.errors import in_words
from parlour_client.core.phrases import phrases
from parlour_protocol.phrases import LANGUAGES

_NOWHERE = ["--server", "ws://127.0.0.1:1"]
COMMANDS: tuple[list[str], ...] = (
    ["rules", "chess"],
    ["host", "uno", "--plain", *_NOWHERE],
    ["join", "ws://there"],
    ["watch", "ws://there"],
    ["rooms", *_NOWHERE],
    ["presets", *_NOWHERE],
    ["webhook", *_NOWHERE],
    ["contest", "results", "cup", *_NOWHERE],
    ["standings", *_NOWHERE],
    ["daily", "--table", *_NOWHERE],
    ["chain", *_NOWHERE],
    ["server", "close", "K7QD", *_NOWHERE],
    ["matches", "fetch", "uno-8f31c2a90b17", *_NOWHERE],
    ["replay", "nowhere.jsonl", "--plain"],
    ["review", "nowhere.jsonl"],
    ["continue", "nowhere.jsonl"],
    ["play", "chess"],
    ["play", "uno", "--pace", "-1"],
    ["play", "uno", "--bots", "99"],
    ["play", "uno", "--level", "expert"],
    ["play", "minesweeper", "--mode", "duel", "--no-guess"],
    ["play", "uno", "--bots", "1", "--bot", "easy", "--bot", "hard"],
    ["play", "uno", "--target", "50", "--option", "target=60"],
    ["create", "uno", "--plain", "--pace", "-1"],
    ["create", "uno", "--plain", "--rules", "~/broken.toml"],
    ["create", "uno", "--plain", "--rules", "~/none.toml"],
    ["start"],
    ["identity", "maria", "--list"],
    ["identity", "--list"],
    ["identity", "maria"],
    ["identity", "maria"],
    ["identity", "--forget", "maria"],
    ["identity", "--forget", "maria", "--yes"],
    ["admin", "delete", "maria"],
    ["games", "fetch", "cup"],
    ["profile", "maria"],
    ["standings", "--ladder", "bot"],
)
"""Command lines for people that are answered without a server, in order."""


def test_every_verb_for_people_answers_in_their_language(tmp_path: Path) -> None:
    assert {name for name, verb in VERBS.items() if not verb.english} <= {words[0] for words in COMMANDS}
    said: dict[str, list[Finished]] = {}
    for language in LANGUAGES:
        home = tmp_path / language
        home.mkdir()
        (home / "broken.toml").write_text("=")
        env = {"PARLOUR_LANG": language, "HOME": str(home), "PATH": "/usr/bin:/bin"}
        said[language] = [run(*words, env=env) for words in COMMANDS]
    for words, english, german in zip(COMMANDS, said["en"], said["de"], strict=True):
        assert english.returncode == german.returncode, words
        assert english.stdout + english.stderr != german.stdout + german.stderr, words


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_advice_is_a_phrase(language: str) -> None:
    phrases.use(language)
    codes = (errno.ENOENT, errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.ENOSPC)
    assert all(in_words(OSError(code, "x")).startswith("x. ") for code in codes)
    assert in_words(OSError(errno.EIO, "x")) == "x"


def test_a_verb_for_programs_speaks_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_LANG", "de")
    run("completion", "--help")
    assert phrases.language == "en"
