import os
import signal
from itertools import cycle
from pathlib import Path

import pytest
from tests.client.ssh.conftest import Site, serving
from tests.support.terminal import Terminal, leave

from parlour_client.core.errors import OK, Interrupted, Refused, Usage
from parlour_client.ssh.visitors import CRASHED

pytestmark = pytest.mark.ssh
KEYS = ["\t", "\r", "d", "p", "a"]
"""Next playable card, play it; draw, pass, accept: some of them fit each question."""
NO_CONNECTION = 255
"""The exit code of ssh for all that fails before or beside the session."""
REFUSED = [
    (Usage.exit_code, "ssh", ["127.0.0.1", "rm -rf /tmp/x"]),
    (Usage.exit_code, "ssh", ["127.0.0.1", "join --server 192.0.2.1"]),
    (Refused.exit_code, "ssh", ["127.0.0.1", "'"]),
    (Refused.exit_code, "ssh", ["127.0.0.1", "ls"]),
    (Usage.exit_code, "ssh", ["-s", "127.0.0.1", "sftp"]),
    (NO_CONNECTION, "sftp", ["127.0.0.1"]),
    (NO_CONNECTION, "ssh", ["-W", "127.0.0.1:22", "127.0.0.1"]),
    (NO_CONNECTION, "ssh", ["-N", "-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:22", "127.0.0.1"]),
]


def sit(site: Site, user: str, *, back: bool = False) -> Terminal:
    """Take a seat in the server's own room; ``back``: return to the one that a key has kept."""
    terminal = site.visit(user, site.server.room)
    if not back:
        terminal.wait_for("Sit down")
        terminal.press("\r")
    terminal.wait_for(f"▸ {user}")
    return terminal


def test_a_visitor_plays_a_whole_match(site: Site) -> None:
    terminal = site.visit("anna", "daily", "uno")
    for _, key in zip(terminal.until("Play again"), cycle(KEYS), strict=False):
        terminal.press("r" if terminal.shows("Name a colour") else key)
    leave(terminal)


def test_the_screen_has_the_size_colours_and_language_of_the_terminal(site: Site) -> None:
    terminal = site.visit("anna", COLORTERM="truecolor", LANG="de_DE.UTF-8")
    terminal.wait_for("Einem Raum")
    assert b"\x1b[38;2;" in terminal.raw
    terminal.wait_for("parlour ─")
    before = terminal.find("parlour ─")
    terminal.resize(100, 40)
    while not terminal.shows("parlour ─") or terminal.find("parlour ─") == before:
        terminal.look(0.1)
    plain = site.visit("berta", LANG="C", key=None)
    plain.wait_for("Join a room")
    assert b"\x1b[38;2;" not in plain.raw
    assert plain.raw.isascii()
    column, row = plain.find("Settings")
    plain.click(column, row)
    plain.wait_for("client.toml")
    leave(terminal)


def test_the_terminal_of_a_visitor_is_asked_for_its_colours(site: Site) -> None:
    terminal = site.visit("anna", key=None)
    terminal.replies = {b"\x1bP$qm\x1b\\": b"\x1bP1$r0;48:2::1:2:3m\x1b\\", b"\x1b[c": b"\x1b[?64;1;2c"}
    terminal.wait_for("Join a room")
    assert b"48;2;16;35;28" in terminal.raw
    leave(terminal)


def test_screen_readers_and_programs_get_lines(site: Site) -> None:
    terminal = site.visit("zoé maría!", site.server.room, "--plain", key=None)
    terminal.wait_for("Type ready to begin")
    assert b"\x1b[?1049h" not in terminal.raw
    terminal.press("leave\r")
    assert terminal.ends() == OK
    for words in (["watch", site.server.room], []):
        done = site.run("anna@127.0.0.1", *words)
        assert done.returncode == OK
        assert site.server.room in done.stdout


def test_all_else_is_refused_with_a_sentence(site: Site) -> None:
    for code, program, words in REFUSED:
        done = site.run(*words, program=program)
        assert done.returncode == code, words
        assert len((done.stdout + done.stderr).split()) > 5, words


def test_a_visitor_reaches_no_other_server(site: Site) -> None:
    terminal = site.visit("anna", f"http://192.0.2.1/r/{site.server.room}")
    terminal.wait_for("Sit down")


def test_a_key_gives_the_seat_back_after_kills_of_the_server_and_of_ssh(own_site: Site) -> None:
    terminal = sit(own_site, "anna")
    assert (own_site.folder / "parlour.ssh").stat().st_mode & 0o777 == 0o600
    own_site.server.kill()
    assert terminal.ends() == Interrupted.exit_code
    own_site.server.restart(same_port=True)
    again = sit(own_site, "anna", back=True)
    first = own_site.process
    os.kill(first, signal.SIGKILL)
    assert again.ends() == NO_CONNECTION
    own_site.wait_until(lambda: own_site.process not in (0, first))
    leave(sit(own_site, "anna", back=True))


def test_a_screen_that_fails_takes_no_other_down_and_leaves_its_place(own_site: Site) -> None:
    first = own_site.visit("anna")
    first.wait_for("Join a room")
    [pid] = own_site.visitors
    second = own_site.visit("berta", key=None)
    second.wait_for("Join a room")
    assert own_site.run("carla@127.0.0.1").returncode == Refused.exit_code, "there are two places"
    os.kill(pid, signal.SIGKILL)
    assert first.ends() == CRASHED
    assert first.restored
    assert own_site.run("carla@127.0.0.1").returncode == OK
    second.press("?")
    second.wait_for("ctrl+p")
    own_site.server.signal(signal.SIGTERM)
    assert second.ends() == Interrupted.exit_code
    assert second.restored


def test_an_address_has_a_share_of_the_places(tmp_path: Path) -> None:
    with serving(tmp_path, "--max-ssh", "5", "--per-address", "1") as site:
        first = site.visit("anna")
        first.wait_for("Join a room")
        done = site.run("berta@127.0.0.1")
        assert done.returncode == Refused.exit_code
        assert "address" in done.stdout + done.stderr
        first.press("q")
        assert first.ends() == OK
        site.wait_until(lambda: site.run("berta@127.0.0.1").returncode == OK)


@pytest.mark.long
def test_who_presses_no_key_is_sent_away(tmp_path: Path) -> None:
    with serving(tmp_path, "--ssh-idle", "1") as site:
        terminal = site.visit("anna")
        assert terminal.ends() == Interrupted.exit_code
        assert terminal.restored
        assert terminal.shows("minute")
        site.wait_until(lambda: site.visitors == [])
