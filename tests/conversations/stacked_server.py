"""``parlour serve`` whose cards lie as a test says: ``stacked_server.py DEALER "FACES" FLAGS…``."""

import sys
from functools import partial
from pathlib import Path


def main(dealer: str, deal: str, flags: list[str]) -> int:
    """Serve, every match being dealt these faces in this order."""
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.conversations.drivers import stacked

    from parlour_client.cli import main as parlour
    from parlour_server import serving
    from parlour_server.rooms.lobby import Lobby

    vars(serving)["Lobby"] = partial(Lobby, randomness=stacked(deal, int(dealer)))
    return parlour(["serve", *flags])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
