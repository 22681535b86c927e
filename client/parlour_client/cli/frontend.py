"""Choose between the screens and the line mode, and load the one that is used."""

import os
import sys
from collections.abc import Callable, Coroutine
from importlib import import_module
from typing import Any


def on_a_screen() -> bool:
    """Return whether there is a terminal to draw on and to type at."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") != "dumb"


def way_to_play(plain: bool) -> Callable[..., Coroutine[Any, Any, int]]:
    """Return ``play`` of the screen, or that of the line mode if it is wanted or there is no screen."""
    module = import_module("parlour_client.plain.app") if plain or not on_a_screen() else screen()
    play: Callable[..., Coroutine[Any, Any, int]] = module.play
    return play


def screen() -> Any:
    """Return the module that draws, which is loaded when something is to be drawn and not before."""
    return import_module("parlour_client.tui.app")


def practice(*words: Any, **more: Any) -> Any:
    """Call ``parlour_bots.hosting.practice.at_home``, by name because bots are above the client."""
    return import_module("parlour_bots.hosting.practice").at_home(*words, **more)


def hosting(*words: Any, **more: Any) -> Any:
    """Do what ``parlour_bots.hosting.host.at_home`` does, loaded in the same way."""
    return import_module("parlour_bots.hosting.host").at_home(*words, **more)
