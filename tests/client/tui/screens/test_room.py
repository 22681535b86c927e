"""A room on the screen, with the test at the far end."""

import re
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace
from rich.text import Text
from tests.client import minesweeper_rooms
from tests.client.messages import PEOPLE, PLAYING, ROOM, VIEW, joined, over, said, seats, table, turn, update, welcome
from tests.client.tui.scripted_app import SIZES, URL, BlankWidget, Seen, at_table
from tests.client.tui.snapshots import lines, missing, shows, targets, underlined
from textual.binding import Binding, BindingType

from parlour_client.core.errors import Fault, Interrupted, Refused, WrongProtocol
from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.storage import history
from parlour_client.text.room_lines import what_counts
from parlour_client.tui.screens import room, room_base
from parlour_client.tui.screens.base import HelpDialog
from parlour_client.tui.screens.dialogs import Actions, ConfirmDialog
from parlour_client.tui.screens.room import RoomScreen
from parlour_client.tui.widgets import canvas
from parlour_client.tui.widgets.header import ContextBar, in_force
from parlour_client.tui.widgets.keys import HintBar, label_of
from parlour_protocol.messages import Act, Chat, Error, File, Hurry, Join, Leave, Left, Ok, Ping, Pong, Ready

LEGAL: list[dict[str, Any]] = [{"do": "play", "card": 9}, {"do": "draw"}]


def context(seen: Seen) -> str:
    return lines(seen.app)[0]


def hints(seen: Seen) -> str:
    return lines(seen.app)[-1]


def talk(seen: Seen) -> list[str]:
    return [line.plain for line in seen.screen._event_log._lines]


async def test_the_context_bar_tells_where_we_are() -> None:
    rules = table("playing", options={"scoring": "race", "target": 500, "stack2": True, "jump_in": False})
    async with at_table(welcome(), joined(table=rules, view=VIEW)) as seen:
        assert seen.far.heard(Join) == [Join(ROOM, id=1)]
        assert context(seen).split("  ›  ") == [
            " parlour",
            "UNO",
            f"room {ROOM}   round 1 · first to 500 · Draw two on draw two".ljust(80 - len(" parlour  ›  UNO  ›  ")),
        ]


@pytest.mark.parametrize("size", SIZES)
async def test_the_context_bar_leaves_out_whole_parts(size: tuple[int, int]) -> None:
    daily = table(fair={"commit": "c1", "context": "x", "nonces": {}, "deal": "daily"}, options={"level": "expert"})
    counts = what_counts(JoinedRoom.of(joined(table=daily)), short=True)
    async with at_table(welcome(), joined(table=daily, game="minesweeper", room="QVCNTMGD")) as seen:
        await seen.pilot.resize_terminal(*size)
        (ping,) = seen.far.heard(Ping)
        await seen.hear(Pong(re=ping.id))
        assert f"room QVCNTMGD   {counts}" in context(seen)
        assert "…" not in context(seen)
        await seen.become("lost", "the connection broke off, as the server does not answer", 4.0)
        assert "again in 4 s" in context(seen)
        assert ("does not answer" in context(seen)) == (size[0] >= 100)
        assert "…" not in context(seen)


async def test_a_server_of_ones_own_needs_neither_codes_nor_invitations() -> None:
    async with at_table(welcome(), joined(), private=True) as seen:
        assert not shows(seen.app, "parlour join")
        (ping,) = seen.far.heard(Ping)
        await seen.hear(Pong(re=ping.id), seats(1, table("playing")), update(2))
        assert ROOM not in "\n".join([*lines(seen.app), seen.app.title])
        assert not context(seen).rstrip().endswith(" ms")


async def test_a_server_of_ones_own_tells_nothing_about_ratings() -> None:
    ended = over(4)
    ended.result["unrated"] = "address"
    why = say("room.unrated", why="address")
    for private in (False, True):
        alone = joined(table=table(size=4, standin=True, unrated="alone"))
        async with at_table(welcome(), alone, private=private, size=(120, 40)) as seen:
            assert shows(seen.app, say("room.standins", standin=True)) != private
            await seen.hear(seats(1, table(size=4, standin=True, unrated="address")))
            assert any(why in line for line in talk(seen)) != private
            await seen.hear(seats(2, table("playing")), update(3), ended, seats(5, table("finished")))
            assert (why in str(seen.screen._results._text.render())) != private


