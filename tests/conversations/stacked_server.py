"""``parlour serve`` with given cards: ``stacked_server.py DEALER "FACES" FLAGS…``.

``stacked_server.py in FILE FLAGS…`` reads ``[DEALER, FACES or null]`` from a file at the start of each match.
"""

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any


def main(dealer: str, deal: str, flags: list[str]) -> int:
    """Serve; deal every match these faces in this order."""
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.conversations.drivers import stacked

    def as_the_file_says(*origin: Any) -> Any:
        there, faces = json.loads(Path(deal).read_text())
        return stacked(faces, there)(*origin)

    from parlour_client.cli.main import main as parlour
    from parlour_server import app
    from parlour_server.lobby.lobby import Lobby

    randomness: Any = as_the_file_says if dealer == "in" else stacked(deal, int(dealer))
    vars(app)["Lobby"] = partial(Lobby, randomness=randomness)
    return parlour(["serve", *flags])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
