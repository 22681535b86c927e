"""Forms of games that only a server has: the same as those of games that are installed here."""

import json
from typing import Any

import pytest
from tests.client.messages import welcome
from tests.client.scripted_server import ScriptedSocket, server

from parlour_client.core.phrases import phrases
from parlour_client.play.game_form import DescribedGame, InstalledGame, fewest, forms
from parlour_games.game import BadOptions
from parlour_games.registry import games
from parlour_protocol.messages import Describe, Described, Error, Hello
from parlour_server.directory import room_creation

NIM = Described(
    "nim",
    [2, 2, 4],
    [
        {"name": "heaps", "means": "Heaps.", "usual": 3, "low": 1, "high": 9},
        {"name": "last", "means": "Who takes the last.", "usual": "wins", "allowed": ["wins", "loses"],
         "then": {"loses": {"heaps": 4, "seats": [2, 2, 2]}}},
    ],
    {"nim.name": "Nim", "uno.name": "stolen"},
)  # fmt: skip


def described(game: str) -> DescribedGame:
    form: Any = json.loads(json.dumps(room_creation.form(games()[game])))
    return DescribedGame.of(Described(game, list(form["seats"]), form["options"], {}))


@pytest.mark.parametrize("game", ["uno", "minesweeper"])
def test_a_description_leads_to_the_rules_of_the_game(game: str) -> None:
    there, here = described(game), InstalledGame(games()[game])
    for option in (None, *here.options):
        for value in option.choices if option else (None,):
            chosen: Any = {option.name: value} if option else {}
            try:
                wanted = here.rules(chosen)
            except BadOptions:
                continue  # such as a custom board without its width
            found = there.rules(chosen)
            assert (found.least, found.most) == (wanted.least, wanted.most)
            assert found.options == {name: wanted.options[name] for name in found.options}


@pytest.mark.parametrize("chosen", [{"heaps": 10}, {"heaps": "3"}, {"last": "draws"}, {"first": True}])
def test_what_the_description_does_not_allow_is_refused(chosen: Any) -> None:
    with pytest.raises(BadOptions, match=next(iter(chosen))):
        DescribedGame.of(NIM).rules(chosen)


@pytest.mark.parametrize(
    "field",
    [{}, {"name": 1, "means": "", "usual": 1}, {"name": "a", "means": "", "usual": []},
     {"name": "a", "means": "", "usual": 1, "then": {"1": 5}}, {"name": "a", "means": "", "usual": 1, "low": "x"}],
)  # fmt: skip
def test_options_that_make_no_sense_are_left_out(field: Any) -> None:
    found = DescribedGame.of(Described("nim", [3], [field], {}))
    assert not found.options
    assert found.rules({}).least == 1


async def test_the_games_of_a_server_are_asked_for() -> None:
    async def script(it: ScriptedSocket) -> None:
        await it.expect(Hello)
        await it.say(welcome(can=["describe", "file", "later", "nim", "uno"]))
        for answer in (Error("no_game", "there is no game later"), NIM):
            await it.expect(Describe)
            await it.say(answer)
        await it.socket.wait_closed()

    async with server(script) as url:
        found = await forms(url)
    assert list(found) == ["nim", "uno"]
    assert found["nim"].rules({"last": "loses"}).options == {"heaps": 4, "last": "loses"}
    assert phrases.say("nim.name") == "Nim"
    assert "uno.name" not in phrases or phrases.say("uno.name") == "UNO"


@pytest.mark.parametrize("form", [described("uno"), InstalledGame(games()["uno"])], ids=["described", "installed"])
@pytest.mark.parametrize("chosen", [{}, {"preset": "family"}, {"preset": "family", "stack2": False}, {"target": 60}])
def test_the_fewest_options_that_result_in_those_in_force(form: DescribedGame | InstalledGame, chosen: Any) -> None:
    options = dict(form.rules(chosen).options)
    assert fewest(form, options) == chosen


def test_options_that_only_make_sense_together_stay_together() -> None:
    form = InstalledGame(games()["minesweeper"])
    chosen: Any = {"level": "custom", "width": 9, "height": 5, "mines": 6}
    options = dict(form.rules(chosen).options)
    assert form.rules(fewest(form, options)).options == options
    unknown = {**options, "later": 1}
    assert fewest(form, unknown) == chosen or fewest(form, unknown) == unknown
