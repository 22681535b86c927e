"""Pictures of the web page in Chromium. Page files come from the package; the rooms run in this process."""

import json
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import attrs
from docs.studio.staged_match import THOUGHT, SeatedBot, seat_bots
from playwright.sync_api import BrowserContext, Route, WebSocketRoute
from tests.support.chromium import chromium
from tests.support.groups import missing

from parlour_protocol.messages import Create, Join, Joined, Plain, Turn, Update
from parlour_protocol.wire import plain
from parlour_server.local import Local, Peer
from parlour_server.transport.pages import pages

SITE = "http://parlour.example"
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


UNO = Scene(
    79,
    "uno",
    {"preset": "family"},
    {"maria": "counter", "ada": "shaper", "bruno": "painfirst", "cleo": "attacker"},
    lambda view: view["phase"] == "play" and view["turn"] == 0 and len(view["hand"]) >= 7 and 1 in view["counts"],
    {"viewport": {"width": 1280, "height": 760}, "color_scheme": "dark"},
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
    """Return why these pictures cannot be made here; None if they can."""
    return missing("chromium")


def take(scene: Scene) -> bytes:
    """Return a picture of the scene as PNG."""
    local, room, token = _play_until_moment(scene)
    with chromium() as browser:
        context = browser.new_context(reduced_motion="reduce", **scene.browser)
        _connect(context, local, token)
        page = context.new_page()
        page.goto(f"{SITE}/r/{room}")
        page.wait_for_selector(".turn.mine")
        page.wait_for_selector(".hand button, .menu button:visible")
        page.wait_for_load_state("networkidle")
        return page.screenshot()


def _play_until_moment(scene: Scene) -> tuple[Local, str, str]:
    """Play until the condition holds; return the server, the room's code, and the token of ``maria``."""
    local = Local(scene.seed)
    maria, *others = seat_bots(local, scene.seed, scene.game, scene.bots, humans=("maria",))
    maria.peer.send(Create(scene.game, scene.options, seats=len(scene.bots), start="full", hints=False))
    room = next(message.room for message in maria.peer.inbox if isinstance(message, Joined))
    for other in others:
        other.peer.send(Join(room))
    for _ in range(_MOST):
        if _asked(maria, scene.condition):
            assert maria.peer.token is not None
            return local, room, maria.peer.token
        local.wait(THOUGHT)
        any(player.act() for player in (*others, maria))
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
