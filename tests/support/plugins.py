"""Install plug-ins for a test: a folder for ``sys.path`` that looks like an installed package."""

import tomllib
from collections.abc import Mapping
from configparser import ConfigParser
from pathlib import Path

EXAMPLES = sorted(path.parent for path in (Path(__file__).parents[2] / "games" / "examples").glob("*/pyproject.toml"))
"""The folders of the example games."""

BROKEN_GAMES = {
    "unimportable": "raise RuntimeError('not today')",
    "exiting": "raise SystemExit('use my own command')",
    "abstract": "from parlour_games.game import Game\nclass Plugin(Game): name = 'abstract'",
    "foreign": "class Plugin: name = 'foreign'",
    "optionless": """
from parlour_games.uno.plugin import Uno
class Plugin(Uno):
    name = 'optionless'
    Options = None
""",
    "seatless": """
from parlour_games.uno.plugin import Uno
class Plugin(Uno):
    name = 'seatless'
    def seats(self, options): raise KeyError('seats')
""",
    "missing": "",
    "misnamed": "from parlour_games.uno.plugin import Uno as Plugin",
    "actionless": """
from parlour_games.uno.plugin import Uno
class Act: do = 'act'
class Plugin(Uno):
    name = 'actionless'
    Actions = (Act,)
""",
    "typeless": """
import attrs
from parlour_games.uno.plugin import Uno
@attrs.frozen
class Act:
    do = 'act'
    card: 'Card'
class Plugin(Uno):
    name = 'typeless'
    Actions = (Act,)
""",
    "wordless": """
from parlour_games.uno.plugin import Uno
class Plugin(Uno):
    name = 'wordless'
    phrases = 'nowhere.phrases'
""",
    "meddling": """
from parlour_games.uno.plugin import Uno
class Plugin(Uno):
    name = 'meddling'
    phrases = 'parlour_protocol.phrases'
""",
}
"""Source of the modules of games that cannot be used, by name. Each should have a class ``Plugin``."""


TAKEN = {"uno": "broken_misnamed:Plugin"}
"""A game with a name that is taken."""
BROKEN_BOTS = {"uno.broken": "broken_unimportable:Plugin", "uno.random": "broken_unimportable:Plugin"}
"""Bots that cannot be used; the name of the second is taken."""

LOOKS = {"parlour.widgets": "widget of", "parlour.lines": "lines of", "parlour.sentences": "sentences of"}
"""Entry-point groups of what shows games, and what doctor calls it."""
BROKEN_LOOKS = {"chess": "broken_unimportable:Plugin", "uno": "broken_unimportable:Plugin"}
"""Entry points that cannot show games; the name of the second is taken."""


def install_broken(folder: Path) -> Path:
    """Write a package of broken games and bots into ``folder``; return what has to be on ``sys.path``."""
    for name, source in BROKEN_GAMES.items():
        (folder / f"broken_{name}.py").write_text(source)
    games = {name: f"broken_{name}:Plugin" for name in BROKEN_GAMES}
    groups = {"parlour.games": games | TAKEN, "parlour.bots": BROKEN_BOTS}
    return install(folder, "broken", groups | dict.fromkeys(LOOKS, BROKEN_LOOKS))


def install_example(folder: Path, example: Path) -> Path:
    """Install an example game in ``folder`` by its own entry points; return what has to be on ``sys.path``."""
    project = tomllib.loads((example / "pyproject.toml").read_text())["project"]
    [package] = example.glob("parlour_*")
    (folder / package.name).symlink_to(package)
    return install(folder, project["name"], project["entry-points"])


def install(folder: Path, name: str, groups: Mapping[str, Mapping[str, str]]) -> Path:
    """Make the modules in ``folder`` the package ``name`` with these entry points; return ``folder``."""
    found = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    found.mkdir()
    (found / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    entries = ConfigParser()
    entries.read_dict(groups)
    with (found / "entry_points.txt").open("w") as file:
        entries.write(file)
    return folder
