"""What makes the page a game: one press to play, a seat to come back to, presses that show, a hand that stays."""

from typing import Any

import pytest
from playwright.sync_api import Page, Position
from tests.support.server import ServerProcess
from tests.web.fake_server import (
    CLEARED,
    CLEARED_RESULT,
    NO_ROOMS,
    ROOM,
    Answer,
    FakeServer,
    beginner,
    board,
    entered,
    joined,
    names,
    uno,
)
from tests.web.running_matches import guests
from tests.web.visitors import (
    FREE_CHAIR,
    Visitors,
    accessibility_faults,
    address,
    faults,
    go,
    hear,
    invite,
    open_room,
    settle,
    unfold,
)

from parlour_protocol.messages import Plain

pytestmark = pytest.mark.chromium
HAND = [1, 19, 27, 40, 104, 70, 88]
COLOURS: list[Plain] = [{"do": "play", "card": 104, "colour": each} for each in ("red", "yellow", "green", "blue")]
SKIP = "Skip to the end"
_NO_WORDS = "export default {};"
_SPY = """
window.spied = { sounds: 0, vibrations: 0, notes: [] };
for (const kind of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
    const { start } = kind.prototype;
    kind.prototype.start = function (...all) {
        spied.sounds += this.context.state === "running";
        return start.apply(this, all);
    };
}
navigator.vibrate = () => { spied.vibrations++; return true; };
window.Notification = class {
    static permission = "granted";
    constructor(title) {
        spied.notes.push(title);
    }
};
window.away = false;
Object.defineProperty(document, "hidden", { get: () => window.away });
"""
"""Count sounds that are heard, vibrations and notifications, which are allowed; ``away`` hides the page."""
_ANIMATED = """
window.moved = [];
const { animate } = Element.prototype;
Element.prototype.animate = function (how, when) {
    window.moved.push([this.className.split(" ")[0], when.duration]);
    return animate.call(this, how, when);
};
"""
"""Keep what moves, and for how long."""
_CHANGING = """
() => document.getAnimations().flatMap(({ transitionProperty, effect }) =>
    transitionProperty ?? effect.getKeyframes().flatMap(({ offset, computedOffset, easing, composite, ...what }) =>
        Object.keys(what)))
"""
"""Return the properties that change in animations and transitions."""
_COMPOSITED = {"opacity", "rotate", "scale", "transform", "translate", "zIndex"}
"""Properties that change without anything being painted again."""
_MOTION = """
() => performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/games/uno/motion.js"))?.name
"""
"""The address of the module that shows bubbles, once it is loaded."""
_BUBBLES = """
() => {
    window.bubbles = [];
    new MutationObserver((changes) => {
        const added = changes.flatMap((change) => [...change.addedNodes]);
        window.bubbles.push(...added.filter(({ dataset }) => dataset?.words).map(({ dataset }) => dataset.words));
    }).observe(document.body, { childList: true });
}
"""
"""Note the words of bubbles, which are gone after a moment."""
CORNER: Position = {"x": 10, "y": 24}
"""Where a card of a fan can always be seen and pressed: its index."""


def at_the_table(visitors: Visitors, server: ServerProcess, **more: Any) -> tuple[Page, FakeServer]:
    """Return a page with a hand of UNO on a phone, and its server; ``more``: as for ``visitors.arrive``."""
    room = joined("uno", uno(4, HAND, turn=1), 4, seat=0)
    return entered(visitors, server, room, ".hand button", {"act": {"t": "pong"}}, **{"width": 360, **more})


def note_bubbles(page: Page) -> None:
    """Note the words of bubbles from now on. What moves is loaded by the first event at the table, which is over."""
    motion = page.wait_for_function(_MOTION).json_value()
    page.evaluate("url => import(url).then(() => null)", motion)
    page.evaluate(_BUBBLES)


def bubbles(page: Page) -> list[str]:
    """Return the words of the bubbles that were shown, at least one."""
    shown: list[str] = page.wait_for_function("() => window.bubbles.length && window.bubbles").json_value()
    return shown


