"""docs/write-a-game.md: its code is the package of ``parlour game new``; run its commands as its reader does."""

import re
from pathlib import Path

import pytest
from tests.docs.test_first_bot import Reader, blocks
from tests.support.plugins import install_example

from parlour_bots.tools.scaffold import new_game
from parlour_games.layout import KINDS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "write-a-game.md").read_text(encoding="utf-8")
BLOCKS = blocks(TEXT)


def code(of: str) -> str:
    """Return the code of a file in the text, whose blocks follow one another."""
    return "\n".join(block.text for block in BLOCKS if block.about == of)


def squeezed(text: str) -> str:
    """Return ``text`` without blank lines: two blocks may be further apart than the text shows."""
    return re.sub(r"\n\n+", "\n", text)


def test_code_is_that_of_a_new_game(tmp_path: Path) -> None:
    new_game("twentyone", folder=tmp_path)
    package = tmp_path / "twentyone"
    for file in ("parlour_twentyone/game.py", "tests/test_twentyone.py", "pyproject.toml"):
        assert squeezed(code(Path(file).name)) == squeezed((package / file).read_text())


@pytest.mark.parametrize(
    ("about", "file"),
    [
        ("widget.py", "fourinarow/parlour_fourinarow/widget.py"),
        ("entry-point", "fourinarow/pyproject.toml"),
        ("page", "fourinarow/parlour_fourinarow/game.py"),
        ("widget.js", "fourinarow/parlour_fourinarow/page/widget.js"),
        ("liarsdice.py", "liarsdice/parlour_liarsdice/game.py"),
    ],
)
def test_what_the_text_shows_is_that_of_the_examples(about: str, file: str) -> None:
    source = (ROOT / "games" / "examples" / file).read_text(encoding="utf-8")
    found = [block.text for block in BLOCKS if block.about == about]
    assert found
    assert [text for text in found if text not in source] == []


def test_layout_of_the_text_is_that_of_the_new_game() -> None:
    assert code("layout") in code("game.py")


def test_every_kind_of_a_layout_is_explained() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", TEXT[TEXT.index("### The table") : TEXT.index("### By shape")], re.MULTILINE)
    assert rows == [*KINDS]


@pytest.mark.long
def test_commands_do_what_the_text_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(site))
    following = Reader(tmp_path)
    for block in BLOCKS:
        if block.about == "install":  # as pip would, which would need the network
            install_example(site, tmp_path / "twentyone")
        elif block.language == "console" or "/" in block.about:
            following.follow(block)
