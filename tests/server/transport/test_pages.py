"""The files of the web page: what is served where, and nothing else."""

import gzip
import json
import re
import tomllib
from html import unescape
from http import HTTPStatus
from pathlib import Path
from struct import unpack
from urllib.parse import urljoin

import pytest
from tests.server.transport.gateways import hosting

from parlour_protocol.phrases import LANGUAGES
from parlour_protocol.standard_output import qr
from parlour_server.settings import ServerSettings
from parlour_server.transport.pages import MAX_FILE, Pages, pages

WEB = Path(__file__).parents[3] / "server/parlour_server/web"
FILES = [file for file in WEB.rglob("*") if file.is_file() and file.name != "OFL.txt"]
START = b'<meta name="game" content=""><a href="web/VERSION/a.js">'
PAGES = Pages({"index.html": START, "a.js": b"1", "styles/b.css": b"2"}, ["chess"])
PLACE = f"/web/{PAGES.version}"


def test_links_lead_to_the_files_from_wherever_the_page_begins() -> None:
    for path, up in (("/", ""), ("/r/K7QD", "../"), ("/R/k7qd", "../"), ("/r/K7QD/", "../../")):
        assert f'<a href="{up}web/{PAGES.version}/a.js">'.encode() in PAGES.answer("GET", path, {}).body
    assert PAGES.answer("GET", f"{PLACE}/a.js", {}).body == b"1"
    assert PAGES.answer("GET", f"{PLACE}/styles/b.css", {}).body == b"2"


def test_the_beginning_names_the_game_of_a_room_that_anyone_may_know() -> None:
    for path, game in (("/r/k7qd", "chess"), ("/r/K7QD/", "chess"), ("/r/K7QF", ""), ("/r/K7QG", ""), ("/", "")):
        answer = PAGES.answer("GET", path, {}, {"K7QD": "chess", "K7QG": "another"}.get)
        assert f'<meta name="game" content="{game}">'.encode() in answer.body, path


def test_the_beginning_names_all_languages() -> None:
    [listed] = re.findall(r'<meta name="languages" content="(.*)">', pages().answer("GET", "/", {}).body.decode())
    assert list(json.loads(unescape(listed)).items()) == list(LANGUAGES.items())


@pytest.mark.parametrize(
    "path",
    ["", "/index.html", "/web/a.js", f"{PLACE}/../a.js", f"{PLACE}/%2e%2e/a.js", f"{PLACE}/styles/", "/r/", "/r/a/b",
     "//", "/r/K7%2F"],
)  # fmt: skip
def test_nothing_else_is_there(path: str) -> None:
    assert PAGES.answer("GET", path, {}).status is HTTPStatus.NOT_FOUND


def test_browsers_get_the_page_where_nothing_is() -> None:
    accept = {"Accept": "text/html,application/xhtml+xml"}
    for path, up in (("/nothing", ""), ("/r/a/b", "../../"), (f"{PLACE}/old.js", "../../")):
        lost = PAGES.answer("GET", path, accept)
        assert (lost.status, lost.headers["Cache-Control"]) == (HTTPStatus.NOT_FOUND, "no-cache")
        assert f'<a href="{up}web/{PAGES.version}/a.js">'.encode() in lost.body
        assert PAGES.answer("GET", path, {}).headers["Content-Type"].startswith("text/plain")
    assert PAGES.answer("GET", "/" * 99, accept).headers["Content-Type"].startswith("text/plain")


def test_previews_of_links_say_what_parlour_is_and_nothing_of_the_room() -> None:
    home, room, other = (pages().answer("GET", path, {}).body.decode() for path in ("/", "/r/K7QD", "/r/MFXT"))
    for name in ("og:title", "og:description"):
        assert f'<meta property="{name}" content="' in home
    assert room == other
    assert {*home.splitlines()} <= {*room.replace("../", "").splitlines()}


def test_files_are_kept_and_the_beginning_is_asked_for_again() -> None:
    file, home = PAGES.answer("GET", f"{PLACE}/a.js", {}), PAGES.answer("GET", "/", {})
    assert "immutable" in file.headers["Cache-Control"]
    assert home.headers["Cache-Control"] == "no-cache"
    same = PAGES.answer("GET", "/", {"If-None-Match": f'"x", W/{home.headers["ETag"]}'})
    assert (same.status, same.body, same.headers["ETag"]) == (HTTPStatus.NOT_MODIFIED, b"", home.headers["ETag"])
    assert PAGES.answer("GET", "/", {"If-None-Match": '"x"'}).status is HTTPStatus.OK


