import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.commands import printed
from tests.support.groups import node

from parlour_bots.loading import find_game
from parlour_bots.tools.scaffold import LANGUAGES, new, new_game
from parlour_client.core.errors import Usage


def follow(folder: Path, words: list[str]) -> str:
    """Run one of the commands that ``new`` prints, and return its output."""
    here = Path(sys.executable).parent
    program = [str(here / words[0]) if (here / words[0]).exists() else words[0], *words[1:]]
    done = subprocess.run(program, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


@pytest.mark.parametrize(
    ("lang", "game"),
    [
        ("python", "uno"),
        ("sh", "minesweeper"),
        pytest.param("python", "minesweeper", marks=pytest.mark.long),
        pytest.param("sh", "uno", marks=pytest.mark.long),
        pytest.param("node", "uno", marks=[pytest.mark.node, pytest.mark.long]),
        pytest.param("node", "minesweeper", marks=[pytest.mark.node, pytest.mark.long]),
    ],
)
def test_next_steps_of_a_new_bot_work(lang: str, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("parlour_bots.tools.check.MATCHES", 4)
    if lang == "node":
        monkeypatch.setenv("PATH", f"{node().parent}{os.pathsep}{os.environ['PATH']}")
    first, *lines = new("hello", lang, game, tmp_path).splitlines()
    assert first == f"hello{LANGUAGES[lang].ending} plays {game}. Next:"
    play, arena, check, room = (shlex.split(line.split("  ")[1]) for line in lines)
    assert play[0] == "parlour"  # with pipx or uv, no other program can import parlour_bots
    assert "Repeat with --seed " in follow(tmp_path, play)
    assert arena[-2:] == ["--arena", "100"]
    assert printed(*arena[1:-1], "2").startswith("hello won ")
    assert printed(*check[1:]).endswith("\nsound\n")
    assert room[-2:] == ["--room", "CODE"]


def test_what_exists_is_not_overwritten(tmp_path: Path) -> None:
    file, folder = tmp_path / "hello.py", tmp_path / "mine"
    file.write_text("mine")
    folder.mkdir()
    with pytest.raises(Usage, match=r"hello\.py already exists"):
        new("hello", "python", "uno", tmp_path)
    with pytest.raises(Usage, match="already exists"):
        new_game("mine", folder=tmp_path)
    with pytest.raises(Usage, match="cannot be written: No such file"):
        new("hello", "sh", "uno", tmp_path / "nowhere")
    assert (file.read_text(), list(folder.iterdir())) == ("mine", [])


@pytest.mark.parametrize("name", ["", "7up", "../up", "a/b", "a b", "-x", "a" * 21, "ümlaut", "x.py"])
def test_invalid_names_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(Usage, match="is not a valid name"):
        new(name, "python", "uno", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_python_file_must_not_shadow_a_standard_module(tmp_path: Path) -> None:
    with pytest.raises(Usage, match="would shadow Python's module random"):
        new("random", "python", "uno", tmp_path)
    assert new("random", "sh", "uno", tmp_path).startswith("random.sh plays uno.")


def test_only_scripts_are_executable(tmp_path: Path) -> None:
    for lang, language in LANGUAGES.items():
        new("hello", lang, "uno", tmp_path)
        assert os.access(tmp_path / f"hello{language.ending}", os.X_OK) == language.executable


@pytest.mark.parametrize(
    ("field", "refused"),
    [
        ("name", ["", "7up", "../up", "My", "a b", "a-b", "a" * 21, "ümlaut", "uno"]),
        ("title", ["", '"', "a\\b", "{seat}", "<b>", "a" * 41, " maid"]),
    ],
)
def test_names_and_titles_that_no_game_can_have_are_refused(field: str, refused: list[str], tmp_path: Path) -> None:
    for text in refused:
        with pytest.raises(Usage, match=f"choose another name|is not a valid {field}"):
            new_game(**{"name": "oldmaid", field: text}, folder=tmp_path)
        assert list(tmp_path.iterdir()) == [], text


def test_new_game_has_its_own_name_everywhere(tmp_path: Path) -> None:
    assert new_game("poker", folder=tmp_path).startswith("The package poker is in ./poker.")
    files = [file for file in (tmp_path / "poker").rglob("*") if file.is_file()]
    assert len(files) == 9
    assert not [file for file in files if "twentyone" in f"{file} {file.read_text()}".lower()]
    assert find_game(str(tmp_path / "poker")).name == "poker"


@pytest.mark.parametrize(
    ("title", "named"),
    [("Old Maid", "OldMaid"), ("Schwarzer Peter!", "SchwarzerPeter"), ("Mau-Mau", "MauMau"), ("Löwe", "Lion")],
)
def test_new_game_has_a_title_for_people_and_a_class_for_python(title: str, named: str, tmp_path: Path) -> None:
    name = named.lower()
    new_game(name, title, tmp_path)
    game = find_game(str(tmp_path / name))
    assert (game.name, type(game).__name__) == (name, named)
    package = tmp_path / name / f"parlour_{name}"
    for language in ("en", "de"):
        assert json.loads((package / "phrases" / f"{language}.json").read_text("utf-8"))[f"{name}.name"] == title
    assert f"The rules of {title}." in (package / "game.py").read_text("utf-8")


def test_folder_is_loaded_although_a_copy_is_installed(tmp_path: Path) -> None:
    copies = [tmp_path / "installed", tmp_path / "edited"]
    for folder in copies:
        folder.mkdir()
        new_game("rummy", folder=folder)
    for folder in (*copies, copies[1]):
        cls = type(find_game(str(folder / "rummy")))
        assert Path(sys.modules[cls.__module__].__file__ or "").is_relative_to(folder)
