"""A server without sockets whose operator feeds a public beacon."""

from random import Random
from typing import Any

from tests.server.contests.contest_bots import ADMIN
from tests.server.local_server import OpenRoom, StrictLocal, open_room, request
from tests.server.rooms.fake import FAKES

from parlour_games.minesweeper.plugin import Minesweeper
from parlour_games.uno.plugin import Uno
from parlour_protocol import messages as m
from parlour_server.lobby.lobby import Lobby
from parlour_server.persistence import SaveLink

CHAIN, OTHER = "52" * 32, "89" * 32
GENESIS, PERIOD = 1_000, 3
NOW = 10_000
"""The wall clock in seconds."""
LAST = 3_001
"""The round that is published at that time."""
NONCE = "ab" * 32


class Fed(StrictLocal):
    """A server with a wall clock, and an operator who feeds the beacon."""

    def __init__(self) -> None:
        super().__init__(1, installed=_games())
        self.wall = NOW * 1_000
        self.links: list[SaveLink] = []
        self.lobby = Lobby(_games(), Random(1).randbytes, admin=ADMIN, wall=lambda: self.wall)
        self.operator = self.connect("olga")

    def carry_out(self, wanted: Any) -> None:
        self.links += [each for each in wanted if isinstance(each, SaveLink)]
        super().carry_out(wanted)

    def give(self, *numbers: int, **more: Any) -> m.ServerMessage:
        """Feed rounds; their randomness tells their number."""
        rounds = {str(number): randomness(number) for number in numbers}
        args = {"chain": CHAIN, "genesis": GENESIS, "period": PERIOD, "rounds": rounds, **more}
        return request(self.operator, m.Admin(ADMIN, "beacon", args=args))

    def later(self, seconds: float) -> None:
        self.wall += int(seconds * 1_000)


def randomness(number: int) -> str:
    return f"{number:064x}"


def waiting_room(local: Fed | None = None, game: str = "uno", **create: Any) -> tuple[Fed, OpenRoom]:
    """Return a server with a beacon, and a room that waits for it in each match."""
    local = local or Fed()
    local.give(LAST)
    at = open_room(game, local=local, **{"beacon": True, "clock": None, **create})
    return local, at


def begun_room(game: str = "uno", **create: Any) -> tuple[Fed, OpenRoom]:
    """Return a server, and a room in which a match with the next round has begun."""
    local, at = waiting_room(game=game, **create)
    at.start()
    local.later(PERIOD)
    local.give(LAST + 1)
    return local, at


def match_file(seed: int, game: str = "uno", **create: Any) -> list[str]:
    """Return the file of a match with a round of the beacon that was played at random for a while."""
    local, at = begun_room(game, **create)
    rng = Random(seed)
    for _ in range(40):
        if at.room.match is None or not (asked := at.match.book.obligations()):
            break  # the match or a round is over
        decision = rng.choice(asked)
        if at.match.game.listed:
            at.act(decision.seat, rng.randrange(len(decision.wire(at.match.game, at.match.state))))
    if at.room.match is not None:
        at.abort()
    return local.game_file()


def _games() -> dict[str, Any]:
    return {"uno": Uno(), "minesweeper": Minesweeper(), **FAKES}
