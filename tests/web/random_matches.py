"""Random matches, played on the rules alone, with their records and every view after each record."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import attrs

from parlour_games.fair import Fair, commitment
from parlour_games.game import Decision, Done, Fired, IllegalAction, Job, Timer
from parlour_games.minesweeper.actions import Bomb, Chord, Flag, Open, Seq, Unflag
from parlour_games.minesweeper.actions import Resign as GiveUp
from parlour_games.minesweeper.board import known
from parlour_games.minesweeper.inference import Engine
from parlour_games.options import Option, options_of
from parlour_games.registry import AnyGame, games
from parlour_games.uno.actions import Play, Resign
from parlour_games.uno.cards import SYMBOL
from parlour_protocol.messages import Plain
from parlour_server.rooms.records import canonical

ODD = 0.03
"""The probability of an unusual event."""


@attrs.define
class RandomMatch:
    """One match. ``records`` from ``begun`` on.

    ``steps``: after each of them the state, and what every viewer sees, in canonical JSON. ``refused``: the records to
    each act that the rules refused. ``leaving``: the probability that a seat leaves in place of a step.
    """

    name: str
    options: Plain
    seats: int
    rng: Random
    leaving: float = ODD / 10
    records: list[Plain] = attrs.field(factory=list)
    steps: list[str] = attrs.field(factory=list)
    refused: list[list[Plain]] = attrs.field(factory=list)
    at: int = 1_000
    _game: AnyGame = attrs.field(init=False)
    _state: Any = attrs.field(init=False)

    def play(self, most: int) -> "RandomMatch":
        """Play at most ``most`` records."""
        self._game = games()[self.name]
        options = self._game.Options(**self.options)
        secret = self.rng.randbytes(32)
        nonces = [self.rng.choice([b"", self.rng.randbytes(32)]) for _ in range(self.seats)]
        self._state, events = self._game.start(options, self.seats, Fair(secret, "K7QD/1", nonces))
        begun = {"r": "begun", "game": self.name, "rules": self._game.rules_version}
        begun |= {"match": 1, "context": "K7QD/1", "secret": secret.hex()}
        begun |= {"commit": commitment(secret), "nonces": [nonce.hex() for nonce in nonces], "at": self.at}
        players = [{"name": f"p{seat}", "kind": "bot"} for seat in range(self.seats)]
        self._tell({**begun, "options": attrs.asdict(options), "players": players}, events)
        while len(self.records) < most and self._game.outcome(self._state) is None:
            self._step()
        return self

    def _tell(self, record: Plain, events: list[Any]) -> None:
        game, state = self._game, self._state
        self.records.append(record)
        viewers = [None, *range(self.seats)]
        shown = [[one for event in events if (one := game.redact(event, viewer)) is not None] for viewer in viewers]
        seen = [{"view": game.view(state, viewer), "events": told} for viewer, told in zip(viewers, shown, strict=True)]
        asked = [self._asked(seat) for seat in range(self.seats)]
        over, outcome = game.outcome(state), None
        if over:
            stats = {"stats": over.stats} if over.stats else {}
            outcome = {"ranks": over.ranks, "scores": over.scores, "why": over.why, **stats}
        step = {"seen": seen, "asked": asked, "outcome": outcome, "state": game.canonical(state)}
        self.steps.append(canonical(step))

    def _asked(self, seat: int) -> Plain:
        """Return the answers to the question of a seat, None if it is asked none, and what it may do besides."""
        game, state = self._game, self._state
        legal: dict[bool, list[Any] | None] = {True: None, False: []}
        for decision in game.decisions(state):
            if decision.seat == seat:
                acts = map(game.wire, game.legal(state, seat, decision.key))
                legal[decision.must] = [*(legal[decision.must] or []), *acts]
        return {"legal": legal[True], "may": sorted(map(canonical, legal[False] or []))}

    def _step(self) -> None:
        game, state, rng = self._game, self._state, self.rng
        self.at += rng.randrange(2_000)
        game.note_time(state, self.at - 1_000)
        pending, decisions = game.pending(state), game.decisions(state)
        if isinstance(pending, Job):
            done = Done(pending.name, game.compute(pending.name, pending.args))
            self._tell(self._record("job", name=done.name, result=done.result), game.settle(state, done))
        elif isinstance(pending, Timer) and (not decisions or rng.random() < 0.3):
            self._tell(self._record("timer", name=pending.name), game.settle(state, Fired(pending.name)))
        elif rng.random() < self.leaving:
            seat = rng.choice([rng.randrange(self.seats), self.records[-1].get("seat", 0)])
            self._tell(self._record("vacated", seat=seat), game.remove(state, seat))
        else:
            self._decide(rng.choice(decisions))

    def _decide(self, decision: Decision) -> None:
        seat, key = decision.seat, decision.key
        if decision.must and self.rng.random() < 2 * ODD:
            action = self._game.default_action(self._state, seat, key)
            self._tell(self._record("timeout", seat=seat), self._game.apply(self._state, seat, key, action))
            return
        for action in self._ideas(seat, key):
            try:
                events = self._game.apply(self._state, seat, key, action)
            except IllegalAction:
                act = self._record("act", seat=seat, act=self._game.wire(action))
                self.refused.append([*self.records, act])
                continue
            self._tell(self._record("act", seat=seat, act=self._game.wire(action)), events)
            return

    def _record(self, r: str, **more: Any) -> Plain:
        return {"r": r, "at": self.at, **more}

    def _ideas(self, seat: int, key: str) -> Iterable[Any]:
        if self.name == "minesweeper":
            return (self._move(seat) for _ in range(20))
        legal = self._game.legal(self._state, seat, key)
        ideas = [self.rng.choice(legal)]
        if self.rng.random() < ODD / 10:
            ideas.insert(0, Resign())
        if self._state.options.multi_play and isinstance(legal[0], Play):
            ideas.insert(0, self._several(seat))
        return ideas

    def _several(self, seat: int) -> Play:
        hand = self._game.view(self._state, seat)["hand"]
        symbol = SYMBOL[self.rng.choice(hand)]
        cards = tuple(card for card in hand if SYMBOL[card] == symbol)
        others = [other for other in range(self.seats) if other != seat]
        return Play(cards=cards, swap=self.rng.choice([None, *others]), uno=self.rng.random() < 0.5)

    def _careful(self, closed: list[tuple[int, int]]) -> tuple[int, int]:
        """Return a cell that is certainly safe, or else any."""
        shape = self._state.options.shape
        odds = Engine(shape.width, shape.height, shape.mines).read(known(self._state.visible_boards[0].rows()))
        return self._state.at(self.rng.choice(odds.safe)) if odds.safe else self.rng.choice(closed)

    def _move(self, seat: int) -> Any:
        rng, view = self.rng, self._game.view(self._state, seat)
        cells = [(x, y) for y in range(view["height"]) for x in range(view["width"])]
        closed = [(x, y) for x, y in cells if view["rows"][y][x] in ".F"] or cells
        several = Open(tuple(rng.sample(closed, min(3, len(closed)))))
        if view["mode"] == "duel":
            return rng.choice([Open((rng.choice(closed),)), several, Bomb(rng.choice(cells))])
        if rng.random() < ODD / 4:
            return GiveUp()
        if self._state.options.kind and rng.random() < 0.9:
            return Open((self._careful(closed),))
        verbs = ("open", "flag", "unflag", "chord")
        moves: Any = tuple((rng.choice(verbs), *rng.choice(closed if rng.random() < 0.5 else cells)) for _ in range(4))
        one, any_one = (rng.choice(closed),), (rng.choice(cells),)
        return rng.choice([Open(one), Flag(one), Unflag(any_one), Chord(any_one), several, Seq(moves)])


def uno(rng: Random) -> RandomMatch:
    """Return a match under any house rules."""
    return RandomMatch("uno", _house_rules(rng), rng.choice([2, 2, 3, 4, 6, 10]), rng)


def left_uno(rng: Random) -> RandomMatch:
    """Return a match of ten that most seats leave, some of them while a Wild Draw Four of theirs is on top."""
    return RandomMatch("uno", _house_rules(rng) | {"stack4": True, "no_bluff": False}, 10, rng, leaving=3 * ODD)


def _house_rules(rng: Random) -> Plain:
    values = {option.name: _values(option) for option in options_of(games()["uno"])}
    values |= {"preset": ["official"], "target": [60, 200]}
    return {name: rng.choice(values[name]) for name in values}


def _values(option: Option) -> Sequence[str | int | bool]:
    """Return values of an option, rules off as often as on."""
    if option.low is None or option.high is None:
        return option.choices
    return [option.low, option.low, option.default, min(option.low + 3, option.high)]


def mines(rng: Random) -> RandomMatch:
    """Return a match on a small board, in any mode."""
    mode = rng.choice(["solo", "race", "coop", "duel"])
    width, height = rng.randrange(4, 9), rng.randrange(4, 9)
    options: Plain = {"mode": mode, "level": "custom", "width": width, "height": height, "mines": rng.choice([3, 5])}
    options["first"] = rng.choice(["any", "safe", "opening", "radius"])
    options |= {"lives": rng.randrange(1, 5)} if mode == "coop" else {}
    options |= {"penalty": rng.choice([0, 5_000])} if mode == "race" else {}
    options |= {"no_guess": rng.random() < 0.4} if mode != "duel" else {}
    return RandomMatch("minesweeper", options, {"solo": 1, "duel": 2}.get(mode, rng.choice([2, 3])), rng)


def kind_mines(rng: Random) -> RandomMatch:
    """Return a match on a kind board with many guesses."""
    mode, width, height = rng.choice(["solo", "coop"]), rng.randrange(4, 17), rng.randrange(4, 12)
    options: Plain = {"mode": mode, "level": "custom", "width": width, "height": height, "kind": True}
    options["mines"] = rng.randrange(width * height // 6, width * height // 3)
    if rng.random() < 0.2:  # more than 64 cells depend on one another
        options |= {"width": 16, "height": 16, "mines": 90}
    options["first"] = rng.choice(["any", "safe"])
    options |= {"lives": 3} if mode == "coop" else {}
    return RandomMatch("minesweeper", options, {"solo": 1}.get(mode, 2), rng)
