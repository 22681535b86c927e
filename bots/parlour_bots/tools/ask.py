"""Ask a bot about one position: a turn from a file, or a decision of a finished match."""

import json
from pathlib import Path
from time import perf_counter_ns

import attrs

from parlour_bots.errors import BadChoice, Broken, Late, Mistake, author_calls
from parlour_bots.play.foreign import text_of
from parlour_bots.play.player import SeatPlayer
from parlour_bots.sdk import BotSpec, Choice, Turn, bot_spec, seeded
from parlour_client.core.errors import Usage
from parlour_client.replays import read
from parlour_protocol.messages import Act, Plain

_MS = 1_000_000
_FIELDS = {field.name for field in attrs.fields(Turn)} - {"rng"}


@attrs.frozen
class BotAnswer:
    """The answer of a bot: its act, the time it took in milliseconds, and its mistake if it made one."""

    turn: Turn
    act: Act | None
    ms: float
    mistake: Mistake | None

    def plain(self) -> Plain:
        """Return the answer as plain data. ``action`` is what ``act`` stands for, null in a game that lists none."""
        act, legal = self.act, self.turn.legal
        index = act.act if act and isinstance(act.act, int) else None
        return {
            "rid": self.turn.rid,
            "act": act and act.act,
            "action": legal[index] if index is not None and index < len(legal) else None,
            "why": act and act.why,
            "ms": self.ms,
            "mistake": self.mistake and self.mistake.what,
        }


def turn_in(path: Path, seed: int) -> Turn:
    """Return the turn in a JSON file, as a mistake's report prints it. Raises Usage."""
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
        given = {name: value for name, value in plain.items() if name in _FIELDS}
        return Turn(**{"room": "ASKED", "seat": 0, "rid": 1, "left": None, "events": [], **given}, rng=seeded(seed))
    except OSError as error:
        raise Usage(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise Usage(f"{path} has no turn: {error}. A turn is a JSON object with game, view and legal") from None


def turn_at(path: Path, number: int, seed: int) -> Turn:
    """Return the turn that act ``number`` of a match file answered, as its seat saw it. Raises Usage, Fault."""
    steps = read(path).steps
    step = next((step for step in steps if step.n == number), None)
    if step is None:
        raise Usage(f"{path} has {len(steps)} acts: choose --at from 1 to {len(steps)}, not {number}")
    turns: dict[int, Turn] = {}

    def note(turn: Turn) -> Choice:
        turns[turn.rid] = turn
        return 0

    player = SeatPlayer(bot_spec(note, "reader"), seed, lambda _: None)
    for message in read(path, step.seat).messages:
        player.receive(message)
    if step.rid not in turns:
        raise Usage(f"act {number} was optional or made by the clock: choose another with --at")
    return turns[step.rid]


def ask(bot: BotSpec, turn: Turn) -> BotAnswer:
    """Ask ``bot`` for its answer to ``turn``."""
    mistakes: list[Mistake] = []
    player = SeatPlayer(bot, 0, mistakes.append)
    begun = perf_counter_ns()
    act = player.ask(turn)
    return BotAnswer(turn, act, (perf_counter_ns() - begun) / _MS, mistakes[0] if mistakes else None)


def report(asked: BotAnswer) -> str:
    """Return the position and the answer in words."""
    if asked.act is None:
        return f"{text_of(asked.turn)}\n\nno answer"
    plain = asked.plain()
    why = f" ({plain['why']})" if plain["why"] else ""
    return (
        f"{text_of(asked.turn)}\n\nanswer: {json.dumps(plain['action'] or plain['act'])}{why} after {asked.ms:.1f} ms"
    )


def whose(mistake: Mistake) -> str:
    """Return whose mistake it was: that of the bot, of its program, or of parlour."""
    if mistake.error is None or isinstance(mistake.error, BadChoice | Broken | Late) or author_calls(mistake.error):
        return "The mistake is the bot's."
    return "No line of the bot is in the traceback: the mistake is parlour's, or that of a library. Please report it."
