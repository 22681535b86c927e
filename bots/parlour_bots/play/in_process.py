"""Matches in this process: the server's own rooms under a virtual clock, so that nothing waits."""

import re
from collections.abc import Sequence

import attrs

from parlour_bots.play.player import Player
from parlour_client.core.errors import BotFault, Usage
from parlour_protocol.messages import Act, Create, Error, Join, Joined, Plain
from parlour_server.local import Local, Peer

NAME_LIMIT = 20


class Stuck(BotFault):
    """The match is not over and cannot go on: a bot was shut out for answers that break the rules."""


class Endless(BotFault):
    """The match was stopped: more answers were given than were allowed."""


@attrs.frozen
class Match:
    """A finished match. All tuples are indexed by seat."""

    seed: int
    names: tuple[str, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    acts: tuple[tuple[Act, ...], ...]
    """What each seat sent, in order."""
    view: Plain
    """The end as the first seat saw it."""

    @property
    def moves(self) -> int:
        """How many answers the seats gave."""
        return sum(map(len, self.acts))


def play_match(players: Sequence[Player], seed: int, options: Plain | None = None, answers: int | None = None) -> Match:
    """Seat ``players`` in their order and play one match, of at most so many ``answers``. Raises Stuck, Endless, Usage.

    The same seed deals the same cards, whoever plays.
    """
    local = Local(seed)
    names = [valid_name(player.entrant.name, f"-{seat}") for seat, player in enumerate(players)]
    peers = [local.connect(name) for name in names]
    _open(peers, players[0].entrant.game, options)
    while any(player.over is None for player in players):
        if not _exchange(peers, players) and not local.step():
            raise Stuck(f"seed {seed}: the match is not over, and nobody answers any more")
        if answers is not None and sum(len(player.acts) for player in players) > answers:
            raise Endless(f"seed {seed}: the match is not over after {answers} answers")
    return _match(seed, names, players)


def valid_name(name: str, ending: str = "") -> str:
    """Return the name at a table that comes next to ``name``, with ``ending`` behind it."""
    allowed = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-_") or "bot"
    return allowed[: NAME_LIMIT - len(ending)] + ending


def _open(peers: Sequence[Peer], game: str, options: Plain | None) -> None:
    host, *others = peers
    host.send(Create(game, options, seats=len(peers), private=True, clock=None, start="full"))
    room = next((message.room for message in host.inbox if isinstance(message, Joined)), None)
    if room is None:
        raise Usage("; ".join(message.msg for message in host.inbox if isinstance(message, Error)))
    for peer in others:
        peer.send(Join(room))


def _exchange(peers: Sequence[Peer], players: Sequence[Player]) -> bool:
    """Give each player the messages it has, and send what they answer. Return whether there were any."""
    busy = False
    for peer, player in zip(peers, players, strict=True):
        for _ in range(len(peer.inbox)):  # not what follows: where nobody waits for another, all are to have a turn
            busy = True
            for act in player.receive(peer.inbox.popleft()):
                peer.send(act)
                if peer.closed is not None:
                    raise Stuck(f"{peer.name} was shut out: too many answers that break the rules")
    return busy


def _match(seed: int, names: list[str], players: Sequence[Player]) -> Match:
    over = players[0].over
    assert over is not None, "the match is over"
    seats = [str(seat) for seat in range(len(players))]
    ranks, scores = over.result["ranks"], over.result["scores"]
    return Match(
        seed,
        tuple(names),
        tuple(ranks[seat] for seat in seats),
        tuple(scores[seat] for seat in seats),
        tuple(tuple(player.acts) for player in players),
        over.view,
    )