def test_one_press_leads_to_a_hand_and_to_a_board(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server), 360, reduced_motion="no-preference")
    page.wait_for_selector(".list tbody tr")
    page.wait_for_selector(".goal >> text=Your finished matches appear here")
    assert page.query_selector(".kept") is None
    assert faults(page) == {}
    page.click("text=Play UNO with three bots")
    page.wait_for_selector(".hand button")
    assert page.locator(".seat").count() == 3
    page.click("text=Leave")
    page.click("dialog .danger")
    page.click("button >> text=beginner")
    page.wait_for_selector(".turn.mine ~ .frame .cclosed")


def test_a_pressed_card_shows_it_until_the_server_answers(visitors: Visitors, server: ServerProcess) -> None:
    page, fake = at_the_table(visitors, server)
    fake.ask([{"do": "play", "card": 1}, {"do": "play", "card": 19}])
    page.wait_for_selector(".hand .can")
    page.eval_on_selector("[data-key='1'] button", "card => card.click()")
    assert page.locator(".sent").count() == 1
    page.click("[data-key='19'] button", position=CORNER)
    assert [act["card"] for act in fake.acts] == [1]
    refusal = {"msg": "no", "phrase": "early_call", "fields": {"left": 4}}
    fake.send("error", code="illegal_action", rid=fake.asked[-1].get("rid", 1), legal=[], **refusal)
    page.wait_for_selector(".sent", state="detached")
    page.wait_for_selector("text=This one leaves 4.")


def test_a_card_can_be_dragged_onto_the_pile(visitors: Visitors, server: ServerProcess) -> None:
    page, fake = at_the_table(visitors, server)
    fake.ask([{"do": "play", "card": 1}, {"do": "draw"}])
    page.wait_for_selector(".hand .can")
    assert page.text_content(".menu button") == "Draw d"
    settle(page)
    page.hover("[data-key='1'] button", position=CORNER)
    settle(page)  # it has lifted, and is still under the pointer
    page.mouse.down()
    page.hover(".top", force=True)
    page.mouse.up()
    page.wait_for_selector(".hand .sent")
    assert [act["card"] for act in fake.acts] == [1]


