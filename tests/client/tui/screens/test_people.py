"""Who is here, and what the host and the operator of the server may do about them."""

from typing import Any

import pytest
from tests.client.messages import PEOPLE, ROOM, VIEW, joined, row, said, table, welcome
from tests.client.tui.scripted_app import Seen, at_table
from tests.client.tui.snapshots import lines, missing, shows
from tests.support.waiting import until

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.tui.games.uno.opponents import Opponents
from parlour_client.tui.screens import people as people_screen
from parlour_client.tui.screens.people import people, token_for
from parlour_protocol.messages import Admin, Error, Handover, Join, Manage, Ok

MP = pytest.MonkeyPatch
PLAYING: dict[str, Any] = {"table": table("playing", unrated="casual"), "view": VIEW, "clocks": {"1": 60_000}}
ASKED = table("playing", unrated="casual", requests=[{"seat": 0, "name": "vera", "kind": "human"}])
TALK: Any = [{"from": "vera", "text": "hello"}, {"from": "otto", "text": "hi"}]


@pytest.fixture(autouse=True)
def nobodys_operator(monkeypatch: MP) -> None:
    monkeypatch.setattr(people_screen, "token_for", lambda url: None)


def labels(room: JoinedRoom, me: str = "maria", token: str | None = None, **more: Any) -> dict[str, list[str]]:
    return {each.name: [action.label for action in each.actions] for each in people(room, me, token, **more)}


async def about(seen: Seen, name: str, action: str) -> None:
    """Choose ``name`` among the people, and then ``action``, by keys alone."""
    await seen.press("o")
    await at(seen, name)
    await seen.press("enter")
    await at(seen, action)
    await seen.press("enter")


async def at(seen: Seen, words: str) -> None:
    for _ in range(12):
        if any("▸" in line and words in line for line in lines(seen.app)):
            return
        await seen.press("down")
    raise AssertionError(f"no {words}")


@pytest.fixture
def _operator(monkeypatch: MP) -> None:
    monkeypatch.setattr(people_screen, "token_for", lambda url: "secret")


def test_the_host_may_do_much_and_others_nothing_and_who_talks_without_a_seat_is_there_too() -> None:
    playing = JoinedRoom.of(joined(**PLAYING))
    full = ["Add a minute", "Mute", "Make the host", "Kick", "Ban"]
    bot = [label for label in full if label != "Make the host"]
    assert labels(playing) == {"maria": full[:1], "otto": full, "pia": bot}
    assert labels(playing, "otto") == {"maria": [], "otto": [], "pia": []}
    waiting = {"maria": [], "otto": full[1:], "pia": bot[1:]}
    assert labels(JoinedRoom.of(joined())) == waiting
    assert list(labels(JoinedRoom.of(joined(chat=TALK))).items()) == [*waiting.items(), ("vera", full[1:])]


@pytest.mark.parametrize(("unrated", "time"), [({}, []), ({"unrated": "alone"}, ["Add a minute"])])
def test_nobody_is_removed_from_a_match_that_counts(unrated: Any, time: list[str]) -> None:
    room = JoinedRoom.of(joined(**{**PLAYING, "table": table("playing", **unrated), "chat": TALK[:1]}))
    mute = [*time, "Mute"]
    assert labels(room) == {
        "maria": time, "otto": [*mute, "Make the host"], "pia": mute, "vera": [*mute, "Make the host", "Kick", "Ban"]
    }  # fmt: skip


