"""Write the transcripts in SPEC.md: matches and a lost connection, played in the server's own rooms.

Run ``python -m tests.protocol.make_transcript``. Ann calls UNO, catches and challenges; Bob forgets to call.
"""

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from tests.protocol.recording import Recorder, Step, written

import parlour_protocol
from parlour_games.uno.cards import NAMES
from parlour_protocol.messages import Act, Create, Hello, Join, Plain, Ready, Start
from parlour_server.local import Local

SPEC = Path(next(iter(parlour_protocol.__path__))) / "SPEC.md"
PLACE = r"(?s)(<!-- transcript {}: seed )(\d+)( -->\n)(.*?)(<!-- end of transcript -->\n)"
WANTED = ('"e":"caught"', '"uno":true', '"colour":"', '"e":"skip"', '"e":"challenge"', '"why":"turn"', '"do":"pass"}}')


def words(action: Plain) -> str:
    if action["do"] == "play":
        colour = f", {action['colour']} from now on" if "colour" in action else ""
        return f"plays {NAMES[action['card']]}{colour}{', and calls UNO' if action.get('uno') else ''}"
    return {"pass": "passes", "uno": "calls UNO", "catch": "catches"}.get(action["do"], f"{action['do']}s")


def choose(name: str, legal: list[Plain]) -> int:
    """Return the index of a bot's answer: a challenge if possible, else the first action; Bob forgets to call UNO."""
    doubts = [at for at, action in enumerate(legal) if action["do"] == "challenge"]
    silent = [at for at, action in enumerate(legal) if name == "ann" or not action.get("uno")]
    return (doubts or silent)[0]


def begin(record: Recorder) -> None:
    """Let two bots open a room and sit down in it."""
    record.remark("Ann greets, and opens a room for one round of UNO between two")
    record.say("ann", Hello("ann", "bot", can=["nonce"]))
    record.say("ann", Create("uno", options={"scoring": "single"}, seats=2, id="new"))
    record.remark("Bob greets, and joins")
    record.say("bob", Hello("bob", "bot"))
    record.say("bob", Join(record.room))
    record.remark("Ann has seen the commitment. She adds a nonce, and starts")
    record.say("ann", Ready(record.room, nonce=bytes(range(32)).hex(), id=2))
    record.say("ann", Start(record.room, id=3))


def refused(record: Recorder) -> None:
    """Let the bot that is asked first try something illegal."""
    name, turn = next(iter(record.turns.items()))
    card = next(card for card in range(108) if card not in turn.view["hand"])
    record.remark(f"{name.capitalize()} tries a card that is not in the hand")
    record.say(name, Act(record.room, turn.rid, {"do": "play", "card": card}, id="oops"))


def answer(record: Recorder) -> None:
    name, turn = next(iter(record.turns.items()))
    at = choose(name, turn.legal or [])
    record.remark(f"{name.capitalize()} {words((turn.legal or [])[at])}")
    record.say(name, Act(record.room, turn.rid, at))


def play(record: Recorder) -> None:
    """Let both answer until the match is over. Ann takes every optional decision; Bob takes none."""
    while not record.over:
        if record.offers.get("ann"):
            offer = record.offers["ann"][0]
            record.remark(f"Ann sees that Bob has not called: she {words(offer['legal'][0])} him, and only she sees it")
            record.say("ann", Act(record.room, offer["rid"], 0))
        elif record.turns:
            answer(record)
        else:
            before = record.server.now
            assert record.server.step(), "nobody has a turn and no timer runs"
            waited = record.server.now - before
            record.remark(f"Nobody has a turn. {waited} ms later the reaction window is over, and the catch counts")
            record.listen()


def record_match(seed: int) -> Recorder:
    """Play and record the match of UNO with this seed."""
    record = Recorder(Local(seed))
    begin(record)
    refused(record)
    play(record)
    return record


def match(seed: int) -> str:
    """Return the transcript of a match of UNO, without steps that show nothing new."""
    return written(telling(record_match(seed).steps))