def listed(seen: Seen) -> set[str]:
    """Return the actions of the command palette."""
    return {name for name, *_ in Actions(seen.screen)._found()}


async def test_the_palette_lists_what_is_possible_now() -> None:
    start, invite = label_of("waiting.start"), label_of("waiting.invite")
    play, draw, accept = label_of("uno.play"), label_of("uno.draw"), label_of("uno.accept")
    ready, save, view = label_of("room.ready"), label_of("room.save"), label_of("room.view")
    every = {start, invite, play, draw, accept, ready, save, view}
    async with at_table(welcome(), joined()) as seen:
        assert listed(seen) & every == {start, invite, ready}
        await seen.hear(seats(1, table("playing")), update(2))
        assert listed(seen) & every == set()
        await seen.hear(turn(3, 7, LEGAL))
        assert listed(seen) & every == {play, draw}
        await seen.hear(over(4), seats(5, table("finished")))
        assert listed(seen) & every == {ready, save, view}


async def test_keys_play_the_same_deal_again_and_copy_the_line_about_a_win() -> None:
    bots = [PEOPLE[0], *({**each, "kind": "bot"} for each in PEOPLE[1:])]
    won: Any = {"ranks": {"0": 1, "1": 2}, "scores": {"0": 512, "1": 3}, "why": "target"}
    async with at_table(welcome(), joined(table=table("playing", seats=bots), view=VIEW)) as seen:
        await seen.press("y")
        assert seen.app.clipboard == ""
        await seen.hear(over(1, result=won))
        assert {label_of("room.repeat"), label_of("room.copy")} <= listed(seen)
        await seen.press("y")
        assert seen.app.clipboard.startswith("parlour UNO: ")
        await seen.press("A")
        assert [ask.digest for ask in seen.far.heard(File)] == ["d16e57"]


async def test_a_server_that_does_not_answer_is_shown_with_its_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        (ping,) = seen.far.heard(Ping)
        await seen.hear(Pong(re=ping.id))
        assert context(seen).rstrip().endswith(" ms")
        bar, now = seen.screen._bar, 100.0
        monkeypatch.setattr(bar, "_now", lambda: now)
        await seen.screen._ping()
        now = 120.0
        bar.refresh()
        await seen.settle()
        assert context(seen).rstrip().endswith("no answer for 20 s")
        await seen.hear(Pong(re=seen.far.heard(Ping)[-1].id))
        assert context(seen).rstrip().endswith(" ms")


async def test_a_refused_act_says_why_and_can_be_tried_again() -> None:
    async with at_table(welcome(), joined(**PLAYING), turn(0, 7, LEGAL), size=(100, 30)) as seen:
        await seen.press("1", "1")
        assert [(act.rid, act.act) for act in seen.far.heard(Act)] == [(7, LEGAL[0])], "one answer is on its way"
        await seen.hear(Error("illegal_action", "red 5 does not fit", room=ROOM, rid=7, left=9000))
        assert "Not possible: red 5 does not fit" in seen.screen.game_widget.turn.words  # type: ignore[union-attr]
        await seen.press("1")
        assert len(seen.far.heard(Act)) == 2


async def test_chat_that_was_not_seen_is_counted_until_the_log_is_opened() -> None:
    async with at_table(welcome(), joined(**PLAYING), turn(0, 7, LEGAL)) as seen:
        await seen.hear(said(1, "otto", "hello"), said(2, "maria", "hi"), said(3, "otto", "well"))
        assert "otto: well" in seen.screen.game_widget.turn.words  # type: ignore[union-attr]
        assert "L 2 unread" in hints(seen)
        await seen.press("L")
        await seen.hear(said(4, "otto", "again"))
        assert "unread" not in hints(seen)
        await seen.press("L")
        assert "unread" not in hints(seen), "what the open log shows is read"


