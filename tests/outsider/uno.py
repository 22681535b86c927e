"""UNO as ``SPEC.md`` describes it: what a match file's records do, and what each seat sees."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tests.outsider.fair import Deal
from tests.outsider.rules import Illegal
from tests.outsider.uno_cards import COLOURS, REVERSE, SKIP, TWO, WILD_FOUR, colour_of, points, symbol
from tests.outsider.uno_reactions import Reactions

Map = dict[str, Any]
SWITCHED = (
    "stack2", "stack4", "stack_cross", "seven_zero", "jump_in", "draw_until", "force_play", "multi_play",
    "false_call_penalty",
)  # fmt: skip
"""Options that a final state names only when they are on."""


class Uno:
    """A match."""

    def __init__(self, options: Map, seats: int, deals: Iterator[Deal]) -> None:
        self.options = options
        self.seats = seats
        self.outcome: Map | None = None
        self.uncovered: list[str] = []
        self.scores = [0] * seats
        self.out: list[int] = []
        self._fell: dict[int, int] = {}
        self._leavers: list[int] = []
        self._winner: int | None = None
        """The winner of the round, if ``scoring`` is ``single``."""
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.round = 0
        self.phase = self._waiting = ""
        self._reactions = Reactions(seats, false_calls=options["false_call_penalty"] > 0, jumps=options["jump_in"])
        self._question = 0
        self._resume = 0
        self._offender: int | None = None
        self._evidence: list[int] = []
        self._bluff = False
        self._deals = deals
        self._deal = next(deals)
        self.dealer = (self._deal.below("start", seats) - 1) % seats  # the next seat deals the first round
        self._begin_round()

    # Rounds

    def _begin_round(self) -> None:
        if self.round:
            self._deal = next(self._deals)
        self.round += 1
        self._shuffles = 0
        self.direction = 1
        self.dealer = self._after(self.dealer)
        self.deck = list(range(108))
        self._deal.shuffle("deck", self.deck)
        self.hands = [[] if seat in self.out else self._off_the_top(7) for seat in range(self.seats)]
        self.discards = self._off_the_top(1)
        while symbol(self.top) == WILD_FOUR or (
            self.options["first_card_number_only"] and not symbol(self.top).isdigit()
        ):
            self.deck.insert(0, self.discards.pop())
            self._reshuffle()
            self.discards = self._off_the_top(1)
        self.colour = colour_of(self.top)
        self._reactions.begin_round()
        self._question += 1
        self._player: int | None = None
        self.pending = 0
        self.drawn: int | None = None
        self._passes = 0
        self._ask("play", self.dealer)
        match symbol(self.top):
            case "skip":
                self._ask("play", self._after(self.dealer, 2))
            case "reverse":
                if len(self._playing()) > 2:
                    self.direction = -1
                self._ask("play", self.dealer)
            case "two":
                self._take(self._after(self.dealer), 2)
                self._ask("play", self._after(self.dealer, 2))
            case "wild":
                self._ask("colour", self._after(self.dealer))
            case _:
                self._ask("play", self._after(self.dealer))

    def _end_round(self, winner: int | None) -> None:
        caught = [points(hand) for hand in self.hands]
        scoring = self.options["scoring"]
        if scoring in ("race", "single"):
            if winner is not None:
                self.scores[winner] += sum(caught) - caught[winner]
        else:
            self.scores = [score + new for score, new in zip(self.scores, caught, strict=True)]
        self._reactions.close()
        self._player = self.drawn = None
        self.pending = 0
        if self._decided(winner):
            self._end("round" if scoring == "single" else "target")
        elif self.options["pause"]:
            self._ask("pause", None)
        else:
            self._begin_round()

    def _decided(self, winner: int | None) -> bool:
        """Whether the match is over; seats may fall out in ``elimination``."""
        scores = {seat: self.scores[seat] for seat in self._playing()}
        reached = [seat for seat, score in scores.items() if score >= self.options["target"]]
        match self.options["scoring"]:
            case "single":
                self._winner = winner
                return winner is not None
            case "race":
                return bool(reached) and list(scores.values()).count(max(scores.values())) == 1
            case "lowest":
                return bool(reached) and list(scores.values()).count(min(scores.values())) == 1
        if len(reached) == len(scores):
            reached = [seat for seat in reached if scores[seat] > min(scores.values())]
        self.out += reached
        self._fell |= dict.fromkeys(reached, self.round)
        return len(self._playing()) == 1

    def _end(self, why: str) -> None:
        keys = [self._standing(seat) for seat in range(self.seats)]
        ranks = [1 + sum(other < key for other in keys) for key in keys]
        self.outcome = {"ranks": ranks, "scores": self.scores, "why": why}
        self.pending = 0
        self._reactions.end_match()
        self._ask("over", None)

    def _standing(self, seat: int) -> tuple[int, int, int]:
        """Return what orders the ranks: best first."""
        if seat in self._leavers:
            return (1, -self._leavers.index(seat), 0)
        score = self.scores[seat]
        match self.options["scoring"]:
            case "elimination":
                return (0, -self._fell.get(seat, self.round + 1), score)
            case "lowest":
                return (0, 0, score)
        return (0, seat != self._winner, -score)

    # Records

    def act(self, seat: int, act: Map, at: int) -> None:
        """Apply the answer of a seat."""
        self._act(seat, act)

    def _act(self, seat: int, act: Map) -> None:
        if act == {"do": "resign"}:
            if not self.legal(seat) and not self.may(seat):
                raise Illegal(f"seat {seat} is not asked")
            self.leave(seat)
            return
        for offered in self.may(seat):
            if _same(act, offered):
                getattr(self, f"_do_{act['do']}")(seat, act)
                return
        legal = self.legal(seat)
        if not any(_same(act, offered) for offered in legal) and not self._several(seat, act):
            raise Illegal(f"seat {seat} may not {act}, but {legal}")
        if act["do"] == "play":
            self._play(seat, act)
        else:
            getattr(self, f"_do_{act['do']}")(seat, act)

    def timeout(self, seat: int, at: int) -> None:
        """Do what is done for a seat whose time is up."""
        legal = self.legal(seat)
        if not legal:
            raise Illegal(f"seat {seat} was not asked")
        kinds = {act["do"] for act in legal}
        for kind in ("draw", "pass", "accept"):
            if kind in kinds:
                self._act(seat, {"do": kind})
                return
        favourite = self._favourite(seat)
        if self.phase == "colour":
            self._act(seat, {"do": "colour", "colour": favourite})
            return
        lowest = min(act["card"] for act in legal)
        choices = [act for act in legal if act["card"] == lowest and act.get("colour", favourite) == favourite]
        fewest = (
            min((len(self.hands[act["swap"]]), act["swap"]) for act in choices if "swap" in act)
            if any("swap" in act for act in choices)
            else None
        )
        self._act(seat, next(act for act in choices if fewest is None or act["swap"] == fewest[1]))

    def timer(self, name: str) -> None:
        """A reaction window or a pause is over."""
        if name != self.phase:
            raise Illegal(f"{name} ended in {self.phase}")
        if name == "pause":
            self._begin_round()
        else:
            self._settle_catch()
            self.phase = self._waiting

    def job(self, name: str, result: Map, at: int) -> None:
        """UNO computes nothing."""
        raise Illegal(f"no {name} was asked for")

    def leave(self, seat: int) -> None:
        """A seat leaves the game: its cards go under the draw pile."""
        following = self._after(seat)
        self.out.append(seat)
        self._leavers.append(seat)
        self._reactions.leave(seat)
        self.deck = sorted(self.hands[seat]) + self.deck
        self.hands[seat] = []
        self._passes = 0
        if len(self._playing()) == 1:
            self._end("last")
        elif self._asked == seat and self.phase not in ("pause", "over"):
            self._pass_on(following)

    def _pass_on(self, following: int) -> None:
        """The seat that was asked, or would have been after a reaction window, has left."""
        window = self.phase == "breath"
        last = self.pending and self._player is not None and not self.hands[self._player]
        self.pending, self.drawn = 0, None
        if last and self._player is not None:
            self._end_round(self._player)
            return
        self._question += 1
        self._ask("colour" if self._waiting == "colour" else "play", following)
        if window:
            self.phase = "breath"

    # Questions

    def asked(self, seat: int) -> bool:
        """Whether a seat has to decide something."""
        return self.turn == seat

    def legal(self, seat: int) -> list[Map]:
        """List what a seat that has to decide may do."""
        if self.turn != seat:
            return []
        if self.pending:
            challenge = symbol(self.top) == WILD_FOUR and not self.options["no_bluff"]
            stack = self._plays(seat, self.hands[seat]) if self.hands[self._player or 0] else []
            return [*stack, {"do": "accept"}, *([{"do": "challenge"}] if challenge else [])]
        match self.phase:
            case "colour":
                return [{"do": "colour", "colour": colour} for colour in COLOURS]
            case "drawn":
                plays = self._plays(seat, [] if self.drawn is None else [self.drawn])
                return plays if plays and self.options["force_play"] else [*plays, {"do": "pass"}]
        plays = self._plays(seat, self.hands[seat])
        return plays if plays and self.options["force_play"] else [*plays, {"do": "draw"}]

    def may(self, seat: int) -> list[Map]:
        """List the optional decisions of a seat."""
        if seat in self.out or self.phase in ("pause", "over"):
            return []
        offers: list[Map] = []
        if self._reactions.exposed == seat:
            offers.append({"do": "uno"})
        offers += [{"do": "catch", "seat": other} for other in self._playing() if self._catchable(seat, other)]
        if self._jumpable(seat):
            for card in sorted(self.hands[seat]):
                if card < 100 and card // 25 == self.top // 25 and symbol(card) == symbol(self.top):
                    offers += [{**act, "do": "jump"} for act in self._ways(seat, card)]
        return offers

    def _catchable(self, seat: int, other: int) -> bool:
        return seat != other and len(self.hands[other]) == 1 and self._reactions.catchable(seat, other)

    def _jumpable(self, seat: int) -> bool:
        return self._reactions.laid_by not in (None, seat)

    def _plays(self, seat: int, cards: Sequence[int]) -> list[Map]:
        return [act for card in sorted(cards) if self._fits(seat, card) for act in self._ways(seat, card)]

    def _ways(self, seat: int, card: int) -> Iterator[Map]:
        left = len(self.hands[seat]) - 1
        plain: Map = {"do": "play", "card": card}
        if card >= 100:
            ways = [{**plain, "colour": colour} for colour in COLOURS]
        elif self._swaps(card) and left:
            ways = [{**plain, "swap": other} for other in self._playing() if other != seat]
        else:
            ways = [plain]
        for way in ways:
            if left == 1 and not (self.options["seven_zero"] and symbol(card) in "70"):
                yield {**way, "uno": True}
            yield way

    def _fits(self, seat: int, card: int) -> bool:
        return (not self.pending or self._stacks(card)) and self._matches(card) and self._four_allowed(seat, card)

    def _matches(self, card: int) -> bool:
        return card >= 100 or colour_of(card) == self.colour or symbol(card) == symbol(self.top)

    def _stacks(self, card: int) -> bool:
        option = {(TWO, TWO): "stack2", (WILD_FOUR, WILD_FOUR): "stack4"}.get((symbol(self.top), symbol(card)))
        if {symbol(self.top), symbol(card)} == {TWO, WILD_FOUR}:
            option = "stack_cross"
        return bool(option and self.options[option])

    def _four_allowed(self, seat: int, card: int) -> bool:
        return symbol(card) != WILD_FOUR or not self.options["no_bluff"] or not self._is_bluff(seat, card)

    def _is_bluff(self, seat: int, card: int) -> bool:
        rest = [other for other in self.hands[seat] if other != card]
        if not self.options["strict_wild4"]:
            return any(colour_of(other) == self.colour for other in rest)
        if self.pending:
            rest = [other for other in rest if self._stacks(other)]
        return any(self._matches(other) for other in rest if symbol(other) != WILD_FOUR)

    def _swaps(self, card: int) -> bool:
        return bool(self.options["seven_zero"] and symbol(card) == "7")

    def _several(self, seat: int, act: Map) -> bool:
        """Whether several cards of one number may be played together."""
        cards = act.get("cards")
        if act["do"] != "play" or "card" in act or not cards or not self.options["multi_play"]:
            return False
        if (
            self.turn != seat
            or self.phase != "play"
            or len(set(cards)) != len(cards)
            or not set(cards) <= set(self.hands[seat])
        ):
            return False
        if not symbol(cards[0]).isdigit() or len({symbol(card) for card in cards}) != 1 or not self._matches(cards[0]):
            return False
        left = len(self.hands[seat]) - len(cards)
        moves_hands = self.options["seven_zero"] and symbol(cards[0]) in "70"
        swap = act.get("swap")
        if (swap is not None) != bool(self._swaps(cards[0]) and left) or (
            swap is not None and (swap == seat or swap not in self._playing())
        ):
            return False
        if act.get("uno") and (left != 1 or moves_hands):
            return False
        return not set(act) - {"do", "cards", "uno", "swap"}

    # What acts do

    def _play(self, seat: int, act: Map) -> None:
        cards = act.get("cards", [act.get("card")])
        if symbol(cards[-1]) == WILD_FOUR:
            self._bluff, self._offender = self._is_bluff(seat, cards[-1]), seat
            self._evidence = sorted(set(self.hands[seat]) - set(cards))
        self._reactions.close()
        self._question += 1
        self._passes = 0
        self._reactions.called.discard(seat)
        for card in cards:
            self.hands[seat].remove(card)
            self.discards.append(card)
        self.colour = act.get("colour") or colour_of(self.top)
        self._player = seat
        self.drawn = None
        left = len(self.hands[seat])
        moved = self.options["seven_zero"] and left and symbol(self.top) in "70"
        if moved:
            self._move_hands(seat, act.get("swap"))
        elif left == 1:
            self._reactions.came_to_one(seat)
            if act.get("uno"):
                self._reactions.call(seat)
            else:
                self._reactions.expose(seat)
        if left:
            self._reactions.lay(seat)
        self._effect(seat)
        if (
            left
            and self.outcome is None
            and self.options["breath"]
            and (self._reactions.exposed is not None or self.options["jump_in"])
        ):
            self._waiting = self.phase
            self._resume = 2 if self.phase == "challenge" else 0
            self.phase = "breath"

    def _effect(self, seat: int) -> None:
        last = not self.hands[seat]
        face = symbol(self.top)
        following = self._after(seat)
        if face == REVERSE and len(self._playing()) > 2:
            self.direction = -self.direction
            following = self._after(seat)
        elif face in (SKIP, REVERSE):
            following = self._after(seat, 2)
        elif face in (TWO, WILD_FOUR):
            self.pending += 2 if face == TWO else 4
            if face == WILD_FOUR and not self.options["no_bluff"]:
                self._ask("challenge", following)
                return
            if self._stackable() and not last:
                self._ask("play", following)
                return
            self._pay(following, self.pending)
            following = self._after(seat, 2)
        if last:
            self._end_round(seat)
        else:
            self._ask("play", following)

    def _move_hands(self, seat: int, swap: int | None) -> None:
        before = self.hands
        self.hands = list(before)
        if swap is not None:
            self.hands[seat], self.hands[swap] = before[swap], before[seat]
            moved = [seat, swap]
        else:
            moved = self._playing()
            for giver in moved:
                self.hands[self._after(giver)] = before[giver]
        self._reactions.called -= set(moved)
        for one in moved if swap is not None else map(self._after, moved):
            if len(self.hands[one]) == 1:
                if len(before[one]) != 1 or one == seat:
                    self._reactions.came_to_one(one)
                self._reactions.call(one)

    def _do_draw(self, seat: int, act: Map) -> None:
        self._reactions.close()
        cards = self._take(seat, 1)
        while self.options["draw_until"] and cards and not self._fits(seat, cards[-1]):
            more = self._take(seat, 1)
            if not more:
                break
            cards = more
        self.drawn = cards[-1] if cards else None
        self._question += 1
        self._ask("drawn", seat)

    def _do_pass(self, seat: int, act: Map) -> None:
        self._reactions.close()
        self._passes = self._passes + 1 if self.drawn is None else 0
        self.drawn = None
        if self._passes >= len(self._playing()):
            counts = {seat: points(self.hands[seat]) for seat in self._playing()}
            fewest = [seat for seat, count in counts.items() if count == min(counts.values())]
            self._end_round(fewest[0] if len(fewest) == 1 else None)
        else:
            self._question += 1
            self._ask("play", self._after(seat))

    def _do_accept(self, seat: int, act: Map) -> None:
        self._reactions.close()
        self._pay(seat, self.pending)
        self._after_penalty(seat)

    def _do_challenge(self, seat: int, act: Map) -> None:
        self._reactions.close()
        player = self._player
        assert player is not None
        if self._bluff:
            if player not in self.out:
                self._take(player, self.pending)
            self.pending = 0
            self._question += 1
            self._ask("play", seat)
        else:
            self._pay(seat, self.pending + 2)
            self._after_penalty(seat)

    def _after_penalty(self, seat: int) -> None:
        player = self._player
        if player is not None and not self.hands[player]:
            self._end_round(player)
        else:
            self._question += 1
            self._ask("play", self._after(seat))

    def _pay(self, seat: int, number: int) -> None:
        self._take(seat, number)
        self.pending = 0

    def _do_colour(self, seat: int, act: Map) -> None:
        self.colour = act["colour"]
        self._question += 1
        self._ask("play", seat)

    def _do_uno(self, seat: int, act: Map) -> None:
        self._reactions.call(seat)

    def _do_catch(self, seat: int, act: Map) -> None:
        of = act["seat"]
        self._reactions.claims[of].add(seat)
        if self._reactions.exposed != of:
            self._punish(seat, self.options["false_call_penalty"])
        elif self.phase != "breath":
            self._punish(of, self.options["call_penalty"])
        else:
            self._reactions.held.append((seat, of))

    def _do_jump(self, seat: int, act: Map) -> None:
        self._settle_catch()
        self._play(seat, act)

    def _settle_catch(self) -> None:
        caught = self._reactions.settled()
        if caught is not None:
            self._punish(caught, self.options["call_penalty"])

    def _punish(self, seat: int, number: int) -> None:
        """Let a seat draw that was caught, or was wrong to catch."""
        if self._take(seat, number) and seat == self._asked:
            self._question += 1
        if self._reactions.exposed == seat:
            self._reactions.exposed = None

    # Cards and seats

    @property
    def top(self) -> int:
        """The top card."""
        return self.discards[-1]

    @property
    def turn(self) -> int | None:
        """The seat that is asked."""
        return None if self.phase in ("breath", "pause", "over") else self._asked

    def _ask(self, phase: str, seat: int | None) -> None:
        self.phase, self._asked = phase, seat
        self._waiting = phase

    def _playing(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat not in self.out]

    def _after(self, seat: int, steps: int = 1) -> int:
        for _ in range(steps):
            seat = (seat + self.direction) % self.seats
            while seat in self.out:
                seat = (seat + self.direction) % self.seats
        return seat

    def _take(self, seat: int, number: int) -> list[int]:
        cards: list[int] = []
        for _ in range(number):
            if not self.deck and len(self.discards) > 1:
                self.deck, self.discards = self.discards[:-1], self.discards[-1:]
                self._reshuffle()
            if not self.deck:
                break
            cards.append(self.deck.pop())
        self.hands[seat] += cards
        if cards:
            self._reactions.drew(seat)
        return cards

    def _reshuffle(self) -> None:
        self._shuffles += 1
        self._deal.shuffle(f"reshuffle/{self._shuffles}", self.deck)

    def _off_the_top(self, number: int) -> list[int]:
        return [self.deck.pop() for _ in range(number)]

    def _favourite(self, seat: int) -> str:
        held = Counter(colour_of(card) for card in self.hands[seat])
        return max(COLOURS, key=lambda colour: held[colour])

    # What a seat sees

    def view(self, seat: int) -> Map:
        """Return the view of a seat."""
        view: Map = {
            "phase": self.phase,
            "round": self.round,
            "dealer": self.dealer,
            "turn": self.turn,
            "direction": self.direction,
            "colour": self.colour,
            "top": self.top,
            "counts": [len(hand) for hand in self.hands],
            "called": sorted(self._reactions.called),
            "out": sorted(self.out),
            "deck": len(self.deck),
            "scores": list(self.scores),
            "hand": sorted(self.hands[seat]),
        }
        if self._reactions.exposed is not None:
            view["exposed"] = self._reactions.exposed
        if self.pending and self._stackable():
            view["pending"] = self.pending
        if self.phase == "drawn" and self.turn == seat:
            view["drawn"] = self.drawn
        return view

    def state(self) -> Map:
        """Return what the final state in a file is the hash of."""
        reactions = self._reactions
        over = self.outcome or {"ranks": [], "why": None}
        state: Map = {
            "seats": self.seats,
            "round": self.round,
            "dealer": self.dealer,
            "direction": self.direction,
            "scores": self.scores,
            "options": {
                name: value
                for name, value in self.options.items()
                if name != "preset" and (value or name not in SWITCHED)
            },
            "hands": [sorted(hand) for hand in self.hands],
            "counts": [len(hand) for hand in self.hands],
            "deck": self.deck,
            "pile": self.discards,
            "colour": -1 if self.colour is None else COLOURS.index(self.colour),
            "reshuffles": self._shuffles,
            "passes": self._passes,
            "phase": self.phase,
            "turn": _number(self._asked),
            "question": self._question,
            "drawn": [] if self.drawn is None else [self.drawn],
            "resume": self._resume,
            "called": _mask(reactions.called),
            "exposed": _number(reactions.exposed),
            "occasion": reactions.occasion,
            "held": [seat for seat, _ in reactions.held],
            "offender": _number(self._offender),
            "evidence": self._evidence,
            "guilty": self._bluff,
            "out": _mask(self.out),
            "leavers": self._leavers,
            "fell": [self._fell.get(seat, 0) for seat in range(self.seats)],
            "winners": [seat for seat, rank in enumerate(over["ranks"]) if rank == 1],
            "why": over["why"],
        }
        if self.pending and self._stackable():
            state["pending"] = self.pending
        if reactions.laid_by is not None:
            state["laid_by"] = reactions.laid_by
        if any(reactions.stood):
            state |= {"stood": reactions.stood, "claims": [_mask(claims) for claims in reactions.claims]}
        return state

    def _stackable(self) -> bool:
        own = {TWO: "stack2", WILD_FOUR: "stack4"}.get(symbol(self.top), "stack_cross")
        return bool(self.options[own] or self.options["stack_cross"])


def _mask(seats: Iterable[int]) -> int:
    return sum(1 << seat for seat in seats)


def _number(seat: int | None) -> int:
    return -1 if seat is None else seat


def _same(act: Map, offered: Map) -> bool:
    return {**act, "uno": act.get("uno") or None} == {**offered, "uno": offered.get("uno") or None}
