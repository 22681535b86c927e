"""The phrases: complete in every language, and said alike by the page and by the terminal client."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.client.messages import VIEW, joined, table
from tests.support.node import evaluate

from parlour_client.core.phrases import _parsed, _Place, phrases
from parlour_client.core.room import JoinedRoom
from parlour_client.text.minesweeper.words import said as said_of_minesweeper
from parlour_client.text.uno.words import said as said_of_uno
from parlour_client.tui.screens.settings import actions
from parlour_client.tui.widgets.keys import phrase_of
from parlour_games.options import options_of
from parlour_games.registry import games
from parlour_protocol.errors import CODES
from parlour_protocol.phrases import FALLBACK, LANGUAGES
from parlour_protocol.phrases import table as phrases_of

ROOT = Path(__file__).parents[2]
WEB = ROOT / "server/parlour_server/web"
PACKAGES = {
    "protocol": "parlour_protocol.phrases",
    "page": "parlour_server.phrases",
    "terminal": "parlour_client.phrases",
    **{name: game.phrases for name, game in games().items()},
}
TABLES = {
    language: {name: phrases_of(package, language) for name, package in PACKAGES.items()} for language in LANGUAGES
}
FOR_PROGRAMS = {"hello_first", "greeted", "bad_ticket", "not_admin", "bad_beacon"}
"""Errors for requests of programs and operators; the server's own words explain them."""
UNSAID = {"uno.event.turn", "uno.event.match", "minesweeper.event.review"}
"""Events without a line: the prompt, the standings and the statistics say it."""


def places(template: str) -> Iterator[_Place]:
    """Yield each place in a template, also those in the cases of others."""
    parts = list(_parsed(template))
    for part in parts:
        if isinstance(part, _Place):
            yield part
            parts.extend(each for case in part.cases.values() for each in case)


def formats(template: str) -> list[tuple[str, str]]:
    """Return the fields and the formats of the places in a template."""
    return sorted({(part.field, part.format) for part in places(template)})


@pytest.mark.parametrize("name", PACKAGES)
def test_every_language_has_the_same_phrases_with_the_same_fields(name: str) -> None:
    first, *others = (
        json.loads((ROOT / place(PACKAGES[name]) / f"{language}.json").read_text(encoding="utf-8"))
        for language in LANGUAGES
    )
    for other in others:
        assert list(other) == list(first)
        for key in first:
            assert formats(other[key]) == formats(first[key]), key


def place(package: str) -> Path:
    folders = {"parlour_protocol": "protocol", "parlour_server": "server", "parlour_client": "client"}
    top, *rest = package.split(".")
    return Path(folders.get(top, "games"), top, *rest)


@pytest.mark.parametrize("name", [name for name, game in games().items() if game.phrases])
def test_every_event_of_a_game_has_a_phrase(name: str) -> None:
    events = {f"{name}.event.{vars(event)['e']}" for event in games()[name].Events}
    assert events - TABLES["en"][name].keys() == events & UNSAID


SAYING = {"uno": said_of_uno, "minesweeper": said_of_minesweeper}


@pytest.mark.parametrize("name", [name for name, game in games().items() if game.phrases])
def test_every_option_and_its_choices_have_a_name_and_a_sentence(name: str) -> None:
    keys = {f"{name}.option.{option.name}": option for option in options_of(games()[name])}
    wanted = {
        *keys,
        *(f"{key}.means" for key in keys),
        *(f"{key}.{each}" for key, option in keys.items() for each in option.choices if isinstance(each, str)),
    }
    assert wanted - TABLES["en"][name].keys() == set()


def test_no_phrase_has_a_word_that_the_glossary_replaces() -> None:
    rows = [row for row in (ROOT / "docs/glossary.md").read_text(encoding="utf-8").splitlines() if row.startswith("| ")]
    words = [word for row in rows[1:] for word in row.split("|")[-2].strip().split(", ") if word]
    assert len(words) > 15
    replaced = re.compile(rf"(?<!{{)\b({'|'.join(words)})\b")
    phrases = [(key, text) for tables in TABLES.values() for each in tables.values() for key, text in each.items()]
    assert [(key, found[0]) for key, text in phrases if (found := replaced.search(text))] == []


def test_every_error_that_people_can_meet_has_a_phrase() -> None:
    refusals = {key for key in TABLES["en"]["protocol"] if key.startswith("refusal.")}
    assert {key for key in refusals if key.count(".") == 1} == {
        f"refusal.{code}" for code in {*CODES, "lost", "origin"} - FOR_PROGRAMS
    }
    for language in LANGUAGES:
        for key in refusals:
            template = TABLES[language]["protocol"][key]
            assert template.endswith("."), key
            assert "SPEC" not in template, key