async def test_what_happens_is_in_the_log_which_is_behind_a_key_where_there_is_no_room() -> None:
    away = table("playing", seats=[PEOPLE[0], {**PEOPLE[1], "here": False, "left": 28_000}, PEOPLE[2]])
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        await seen.hear(update(1, {"e": "pass", "seat": 1}), said(2, "otto", "not \x1b[2Jagain"), seats(3, away))
        assert talk(seen) == [
            "otto passes.",
            "otto “not \ufffd[2Jagain”",
            "otto has lost the connection; the seat is held 28 s.",
        ]
        for keys, there in (([], False), (["L"], True), (["L"], False), (["L", "escape"], False)):
            await seen.press(*keys)
            assert shows(seen.app, "otto “not") is there
        await seen.pilot.resize_terminal(120, 40)
        assert shows(seen.app, "otto “not")


async def test_a_person_says_something() -> None:
    async with at_table(welcome(), joined(**PLAYING), turn(0, 7, LEGAL)) as seen:
        await seen.press("t", "1", "q", "enter")
        assert [chat.text for chat in seen.far.heard(Chat)] == ["1q"]
        await seen.press("t", "x", "escape", "t", "enter")
        assert len(seen.far.heard(Chat)) == 1
        assert seen.far.heard(Act) == []
        await seen.press("1")  # the keys are the game's again
        assert len(seen.far.heard(Act)) == 1


async def test_a_lost_connection_is_a_banner_and_the_game_goes_on_when_it_is_back() -> None:
    async with at_table(welcome(), joined(**PLAYING), turn(0, 7, LEGAL)) as seen:
        before = lines(seen.app)
        await seen.press("1")
        seconds = [100.0]
        seen.screen._bar._now = lambda: seconds[0]
        await seen.become("lost", "the connection broke off", 15.0)
        assert len(lines(seen.app)) == len(before)
        for passed, words in (
            (0, "Connection lost  again in 15 s · your seat is held 30 s"),
            (12, "again in 3 s · your seat is held 18 s"),
            (30, "trying again · a stand-in may play until you are back"),
        ):
            seconds[0] += passed
            seen.screen._bar.refresh()
            await seen.settle()
            assert words in context(seen)
        await seen.press("t", "h", "i", "enter")
        assert seen.far.heard(Chat) == []
        assert shows(seen.app, "Not sent: the connection is lost")
        seen.far.become("connecting")
        seen.far.become("open")
        await seen.hear(welcome(ROOM), joined(0, epoch=2, why="resume", **PLAYING), turn(0, 7, LEGAL))
        assert f"room {ROOM}" in context(seen)
        await seen.hear(update(1, view={**VIEW, "turn": 1}, ok={"rid": 7, "act": LEGAL[0]}))
        assert not shows(seen.app, "YOUR TURN")
        await seen.press("t", "!", "enter")
        assert [chat.text for chat in seen.far.heard(Chat)] == ["hi!"], "what was typed meanwhile is kept"


@pytest.mark.parametrize(
    ("fault", "kind", "code"),
    [
        (None, Interrupted, 6),
        (Interrupted("lost"), Interrupted, 6),
        (Refused("banned", "out"), Refused, 4),
        (WrongProtocol("?"), WrongProtocol, 5),
        (update(1, {"e": "pass"}), WrongProtocol, 5),  # it cannot be understood
    ],
)
async def test_a_fault_ends_the_application_with_its_code(fault: Any, kind: type[Fault], code: int) -> None:
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        await seen.hear(fault)
        assert (seen.app.return_value, type(seen.app.fault)) == (code, kind)
        assert not isinstance(fault, Fault) or seen.app.fault is fault


async def test_who_is_kicked_is_told_so_and_of_a_room_that_is_closed_why() -> None:
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        await seen.press("question_mark")  # whatever lies on top
        await seen.hear(Left(ROOM, "kicked"))
        assert "the host has kicked you" in str(seen.app.fault)
    async with at_table(welcome(), joined()) as seen:
        await seen.hear(Left(ROOM, "expired"))
        assert (seen.app.return_value, seen.app.fault) == (0, None)
        assert ROOM in str(seen.app.farewell)


