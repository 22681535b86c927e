"""An animation of an UNO round: bots play, key presses play for the person, and timing follows the match."""

from docs.studio.screens import SeenRoom, at
from docs.studio.staged_match import StagedMatch

from parlour_client.tui.filming import Camera, Film, Size
from parlour_client.tui.games.uno.widget import UnoWidget
from parlour_protocol.messages import Plain

SIZE: Size = (80, 24)
_SEED = 102
_BOTS = {"ada": "shaper", "bruno": "painfirst", "cleo": "attacker"}
_THOUGHT, _KEY, _LOOK = 500, 180, 400
"""Milliseconds: a bot's thinking time, between two keys, and before the first key."""
_KEYS = {"draw": "d", "pass": "p", "accept": "a", "challenge": "x"}
_MOST = 200
"""The maximum of steps."""


async def shots(size: Size = SIZE) -> Film:
    """Return the shots of a round, from the deal to the result, with their durations in milliseconds."""
    match = StagedMatch(_SEED, "uno", {"scoring": "single"}, bots=_BOTS, adviser="counter")
    async with at(match, size) as seen:
        while not seen.screen.game_widget or not seen.room.under_way or seen.room.view is None:
            await seen.step(_THOUGHT)
        camera = Camera()
        for _ in range(_MOST):
            await _shoot(seen, camera)
            if seen.room.over:
                return camera.cut()
            if seen.room.question:
                await _answer(seen, camera)
            await seen.step(_THOUGHT)
    raise AssertionError("the round did not end")


async def _shoot(seen: SeenRoom, camera: Camera) -> None:
    camera.add(await seen.shot(), seen.match.local.now)


async def _answer(seen: SeenRoom, camera: Camera) -> None:
    """Press the keys for the advised action, and record each."""
    question = seen.room.question
    assert question is not None
    act = seen.match.advice(question.rid).act
    action = question.legal[act] if isinstance(act, int) else act
    seen.match.local.wait(_LOOK)
    for key in keys_for(seen.screen.game_widget, action):
        await seen.press(key)
        await _shoot(seen, camera)
        seen.match.local.wait(_KEY)


def keys_for(widget: object, action: Plain) -> list[str]:
    """Return the keys for an action."""
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
