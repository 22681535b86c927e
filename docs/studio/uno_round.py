"""An animation of an UNO round: bots play, key presses play for the person, and timing follows the match."""

import attrs
from docs.studio.screens import SeenRoom, Size, at
from docs.studio.staged_match import StagedMatch
from docs.studio.svg import Shot

from parlour_client.tui.games.uno.widget import UnoWidget
from parlour_protocol.messages import Plain

SIZE: Size = (80, 24)
_SEED = 102
_BOTS = {"ada": "shaper", "bruno": "painfirst", "cleo": "attacker"}
_THOUGHT, _KEY, _LOOK, _END = 500, 180, 400, 4_000
"""Milliseconds: a bot's thinking time, between two keys, before the first key, and the final result."""
_KEYS = {"draw": "d", "pass": "p", "accept": "a", "challenge": "x"}
_MOST = 200
"""The maximum of steps."""


@attrs.define
class _Camera:
    """Records shots, each with the time when it first appeared."""

    seen: SeenRoom
    shots: list[tuple[Shot, int]] = attrs.field(factory=list)

    async def shoot(self) -> None:
        """Record the screen if it has changed."""
        now = await self.seen.shot()
        if not self.shots or self.shots[-1][0] != now:
            self.shots.append((now, self.seen.match.local.now))

    def cut(self) -> list[tuple[Shot, int]]:
        """Return the shots with their durations in milliseconds."""
        ends = [at for _, at in self.shots[1:]] + [self.shots[-1][1] + _END]
        return [(shot, end - at) for (shot, at), end in zip(self.shots, ends, strict=True) if end > at]


async def shots(size: Size = SIZE) -> list[tuple[Shot, int]]:
    """Return the shots of a round, from the deal to the result, with their durations in milliseconds."""
    match = StagedMatch(_SEED, "uno", {"scoring": "single"}, bots=_BOTS, adviser="counter")
    async with at(match, size) as seen:
        while not seen.screen.game_widget or not seen.room.under_way or seen.room.view is None:
            await seen.step(_THOUGHT)
        camera = _Camera(seen)
        for _ in range(_MOST):
            await camera.shoot()
            if seen.room.over:
                return camera.cut()
            if seen.room.question:
                await _answer(seen, camera)
            await seen.step(_THOUGHT)
    raise AssertionError("the round did not end")


async def _answer(seen: SeenRoom, camera: _Camera) -> None:
    """Press the keys for the advised action, and record each."""
    question = seen.room.question
    assert question is not None
    act = seen.match.advice(question.rid).act
    action = question.legal[act] if isinstance(act, int) else act
    seen.match.local.wait(_LOOK)
    for key in _keys(seen.screen.game_widget, action):
        await seen.press(key)
        await camera.shoot()
        seen.match.local.wait(_KEY)


def _keys(widget: object, action: Plain) -> list[str]:
    assert isinstance(widget, UnoWidget)
    if action["do"] != "play":
        return [_KEYS.get(action["do"]) or action["colour"][0]]
    hand = widget.hand
    by = hand.cards.index(action["card"]) - hand.selected
    way = ["right" if by > 0 else "left"] * abs(by)
    return [
        *way,
        *(["u"] if action.get("uno") else []),
        "enter",
        *([action["colour"][0]] if "colour" in action else []),
    ]
