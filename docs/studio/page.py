"""The web page in pictures: Chromium shows it, its files come from the package, and the rooms are in this process."""

import json
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import attrs
from docs.studio.table import THOUGHT, Seated, seated
from playwright.sync_api import BrowserContext, Route, WebSocketRoute
from tests.support.chromium import chromium
from tests.support.groups import missing

from parlour_protocol.messages import Create, Join, Joined, Plain, Turn, Update
from parlour_protocol.wire import plain
from parlour_server.local import Local, Peer
from parlour_server.transport.pages import pages

SITE = "http://parlour.example"
_MOST = 2_000
"""Acts until a moment has come."""


@attrs.frozen
class Scene:
    """A match of ``maria`` and others, all played by bots up to the moment at which she is asked something fit."""

    seed: int
    game: str
    options: Plain
    bots: Mapping[str, str]
    fit: Callable[[Plain], bool]
    look: Plain
    """How the browser is: the options of a context of Playwright."""


UNO = Scene(
    79,
    "uno",
    {"preset": "family"},
    {"maria": "counter", "ada": "shaper", "bruno": "painfirst", "cleo": "attacker"},
    lambda view: view["phase"] == "play" and view["turn"] == 0 and len(view["hand"]) >= 7 and 1 in view["counts"],
    {"viewport": {"width": 1100, "height": 720}, "color_scheme": "dark"},
)
PHONE = Scene(
    5,
    "minesweeper",
    {"mode": "coop", "level": "intermediate", "lives": 3},
    {"maria": "exact", "ada": "adjacency"},
    lambda view: view["phase"] == "playing" and view["open"] > 80,
    {"viewport": {"width": 390, "height": 760}, "color_scheme": "light", "has_touch": True, "is_mobile": True},
)
PAGES = {"page-uno.png": UNO, "page-phone.png": PHONE}


def why_not() -> str | None:
    """Return what is missing for these pictures; None if nothing."""
    return missing("chromium")


def take(scene: Scene) -> bytes:
    """Return the picture of a scene, as PNG."""
    hall, room, token = _moment(scene)
    with chromium() as browser:
        context = browser.new_context(reduced_motion="reduce", **scene.look)
        _connect(context, hall, token)
        page = context.new_page()
        page.goto(f"{SITE}/r/{room}")
        page.wait_for_selector(".turn.mine")
        page.wait_for_selector(".hand button, .menu button:visible")
        page.wait_for_load_state("networkidle")
        return page.screenshot()


def _moment(scene: Scene) -> tuple[Local, str, str]:
    """Play until the moment; return the hall, the room's code, and the token of ``maria``."""
    hall = Local(scene.seed)
    maria, *others = seated(hall, scene.seed, scene.game, scene.bots, people=("maria",))
    maria.peer.send(Create(scene.game, scene.options, seats=len(scene.bots), start="full", hints=False))
    room = next(message.room for message in maria.peer.inbox if isinstance(message, Joined))
    for other in others:
        other.peer.send(Join(room))
    for _ in range(_MOST):
        if _asked(maria, scene.fit):
            assert maria.peer.token is not None
            return hall, room, maria.peer.token
        hall.wait(THOUGHT)
        any(player.act() for player in (*others, maria))
    raise AssertionError("there was no such moment")


def _asked(maria: Seated, fit: Callable[[Plain], bool]) -> bool:
    last = maria.peer.inbox[-1] if maria.peer.inbox else None
    return isinstance(last, Turn | Update) and fit(last.view)


def _connect(context: BrowserContext, hall: Local, token: str) -> None:
    """Let the browser find the page and the rooms at SITE, and be ``maria`` there."""
    files = pages()

    def serve(route: Route) -> None:
        answer = files.answer("GET", urlsplit(route.request.url).path, {})
        route.fulfill(status=answer.status, headers=answer.headers, body=answer.body)

    def talk(socket: WebSocketRoute) -> None:
        peer = hall.open("maria")

        def hear(frame: str | bytes) -> None:
            hall.carry_out(hall.lobby.receive(peer.conn, json.loads(frame), hall.now))
            _read_out(peer, socket)

        socket.on_message(hear)

    me = json.dumps(json.dumps({"name": "maria", "token": token, "chosen": True}))
    context.add_init_script(f"sessionStorage.setItem('parlour /', {me})")
    context.route(f"{SITE}/**", serve)
    context.route_web_socket("**", talk)


def _read_out(peer: Peer, socket: WebSocketRoute) -> None:
    while peer.inbox:
        socket.send(json.dumps(plain(peer.inbox.popleft())))