async def test_who_is_handed_a_seat_is_told_so_on_a_small_screen() -> None:
    async with at_table(welcome(), joined(seat=None, **PLAYING), size=(60, 20)) as seen:
        await seen.hear(joined(1, why="sync", seat=1, **PLAYING))
        assert shows(seen.app, "You have the seat of otto now.")
        drawn = {**VIEW, "phase": "drawn", "turn": 1, "hand": [9], "drawn": 9}
        asked = turn(2, 5, [*LEGAL[:1], {"do": "pass"}], view=drawn, left=45_000, clocks={"1": 45_000})
        await seen.hear(replace(asked, seat=1))
        shown = "\n".join(lines(seen.app))
        for told in ("You have the seat of otto now.", "You drew", "45s", "play it or keep it"):
            assert told in shown


async def test_who_is_out_of_a_match_skips_to_its_end() -> None:
    out = {**VIEW, "turn": 1, "out": [0]}
    async with at_table(welcome(can=["hurry", "uno"]), joined(table=table("playing"), view=out)) as seen:
        assert "r Skip to the end" in hints(seen)
        await seen.press("r")
        (hurry,) = seen.far.heard(Hurry)
        await seen.hear(seats(1, table("playing", pace=0)), Ok(re=hurry.id, room=ROOM))
        assert "Skip" not in hints(seen)
        assert not seen.far.heard(Ready)


async def test_leaving_a_match_asks_first_and_the_key_that_leaves_confirms_it() -> None:
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        assert history.seat() == history.HeldSeat(URL, ROOM, "maria")
        for key, screen in (("q", ConfirmDialog), ("n", RoomScreen), ("ctrl+c", ConfirmDialog)):
            await seen.press(key)
            assert type(seen.app.screen) is screen
        assert seen.far.heard(Leave) == []
        await seen.press("ctrl+c")
        (leave,) = seen.far.heard(Leave)
        await seen.hear(Left(ROOM, "left", re=leave.id))
        assert (seen.app.return_value, seen.app.fault) == (0, None)
        assert history.seat() is None, "it was given up"
    async with at_table(welcome(), joined(seat=None)):
        assert history.seat() is None


async def test_who_watches_later_is_told_until_the_match_appears() -> None:
    later = joined(seat=None, table=table("playing", delay=30_000))
    async with at_table(welcome(), later) as seen:
        assert shows(seen.app, "Spectators see this match 30 s later.")
        await seen.hear(update(1))
        assert not shows(seen.app, "30 s later")


async def test_leaving_waits_for_no_silent_server_and_no_lost_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_base, "GOODBYE", 0.01)
    async with at_table(welcome(), joined()) as seen:
        await seen.press("q")
        await seen.pilot.pause(0.1)
        assert seen.app.return_value == 0
    async with at_table(welcome(), joined()) as seen:
        seen.far.become("lost", "gone", 9.0)
        await seen.press("q")
        assert (seen.app.return_value, seen.far.heard(Leave)) == (0, [])


@pytest.mark.parametrize(("looking", "bells"), [(True, 0), (False, 1)])
async def test_it_rings_only_for_who_is_not_looking(monkeypatch: pytest.MonkeyPatch, looking: bool, bells: int) -> None:
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        rung: list[None] = []
        monkeypatch.setattr(seen.app, "bell", lambda: rung.append(None))
        seen.app.app_focus = looking
        await seen.hear(turn(1, 7, LEGAL), turn(2, 7, LEGAL))
        assert len(rung) == bells
        assert seen.app.title == "Your turn: UNO K7QD"


async def test_a_hint_is_underlined_under_the_mouse_and_can_be_clicked_and_remapped() -> None:
    async with at_table(welcome(), joined(**PLAYING), turn(0, 7, LEGAL)) as seen:
        await seen.pilot.hover(HintBar, (2, 0))
        assert underlined(seen.app).strip()
        await seen.pilot.hover(ContextBar)
        assert underlined(seen.app) == ""
        await seen.pilot.click(HintBar, offset=(hints(seen).index("? Help"), 0))
        assert isinstance(seen.app.screen, HelpDialog)
        await seen.press("escape")
        assert isinstance(seen.app.screen, RoomScreen)
        seen.app.set_keymap({"room.leave": "f10"})
        await seen.hear(said(1, "otto", "x"), turn(2, 7, LEGAL))
        assert hints(seen).rstrip().endswith("f10 Leave")
        seen.app.set_keymap({})
        await seen.pilot.resize_terminal(89, 24)
        await seen.hear(said(3, "otto", "x"))
        assert len(targets(seen.screen._hints)) == 6, "there is little room"
        assert hints(seen).rstrip().endswith("? Help  q Leave")


