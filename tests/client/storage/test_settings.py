import tomllib
from pathlib import Path
from unittest.mock import Mock

import pytest
from tests.support.commands import printed

from parlour_client.cli.main import main
from parlour_client.core.errors import Usage
from parlour_client.play.entry import Entry
from parlour_client.storage import private_files, settings
from parlour_client.storage.settings import Settings, load, save


@pytest.fixture(autouse=True)
def file(monkeypatch: pytest.MonkeyPatch, home: Path) -> Path:
    monkeypatch.delenv("PARLOUR_SERVER", raising=False)
    settings.file().parent.mkdir(parents=True)
    return settings.file()


def test_what_is_saved_is_there_again_and_defaults_are_not_written(file: Path) -> None:
    assert load() == Settings()
    assert not file.exists()
    save(Settings(name="maria"))
    assert tomllib.loads(file.read_text()) == {"name": "maria"}
    mine = Settings("maria", "10.0.0.4", "mono,ascii", True, False, {"uno.draw": "e", "mines.flag": 'quotation_mark,"'})
    save(mine)
    assert load() == mine
    assert [each.name for each in file.parent.iterdir()] == ["client.toml"]


def test_comments_and_what_this_version_does_not_know_stay(file: Path) -> None:
    later = '[later]\nwhen = 2031-05-06T07:08:09Z\n[[later.list]]\na = [1.5, "ü\\n"]\n'
    file.write_text(f'# mine\nname = "otto"  # for friends\nsound = 3\n[keys]\n"uno.draw" = "e"  # near\n{later}')
    before = tomllib.loads(file.read_text())
    save(Settings(name="maria", keys={"uno.draw": "e"}))
    assert tomllib.loads(file.read_text()) == {**before, "name": "maria"}
    assert "# mine" in file.read_text()
    assert "# near" in file.read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('name = "maria"\nlook = \n', "line 2"),
        ('name = "maria"\nserver = "x', "end of document"),
        ("bell = true\n\n\nname = 5\n", "line 4: name must be"),
        ("bell = 'on'\n", "line 1: bell must be"),
        ("keys = 3\n", "line 1: keys must be"),
        ('[keys]\n"uno.draw" = 7\n', "line 2: uno.draw must be"),
    ],
)
def test_a_mistake_is_reported_with_its_line(file: Path, text: str, said: str) -> None:
    file.write_text(text)
    with pytest.raises(Usage, match=rf"client\.toml.*{said}"):
        load()


def test_a_broken_file_is_never_written_over_and_ends_a_verb(file: Path) -> None:
    file.write_text("name = \n")
    with pytest.raises(Usage):
        save(Settings(name="maria"))
    assert file.read_text() == "name = \n"
    assert "line 1" in printed("rooms", code=2)


@pytest.mark.parametrize(
    ("environment", "words", "server"),
    [
        (None, [], "ws://toml:1"),
        ("ws://environment:2", [], "ws://environment:2"),
        ("ws://environment:2", ["--server", "ws://flag:3"], "ws://flag:3"),
    ],
)
def test_flags_outweigh_the_environment_and_that_the_file(
    monkeypatch: pytest.MonkeyPatch, environment: str | None, words: list[str], server: str
) -> None:
    asked: list[str] = []

    async def lobby(url: str, game: str | None) -> dict[str, object]:
        asked.append(url)
        return {"server": url, "rooms": [], "bots": []}

    monkeypatch.setattr("parlour_client.core.queries.lobby", lobby)
    if environment:
        monkeypatch.setenv("PARLOUR_SERVER", environment)
    save(Settings(server="ws://toml:1"))
    assert main(["rooms", *words]) == 0
    assert asked == [server]


def test_a_name_in_the_file_is_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, bool]] = []

    def play(entry: Entry, plain: bool) -> int:
        asked.append((entry.name, entry.own_name))
        return 0

    monkeypatch.setattr("parlour_client.cli.frontend.play", play)
    monkeypatch.delenv("PARLOUR_NAME", raising=False)
    save(Settings(name="maria"))
    assert main(["join", "K7QD", "--plain"]) == 0
    assert main(["join", "K7QD", "--plain", "--name", "otto"]) == 0
    assert asked == [("maria", True), ("otto", True)]


@pytest.mark.parametrize(
    "words",
    [
        ("admin", "ban", "troll"),
        ("contest", "stop", "friday"),
        ("games", "fetch", "0" * 64),
        ("bot", "run", "random", "--room", "K7QD"),
        ("standings",),
    ],
)
def test_verbs_use_the_server_that_is_set(words: tuple[str, ...], file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_ADMIN", "token")
    file.write_text('server = "gopher://nowhere"\nname = "maria"\n')
    assert "'gopher://nowhere' is not the address of a server" in printed(*list(words), code=2)


def test_a_load_test_has_its_own_server_whatever_is_set(file: Path) -> None:
    file.write_text('server = "gopher://nowhere"\n')
    assert "gopher" not in printed("load", "--rooms", "0", code=2)
    assert "gopher" in printed("load", "--server", "gopher://nowhere", code=2)


@pytest.mark.parametrize(
    "words", [("play", "uno", "--plain", "--bots", "1", "--once"), ("rooms", "--server", "nowhere:1")]
)
def test_blocked_folders_stop_nobody(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file stands where each folder should be: nothing can be read or written there, whoever runs the test."""
    blocked = tmp_path / "a-file"
    blocked.touch()
    for name in ("CONFIG", "STATE", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(blocked))
    printed(*words, code=3 if words[0] == "rooms" else 0)


def test_settings_that_cannot_be_read_are_not_overwritten(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forbidden = Mock(side_effect=PermissionError(13, "Permission denied"))
    monkeypatch.setattr(private_files, "open", forbidden, raising=False)
    assert load() == Settings()
    with pytest.raises(Usage, match="cannot be read: Permission denied"):
        save(Settings(name="maria"))
