"""Pictures of the web page in Chromium. Page files come from the package; the rooms run in this process."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import attrs
import pytest
from docs.studio.staged_match import THOUGHT, SeatedBot, play_match, seat_bots
from playwright.sync_api import BrowserContext, Page, Route, WebSocketRoute
from tests.conftest import install_examples
from tests.support.chromium import chromium
from tests.support.groups import missing
from tests.support.plugins import install_example

from parlour_bots.tools.scaffold import new_game
from parlour_protocol.messages import Create, Join, Joined, Plain, Turn, Update
from parlour_protocol.wire import plain
from parlour_server.local import Local, Peer
from parlour_server.transport.pages import pages

SITE = "http://parlour.example"
QUALITY = 82
"""Of the JPEG pictures, of 100."""
_MOST = 2_000
"""The maximum of acts until the wanted moment."""


@attrs.frozen
class Scene:
    """A match of ``maria`` and others, played by bots until it is her turn and the view meets a condition."""

    seed: int
    game: str
    options: Plain
    bots: Mapping[str, str]
    condition: Callable[[Plain], bool]
    browser: Plain
    """Options of the Playwright context."""
    replayed: int | None = None
    """The step at which the page replays the whole match; None: it shows the room."""


WIDE: Plain = {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"}
UPRIGHT: Plain = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
DARK, LIGHT = {**UPRIGHT, "color_scheme": "dark"}, {**UPRIGHT, "color_scheme": "light"}
UNO = Scene(
    79,
    "uno",
    {"preset": "family"},
    {"maria": "counter", "ada": "shaper", "bruno": "painfirst", "cleo": "attacker"},
    lambda view: view["phase"] == "play" and view["turn"] == 0 and len(view["hand"]) >= 7 and 1 in view["counts"],
    WIDE,
)
BOARD = Scene(
    5,
    "minesweeper",
    {"mode": "coop", "level": "intermediate", "lives": 3},
    {"maria": "exact", "ada": "adjacency"},
    lambda view: view["phase"] == "playing" and view["open"] > 80,
    LIGHT,
)
RACE = Scene(
    5,
    "minesweeper",
    {"mode": "race", "level": "expert", "penalty": 10_000},
    {"maria": "exact", "ada": "exact", "bruno": "adjacency", "cleo": "article"},
    lambda view: view["phase"] == "playing" and view["players"][0]["open"] > 150,
    WIDE,
)
GOOFSPIEL = Scene(
    7,
    "goofspiel",
    {},
    {"maria": "random", "ada": "matching", "bruno": "random", "cleo": "random"},
    lambda view: view["round"] == 6 and len(view["placed"]) == 2 and 0 not in view["placed"],
    WIDE,
)
FOUR_IN_A_ROW = Scene(
    5,
    "fourinarow",
    {},
    {"maria": "threats", "ada": "threats"},
    lambda view: view["turn"] == 0 and sum(row.count("O") for row in view["board"]) >= 7,
    WIDE,
)
TWENTYONE = Scene(
    8,
    "twentyone",
    {},
    {"maria": "random", "ada": "careful", "bruno": "careful"},
    lambda view: view["turn"] == 0 and len(view["hand"]) >= 3,
    WIDE,
)
PAGES = {
    "page-uno.jpg": UNO,
    "page-phone.jpg": BOARD,
    "page-race.jpg": RACE,
    "page-replay.jpg": attrs.evolve(UNO, replayed=60),
    "page-goofspiel.jpg": GOOFSPIEL,
    "page-goofspiel-phone.jpg": attrs.evolve(GOOFSPIEL, browser=LIGHT),
    "page-fourinarow.jpg": attrs.evolve(FOUR_IN_A_ROW, browser={**WIDE, "color_scheme": "light"}),
    "page-fourinarow-phone.jpg": attrs.evolve(FOUR_IN_A_ROW, browser=DARK),
    "page-twentyone.jpg": TWENTYONE,
    "page-twentyone-phone.jpg": attrs.evolve(TWENTYONE, browser=LIGHT),
}


def why_not() -> str | None:
    """Return why these pictures cannot be made here; None if they can."""
    return missing("chromium")


def take(scene: Scene) -> bytes:
    """Return a picture of the scene as JPEG. The game has to be installed: see `all_games`."""
    with chromium() as browser:
        local, room, token = _play_until_moment(scene)
        context = browser.new_context(reduced_motion="reduce", **scene.browser)
        _connect(context, local, token)
        page = context.new_page()
        if scene.replayed is None:
            page.goto(f"{SITE}/r/{room}")
            page.wait_for_selector(".turn.mine")
            page.wait_for_selector(".hand button, .menu button:visible, .column, .grid button")
        else:
            _replay(page, scene, scene.replayed)
        page.wait_for_load_state("networkidle")
        return page.screenshot(type="jpeg", quality=QUALITY)


def _replay(page: Page, scene: Scene, step: int) -> None:
    """Open the whole match of the scene on ``page``, at ``step``."""
    lines = play_match(scene.seed, scene.game, scene.options, scene.bots)
    page.goto(f"{SITE}/#replay")
    content = "".join(f"{line}\n" for line in lines).encode()
    page.set_input_files("input[type=file]", {"name": "match.jsonl", "mimeType": "text/plain", "buffer": content})
    page.wait_for_selector(".replay .ready, .ready")
    page.fill("input[type=range]", str(step))
    page.wait_for_selector(".replay .card, .replay .grid")
    page.evaluate("() => document.querySelector('.replay').scrollIntoView()")


@contextmanager
def all_games() -> Iterator[None]:
    """Install the example games, and that of a new package, until the end of the context."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as monkeypatch:
        site = Path(folder, "site")
        site.mkdir()
        new_game("twentyone", folder=Path(folder))
        install_example(site, Path(folder, "twentyone"))
        install_examples(site, monkeypatch)
        yield