class PagedWidget(BlankWidget, can_focus=True):
    """A game that has a use for the page keys, and much to say at the end."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("pagedown", "page")]

    def action_page(self) -> None:
        raise AssertionError("the table is covered")

    def standings(self, room: JoinedRoom) -> list[Text]:
        return [Text(f"line {n}") for n in range(30)]


async def test_results_leave_the_table_in_sight_until_details_are_asked_for() -> None:
    done = table("finished", commit="c2")
    async with at_table(welcome(), joined(**PLAYING), over(1, digest="abcd" * 16), seats(2, done)) as seen:
        box = seen.screen._results
        assert (box.region.y, box.next_view) == (1, "details")
        assert shows(seen.app, "pia wins")
        assert not shows(seen.app, "abcd")
        await seen.press("v")
        assert shows(seen.app, "abcd")
        assert re.search(r"2\. +you +77 ", "\n".join(lines(seen.app)))
        assert not shows(seen.app, "Fair"), "the secret does not fit what was shown"
        assert (box.region.y > 1, box.next_view) == (True, "table")
        await seen.press("v")
        assert not shows(seen.app, "pia wins")
        await seen.press("v")
        assert (box.region.y, box.next_view) == (1, "details")
        await seen.press("v")
        await seen.pilot.resize_terminal(60, 20)
        await seen.settle()
        assert box._text.size.width <= box.scrollable_content_region.width, "nothing is cut"
        await seen.press("r")
        assert [ready.ready for ready in seen.far.heard(Ready)] == [True]
        await seen.hear(seats(3, table("playing")), turn(4, 9, LEGAL))
        assert not shows(seen.app, "pia wins")
        assert shows(seen.app, "YOUR TURN")


async def test_long_results_are_scrolled_and_the_digest_takes_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "widget_for", lambda game: PagedWidget)
    ended = over(1, digest="ab" * 32)
    async with at_table(welcome(), joined(**PLAYING), ended, seats(2, table("finished"))) as seen:
        assert shows(seen.app, "page down: more")
        await seen.press("v")
        assert not shows(seen.app, ended.digest)
        assert shows(seen.app, "page down: more")
        await seen.press("pagedown", "pagedown")
        assert shows(seen.app, ended.digest)
        assert not shows(seen.app, "page down: more")


async def test_a_win_is_celebrated_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "moves", lambda widget: True)
    monkeypatch.setattr(canvas, "CONFETTI", 3600.0)
    won = over(1)
    won.result["ranks"] = {"0": 1, "1": 2, "2": 3}
    async with at_table(welcome(), joined(**PLAYING), won) as seen:
        assert any("YOU WIN" in line and set("▲■●◆") < set(line) for line in lines(seen.app))


async def test_the_play_that_ended_a_round_is_told_with_its_result() -> None:
    ended = {"e": "round", "winner": 1, "points": [0, 20, 0], "scores": [0, 20, 0]}
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        await seen.hear(update(1, {"e": "pass", "seat": 1}, ended), seats(2, table("pause")))
        assert missing(seen.app, "end of round 1", "otto passes.") == []
        await seen.press("r")
        assert len(seen.far.heard(Ready)) == 1, "the pause can be ended"
        await seen.hear(seats(3, table("playing")), over(4, events=[{"e": "pass", "seat": 2}, ended]))
        assert missing(seen.app, "pia wins", "pia passes.") == []
        await seen.hear(said(5, "otto", "well played"))
        assert shows(seen.app, "otto: well played")


async def test_a_seat_is_taken_back_from_a_stand_in() -> None:
    stood_in = table("playing", seats=[{**PEOPLE[0], "by": "standin"}, *PEOPLE[1:]])
    async with at_table(welcome(), joined(table=stood_in, view=VIEW, clocks={"0": 85_000})) as seen:
        assert "Take your seat back" in hints(seen)
        turn_line = seen.screen.game_widget.turn  # type: ignore[union-attr]
        headline, take_back = say("tui.stood_in"), say("tui.take_back")
        assert turn_line.words == f"{headline}  {take_back}"
        assert not shows(seen.app, " 85s")
        await seen.press("d")
        assert take_back in turn_line.words.removeprefix(headline)
        await seen.press("r")
        assert [ready.ready for ready in seen.far.heard(Ready)] == [True]


async def test_warnings_and_bots_of_ones_own_that_fail_are_hard_to_miss() -> None:
    troubles: list[str] = []
    async with at_table(welcome(), joined(**PLAYING), troubles=troubles, size=(110, 32)) as seen:
        troubles.append("A bot made a mistake, hello.py:7: [b]there is no action 99.")
        await seen.hear(said(1, "otto", "oh"))
        assert shows(seen.app, "A bot made a mistake, hello.py:7: [b]there")
        assert troubles == []
        await seen.hear(seats(2, table("playing", commit="another")))
        assert any(line.startswith("WARNING: the commitment changed") for line in talk(seen))
        assert shows(seen.app, "WARNING")


async def test_a_match_of_one_seat_is_won_or_lost_and_has_no_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "widget_for", lambda game: BlankWidget)
    alone = table("finished", seats=PEOPLE[:1])
    ended = over(2, result={"ranks": {"0": 2}, "scores": {"0": 115}, "why": "lost"})
    async with at_table(welcome(), joined(**PLAYING), seats(1, alone), ended) as seen:
        assert seen.screen._results.border_title == "lost"
        assert str(seen.screen._results._text.render()) == "maria took part"
    ended = over(1, result={"ranks": {"0": 2, "1": 2, "2": 2}, "scores": {}, "why": "lost"})
    async with at_table(welcome(), joined(**PLAYING), ended, seats(2, table("finished"))) as seen:
        assert seen.screen._results.border_title == "lost", "nobody has won"


async def test_nothing_is_lost_behind_the_gate() -> None:
    async with at_table(welcome(), joined(**PLAYING), turn(0, 7, LEGAL)) as seen:
        await seen.pilot.resize_terminal(40, 10)
        await seen.hear(update(1, {"e": "pass", "seat": 0}, view={**VIEW, "turn": 1}))
        await seen.pilot.resize_terminal(80, 24)
        assert not shows(seen.app, "YOUR TURN")
        assert isinstance(seen.app.screen, RoomScreen)


async def test_sitting_down_after_the_end_of_a_match_is_waiting_for_the_next() -> None:
    people = [{**each, "name": name} for each, name in zip(PEOPLE, ("otto", "ada", "maria"), strict=True)]
    two: dict[str, Any] = {**VIEW, "counts": [7, 0], "scores": [12, 512], "called": [], "turn": None, "phase": "over"}
    two.pop("hand")
    done = table("finished", seats=people, host="otto")
    ended = over(1, view=two, result={"ranks": {"0": 2, "1": 1}, "scores": {"0": 12, "1": 512}, "why": "target"})
    async with at_table(welcome(), joined(seat=2, table=done, view=two), ended) as seen:
        assert shows(seen.app, "when you are ready")
        assert not shows(seen.app, "ada wins")
        await seen.hear(seats(2, table("playing", seats=people)), replace(turn(3, 9, LEGAL), seat=2))
        assert shows(seen.app, "YOUR TURN")


async def test_the_results_name_each_once_and_nothing_is_left_to_be_called() -> None:
    last = {**VIEW, "hand": [9, 20], "counts": [2, 5, 0], "turn": None, "phase": "over"}
    async with at_table(welcome(), joined(**PLAYING), over(1, view=last)) as seen:
        shown = "\n".join(lines(seen.app))
        assert len(re.findall(r"\d\. +(you|otto|pia) ", shown)) == 3
        assert "call uno" not in shown.lower()


async def test_the_help_is_of_what_is_on_the_screen() -> None:
    words = ("host: start now", "jump in")
    for here, told in ((joined(), [True, False]), (joined(**PLAYING), [False, True])):
        async with at_table(welcome(), here, size=(100, 40)) as seen:
            await seen.press("question_mark")
            assert [shows(seen.app, each) for each in words] == told


def test_options_that_do_not_fit_the_game_show_no_rules() -> None:
    here = minesweeper_rooms.room(minesweeper_rooms.view(), options={"mode": "solo", "level": "custom", "mines": None})
    assert in_force(here, "x") == []
