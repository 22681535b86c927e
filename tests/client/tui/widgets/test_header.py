"""The rules in the header of a room."""

from tests.client.minesweeper_rooms import player, room, view

from parlour_client.tui.widgets.header import in_force


def test_options_that_do_not_fit_the_game_show_no_rules() -> None:
    here = room(view(player(0), mode="solo"), 0)
    here.table["options"] = {"mode": "solo", "level": "custom", "mines": None}
    assert in_force(here, "x") == []
