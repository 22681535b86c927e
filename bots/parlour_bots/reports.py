"""The results of a bot's matches in words for people and as plain data for machines."""

from collections.abc import Callable, Sequence

import attrs

from parlour_bots.in_process import Match
from parlour_bots.trials import Check, Series
from parlour_client.table import Room
from parlour_protocol.messages import Joined, Over, Plain, ServerMessage


@attrs.frozen
class Report:
    """What a command has to say: ``text`` for people, ``data`` for machines, and whether all was well."""

    text: str
    data: Plain
    sound: bool = True


def standings(names: Sequence[str], ranks: Sequence[int], scores: Sequence[int]) -> list[str]:
    """Return a line for each seat, the best first."""
    width = max(map(len, names))
    rows = sorted(zip(ranks, names, scores, strict=True), key=lambda row: row[0])
    return [f"{rank}. {name:<{width}} {score:>5} points" for rank, name, score in rows]


def of_match(match: Match, game: str) -> Report:
    """Report one match."""
    rounds = match.view.get("round")
    size = f"{match.moves} moves" if rounds is None else f"{rounds} rounds, {match.moves} moves"
    lines = [*standings(match.names, match.ranks, match.scores), f"{game}: {size}. The same again: --seed {match.seed}"]
    data = {
        "game": game,
        "seed": match.seed,
        "rounds": rounds,
        "moves": match.moves,
        "winner": match.names[match.ranks.index(1)],
        "scores": dict(zip(match.names, match.scores, strict=True)),
    }
    return Report("\n".join(lines), data)


def of_over(room: Room, over: Over) -> Report:
    """Report a match that ended in ``room``."""
    seats = sorted(over.result["ranks"], key=int)
    names = [room.name(int(seat)) for seat in seats]
    ranks, scores = [over.result["ranks"][seat] for seat in seats], [over.result["scores"][seat] for seat in seats]
    data = {
        "game": room.game,
        "room": room.code,
        "rounds": over.view.get("round"),
        "winner": names[ranks.index(1)],
        "scores": dict(zip(names, scores, strict=True)),
        "digest": over.digest,
    }
    return Report("\n".join([*standings(names, ranks, scores), f"digest {over.digest}"]), data)


@attrs.define
class Scribe:
    """Follows the rooms of a connection and reports each match that ends there."""

    tell: Callable[[Report], None]
    rooms: dict[str, Room] = attrs.field(factory=dict)

    def follow(self, message: ServerMessage) -> None:
        """Take in the next message."""
        if isinstance(message, Joined):
            self.rooms[message.room] = Room.of(message)
        room = self.rooms.get(getattr(message, "room", None) or "")
        if room is None:
            return
        room.apply(message)
        if isinstance(message, Over):
            self.tell(of_over(room, message))


def of_series(series: Series, bot: str, other: str, seed: int) -> Report:
    """Report a series of matches between two bots."""
    text = (
        f"{bot} won {series.wins:g} of {series.games} against {other}: {series.rate:.1%} "
        f"(95 % interval {series.low:.1%} to {series.high:.1%}). The same again: --seed {seed}"
    )
    return Report(text, {"bot": bot, "against": other, "seed": seed, **attrs.asdict(series), "rate": series.rate})


def of_check(check: Check, bot: str) -> Report:
    """Report a check."""
    again = f"NO: {check.differs}. Draw chance from turn.rng only" if check.differs else "yes"
    lines = [
        f"{bot}: {check.matches} matches, {check.answers} answers",
        f"mistakes: {check.mistakes}",
        f"time to think: {_time(check.typical)} typically, {_time(check.longest)} at most",
        f"plays the same under the same seed: {again}",
        "sound" if check.sound else "NOT sound",
    ]
    return Report("\n".join(lines), {"bot": bot, **attrs.asdict(check), "sound": check.sound}, check.sound)


def _time(microseconds: float) -> str:
    return f"{microseconds:.0f} µs" if microseconds < 10_000 else f"{microseconds / 1000:.0f} ms"
