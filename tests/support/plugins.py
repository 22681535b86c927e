"""Install broken plug-ins for a test: a folder for ``sys.path`` that looks like an installed package."""

from pathlib import Path

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
}
"""Source of the modules of games that cannot be used, by name. Each should have a class ``Plugin``."""


def install_broken(folder: Path) -> Path:
    """Write a package of broken games, and a broken bot, into ``folder``; return what has to be on ``sys.path``."""
    for name, source in BROKEN_GAMES.items():
        (folder / f"broken_{name}.py").write_text(source)
    found = folder / "broken-1.0.dist-info"
    found.mkdir()
    (found / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    games = [f"{name} = broken_{name}:Plugin" for name in BROKEN_GAMES]
    bots = ["uno.broken = broken_unimportable:Plugin"]
    (found / "entry_points.txt").write_text("\n".join(["[parlour.games]", *games, "[parlour.bots]", *bots, ""]))
    return folder