def test_a_spectator_asks_for_a_seat_and_its_owner_gives_it() -> None:
    def seats(here: JoinedRoom, me: str) -> dict[str, list[str]]:
        found = labels(here, me, hands_over=True)
        return {name: [label for label in found[name] if "seat" in label] for name in found}

    watching = JoinedRoom.of(joined(seat=None, table=ASKED))
    assert seats(watching, "vera") == {
        "maria": ["Withdraw your seat request"], "otto": ["Ask for the seat"], "pia": []
    }  # fmt: skip
    owner = JoinedRoom.of(joined(table=ASKED))
    assert seats(owner, "maria") == {"maria": [], "otto": [], "pia": [], "vera": ["Give your seat", "Keep your seat"]}
    assert "Give your seat" not in labels(owner)["vera"], "a server that does not know it"
    counts = JoinedRoom.of(joined(table=table("playing", requests=ASKED["requests"])))
    assert seats(counts, "maria")["vera"] == ["Keep your seat"]


async def test_a_spectator_takes_a_free_seat_between_matches() -> None:
    watching = joined(seat=None, table=table("finished", size=4), view=None)
    async with at_table(welcome(name="vera", can=["queue", "uno"]), watching) as seen:
        await about(seen, "vera", "Take a seat")
        join = seen.far.heard(Join)[-1]
        assert (join.room, join.as_) == (ROOM, "player")
        await seen.hear(joined(1, seat=3, table=table("finished", size=4), re=join.id))
        assert shows(seen.app, "You have a seat.")


async def test_a_seat_is_given_after_confirmation() -> None:
    async with at_table(welcome(can=["handover", "uno"]), joined(**{**PLAYING, "table": ASKED})) as seen:
        await about(seen, "vera", "Give your seat")
        assert seen.far.heard(Handover) == []
        await seen.press("y")
        assert [sent.to for sent in seen.far.heard(Handover)] == ["vera"]


def test_the_operator_may_do_more_and_close_the_room() -> None:
    found = labels(JoinedRoom.of(joined(table=table(host="otto"))), token="secret")
    assert found["maria"] == []
    assert found["otto"] == ["Mute on the server", "Unmute on the server", "Ban from the server"]
    assert found[""] == ["Close the room"]


async def test_whom_the_host_has_muted_may_be_let_talk_again() -> None:
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        for label in ("Mute", "Unmute", "Mute"):
            await about(seen, "otto", label)
            sent = seen.far.heard(Manage)[-1]
            assert (sent.do, sent.name) == (label.lower(), "otto")
            await seen.hear(Ok(re=sent.id, room=ROOM))
    found = labels(JoinedRoom.of(joined(**PLAYING)), muted={"otto"})
    assert ("Mute" in found["otto"], "Unmute" in found["otto"]) == (False, True)
    assert ("Mute" in found["pia"], "Unmute" in found["pia"]) == (True, False)


@pytest.mark.parametrize(
    ("label", "do", "told"), [("Mute", "mute", "is muted"), ("Add a minute", "addtime", "has one more minute")]
)
async def test_what_does_no_harm_is_done_at_once(label: str, do: str, told: str) -> None:
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        await about(seen, "otto", label)
        [sent] = seen.far.heard(Manage)
        assert (sent.room, sent.do, sent.name) == (ROOM, do, "otto")
        await seen.hear(Ok(re=sent.id, room=ROOM))
        assert seen.screen.game_widget is not None
        assert f"otto {told}" in seen.screen.game_widget.turn.words  # and in no box over the hand


@pytest.mark.parametrize(("label", "do"), [("Kick", "kick"), ("Ban", "ban"), ("Make the host", "host")])
async def test_what_does_harm_is_asked_about_first(label: str, do: str) -> None:
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        await about(seen, "otto", label)
        assert shows(seen.app, "Cancel")
        await seen.press("n")
        assert seen.far.heard(Manage) == []
        await about(seen, "otto", label)
        await seen.press("y")
        assert [(sent.do, sent.name) for sent in seen.far.heard(Manage)] == [(do, "otto")]


async def test_a_refusal_is_told_and_shakes_no_card() -> None:
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        await about(seen, "otto", "Mute")
        await seen.hear(Error("no_such_name", "'otto' is not in this room", re=seen.far.heard(Manage)[0].id))
        assert shows(seen.app, "There is no player with this name.")


