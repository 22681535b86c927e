"""Before a match: who is there, who is invited, who is kicked."""

from typing import Any

import msgspec
import pytest
from tests.client.messages import PEOPLE, joined, row, said, seats, table, welcome
from tests.client.tui.scripted_app import URL, at_table
from tests.client.tui.snapshots import lines, missing, shows

from parlour_client.core.phrases import phrases, say
from parlour_client.tui.screens import room_base
from parlour_client.tui.widgets import waiting_room
from parlour_client.tui.widgets.keys import label_of
from parlour_protocol.messages import Create, Invite, List, Manage, Ready, Rooms, Start
from parlour_protocol.phrases import LANGUAGES
from parlour_protocol.standard_output import qr

ALONE = table(seats=[row(0, "maria")])
BOTS: list[Any] = [
    {"name": "ada", "games": ["uno"], "free": 2, "styles": ["llm"]},
    {"name": "busy", "games": ["uno"], "free": 0},
    {"name": "digger", "games": ["minesweeper"], "free": 1},
    {"name": "bruno\x1b[2J", "games": ["uno"], "free": 1},
]
HOUSE: Any = {"name": "cleo", "games": ["uno"], "free": 9, "house": True, "styles": ["guard", "hard", "easy"]}


def reached(monkeypatch: pytest.MonkeyPatch, there: str) -> None:
    """Let others reach the server at ``there``."""

    async def shared(_: str) -> str:
        return there

    monkeypatch.setattr(room_base, "shared_url", shared)


async def test_the_host_sees_who_is_there_and_how_others_come_in() -> None:
    enter = Create("uno", seats=5)
    away = [PEOPLE[0], row(1, "otto", ready=True, here=False), PEOPLE[2]]
    async with at_table(welcome(), joined(table=table(seats=away, watchers=2)), enter=enter) as seen:
        assert seen.far.heard(Create)
        assert shows(seen.app, f"parlour join K7QD --server {URL}")
        shown = ["you · host", "human · away", "✓ ready", "2 seats free", "2 watch", "r when you are ready"]
        assert missing(seen.app, *shown) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40)])
async def test_the_key_to_begin_is_in_sight_whatever_else_there_is_to_say(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], language: str
) -> None:
    reached(monkeypatch, "ws://192.168.178.123:45321")
    monkeypatch.setattr("parlour_client.tui.app.speak", lambda _: None)
    phrases.use(language)
    people = [row(seat, name) for seat, name in enumerate(("maria", "otto", "a-name-of-20-letters", "pia"))]
    greeting = msgspec.structs.replace(welcome(), ssh=2222)
    told = [f"r {say('tui.waiting.press')}", "http://192.168.178.123:45321/r/K7QD", "ssh -t -p 2222 192.168.178.123"]
    alone = joined(table=table(seats=people[:1], size=10))
    async with at_table(greeting, alone, said(1, "otto", "hi"), said(2, "otto", "hi"), size=size) as seen:
        for seq, here in enumerate((people[:1], people), 3):
            await seen.hear(seats(seq, table(seats=here, size=10)), Rooms([], [HOUSE, *BOTS]))
            assert missing(seen.app, *told) == [], "\n".join(lines(seen.app))
        column, line = next((text.index("otto"), n) for n, text in enumerate(lines(seen.app)) if "otto  " in text)
        await seen.pilot.click(offset=(column, line))
        assert type(seen.app.screen).__name__ == "ListBox"
        assert shows(seen.app, "otto")


async def test_the_host_invites_a_bot_by_its_number() -> None:
    async with at_table(welcome(), joined(table=ALONE)) as seen:
        assert [asked.game for asked in seen.far.heard(List)] == ["uno"]
        await seen.hear(Rooms([], BOTS))
        assert shows(seen.app, "1 ada   2 bruno\ufffd[2J")
        await seen.press("2", "3", "i")
        assert [invite.bot for invite in seen.far.heard(Invite)] == ["bruno\x1b[2J", None]
        await seen.hear(seats(1, table(seats=[row(0, "maria"), row(1, "ada", kind="bot")])))
        assert shows(seen.app, "1 bruno"), "who sits here already is not offered"
        await seen.press("1", "2")
        assert [invite.bot for invite in seen.far.heard(Invite)[2:]] == ["bruno\x1b[2J"]


async def test_the_host_invites_a_house_bot_by_level_or_style() -> None:
    seated: Any = {**row(1, "ivo", kind="bot"), "style": "hard"}
    async with at_table(welcome(), joined(table=table(seats=[row(0, "maria"), seated]))) as seen:
        await seen.hear(Rooms([], [HOUSE, *BOTS]))
        assert missing(seen.app, "hard bot", "1 easy   2 hard   3 ada   4 bruno\ufffd[2J   5 guard") == []
        await seen.press("2", "5")
        assert [(each.bot, each.style) for each in seen.far.heard(Invite)] == [(None, "hard"), (None, "guard")]


async def test_the_bots_on_offer_keep_their_order() -> None:
    styles = ["hoarder", "guard", "counter", "hard", "easy"]
    async with at_table(welcome(), joined(table=ALONE)) as seen:
        offers = []
        for at in range(len(styles)):
            again: Any = {**HOUSE, "styles": styles[at:] + styles[:at]}
            await seen.hear(Rooms([], [BOTS[3], again, BOTS[0]] if at % 2 else [*BOTS, again]))
            offers.append([line for line in lines(seen.app) if "easy" in line or "hoarder" in line])
        assert offers == offers[:1] * len(styles)