def test_the_hand_stays_where_it_is_when_the_turn_comes(visitors: Visitors, server: ServerProcess) -> None:
    page, fake = at_the_table(visitors, server)
    top = "() => document.querySelector('.hand li').getBoundingClientRect().y"
    for width, height in ((360, 740), (740, 360)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        page.wait_for_selector(".hand button")
        before = page.evaluate(top)
        fake.ask([*COLOURS, {"do": "draw"}], [{"rid": 90, "legal": [{"do": "catch", "seat": 1}, {"do": "uno"}]}])
        page.wait_for_selector(".hand .can")
        assert page.evaluate(top) == before
        page.click("[data-key='104'] button", position=CORNER)
        page.wait_for_selector("text=Name a colour:")
        assert page.evaluate(top) == before
        assert page.evaluate("() => document.querySelector('.hand').getBoundingClientRect().bottom") <= height


def test_a_choice_comes_before_what_is_done_out_of_turn(visitors: Visitors, server: ServerProcess) -> None:
    page, fake = at_the_table(visitors, server)
    fake.ask(COLOURS, [{"rid": 90, "legal": [{"do": "catch", "seat": 1}]}])
    page.click("[data-key='104'] button", position=CORNER)
    page.wait_for_selector(".menu button.loud")
    assert page.evaluate("() => document.activeElement.className") == "colour red"
    page.keyboard.press("6")  # the catch is the sixth button, and no colour
    page.keyboard.press("1")
    page.wait_for_selector(".hand .sent")
    assert fake.acts == COLOURS[:1]


def test_moves_faster_than_anyone_can_watch_are_drawn_once_a_frame(visitors: Visitors, server: ServerProcess) -> None:
    page, fake = at_the_table(visitors, server)
    page.clock.pause_at(page.evaluate("() => Date.now() + 1_000"))
    page.evaluate(
        """() => {
            window.layouts = window.drawn = 0;
            const heights = Object.getOwnPropertyDescriptor(Element.prototype, "scrollHeight");
            const height = { get() { window.layouts++; return heights.get.call(this); } };
            Object.defineProperty(Element.prototype, "scrollHeight", height);
            const title = Object.getOwnPropertyDescriptor(Document.prototype, "title");
            const drawn = { ...title, set(words) { window.drawn++; title.set.call(this, words); } };
            Object.defineProperty(Document.prototype, "title", drawn);
        }"""
    )
    for n in range(60):
        fake.update(uno(4, HAND, turn=n % 3 + 1), {"e": "draw", "seat": 2, "n": 1})
    page.wait_for_function("() => document.querySelectorAll('.log p').length >= 60")
    page.clock.run_for(100)
    layouts, drawn = page.evaluate("() => [window.layouts, window.drawn]")
    assert 0 < layouts < 10
    assert 0 < drawn < 10


def test_chat_that_was_missed_is_shown_after_a_reconnection(visitors: Visitors, server: ServerProcess) -> None:
    page, fake = at_the_table(visitors, server)
    chat = [{"from": "bob", "text": "one"}, {"from": "bob", "text": "two"}]
    fake.chat("bob", "one")
    page.wait_for_selector(".unread >> text=1")
    fake.set_room(
        {**joined("uno", uno(4, HAND, turn=2), 4, seat=0), "seq": 9, "chat": chat, "gap": True, "why": "resume"}
    )
    fake.close(1012)
    page.wait_for_selector(".unread >> text=2")
    page.click("button.drawer")
    assert page.locator(".said q").all_text_contents() == ["one", "two"]
    page.wait_for_selector(".log .note >> text=You missed some moves")
    page.set_viewport_size({"width": 740, "height": 360})
    assert page.evaluate("() => document.querySelector('aside form').getBoundingClientRect().bottom") <= 360
    page.keyboard.press("Escape")
    assert page.get_attribute("button.drawer", "aria-expanded") == "false"


def test_a_host_who_watches_starts_the_match_of_others(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, "#create"))
    page.wait_for_selector("#field-scoring")
    unfold(page)
    page.select_option("#field-as", "spectator")
    page.click("text=Create room")
    page.wait_for_selector("button:disabled >> text=Start now")
    invite(page, 1, 0)
    page.click(".chairs .small")
    page.wait_for_selector("dialog .bots button >> nth=2")
    offered = page.eval_on_selector_all(".bots button", "all => all.map((each) => each.dataset.choice)")
    assert not {"mina", "milo", "adam"} & set(offered)  # they play Minesweeper
    assert faults(page) == {}
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.focus(FREE_CHAIR)
    page.keyboard.press("Enter")
    page.wait_for_selector(".people li:nth-child(2)")
    assert page.evaluate("() => document.activeElement.className") == "portrait"
    page.click("text=Start now")
    page.wait_for_selector(".seat >> nth=1")


def test_a_host_changes_the_rules_of_the_next_match(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, "#create"), 360)
    room = open_room(page)
    with guests(server, "gwen", "hugo") as [gwen, hugo]:
        gwen.ask(t="join", room=room)
        hugo.ask(t="join", room=room)
        page.wait_for_selector(".people li >> nth=2", state="attached")
        page.click("[aria-label='Change rules']")
        page.wait_for_selector("dialog #field-seats")
        assert faults(page) == {}
        page.check("dialog input[value=family]", force=True)
        page.fill("dialog #field-seats", "2")
        page.click("dialog button.main")
        page.wait_for_selector("dialog .wrong[data-code=bad_options]")
        page.fill("dialog #field-seats", "3")
        page.select_option("dialog #field-clock", "none")
        page.click("dialog button.main")
        page.wait_for_selector("dialog", state="detached")
        page.wait_for_selector(".wait .rules >> text=Draw two on draw two")
        page.wait_for_selector(".log .note >> text=has changed the rules", state="attached")
        told = gwen.ask(t="join", room=room)["table"]
        page.click("[aria-label='Change rules']")  # begins with what is in force
        page.wait_for_selector("dialog #field-seats")
        assert page.input_value("dialog #field-seats") == "3"
        assert page.input_value("dialog #field-clock") == "none"
        assert page.is_checked("dialog input[value=family]")
    assert (told["options"]["preset"], told["size"], told["clock"]) == ("family", 3, None)


