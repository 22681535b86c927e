"""``python -m docs.studio.strip FOLDER``: pictures of the page at moments that matter, to look at them side by side.

A fake server stages each moment, so that they are the same each time: tables of two to ten, a +4, the end of a round, a
room that waits, boards, and the first view of somebody who comes back, on desks and phones, in both colours and
languages.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs
from playwright.sync_api import Browser, Page
from tests.support.chromium import chromium
from tests.support.server import server_process
from tests.web.fake_server import ROOM, Answer, FakeServer, joined, uno
from tests.web.visitors import address

from parlour_protocol.messages import Plain

NAMES = ["maria", "quiet-otter", "ada", "bruno", "silberner-kranich", "cleo", "dice", "enno", "flora", "gus"]
HAND = [1, 19, 27, 40, 104, 70, 88]
DESK, PHONE, LYING = (1280, 800), (390, 844), (844, 390)
RESTS = 2_500
"""Milliseconds until a moment has come to rest."""


@attrs.frozen
class Shot:
    """A picture: its name, size, colours and language; the room, what happens in it, and what is waited for."""

    name: str
    size: tuple[int, int]
    dark: bool
    room: Plain
    happens: Callable[[Page, FakeServer], None] = lambda page, fake: None
    mark: str = ".hand button"
    lang: str = "en"
    path: str = f"r/{ROOM}"
    answers: dict[str, Answer] = attrs.field(factory=dict)


def table(seats: int, **more: object) -> Plain:
    """Return a room in which ``seats`` play, and it is our turn."""
    return named(joined("uno", uno(seats, HAND, **{"turn": 0, **more}), seats, seat=0, clocks={"0": 14_000}))


def named(room: Plain) -> Plain:
    """Return ``room`` with names as people have them."""
    for row, name in zip(room["table"]["seats"], NAMES, strict=False):
        row["name"] = name
    room["table"]["host"] = NAMES[0]
    return room


def asked(legal: list[Plain]) -> Callable[[Page, FakeServer], None]:
    """Return what asks our seat."""
    return lambda page, fake: fake.ask(legal)


PLAYS: list[Plain] = [{"do": "play", "card": card} for card in (1, 19)]
PLAYS += [{"do": "play", "card": 104, "colour": colour} for colour in ("red", "yellow", "green", "blue")]
PLAYS.append({"do": "draw"})
HIT: list[Plain] = [{"do": "accept"}, {"do": "challenge"}]


def round_ends(page: Page, fake: FakeServer) -> None:
    """End the round."""
    points = [60, 0, 40, 20]
    view = uno(4, HAND, turn=None, phase="pause", scores=points)
    fake.send(
        "update", view=view, events=[{"e": "round", "winner": 1, "points": points, "scores": points}], clocks={}, may=[]
    )
    fake.send("seats", table={**table(4)["table"], "state": "pause"})


def board(width: int, height: int, mines: int, cleared: float, why: str = "") -> Plain:
    """Return the view of a board whose left part is open; ``why``: how it has ended."""
    mined = {(place % width, place // width) for place in range(3, width * height, width * height // mines)}
    mined = {((x * 7 + y * y * 5) % width, y) for x, y in mined}
    mines = len(mined)

    def char(x: int, y: int) -> str:
        if (x, y) in mined:
            if why == "lost":
                return "*" if (x, y) == min(mined, key=lambda at: abs(at[0] - cleared * width) + at[1]) else "M"
            return "F" if why or x < cleared * width - 2 else "."
        near = sum((u, v) in mined for u in range(x - 1, x + 2) for v in range(y - 1, y + 2))
        return str(near) if why == "won" or x < cleared * width else "."

    rows = ["".join(char(x, y) for x in range(width)) for y in range(height)]
    state = {"lost": "out", "won": "done"}.get(why, "in")
    player = {"state": state, "open": 90, **({"ms": 83_400} if why else {})}
    view = {"mode": "solo", "phase": "over" if why else "playing", "width": width, "height": height, "mines": mines}
    return {**view, "safe": width * height - mines, "rows": rows, "players": [player]}


def ended(why: str, *size: int) -> Callable[[Page, FakeServer], None]:
    """Return what ends a solo board."""
    row = {"ms": 83_400, "bbbv": 61, "rate": 731, "clicks": 70, "efficiency": 87, "forced": 0}
    result = {"ranks": {"0": 1 if why == "won" else 2}, "scores": {"0": 90}, "why": why}
    if why == "won":
        result["time"] = {"board": "intermediate", "ms": 83_400}
    result["stats"] = {"bbbv": 61, "seats": [row]}
    width, height, mines = size
    more = {"events": [], "clocks": {}, "result": result, "reveal": "", "digest": "d" * 64}
    return lambda page, fake: fake.send("over", view=board(width, height, mines, 0.6, why), **more)


def solo(*size: int) -> Plain:
    """Return a room with a solo board."""
    width, height, mines = size
    room = named(joined("minesweeper", board(width, height, mines, 0.6), 1, seat=0, elapsed=61_000))
    room["table"]["options"] = {**room["table"]["options"], "mode": "solo", "level": "expert"}
    return room


def coming_back() -> dict[str, Answer]:
    """Return what a server says to somebody who has played before."""
    games = [
        {"game": "uno", "matches": 12, "wins": 5, "streak": 2, "longest": 3, "times": [], "last": []},
        {"game": "minesweeper", "matches": 9, "wins": 4, "streak": 1, "longest": 3, "times": [], "last": []},
    ]

    def daily(question: Plain) -> Plain:
        board, mine = question["board"], {"name": "maria", "kind": "human", "ms": 61_000}
        before = question.get("day") is not None
        about = {"t": "daily", "day": "2026-03-01", "board": board, "commit": "", "context": "", "left": 9}
        boards = [{"board": board, "game": "minesweeper", "best": "time"}]
        rows = [{**mine, "ms": 9_000}, mine] if before else []
        you = {"played": before, "days": 4, **({"ms": 61_000} if before else {})}
        return {**about, "boards": boards, "rows": rows, "you": you}

    bots = [{"name": name, "free": 1} for name in ("ada", "bruno", "cleo")]
    people = [{"name": "quiet-otter", "kind": "human"}, {"name": "ada", "kind": "bot"}]
    room = {"room": "K7QD", "game": "uno", "state": "waiting", "taken": 2, "seats": 4, "kinds": "any", "watch": True}
    rooms = [{**room, "people": True, "host": "quiet-otter", "players": people, "options": {}}]
    return {
        "daily": daily,
        "profile": {"t": "profile", "name": "maria", "games": games},
        "list": {"t": "rooms", "rooms": rooms, "bots": bots},
    }


def shots() -> Iterator[Shot]:
    """Yield all pictures."""
    yield Shot("01-desk-dark-four", DESK, True, table(4), asked(PLAYS))
    yield Shot("02-desk-light-two", DESK, False, table(2), asked(PLAYS))
    yield Shot("03-desk-dark-ten-de", DESK, True, table(10), asked(PLAYS), lang="de")
    yield Shot("04-phone-light-four", PHONE, False, table(4), asked(PLAYS))
    yield Shot("05-phone-dark-ten-de", PHONE, True, table(10), asked(PLAYS), lang="de")
    yield Shot("06-lying-dark-four", LYING, True, table(4), asked(PLAYS))
    hit = table(4, phase="challenge", pending=4, top=105, colour="blue")
    yield Shot("07-desk-light-plus-four-de", DESK, False, hit, asked(HIT), lang="de")
    yield Shot("08-phone-dark-plus-four", PHONE, True, hit, asked(HIT))
    yield Shot("09-desk-dark-round-ends", DESK, True, table(4), round_ends)
    yield Shot("10-phone-light-round-ends-de", PHONE, False, table(4), round_ends, lang="de")
    cells = ".grid button"
    expert, middle = (30, 16, 99), (16, 16, 40)
    yield Shot("11-desk-dark-expert", DESK, True, solo(*expert), asked([]), cells)
    yield Shot("12-phone-light-expert-de", PHONE, False, solo(*expert), asked([]), cells, "de")
    yield Shot("13-desk-light-lost", DESK, False, solo(*expert), ended("lost", *expert), cells)
    yield Shot("14-phone-dark-won-de", PHONE, True, solo(*middle), ended("won", *middle), cells, "de")
    yield Shot("15-lying-light-expert", LYING, False, solo(*expert), asked([]), cells)
    chairs = ".chairs li"
    waiting = named(joined("uno", None, 3, seat=0))
    waiting["table"]["size"] = 5
    yield Shot("16-desk-dark-waiting-de", DESK, True, waiting, mark=chairs, lang="de")
    yield Shot("17-phone-light-waiting", PHONE, False, waiting, mark=chairs)
    back = {"mark": ".goal:not(:empty)", "path": "", "answers": coming_back()}
    yield Shot("18-desk-light-back", DESK, False, waiting, **back)  # type: ignore[arg-type]
    yield Shot("19-phone-dark-back-de", PHONE, True, waiting, lang="de", **back)  # type: ignore[arg-type]
    arriving = named(joined("uno", None, 3))
    yield Shot("20-phone-light-arriving-de", PHONE, False, arriving, mark="input[name=name]", lang="de")


def take(browser: Browser, url: str, shot: Shot) -> bytes:
    """Return a picture as PNG."""
    context = browser.new_context(
        viewport={"width": shot.size[0], "height": shot.size[1]},
        color_scheme="dark" if shot.dark else "light",
        locale=shot.lang,
        has_touch=shot.size != DESK,
        is_mobile=shot.size != DESK,
        service_workers="block",
    )
    page = context.new_page()
    greeting = {"name": NAMES[0]} if shot.room["seat"] is not None else {}
    fake = FakeServer(page, shot.room, shot.answers, **greeting)
    page.goto(f"{url}{shot.path}")
    page.wait_for_selector(shot.mark)
    shot.happens(page, fake)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(RESTS)
    picture = page.screenshot()
    context.close()
    return picture


def main(arguments: Sequence[str]) -> None:
    """Write the pictures into the folder; after it, beginnings of names select some."""
    folder, *some = arguments
    Path(folder).mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place, server_process(Path(place)) as server, chromium() as browser:
        for shot in shots():
            if not some or shot.name.startswith(tuple(some)):
                (Path(folder) / f"{shot.name}.png").write_bytes(take(browser, address(server), shot))


if __name__ == "__main__":
    main(sys.argv[1:])