async def test_bots_that_come_later_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting_room, "BOTS_AGAIN", 0.01)
    async with at_table(welcome(), joined(table=ALONE), Rooms([], [])) as seen:
        while len(seen.far.heard(List)) < 2:
            await seen.settle()
        await seen.hear(Rooms([], BOTS))
        assert shows(seen.app, "1 ada")


async def test_the_host_begins_and_kicks() -> None:
    async with at_table(welcome(), joined()) as seen:
        for keys in (["x"], ["down", "x"], ["n"]):  # at oneself nothing happens
            await seen.press(*keys)
            assert shows(seen.app, "Kick otto from the room?") is (keys == ["down", "x"])
            assert seen.far.heard(Manage) == []
        await seen.press("x", "y", "k", "s")
        assert [(manage.do, manage.name) for manage in seen.far.heard(Manage)] == [("kick", "otto")]
        assert len(seen.far.heard(Start)) == 1


async def test_who_is_no_host_can_only_be_ready_and_take_that_back_and_who_watches_neither() -> None:
    async with at_table(welcome(), joined(seat=1, table=table(host="otto"))) as seen:
        await seen.press("i", "s", "x", "1")
        assert [m for m in seen.far.sent if isinstance(m, Invite | Start | Manage | List)] == []
        assert "Invite" not in lines(seen.app)[-1]
        await seen.press("r")
        await seen.hear(seats(1, table(host="otto", seats=[PEOPLE[0], row(1, "otto", ready=True), PEOPLE[2]])))
        assert "Not ready" in lines(seen.app)[-1]
        await seen.press("r")
        assert [ready.ready for ready in seen.far.heard(Ready)] == [True, False]
    async with at_table(welcome(), joined(seat=None)) as seen:
        assert shows(seen.app, "you are watching")
        await seen.press("r")
        assert seen.far.heard(Ready) == []


async def test_the_last_remarks_are_read_where_the_talk_is_hidden_and_not_beside_it() -> None:
    async with at_table(welcome(), joined(), *(said(n, "otto", f"hello {n}") for n in (1, 2, 3))) as seen:
        for width, read in ((80, [0, 1, 1, 0]), (110, [1, 1, 1, 0]), (110, [1, 1, 1, 1]), (80, [0, 0, 1, 1])):
            await seen.pilot.resize_terminal(width, 24)
            if read == [1] * 4:
                await seen.hear(said(4, "otto", "hello 4"))
            shown = lines(seen.app)
            assert [sum(f"otto “hello {n}”" in line for line in shown) for n in (1, 2, 3, 4)] == read


async def test_the_line_for_others_is_one_that_they_can_use_and_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_table(welcome(), joined()) as seen:
        assert missing(seen.app, "others on this machine join with", "parlour serve --lan") == []
        await seen.press("y")
        assert seen.app.clipboard == f"parlour join K7QD --server {URL}"
    async with at_table(welcome(), joined(), ends=True) as seen:  # it listens to the network already
        assert not shows(seen.app, "--lan")
    reached(monkeypatch, "ws://192.168.0.7:7777")
    async with at_table(welcome(), joined()) as seen:
        assert shows(seen.app, "parlour join K7QD --server ws://192.168.0.7:7777")
        assert not shows(seen.app, "on this machine")
        assert not shows(seen.app, "--lan")


async def test_others_come_in_by_link_by_ssh_and_by_the_qr_code(monkeypatch: pytest.MonkeyPatch) -> None:
    reached(monkeypatch, "ws://192.168.0.7:7777")
    link, top = "http://192.168.0.7:7777/r/K7QD", qr("http://192.168.0.7:7777/r/K7QD").splitlines()[1].strip()
    by_ssh = msgspec.structs.replace(welcome(), ssh=2222)
    async with at_table(by_ssh, joined()) as seen:
        assert missing(seen.app, link, "ssh -t -p 2222 192.168.0.7 K7QD") == []
        assert not shows(seen.app, top)
        assert shows(seen.app, f"b {label_of('waiting.scan')}")
        for back in ("b", "escape"):
            await seen.press("b")
            assert missing(seen.app, top, link) == []
            await seen.press(back)
            assert not shows(seen.app, top)
        await seen.press("L", "escape")
        assert not seen.screen.has_class("log")
        await seen.pilot.resize_terminal(60, 20)
        await seen.press("b")
        assert all(shows(seen.app, line.strip()) for line in qr(link).splitlines())
        assert shows(seen.app, link)
    async with at_table(welcome(), joined(), size=(150, 45)) as seen:
        assert shows(seen.app, top)
        assert not shows(seen.app, "ssh -t")


async def test_a_full_room_offers_no_seat_to_anyone() -> None:
    alone: Any = {**table(seats=[row(0, "maria")]), "size": 1}
    async with at_table(welcome(), joined(table=alone)) as seen:
        await seen.hear(Rooms([], BOTS))
        assert not any(shows(seen.app, words) for words in ("Invite a bot", "bots to invite", "parlour join"))
        await seen.press("i", "1")
        assert not seen.far.heard(Invite)