def _play_until_moment(scene: Scene) -> tuple[Local, str, str]:
    """Play until the condition holds; return the server, the room's code, and the token of ``maria``."""
    local = Local(scene.seed)
    maria, *others = seat_bots(local, scene.seed, scene.game, scene.bots, humans=("maria",))
    maria.peer.send(Create(scene.game, scene.options, seats=len(scene.bots), start="full", hints=False))
    room = next(message.room for message in maria.peer.inbox if isinstance(message, Joined))
    for other in others:
        other.peer.send(Join(room))
    order = Random(scene.seed)
    for _ in range(_MOST):
        if _asked(maria, scene.condition):
            assert maria.peer.token is not None
            return local, room, maria.peer.token
        local.wait(THOUGHT)
        any(player.act() for player in order.sample((maria, *others), k=len(scene.bots)))
    raise AssertionError("the moment of the scene never came")


def _asked(maria: SeatedBot, condition: Callable[[Plain], bool]) -> bool:
    last = maria.peer.inbox[-1] if maria.peer.inbox else None
    return isinstance(last, Turn | Update) and condition(last.view)


def _connect(context: BrowserContext, local: Local, token: str) -> None:
    """Serve the page and the rooms at SITE to the browser, which is logged in as ``maria``."""
    files = pages()

    def serve(route: Route) -> None:
        answer = files.answer("GET", urlsplit(route.request.url).path, {})
        route.fulfill(status=answer.status, headers=answer.headers, body=answer.body)

    def connect(socket: WebSocketRoute) -> None:
        peer = local.open("maria")

        def receive(frame: str | bytes) -> None:
            local.carry_out(local.lobby.receive(peer.conn, json.loads(frame), local.now))
            _flush(peer, socket)

        socket.on_message(receive)

    me = json.dumps(json.dumps({"name": "maria", "token": token, "chosen": True}))
    context.add_init_script(f"sessionStorage.setItem('parlour /', {me})")
    context.route(f"{SITE}/**", serve)
    context.route_web_socket("**", connect)


def _flush(peer: Peer, socket: WebSocketRoute) -> None:
    while peer.inbox:
        socket.send(json.dumps(plain(peer.inbox.popleft())))
