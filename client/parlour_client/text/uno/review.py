"""A review of a match of UNO as lines: luck and cost by round, and the mistakes, most costly first."""

from collections.abc import Iterator

from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.text.uno.choices import choices
from parlour_client.text.uno.words import colour_name
from parlour_protocol.messages import Plain

_SHOWN = 10
"""Mistakes of a player."""


def lines(players: list[Plain]) -> Iterator[str]:
    """Yield the lines of a review, with its players as in the JSON of ``parlour review``."""
    for player in players:
        yield from _player(player)
        yield ""
    yield say("line.review.note")


def remarks(players: list[Plain]) -> dict[int, str]:
    """Return for each mistake, by the number of its act, what ``search`` would have done."""
    return {
        each["n"]: say("uno.review.remark", best=words(each["best"]), cost=share(each["cost"]))
        for player in players
        for each in player["decisions"]
        if each["mistake"]
    }


def _player(player: Plain) -> Iterator[str]:
    decisions, rounds = player["decisions"], player["rounds"]
    mistakes = sorted((each for each in decisions if each["mistake"]), key=lambda each: -each["cost"])
    luck = _signed(sum(each["luck"] for each in rounds)) if rounds else None
    counts = {"n": len(decisions), "mistakes": len(mistakes), "cost": share(sum(each["cost"] for each in decisions))}
    yield say("uno.review.sum", counts, name=clean(player["name"]), luck=luck)
    for each in rounds:
        chances = {"before": share(each["before"]), "after": share(each["after"])}
        signed = {"luck": _signed(each["luck"]), "cost": _signed(-each["cost"])}
        yield say("uno.review.round", chances | signed, n=each["round"])
    for each in mistakes[:_SHOWN]:
        done = {"action": words(each["action"]), "best": words(each["best"])}
        figures = {"cost": share(each["cost"]), "error": share(each["error"])}
        chance = None if each["chance"] is None else share(each["chance"])
        yield say("uno.review.mistake", done | figures, n=each["n"], round=each["round"], chance=chance)


def words(action: Plain) -> str:
    """Return an action in words, with the colour that it chooses."""
    label = choices([action])[0].label
    return f"{label}, {colour_name(action['colour'])}" if action["do"] == "play" and "colour" in action else label


def share(value: float) -> str:
    """Return a share of 1 in per cent."""
    return f"{value:.1%}".replace("%", " %")


def _signed(value: float) -> str:
    return f"{value:+.1%}".replace("%", " %").replace("-", "−")