def samples(game: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield phrases of a game with fields, so that each case of each place is chosen."""
    options: dict[str, list[Any]] = {
        "player": [0, 1, None],
        "card": [9, [9, 107], [], None],
        "Card": [9, 107],
        "colour": ["red", None],
        "scores": [[0, 5, 7]],
        "held": [[0, 5, 7], [0, 0, 0]],
        "cell": [[3, 4], [[3, 4]], [[x, 27] for x in range(10)], None],
        "plural": [0, 1, 2],
        "seconds": [60_000, 1_234],
        "": ["text", 7],
    }
    for key, template in TABLES["en"][game].items():
        found = formats(template)
        for turn in range(12):
            fields = {}
            for at, (field, format) in enumerate(found):
                cases = {case for part in places(template) if part.field == field for case in part.cases}
                named: list[Any] = [*sorted(cases - {"other"}), "?", None]
                few = options.get(format) or [True if each == "true" else each for each in named]
                fields[field] = few[(turn + at * (turn // 4)) % len(few)]
            yield key, fields


@pytest.mark.node
@pytest.mark.parametrize("game", SAYING)
def test_both_clients_say_the_same(node_executable: Path, game: str) -> None:
    asked = list(samples(game))
    room = JoinedRoom.of(joined(0, view=VIEW, table=table("playing")))
    names = [room.name(seat) for seat in range(3)]
    for language in LANGUAGES:
        phrases.use(language)
        try:
            ours = [_or_nothing(game, room, key, fields) for key, fields in asked]
        finally:
            phrases.use(FALLBACK)
        tables = [TABLES[language][name] for name in ("protocol", game)]
        expression = f"""(await (async () => {{
            const {{ add }} = await import({json.dumps((WEB / "core/phrases.js").as_uri())});
            for (const table of {json.dumps(tables)}) add(table);
            const names = {json.dumps(names)}, room = {{ seat: 0, name: (seat) => names[seat] }};
            const say = (key, fields) => {{ try {{ return it.said(room, key, fields); }} catch {{ return null; }} }};
            return {json.dumps(asked)}.map(([key, fields]) => say(key, fields));
        }})())"""
        told = evaluate(node_executable, WEB / f"games/{game}/words.js", expression)
        for theirs, own, what in zip(told, ours, asked, strict=True):
            assert theirs == own, what
            assert own is None or not re.search(r"[{}#]|null|None|undefined", own), what
        assert sum(each is not None for each in ours) > len(ours) / 2


def _or_nothing(game: str, room: JoinedRoom, key: str, fields: dict[str, Any]) -> str | None:
    try:
        return SAYING[game](room, key, fields)
    except LookupError:
        return None


_NAMES = r"UNO!?|Minesweeper|English|Deutsch|(?:Arrow|Page)?(?:Left|Right|Up|Down)|Home|End|Escape|3BV(?:/s)?|px"
"""Words that are the same in every language, and the names of keys."""
_LITERAL = re.compile(
    r"""//[^\n]* | /\*.*?\*/
    | (?P<before>[^"`\n]{0,40}) (?P<quote>["`]) (?P<text>(?:(?!(?P=quote))[^\\]|\\.)*) (?P=quote)""",
    re.DOTALL | re.VERBOSE,
)
_SHOWN = re.compile(
    r"""\b(?:h\("\w+",[ ]\{[^"`]*\},[ ]|(?:button|announce|toast|tableHead|dialog)\(|text\([\w.]+,[ ])$
    | (?:aria-label"|title|placeholder|alt):[ ]$""",
    re.VERBOSE,
)
_CODE = re.compile(r"(?:class(?:Name)?\"?(?: =|:)|\w+\(|key ===|(?:root|src|type|pattern|rel|easing):)[^\"`]*$")


def fixed_texts(source: str) -> Iterator[str]:
    """Yield the literals of a module that look like words for people: they are shown, a sentence, or capitalised."""
    for found in _LITERAL.finditer(source):
        if found["text"] is None:
            continue
        words = re.sub(rf"\$\{{[^}}]*\}}?|<[^>]+>|(?<![A-Za-z])(?:{_NAMES})(?!\w)", "", found["text"])
        shown = _SHOWN.search(found["before"]) and re.search("[A-Za-z]{2}", words)
        sentence = re.search(r"\b[A-Z][a-z]+|[a-z]{2} [a-z]{2}", words) and not _CODE.search(found["before"])
        if shown or sentence:
            yield found["text"]


def test_all_words_of_the_page_are_in_the_tables() -> None:
    found = {
        (file.relative_to(WEB).as_posix(), words)
        for file in WEB.rglob("*.js")
        for words in fixed_texts(file.read_text(encoding="utf-8"))
    }
    assert found == set()


def test_no_phrase_is_unused() -> None:
    """A source names a phrase, or the part of its key before what is filled in."""
    files = [
        *(path for each in ("client", "bots", "server") for path in (ROOT / each).rglob("*.py")),
        *WEB.rglob("*.js"),
    ]
    sources = "\n".join(file.read_text(encoding="utf-8") for file in files)
    named = set(re.findall(r"[\"'`]([a-z]+(?:\.[a-z0-9_]+)+|you|decimal)[\"'`]", sources))
    begun = {f"{each}." for each in re.findall(r"[\"'`]([a-z_.]+)\.\$?\{", sources)}
    begun = {*begun, "minesweeper.option.", "uno.review."} - {"uno."}  # which begins the ids of keys, too
    ids = {*actions(), *re.findall(r"\bid=f?\"([a-z]+\.[a-z_]+)", sources)}
    named |= {phrase_of(id) for id in ids}
    keys = {key for table in TABLES["en"].values() for key in table}
    named |= {key for key in keys if re.fullmatch(r"\w+\.name", key)}  # the names of games
    rules = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "games").rglob("*.py"))
    named |= {key for key in keys if ".refusal." in key and f'"{key.rpartition(".")[2]}"' in rules}
    assert {key for key in keys - named if not key.startswith(tuple(begun))} == set()