def test_a_seat_is_handed_over_in_a_match_and_back(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.visit(address(server, "#create"), 360)
    room = open_room(page)
    with guests(server, "ivan", "jill") as [ivan, jill]:
        ivan.ask(t="join", room=room)
        jill.ask(t="join", room=room, **{"as": "spectator"})
        page.click("text=Start")
        page.wait_for_selector(".hand .card")
        jill.ask(t="handover", room=room, seat=0)
        page.click("button.drawer")
        page.click(".people >> text=Give it")
        assert faults(page) == {}
        page.click("dialog button.danger")
        page.wait_for_selector(".hand", state="detached")
        assert jill.ask(t="join", room=room)["seat"] == 0
        page.click(".people li:first-child >> text=Ask for the seat")
        page.wait_for_selector("text=You have asked for the seat.")
        page.wait_for_selector(".people >> text=Withdraw")
        [asked] = jill.ask(t="join", room=room)["table"]["requests"]
        jill.ask(t="handover", room=room, to=asked["name"])
        page.wait_for_selector(".hand .card")
        page.wait_for_selector(".log .note >> text=given your seat away", state="attached")


def test_moves_of_others_are_shown_one_by_one_while_clocks_run(visitors: Visitors, server: ServerProcess) -> None:
    room = joined("uno", uno(4, HAND, turn=1), 4, seat=0)
    room["table"]["seats"][3]["left"] = 30_000
    script = "localStorage.setItem('parlour pace', '1')"
    page, fake = entered(visitors, server, room, ".hand button", script=script, clock=True, has_touch=True)
    page.clock.pause_at(page.evaluate("() => Date.now()") / 1_000 + 1)
    top = "() => document.querySelector('.top > .card:not(.below) .chip').textContent"
    for seat, card in ((1, 7), (2, 9), (3, 11)):
        fake.update(uno(4, HAND, turn=(seat + 1) % 4, top=card), {"e": "play", "seat": seat, "card": card})
    fake.chat("bob", "ready")
    page.wait_for_selector(".said >> text=ready")
    shown = []
    for milliseconds in (0, 549, 1, 550):
        page.clock.run_for(milliseconds)
        shown.append(page.evaluate(top))
    assert shown == ["4", "4", "5", "6"]
    held = [page.text_content(".people .held:not(:empty)") or ""]
    page.clock.run_for(2_000)
    held.append(page.text_content(".people .held:not(:empty)") or "")
    first, second = (int(words.removeprefix("seat held for ").removesuffix(" s")) for words in held)
    assert first - second == 2


def test_a_turn_is_heard_felt_and_told_to_those_who_look_elsewhere(visitors: Visitors, server: ServerProcess) -> None:
    room = joined("uno", uno(2, HAND, turn=1), 2, seat=0)
    page, fake = entered(visitors, server, room, ".hand button", {"act": {"t": "pong"}}, script=_SPY)
    page.click(".top")  # before a press, browsers play nothing

    def play(rid: int) -> None:
        fake.ask(
            [{"do": "draw"}], rid=rid, view=uno(2, HAND, turn=0, top=7), events=[{"e": "play", "seat": 1, "card": 7}]
        )

    play(1)
    page.wait_for_function("() => spied.sounds > 0")
    assert page.evaluate("() => spied.vibrations + spied.notes.length") == 0
    page.evaluate("() => { window.away = true; }")
    play(2)
    page.wait_for_function("() => spied.vibrations === 1 && spied.notes.join() === 'Your turn'")
    page.evaluate("() => { window.away = false; spied.sounds = 0; localStorage.setItem('parlour sound', 'false'); }")
    play(3)
    fake.chat("bob", "ready")
    page.wait_for_selector(".said >> text=ready")  # so what came before it has been heard
    assert page.evaluate("() => spied.sounds") == 0
    view = uno(2, HAND, turn=1, top=9)
    note_bubbles(page)
    fake.update(view, {"e": "caught", "seat": 1, "by": 0})
    assert bubbles(page) == ["caught!"]
    ended = {"e": "round", "winner": 0, "points": [0, 5], "scores": [5, 0]}
    fake.update(view, {"e": "skip", "seat": 1}, ended)
    page.wait_for_selector(".log >> text=You win the round")
    assert bubbles(page) == ["caught!"]  # the result is there


def test_words_over_the_same_seat_are_said_together(visitors: Visitors, server: ServerProcess) -> None:
    page, fake = at_the_table(visitors, server)
    for _ in range(2):  # the first waits for the words of the game, and shows nothing
        fake.update(uno(4, HAND, turn=1), {"e": "reverse", "direction": -1})
        page.wait_for_selector(".log p", state="attached")
    note_bubbles(page)
    fake.update(uno(4, HAND, turn=2), {"e": "accept", "seat": 1}, {"e": "draw", "seat": 1, "n": 4})
    assert bubbles(page) == ["accepts · +4"]


OUT: dict[str, Plain] = {
    "uno": uno(4, HAND, turn=1, out=[0]),
    "minesweeper": board(mode="race", players=[{"state": "out", "open": 0}, *[{"state": "in", "open": 0}] * 3]),
}
"""Views of a match that goes on without seat 0."""


@pytest.mark.parametrize(("game", "lang", "words"), [("uno", "en", SKIP), ("minesweeper", "de", "Zum Ende springen")])
def test_who_is_out_skips_to_the_end(
    visitors: Visitors, server: ServerProcess, game: str, lang: str, words: str
) -> None:
    room = joined(game, OUT[game], 4, seat=0)
    page, fake = entered(visitors, server, room, f".menu >> text={words}", {"hurry": {"t": "ok"}}, locale=lang)
    assert faults(page) == {}
    page.click(f".menu >> text={words}")
    page.wait_for_selector(f".menu >> text={words}", state="hidden")
    assert [asked["room"] for asked in fake.asked if asked["t"] == "hurry"] == [ROOM]


def test_nobody_else_skips_to_the_end(visitors: Visitors, server: ServerProcess) -> None:
    can: dict[str, Answer] = {"hurry": {"t": "ok"}}
    skipped = joined("uno", OUT["uno"], 4, seat=0)
    skipped["table"]["pace"] = 0
    page, _ = entered(visitors, server, joined("uno", OUT["uno"], 4, seat=0), ".hand button")  # unable
    assert page.locator(f"button >> text={SKIP}").count() == 0
    for room, mark in (
        (joined("uno", {**OUT["uno"], "out": [2]}, 4, seat=0), ".hand button"),
        (joined("uno", OUT["uno"], 4), ".top .card"),
        (skipped, ".hand button"),
    ):
        FakeServer(page, room, can)
        page.reload()
        page.wait_for_selector(mark)
        assert page.locator(f"button >> text={SKIP}").count() == 0


def test_a_host_who_watches_sees_no_waiting_room_in_a_match(visitors: Visitors, server: ServerProcess) -> None:
    room = joined("uno", None, 4)
    page, fake = entered(visitors, server, room, ".wait p", {"list": NO_ROOMS}, clock=True)
    table = {**room["table"], "size": 4, "host": fake.asked[0]["name"]}
    fake.send("seats", table=table)
    page.wait_for_selector(".wait button >> text=Start now")
    fake.send("seats", table={**table, "state": "playing"})
    fake.update(uno(4))
    page.wait_for_selector(".wait >> text=You are watching.")
    page.clock.run_for(4_000)
    assert page.locator(".wait button >> text=Start now").count() == 0


def test_the_log_follows_when_it_gets_lower(visitors: Visitors, server: ServerProcess) -> None:
    page, fake = at_the_table(visitors, server, width=1280)

    def say(lines: list[str]) -> None:
        for line in lines:
            fake.chat("bob", line)
        page.wait_for_selector(f".said >> text=/^{lines[-1]}$/")

    for number in range(0, 60, 3):
        say([f"line {number + more}" for more in range(3)])
    page.set_viewport_size({"width": 1280, "height": 600})
    say(["last"])
    log = "document.querySelector('.log')"
    page.wait_for_function(f"() => {log}.scrollHeight - {log}.scrollTop - {log}.clientHeight < 2")


def test_the_invitation_is_a_link_and_a_code_to_scan(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.arrive()
    page.add_init_script("navigator.share = async (what) => { window.shared = what; throw new DOMException(); };")
    page.goto(address(server, "#create"))
    room = open_room(page)
    page.click("text=/^Share$/")
    assert page.wait_for_function("() => window.shared?.url").json_value() == address(server, f"r/{room}")
    page.wait_for_selector(".invite .qr")  # beside it where there is space, else in a dialog
    page.set_viewport_size({"width": 390, "height": 844})
    page.click("text=QR code")
    page.wait_for_selector("dialog img.qr")
    assert page.eval_on_selector("img.qr", "image => image.decode().then(() => image.naturalWidth > 0)")


def test_an_unknown_game_is_played_from_its_view_and_actions(visitors: Visitors, server: ServerProcess) -> None:
    view = {"turn": 0, "board": ["...", ".x.", "o.."], "hand": [3, 8], "scores": [1, 4], "line": [[1, 1]]}
    page = visitors.arrive(360)
    fake = FakeServer(page, joined("chess", view, 2, seat=0), {"act": {"t": "pong"}})
    page.route("**/phrases/en/chess*.js", lambda asked: asked.fulfill(content_type="text/javascript", body=_NO_WORDS))
    page.goto(address(server, f"r/{ROOM}"))
    page.wait_for_selector(".any .board")
    puts = [{"do": "put", "row": 0, "column": column} for column in range(3)]
    moves = [{"do": "move", "from": [1, 1], "to": [2, column]} for column in (1, 2)]
    says = [{"do": "say", "n": n} for n in range(80)]  # more than the page has room for
    legal: list[Plain] = [*puts, {"do": "bid", "card": 8}, *moves, *says]
    fake.ask(legal)
    page.wait_for_selector("#cell-0-1.can")
    assert page.locator(".marked").count() == 1
    assert sorted(each[-1] for each in page.locator(".any .tally").all_text_contents()) == ["1", "4"]
    assert faults(page) == {}
    page.click("#cell-1-1")
    page.click("#cell-2-2.can")
    fake.ask(legal)
    page.click(".hand button.can")
    fake.ask(legal)
    page.click("text='say n 0'")
    assert fake.acts == [{"do": "move", "from": [1, 1], "to": [2, 2]}, {"do": "bid", "card": 8}, {"do": "say", "n": 0}]


def test_the_host_is_offered_no_removal_in_a_match_that_counts(visitors: Visitors, server: ServerProcess) -> None:
    page, fake = at_the_table(visitors, server)
    asks = [{"seat": 0, "name": "vera", "kind": "human"}]
    table = {**joined("uno", None, 4)["table"], "state": "playing", "host": fake.asked[0]["name"], "requests": asks}
    for unrated, more in ((None, []), ("alone", ["addtime"]), ("casual", ["addtime", "kick", "ban"])):
        fake.send("seats", table={**table, **({"unrated": unrated} if unrated else {})})
        fake.chat("vera", f"case {unrated}")
        page.wait_for_selector(f".said >> text='case {unrated}'", state="attached")
        page.eval_on_selector(".people li:nth-child(2) [aria-label^='Manage ']", "button => button.click()")
        page.wait_for_selector("dialog button[data-do=mute]")
        offered = page.eval_on_selector_all("dialog button[data-do]", "found => found.map((each) => each.dataset.do)")
        assert set(offered) == {"mute", *more}
        assert ("This match counts" in page.inner_text("dialog")) is (unrated != "casual")
        assert page.locator("button >> text=Give it").count() == (unrated == "casual")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")


def test_friends_can_come_in_from_a_terminal(visitors: Visitors, server: ServerProcess) -> None:
    page = visitors.arrive()
    for more, line in (({}, []), ({"ssh": 2222}, [f"ssh -t -p 2222 localhost {ROOM}"])):
        FakeServer(page, joined("uno", None, 2, seat=0), None, **more)
        page.goto(address(server, f"r/{ROOM}"))
        page.wait_for_selector(".invite input.link")
        lines = page.eval_on_selector_all(".invite input.link", "fields => fields.map((each) => each.value)")
        assert lines == [address(server, f"r/{ROOM}"), *line]
        assert faults(page) == {}


@pytest.mark.parametrize(
    ("own", "said", "result"),
    [
        ({"room": ROOM}, "it counts", "parlour daily"),
        ({"room": "OTHER", "ms": 41_000}, "this is practice. Your first attempt counts: 0:41", "0:41"),
        ({}, "your first attempt counts", "parlour daily"),
        (None, "Practice", "Practice"),
    ],
)
def test_it_is_said_what_counts_of_a_board(
    visitors: Visitors, server: ServerProcess, own: Plain | None, said: str, result: str
) -> None:
    day = "2026-11-28"
    room = beginner(board(3, 3, 1, phase="new"))
    today = {"deal": "daily", "context": f"daily/{day}/beginner"}
    room["table"]["fair"] |= {"deal": "chosen"} if own is None else today
    about = {"t": "daily", "day": day, "board": "beginner", "commit": "", "context": "", "left": 9, "rows": []}
    answers: dict[str, Answer] = {"daily": {**about, "you": {"played": True, "days": 0, **(own or {})}}}
    page, fake = entered(visitors, server, room, f".panels [role=status] >> text={said}", answers)
    assert [asked["day"] for asked in fake.asked if asked["t"] == "daily"] == ([] if own is None else [day])
    fake.end(CLEARED, CLEARED_RESULT)
    page.wait_for_selector(f".brought >> text={result}")
    assert page.locator(".brought >> text=parlour daily").count() == (result == "parlour daily")


def test_a_win_can_be_shared_and_stands_on_the_shelf(visitors: Visitors, server: ServerProcess) -> None:
    digest = "d" * 64
    room = beginner(board(3, 3, 1, phase="new"))
    mine, today = {"name": "ada", "kind": "human", "ms": 61_000}, "2026-03-01"
    tables: dict[str, Plain] = {
        today: {"rows": [], "you": {"played": False, "days": 4}},
        "2026-02-28": {"rows": [{**mine, "ms": 9_000}, mine], "you": {"played": True, "days": 4, "ms": 61_000}},
    }
    profile = {"game": "minesweeper", "matches": 1, "wins": 1, "streak": 1, "longest": 3, "times": [], "last": []}

    def daily(asked: Plain) -> Plain:
        board, day = asked["board"], asked.get("day", today)
        if board != "beginner":
            return {"t": "error", "code": "no_board", "msg": "none", "hint": ""}
        boards = [{"board": board, "game": "minesweeper", "best": "time"}]
        about = {"t": "daily", "day": day, "board": board, "commit": "", "context": "", "left": 9, "boards": boards}
        return {**about, **tables[day]}

    mine_only: Plain = {"t": "profile", "name": "ada", "games": [profile]}
    answers: dict[str, Answer] = {"profile": mine_only, "daily": daily, "list": NO_ROOMS}
    script = "navigator.share = async ({ text }) => { window.shared = text; }"
    page, fake = entered(visitors, server, room, ".grid button", answers, script=script)
    begun = board(3, 3, 1, phase="open", rows=["1..", "...", "..."], players=[{"state": "in", "open": 1}])
    fake.update(begun, {"e": "board"}, {"e": "open", "seat": 0, "n": 1, "at": [[0, 0]]})
    page.wait_for_selector(".grid .c1")
    fake.end(CLEARED, CLEARED_RESULT, digest)
    page.click(".brought button >> text=Share")
    line, rate, course, link = page.evaluate("() => window.shared").splitlines()
    assert (line, rate) == ("parlour Minesweeper beginner: 1:01", "3BV/s 0.05")
    assert set(course) <= set("▁▂▃▄▅▆▇█")
    assert link == address(server, f"#replay={digest}")
    go(page, address(server))
    page.wait_for_selector(f".kept[href='#replay={digest}'] .small-board")
    page.wait_for_selector("[data-board=beginner] small >> text=4 days in a row yesterday 2 of 2")
    page.wait_for_selector(".goal >> text=5 days in a row")
    assert faults(page) == {}


def test_the_score_of_the_evening_survives_a_reload(visitors: Visitors, server: ServerProcess) -> None:
    view, room = uno(2, HAND, phase="over", turn=None), joined("uno", uno(2, HAND, turn=1), 2, seat=0)
    page, fake = entered(visitors, server, room, ".hand button")
    result = {"ranks": {"0": 1, "1": 2}, "scores": {"0": 9, "1": 0}, "why": "points"}
    for digest in ("a" * 64, "b" * 64):
        page.wait_for_selector(".hand button")
        fake.end(view, result, digest)
        page.wait_for_selector(".results .ranks")
        page.wait_for_selector(".panels.after button.main >> text=Play again")  # the table that says so comes later
        assert page.locator(".wait h1:visible").count() == 0, "nobody is invited"
        shown = page.query_selector(".evening") and page.inner_text(".evening")
        fake.set_room(room)
        page.reload()
    assert shown == f"Matches won here: {names(2)[0]} 2 · {names(2)[1]} 0 · 2 in a row for you"


def test_a_reaction_is_shown_over_its_seat_and_not_in_the_log(visitors: Visitors, server: ServerProcess) -> None:
    room = joined("uno", uno(3, [1, 2, 3], turn=1), 3, seat=0)
    page, fake = entered(visitors, server, room, ".own-seat .portrait", width=360)
    page.click(".own-seat .portrait")
    page.keyboard.press("Escape")
    assert not page.is_visible(".wheel")
    page.keyboard.press("Enter")
    assert len(page.query_selector_all(".wheel button:focus, .wheel button:not(:focus)")) == 6
    assert accessibility_faults(page) == []
    page.keyboard.press("Enter")  # on the first one
    page.wait_for_selector(".wheel", state="hidden")
    assert [asked["text"] for asked in fake.asked if asked["t"] == "chat"] == ["👍"]
    page.evaluate(_BUBBLES)
    for name, text in ((names(3)[1], "🔥"), ("nobody", "👏"), (names(3)[2], "x")):
        fake.chat(name, text)
    page.wait_for_selector(".said >> nth=1", state="attached")
    assert page.locator(".said q").all_text_contents() == ["👏", "x"]
    assert page.evaluate("() => window.bubbles") == ["🔥"]
    hear(page, "🔥")


def test_people_who_wait_for_a_match_react_over_their_chairs(visitors: Visitors, server: ServerProcess) -> None:
    page, fake = entered(visitors, server, joined("uno", None, 4, seat=2), ".chairs .own-seat .portrait", width=360)
    page.click(".chairs .own-seat .portrait")
    assert faults(page) == {}
    page.click(".wheel button >> nth=5")
    page.wait_for_selector(".wheel", state="hidden")
    assert [asked["text"] for asked in fake.asked if asked["t"] == "chat"] == ["🔥"]
    chairs = {name: page.locator(f".chairs [data-key={name}]").bounding_box() for name in names(4)[:3]}
    for (name, chair), words in zip(chairs.items(), "👍👏😂", strict=True):
        fake.chat(name, words)
        bubble = page.wait_for_selector(f".bubble.reaction[data-words='{words}']").bounding_box()  # type: ignore[union-attr]
        assert bubble is not None
        assert chair is not None
        assert abs(bubble["x"] + bubble["width"] / 2 - chair["x"] - chair["width"] / 2) < chair["width"] / 2, name
    table = joined("uno", None, 4)["table"]
    fake.send("seats", table={**table, "seats": [{**row, "ready": True} for row in table["seats"]]})
    page.wait_for_selector(f".chairs [data-key={names(4)[2]}] >> text=ready")
    page.wait_for_selector(".chairs .own-seat .portrait")  # also when the chair has been drawn again


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_wild_draw_four_slams_and_washes_the_table(visitors: Visitors, server: ServerProcess, motion: str) -> None:
    room = joined("uno", uno(2, HAND, turn=1), 2, seat=0)
    page, fake = entered(visitors, server, room, ".hand button", script=_ANIMATED, reduced_motion=motion)
    with page.expect_request("**/games/uno/motion.js") as motions:
        fake.update(uno(2, HAND, turn=1), {"e": "pass", "seat": 0})
    page.evaluate("url => import(url).then(() => null)", motions.value.url)
    play = {"e": "play", "seat": 1, "card": 105, "colour": "blue"}
    fake.update(uno(2, HAND, turn=0, top=105, colour="blue"), play)
    page.wait_for_selector("[data-colour=blue]")
    page.wait_for_selector(".log p >> nth=1")
    expected = [["felt", 500], ["card", 180], ["piles", 120], ["wash", 420]] if motion == "no-preference" else []
    page.wait_for_function("n => window.moved.length >= n", arg=len(expected))
    assert set(page.evaluate(_CHANGING)) <= _COMPOSITED
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("() => window.moved") == expected
    page.wait_for_selector(".piles:not(.landing)")
