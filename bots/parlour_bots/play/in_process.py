"""Play matches in this process, in the server's own rooms under a virtual clock, so that nothing waits."""

from collections.abc import Callable, Mapping, Sequence

import attrs

from parlour_bots.errors import Mistake
from parlour_bots.play.player import SeatPlayer
from parlour_bots.profiles import profile
from parlour_bots.sdk import BotSpec
from parlour_client.core.errors import BotFault, Usage
from parlour_protocol.messages import Act, Create, Error, Join, Joined, Plain
from parlour_protocol.names import valid
from parlour_server.local import Local, Peer

ANSWERS = 100_000
"""The most answers that ``play_bots`` allows in a match: bots that never advance the game would play for ever."""


class MatchStuck(BotFault):
    """The match cannot go on: the server disconnected a bot for illegal answers."""


class MatchTooLong(BotFault):
    """The match took more answers than allowed."""


@attrs.frozen
class FinishedMatch:
    """A finished match. All tuples are indexed by seat."""

    seed: int
    names: tuple[str, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    acts: tuple[tuple[Act, ...], ...]
    """The messages of each seat, in order."""
    view: Plain
    """The final view of the first seat."""
    thinking: tuple[tuple[int, ...], ...] = attrs.field(default=(), eq=False)
    """Nanoseconds per answer."""
    usage: tuple[Mapping[str, int], ...] = ()
    """The use that bots count, such as tokens."""

    @property
    def moves(self) -> int:
        """Return how many answers the seats gave."""
        return sum(map(len, self.acts))


def win_share(ranks: Sequence[int], seat: int) -> float:
    """Return the part of the win that a seat has: 1, 0, or a share of a tie."""
    return 1 / ranks.count(1) if ranks[seat] == 1 else 0.0


def usual_options(game: str, seats: int) -> Plain | None:
    """Return the options under which a game is played by this many seats; None for the game's defaults."""
    return profile(game).alone if seats == 1 else profile(game).together


def play_bots(
    specs: Sequence[BotSpec], seed: int, report: Callable[[Mistake], None], options: Plain | None = None
) -> FinishedMatch:
    """Seat a bot of each spec, in this order, and play one match. Raises MatchStuck, MatchTooLong, Usage."""
    if options is None:
        options = usual_options(specs[0].game, len(specs))
    players = [SeatPlayer(spec, f"{seed}/{seat}", report) for seat, spec in enumerate(specs)]
    return play_match(players, seed, options, ANSWERS)


def play_match(
    players: Sequence[SeatPlayer],
    seed: int,
    options: Plain | None = None,
    answers: int | None = None,
    save: Callable[[list[str]], None] | None = None,
) -> FinishedMatch:
    """Seat ``players`` in this order and play one match of at most ``answers`` answers.

    The same seed deals the same cards to any players. ``save`` gets the lines of the match file. Raises
    MatchStuck, MatchTooLong, Usage.
    """
    local = Local(seed)
    names = [valid_name(player.spec.name, f"-{seat}") for seat, player in enumerate(players)]
    peers = [local.connect(name) for name in names]
    _open(peers, players[0].spec.game, options)
    while any(player.over is None for player in players):
        if not _exchange(peers, players) and not local.step():
            raise MatchStuck(f"seed {seed}: the match is not over, but no bot answers")
        if answers is not None and sum(len(player.acts) for player in players) > answers:
            raise MatchTooLong(f"seed {seed}: the match is not over after {answers} answers")
    if save is not None:
        save(local.game_file())
    return _match(seed, names, players)


def divided(seat: int, own: Callable[[Mistake], None], other: Callable[[Mistake], None]) -> Callable[[Mistake], None]:
    """Return a function that reports the mistakes of ``seat`` to ``own``, and those of the other seats to ``other``."""
    return lambda mistake: (own if mistake.turn.seat == seat else other)(mistake)


def valid_name(name: str, ending: str = "") -> str:
    """Return ``name`` plus ``ending`` as a valid player name."""
    return valid(name, ending, default="bot")


def _open(peers: Sequence[Peer], game: str, options: Plain | None) -> None:
    host, *others = peers
    host.send(Create(game, options, seats=len(peers), private=True, clock=None, start="full"))
    room = next((message.room for message in host.inbox if isinstance(message, Joined)), None)
    if room is None:
        raise Usage("; ".join(message.msg for message in host.inbox if isinstance(message, Error)))
    for peer in others:
        peer.send(Join(room))


def _exchange(peers: Sequence[Peer], players: Sequence[SeatPlayer]) -> bool:
    """Deliver each player's messages and send the answers. Return whether there were any messages."""
    busy = False
    for peer, player in zip(peers, players, strict=True):
        for _ in range(len(peer.inbox)):  # only those: in games without turns every seat gets to act
            busy = True
            for act in player.receive(peer.inbox.popleft()):
                peer.send(act)
                if peer.closed is not None:
                    raise MatchStuck(f"{peer.name} was disconnected: too many illegal answers")
    return busy


def _match(seed: int, names: list[str], players: Sequence[SeatPlayer]) -> FinishedMatch:
    over = players[0].over
    assert over is not None, "the match is over"
    seats = [str(seat) for seat in range(len(players))]
    ranks, scores = over.result["ranks"], over.result["scores"]
    return FinishedMatch(
        seed,
        tuple(names),
        tuple(ranks[seat] for seat in seats),
        tuple(scores[seat] for seat in seats),
        tuple(tuple(player.acts) for player in players),
        over.view,
        tuple(tuple(player.thinking) for player in players),
        tuple(dict(player.usage) for player in players),
    )