def telling(steps: list[Step]) -> Iterator[Step | None]:
    """Yield the steps that show something new, and the last one; None stands for those left out."""
    known: set[str] = set()
    skipped = False
    for step in steps:
        new = news(step) - known
        known |= new
        if new or step is steps[-1]:
            yield from [None, step] if skipped else [step]
        skipped = not new


def news(step: Step) -> set[str]:
    """Return what a step shows: types of messages, kinds of events, wild cards."""
    found = {frame["t"] for _, _, frame in step.frames}
    for _, _, frame in step.frames:
        for event in frame.get("events", ()):
            found |= {f"{event['e']} {event.get('why', '')} {event.get('uno', '')}"}
            found |= (
                {NAMES[event["card"]].split(" ", 1)[-1]} if event["e"] == "play" and event["card"] >= 100 else set()
            )
    return found


def resume(seed: int) -> str:
    """Return the transcript of a client that resumes after a cut in the middle of a decision."""
    record = Recorder(Local(seed))
    begin(record)
    while "ann" not in record.turns or record.turns["ann"].rid < 2:
        answer(record)
    turn = record.turns["ann"]
    token = next(frame["token"] for _, _, frame in record.frames() if frame["t"] == "welcome")
    record.cut("ann")
    record.remark(f"The connection is lost with Ann's answer to rid {turn.rid}, which never arrives. She comes back")
    seen = {"room": record.room, "epoch": 1, "seq": turn.seq}
    record.say("ann", Hello("ann", "bot", token=token, rooms=[seen], can=["nonce"]))  # type: ignore[list-item]
    back = record.steps[-1]
    record.remark("She answers again")
    record.say("ann", Act(record.room, turn.rid, 0))
    steps = [back, record.steps[-1]]
    for step in steps:
        step.frames = [said for said in step.frames if said[0] == "ann"]
    return written(steps, ("welcome", "joined", "turn", "update", "seats"))


def mines(seed: int) -> str:
    """Return the transcript of a match of Minesweeper that is won with two acts."""
    record = Recorder(Local(seed))
    record.remark("Zoe opens a room for herself alone, so the match begins immediately")
    record.say("zoe", Hello("zoe", "bot"))
    record.say("zoe", Create("minesweeper", options={"mode": "solo"}, seats=1, start="full"))
    record.remark("She opens the cell in the middle, y · 9 + x")
    record.say("zoe", Act(record.room, 1, 40))
    record.remark("She flags a mine and opens all other cells, in one act")
    record.say("zoe", Act(record.room, 2, {"do": "seq", "moves": winning(record)}))
    return written(record.steps, short=("table",))


def winning(record: Recorder) -> list[list[object]]:
    state = record.server.lobby.rooms.loaded[record.room].room.state.match.state  # type: ignore[union-attr]
    rows = record.turns["zoe"].view["rows"]
    closed = [(y * 9 + x, x, y) for y, row in enumerate(rows) for x, char in enumerate(row) if char == "."]
    flag = next(["flag", x, y] for cell, x, y in closed if cell in state.board.mines)
    return [flag, *(["open", x, y] for cell, x, y in closed if cell not in state.board.mines)]


MAKERS = {"match": match, "resume": resume, "mines": mines}


def found(name: str) -> int:
    """Return the first seed whose transcript is short and shows everything that is wanted."""
    wanted = WANTED if name == "match" else ('"rid":2,',)
    texts = ((seed, MAKERS[name](seed)) for seed in count())
    return next(seed for seed, text in texts if len(text) < 16_000 and all(each in text for each in wanted))


def main() -> None:
    text = SPEC.read_text(encoding="utf-8")
    for name, make in MAKERS.items():
        seed = found(name)
        made = make(seed)
        text, places = re.subn(PLACE.format(name), lambda m: f"{m[1]}{seed}{m[3]}{made}{m[5]}", text)  # noqa: B023
        assert places == 1, f"SPEC.md has no one place for transcript {name}"
    SPEC.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
