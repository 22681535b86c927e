"""``python -m docs.studio [NAME]...``: make all pictures of the README, or those named."""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from docs.studio import crash, looks, stills, uno_round, web_page
from docs.studio.png import NoFont, png

from parlour_client.tui.svg import film, still

FOLDER = Path(__file__).parent.parent / "pictures"
STILLS = {
    "start.png": (stills.start, stills.NARROW),
    "uno.png": (stills.uno, stills.WIDE),
    "uno-80x24.png": (stills.uno, stills.NARROW),
    "race.png": (stills.race, stills.WIDE),
    "replay.png": (stills.replay, stills.WIDE),
}
SHEETS = {"looks.png": looks.all_looks, "own-theme.png": looks.own_look}
FILMS = {"round.svg": uno_round.shots, "crash.svg": crash.shots}
_HOMES = ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")


def make(name: str) -> bytes:
    """Return the picture ``name``, made with empty settings. Raises NoFont."""
    with TemporaryDirectory() as home, patch.dict(os.environ, dict.fromkeys(_HOMES, home)):
        if name in web_page.PAGES:
            return web_page.take(web_page.PAGES[name])
        if name in SHEETS:
            return png(asyncio.run(SHEETS[name]()), zoom=1)
        if name in FILMS:
            return film(asyncio.run(FILMS[name]())).encode()
        take, size = STILLS[name]
        return png(still(asyncio.run(take(size))))


def _all() -> list[str]:
    """Return the names of all pictures that can be made on this machine; print which cannot."""
    why = web_page.why_not()
    if why is not None:
        sys.stderr.write(f"{', '.join(web_page.PAGES)} skipped, {why}\n")
    return [*STILLS, *SHEETS, *FILMS, *([] if why else web_page.PAGES)]


def main(names: Sequence[str]) -> int:
    """Write the pictures and return the exit code."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or _all():
        try:
            (FOLDER / name).write_bytes(made := make(name))
        except NoFont as error:
            sys.stderr.write(f"{name}: {error}\n")
            return 1
        except KeyError:
            names = ", ".join([*STILLS, *SHEETS, *FILMS, *web_page.PAGES])
            sys.stderr.write(f"no picture is named {name!a}: choose from {names}\n")
            return 2
        sys.stdout.write(f"{FOLDER / name}: {len(made) / 1e3:,.0f} kB\n")
    return 0


if __name__ == "__main__":
    with web_page.all_games():
        sys.exit(main(sys.argv[1:]))
