"""The numbers of decisions: which question of a seat is open under which ``rid``."""

from collections.abc import Iterator, Sequence
from typing import Any

Map = dict[str, Any]
Question = tuple[str, int | None]
TURN: Question = ("turn", None)
"""The required decision; the others are optional."""


class Illegal(Exception):
    """A record that the rules do not allow. Its text says why."""


class Decisions:
    """All that is open in a match."""

    def __init__(self, begun: Map) -> None:
        self.open: list[dict[Question, tuple[int, list[Map]]]] = [{} for _ in begun["players"]]
        """By seat, question → its number and the answers to it."""
        self._next: list[int] = list(begun["rids"])
        self.stood_in: set[int] = set()
        """Seats that a stand-in plays."""
        self._standin = bool(begun.get("standin"))

    def asked(self, seat: int) -> tuple[int | None, list[Map], list[Map]]:
        """Return what the owner of a seat has to decide, the answers to that, and what else it may do."""
        if seat in self.stood_in:
            return None, [], []
        rid, legal = self.open[seat].get(TURN, (None, []))
        return rid, legal, [act for question, (_, acts) in self.open[seat].items() if question != TURN for act in acts]

    def answer(self, record: Map) -> None:
        """Close what a record answers or takes away."""
        match record["r"]:
            case "act":
                self._close(record["seat"], record["rid"], record["act"])
            case "timeout":
                self._close(record["seat"], record["rid"], None)
            case "control":
                self._change_hands(record["seat"], standin=record["by"] == "standin")
            case "handed":
                self._change_hands(record["seat"], standin=False)
            case "vacated" if self._standin and record["seat"] not in self.stood_in:
                self._change_hands(record["seat"], standin=True)

    def ask(self, asked: Sequence[Map]) -> None:
        """Open what each seat is asked now, ``legal`` and ``may``, and close what it is asked no longer."""
        for seat, before in enumerate(self.open):
            self.open[seat] = {
                question: before[question]
                if question in before and before[question][1] == legal
                else (self._number(seat), legal)
                for question, legal in _questions(**asked[seat])
            }

    def _close(self, seat: int, rid: int, act: Map | None) -> None:
        question = next((question for question, (number, _) in self.open[seat].items() if number == rid), None)
        if question is None or (act is None and question != TURN):
            raise Illegal(f"rid {rid} of seat {seat} is not open, but {self.open[seat]}")
        if act is not None and act["do"] != "resign" and question != _question(act):
            raise Illegal(f"rid {rid} of seat {seat} asks for {question[0]}")
        del self.open[seat][question]

    def _change_hands(self, seat: int, *, standin: bool) -> None:
        self.open[seat] = {}
        if standin:
            self.stood_in.add(seat)
        else:
            self.stood_in.discard(seat)

    def _number(self, seat: int) -> int:
        self._next[seat] += 1
        return self._next[seat] - 1


def _questions(legal: list[Map] | None, may: list[Map], **_: Any) -> Iterator[tuple[Question, list[Map]]]:
    if legal is not None:
        yield TURN, legal
    for question in dict.fromkeys(map(_question, may)):
        yield question, [act for act in may if _question(act) == question]


def _question(act: Map) -> Question:
    match act["do"]:
        case "catch":
            return "catch", act["seat"]
        case "uno" | "jump":
            return act["do"], None
    return TURN