@pytest.mark.usefixtures("_operator")
async def test_the_operator_closes_a_room_unless_the_server_is_ones_own() -> None:
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        await about(seen, "the room", "Close the room")
        assert shows(seen.app, "match in progress")
        await seen.press("y")
        [order] = seen.far.heard(Admin)
        assert (order.token, order.do, order.room, order.name) == ("secret", "close", ROOM, None)
    async with at_table(welcome(), joined(**PLAYING), private=True) as seen:
        await seen.press("o")
        assert shows(seen.app, "─ people ─")
        assert not shows(seen.app, "the room")
        await seen.press("down", "enter")
        assert shows(seen.app, "Kick")
        assert not shows(seen.app, "on the server")


@pytest.mark.usefixtures("_operator")
async def test_a_token_that_the_server_has_refused_is_not_tried_again() -> None:
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        await about(seen, "otto", "Mute on the server")
        await seen.hear(Error("not_admin", "this is not the admin token", re=seen.far.heard(Admin)[0].id))
        assert shows(seen.app, say("refusal.not_admin")), "as a whole"
        await seen.press("o", "down", "enter")
        assert shows(seen.app, "Kick")
        assert not shows(seen.app, "on the server")


async def test_who_may_do_nothing_is_told_so_and_that_there_is_nothing_to_do_with_oneself() -> None:
    async with at_table(welcome(), joined(table=table(host="otto"))) as seen:
        await seen.press("o", "enter")
        assert shows(seen.app, "This is you")
        assert not shows(seen.app, "the host.")
        await seen.press("escape", "o", "down", "enter")
        assert shows(seen.app, "Only the host of a room can do something")
        await seen.press("escape")
        assert seen.far.heard(Manage) == []
    async with at_table(welcome(), joined()) as seen:
        await seen.press("o", "enter")
        assert missing(seen.app, "This is you", "the host.") == []
        assert not shows(seen.app, "Only the host")


async def test_the_palette_finds_it_by_name() -> None:
    async with at_table(welcome(), joined(**PLAYING), size=(100, 30)) as seen:
        await seen.press("ctrl+p", *"kick: otto")
        await until(lambda: shows(seen.app, "Kick: otto"))
        await seen.press("down", "enter")
        await until(lambda: shows(seen.app, "Kick otto from the room?"))
        await seen.press("y")
        assert [(sent.do, sent.name) for sent in seen.far.heard(Manage)] == [("kick", "otto")]


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_a_click_at_an_opponent_asks_what_to_do(size: tuple[int, int]) -> None:
    async with at_table(welcome(), joined(**PLAYING), size=size) as seen:
        opponents = seen.app.screen.query_one(Opponents)

        def drawn() -> list[tuple[int, int]]:
            above = enumerate(lines(seen.app)[: opponents.region.bottom])
            return [(line.index("pia"), y) for y, line in above if "pia" in line]

        await until(lambda: bool(drawn()))
        await seen.pilot.click(offset=drawn()[0])
        await until(lambda: shows(seen.app, "─ pia ─"))


async def test_a_hostile_name_is_text_and_nothing_else() -> None:
    people = [PEOPLE[0], row(1, "[b]x[/b]\x1b[2J")]
    async with at_table(welcome(), joined(table=table(seats=people)), said(1, "[b]y", "hi")) as seen:
        await seen.press("o", "down", "enter")
        assert shows(seen.app, "[b]x[/b]\ufffd[2J")
        await seen.press("escape", "o", "down", "down", "enter")
        assert shows(seen.app, "[b]y")


def test_the_token_of_another_machine_is_not_looked_for(monkeypatch: MP) -> None:
    monkeypatch.delenv("PARLOUR_ADMIN", raising=False)
    assert token_for("ws://10.0.0.4:7777") is None
    monkeypatch.setenv("PARLOUR_ADMIN", "secret")
    assert token_for("ws://10.0.0.4:7777") == "secret"
