"""Reports of matches and checks: text for people, plain data for programs."""

import json
from collections.abc import Sequence
from typing import TextIO

import attrs

from parlour_bots.play.in_process import FinishedMatch
from parlour_bots.tools.check import BotCheck
from parlour_bots.tools.guards import MIB
from parlour_client.core.printing import clean, folded_for
from parlour_client.core.room import JoinedRoom
from parlour_games.plural import counted, noun
from parlour_protocol.messages import Over, Plain


@attrs.frozen
class Report:
    """The output of a command: ``text``, the same as ``data``, and whether no fault was found."""

    text: str
    data: Plain
    sound: bool = True

    def write(self, out: TextIO, *, as_json: bool) -> None:
        """Write the data as one JSON object, else the text, folded to the width of a terminal."""
        out.write(f"{json.dumps(self.data) if as_json else folded_for(out, self.text)}\n")
        out.flush()


def standings(names: Sequence[str], ranks: Sequence[int], scores: Sequence[int]) -> list[str]:
    """Return a line per seat, best first; for a single player, whether it won."""
    if len(names) == 1:
        return [f"{names[0]} {'won' if ranks[0] == 1 else 'lost'}: {counted(scores[0], 'point')}"]
    width = max(map(len, names))
    rows = sorted(zip(ranks, names, scores, strict=True), key=lambda row: row[0])
    return [f"{rank}. {name:<{width}} {score:>5} {noun(score, 'point')}" for rank, name, score in rows]


def _winner(names: Sequence[str], ranks: Sequence[int]) -> str | None:
    """Return the first name of rank 1; None if a single player or a team lost."""
    return names[ranks.index(1)] if 1 in ranks else None


def of_match(match: FinishedMatch, game: str) -> Report:
    """Return the report of a match in this process."""
    rounds = match.view.get("round")
    size = ", ".join([*([] if rounds is None else [counted(rounds, "round")]), counted(match.moves, "move")])
    lines = [*standings(match.names, match.ranks, match.scores), f"{game}: {size}. Repeat with --seed {match.seed}"]
    data = {
        "game": game,
        "seed": match.seed,
        "rounds": rounds,
        "moves": match.moves,
        "winner": _winner(match.names, match.ranks),
        "scores": dict(zip(match.names, match.scores, strict=True)),
    }
    return Report("\n".join(lines), data)


def of_over(room: JoinedRoom, over: Over) -> Report:
    """Return the report of a match that ended in ``room``."""
    seats = sorted(over.result["ranks"], key=int)
    names = [room.name(int(seat)) for seat in seats]
    ranks, scores = [over.result["ranks"][seat] for seat in seats], [over.result["scores"][seat] for seat in seats]
    data = {
        "game": room.game,
        "room": room.code,
        "rounds": over.view.get("round"),
        "winner": _winner(names, ranks),
        "scores": dict(zip(names, scores, strict=True)),
        "digest": over.digest,
    }
    return Report("\n".join([*standings(names, ranks, scores), f"digest {over.digest}"]), data)


def of_check(check: BotCheck, bot: str) -> Report:
    """Return the report of a check."""
    again = "not compared" if check.late else "yes"
    if check.differs:
        again = f"NO: {check.differs}. Use no randomness but turn.rng or the seed, and keep nothing from match to match"
    noise = f"{counted(check.noise, 'line')}, the first: {clean(check.printed)}" if check.noise else "nothing"
    lines = [
        f"{bot}: {counted(check.matches, 'match', 'matches')}, {counted(check.answers, 'answer')}",
        f"late: {check.late}, broken: {check.broken}, illegal: {check.illegal}",
        f"time to think: p50 {_time(check.ms_p50)}, p99 {_time(check.ms_p99)}, max {_time(check.ms_max)}"
        f" of {check.budget} ms",
        f"plays the same under the same seed: {again}",
        f"printed on stdout: {noise}",
        f"memory: {_growth(check)}",
        *_memory(check),
        *([f"starts processes: {check.processes}. bot run refuses that"] if check.processes else []),
        *([f"stopped: {check.stopped}"] if check.stopped else []),
        "sound" if check.sound else "NOT sound",
    ]
    return Report("\n".join(lines), {"bot": bot, **attrs.asdict(check), "sound": check.sound}, check.sound)


def _growth(check: BotCheck) -> str:
    if check.growth is None:
        return "not measured"
    grown = f"grows by {counted(check.growth, 'byte')} an answer"
    return f"{grown}. Does the bot keep data from match to match?" if check.leaks else grown


def _memory(check: BotCheck) -> list[str]:
    """Return the most memory in use, if it was measured."""
    if check.memory is None:
        return []
    used = f"memory at most: {check.memory / MIB:.1f} of {check.memory_limit // MIB:,} MiB"
    return [f"{used}. Let the bot keep less, or allow more with --memory" if check.exceeds else used]


def _time(ms: float) -> str:
    return f"{ms * 1000:.0f} µs" if ms < 1 else f"{ms:.1f} ms" if ms < 100 else f"{ms:.0f} ms"
