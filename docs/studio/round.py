"""A round of UNO as a film: the bots act by themselves, the person by keys, and time passes as it did at the table."""

import attrs
from docs.studio.screens import SeenRoom, Size, at
from docs.studio.svg import Shot
from docs.studio.table import Table

from parlour_client.tui.games.uno.widget import UnoWidget
from parlour_protocol.messages import Plain

SIZE: Size = (80, 24)
_SEED = 102
_BOTS = {"ada": "shaper", "bruno": "painfirst", "cleo": "attacker"}
_THOUGHT, _KEY, _LOOK, _END = 500, 180, 400, 4_000
"""Milliseconds: that a bot thinks, between two keys, that the person looks first, that the result is shown."""
_KEYS = {"draw": "d", "pass": "p", "accept": "a", "challenge": "x"}
_MOST = 200
"""Acts of bots."""


@attrs.define
class _Camera:
    """What has been shot, each with the time at which it could be seen first."""

    seen: SeenRoom
    shots: list[tuple[Shot, int]] = attrs.field(factory=list)

    async def shoot(self) -> None:
        """Keep what is on the screen if it has changed."""
        now = await self.seen.shot()
        if not self.shots or self.shots[-1][0] != now:
            self.shots.append((now, self.seen.table.hall.now))

    def cut(self) -> list[tuple[Shot, int]]:
        """Return the shots with the milliseconds that each is shown."""
        ends = [at for _, at in self.shots[1:]] + [self.shots[-1][1] + _END]
        return [(shot, end - at) for (shot, at), end in zip(self.shots, ends, strict=True) if end > at]


async def shots(size: Size = SIZE) -> list[tuple[Shot, int]]:
    """Return the round, shot by shot, from the deal to the result, with the milliseconds that each is shown."""
    table = Table(_SEED, "uno", {"scoring": "single"}, bots=_BOTS, adviser="counter")
    async with at(table, size) as seen:
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
    raise AssertionError("the round does not end")


async def _answer(seen: SeenRoom, camera: _Camera) -> None:
    """Let the person press the keys for what they are advised to do, all of which can be seen."""
    question = seen.room.question
    assert question is not None
    act = seen.table.advice(question.rid).act
    action = question.legal[act] if isinstance(act, int) else act
    seen.table.hall.wait(_LOOK)
    for key in _keys(seen.screen.game_widget, action):
        await seen.press(key)
        await camera.shoot()
        seen.table.hall.wait(_KEY)


def _keys(face: object, action: Plain) -> list[str]:
    assert isinstance(face, UnoWidget)
    if action["do"] != "play":
        return [_KEYS.get(action["do"]) or action["colour"][0]]
    hand = face.hand
    by = hand.cards.index(action["card"]) - hand.selected
    way = ["right" if by > 0 else "left"] * abs(by)
    return [
        *way,
        *(["u"] if action.get("uno") else []),
        "enter",
        *([action["colour"][0]] if "colour" in action else []),
    ]