def test_scripts_come_without_the_comments_on_lines_of_their_own() -> None:
    code = b'export const add = (a) => /** @type {any} */ (a); // kept\n  /** @type {any} */ (add);\n"/**";\n'
    comment = b"// What it does.\n/**\n * Add.\n * @param {number} a\n */\n"
    script = comment + code + b"  /** Gone. */\n  // gone\n" + code
    found = Pages({"index.html": START, "a.js": script})
    served = found.answer("GET", f"/web/{found.version}/a.js", {}).body
    assert served == 2 * code


def test_whoever_can_unpack_gets_it_packed() -> None:
    packed = PAGES.answer("GET", "/", {"Accept-Encoding": "br, gzip;q=0.9"})
    assert gzip.decompress(packed.body) == PAGES.answer("GET", "/", {}).body
    assert (packed.headers["Content-Encoding"], packed.headers["Content-Length"]) == ("gzip", str(len(packed.body)))


def test_head_tells_the_length_and_other_methods_are_refused() -> None:
    head = PAGES.answer("HEAD", f"{PLACE}/a.js", {})
    assert (head.body, head.headers["Content-Length"]) == (b"", "1")
    assert PAGES.answer("POST", "/", {}).status is HTTPStatus.METHOD_NOT_ALLOWED


def test_files_that_are_too_large_or_of_no_known_type_are_no_pages() -> None:
    with pytest.raises(ValueError, match="at most"):
        Pages({"index.html": b"", "a.js": bytes(MAX_FILE + 1)})
    with pytest.raises(LookupError):
        Pages({"index.html": b"", "a.exe": b""})


def test_the_page_loads_nothing_from_elsewhere() -> None:
    for file in FILES:
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "https://"):
            assert word.encode() not in file.read_bytes(), file.name


def test_every_file_of_the_page_is_served_and_packaged() -> None:
    served, version = pages(), pages().version
    for file in FILES:
        path = "/" if file.name == "index.html" else f"/web/{version}/{file.relative_to(WEB).as_posix()}"
        assert served.answer("GET", path, {}).status is HTTPStatus.OK
    built = tomllib.loads((WEB.parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    assert "server/parlour_server" in built["targets"]["wheel"]["packages"]
    assert not {"exclude", "only-include", "include"} & (built.keys() | built["targets"]["wheel"].keys())


async def test_browsers_get_the_page_and_sockets_a_game(tmp_path: Path) -> None:
    async with hosting(tmp_path / "without.db") as host:
        assert (await host.get("/"))[0] == 426
    async with hosting(tmp_path / "parlour.db", ServerSettings()) as with_pages:
        status, body = await with_pages.get("/r/K7QD")
        assert status == 200
        assert '<script type="module" src="../web/' in body
        assert (await with_pages.get("/nothing"))[0] == 404
        assert (await with_pages.raw(b"HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")) == (200, "")
        etag = pages().answer("GET", "/", {}).headers["ETag"]
        assert await with_pages.get("/", If_None_Match=etag) == (304, "")
        assert (await with_pages.get("/", If_None_Match='"another"'))[0] == 200


def test_a_code_is_a_square_of_half_blocks() -> None:
    lines = qr("http://10.0.0.4:7777/r/K7QD").splitlines()
    assert {len(line) for line in lines} == {29}
    assert len(lines) == 15
    assert set("".join(lines)) == set("█▀▄ ")
    assert qr("http://10.0.0.4:7777/r/K7QF") != "\n".join(lines)


def test_the_page_can_be_added_to_a_home_screen() -> None:
    served = pages()
    favicon = served.answer("GET", "/favicon.ico", {})
    assert (favicon.status, favicon.headers["Content-Type"]) == (HTTPStatus.OK, "image/svg+xml")
    folder = f"/web/{served.version}/"
    about = served.answer("GET", f"{folder}manifest.webmanifest", {})
    assert about.headers["Content-Type"] == "application/manifest+json"
    manifest = json.loads(about.body)
    assert urljoin(folder, manifest["start_url"]) == urljoin(folder, manifest["scope"]) == "/"
    start = served.answer("GET", "/", {}).body.decode()
    for named in ("manifest.webmanifest", "icon_192.png", "icon.svg"):
        assert f'href="web/{served.version}/{named}"' in start
    for icon in manifest["icons"]:
        answer = served.answer("GET", urljoin(folder, icon["src"]), {})
        assert (answer.status, answer.headers["Content-Type"]) == (HTTPStatus.OK, icon["type"])
        if icon["type"] == "image/png":
            width, height = unpack(">II", answer.body[16:24])
            assert icon["sizes"] == f"{width}x{height}"
    assert {icon["sizes"] for icon in manifest["icons"]} == {"any", "192x192", "512x512"}
