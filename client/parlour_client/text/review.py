"""The review of a match in words: what decisions cost, and what was luck."""

from collections.abc import Iterator

from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import add_words
from parlour_client.text.text_view import sentences_for
from parlour_protocol.messages import Plain

_SHOWN = 10
"""Mistakes of a player."""


def lines(room: JoinedRoom, players: list[Plain], *, screens: bool = False) -> Iterator[str]:
    """Yield the lines of a review, with its players as in the JSON of ``parlour review``.

    ``screens``: they are shown over the replay.
    """
    add_words(room.game)
    for player in players:
        yield from _player(room, player)
        yield ""
    yield say("line.review.note", screens=screens)


def remarks(room: JoinedRoom, players: list[Plain]) -> dict[int, str]:
    """Return for each mistake, by the number of its act, what would have been better."""
    add_words(room.game)
    return {
        each["n"]: say(f"{room.game}.review.remark", best=words(room, each["best"]), cost=share(each["cost"]))
        for player in players
        for each in player["decisions"]
        if each["mistake"]
    }


def words(room: JoinedRoom, action: Plain) -> str:
    """Return an action in words."""
    return sentences_for(room.game).action(room, action)


def _player(room: JoinedRoom, player: Plain) -> Iterator[str]:
    game, decisions, rounds = room.game, player["decisions"], player["rounds"]
    mistakes = sorted((each for each in decisions if each["mistake"]), key=lambda each: -each["cost"])
    luck = _signed(sum(each["luck"] for each in rounds)) if rounds else None
    counts = {"n": len(decisions), "mistakes": len(mistakes), "cost": share(sum(each["cost"] for each in decisions))}
    yield say(f"{game}.review.sum", counts, name=clean(player["name"]), luck=luck)
    for each in rounds:
        chances = {"before": share(each["before"]), "after": share(each["after"])}
        signed = {"luck": _signed(each["luck"]), "cost": _signed(-each["cost"])}
        yield say(f"{game}.review.round", chances | signed, n=each["round"])
    for each in mistakes[:_SHOWN]:
        done = {"action": words(room, each["action"]), "best": words(room, each["best"])}
        figures = {"cost": share(each["cost"]), "error": share(each["error"])}
        chance = None if each["chance"] is None else share(each["chance"])
        yield say(f"{game}.review.mistake", done | figures, n=each["n"], round=each["round"], chance=chance)


def share(value: float) -> str:
    """Return a share of 1 in per cent."""
    return f"{value:.1%}".replace("%", " %")


def _signed(value: float) -> str:
    return f"{value:+.1%}".replace("%", " %").replace("-", "−")
