"""Write ``names.json``: which characters names may have, their scripts, and which of them look alike.

Run ``uv run --with confusable_homoglyphs==3.3.1 python -m tests.protocol.make_name_table``. It needs Perl 5.32 or
newer, which knows the identifier status and the script extensions of characters. ``confusable_homoglyphs`` holds
confusables.txt. All of this is Unicode's data (https://www.unicode.org/license.txt).
"""

import json
import subprocess
import sys
import unicodedata
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

import parlour_protocol

TABLE = Path(next(iter(parlour_protocol.__path__))) / "names.json"
SCRIPTS = {
    "Arab": "Arabic", "Armn": "Armenian", "Beng": "Bengali", "Bopo": "Bopomofo", "Cyrl": "Cyrillic",
    "Deva": "Devanagari", "Ethi": "Ethiopic", "Geor": "Georgian", "Grek": "Greek", "Gujr": "Gujarati",
    "Guru": "Gurmukhi", "Hang": "Hangul", "Hani": "Han", "Hebr": "Hebrew", "Hira": "Hiragana", "Kana": "Katakana",
    "Khmr": "Khmer", "Knda": "Kannada", "Laoo": "Lao", "Latn": "Latin", "Mlym": "Malayalam", "Mymr": "Myanmar",
    "Orya": "Oriya", "Sinh": "Sinhala", "Taml": "Tamil", "Telu": "Telugu", "Thaa": "Thaana", "Thai": "Thai",
    "Tibt": "Tibetan",
}  # fmt: skip
"""The recommended scripts of UAX 31. A character of no script here, such as a digit, goes with all of them."""
_ASK_PERL = r"""
use Unicode::UCD;
print Unicode::UCD::UnicodeVersion(), "\n";
my @scripts = @ARGV;
my %of = map { my $script = $_; $_ => qr/\p{Script_Extensions=$script}/ } @scripts;
for my $code (0x20 .. 0x323AF) {
    next if $code >= 0xD800 && $code <= 0xDFFF;
    my $char = chr $code;
    next unless $char =~ /\p{Identifier_Status=Allowed}/ && $char =~ /[\p{L}\p{M}\p{Nd}_-]/;
    print join(" ", $code, grep { $char =~ $of{$_} } @scripts), "\n";
}
"""

Alike: TypeAlias = dict[str, str]


def allowed() -> tuple[str, dict[int, list[str]]]:
    """Return the version of Unicode, and the scripts of each character that may be in a name."""
    version, *lines = subprocess.run(
        ["perl", "-e", _ASK_PERL, *SCRIPTS.values()], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    short = {long: tag for tag, long in SCRIPTS.items()}
    found = {int(code): [short[each] for each in scripts] for code, *scripts in map(str.split, lines)}
    return version, found


def ranges(scripts: dict[int, list[str]]) -> list[tuple[int, int, str]]:
    """Return the characters as ranges that have the same scripts."""
    found: list[tuple[int, int, str]] = []
    for code, each in sorted(scripts.items()):
        if found and found[-1][1] == code - 1 and found[-1][2] == " ".join(each):
            found[-1] = (found[-1][0], code, found[-1][2])
        else:
            found.append((code, code, " ".join(each)))
    return found


def _bare(text: str) -> str:
    """Return ``text`` without the marks that confusables.txt puts around characters of right-to-left scripts."""
    return text.strip("\u200e")


def alike(known: set[str]) -> Alike:
    """Return what characters of names are replaced by for comparing looks: what looks alike becomes the same."""
    pairs = import_module("confusable_homoglyphs.confusables").confusables_data
    classes: dict[str, set[str]] = {}
    strings: dict[str, str] = {}
    for one, other in ((_bare(one), _bare(each["c"])) for one, others in pairs.items() for each in others):
        if len(one) == len(other) == 1:
            merged = classes.get(one, {one}) | classes.get(other, {other})
            classes.update(dict.fromkeys(merged, merged))
        elif len(one) == 1:
            strings[one] = other
    first = {char: min(members) for char, members in classes.items()}
    targets = {first.get(char, char): strings[char] for char in sorted(strings)}
    looks = {char: _looks(char, first, targets) for char in sorted(known)}
    shared = Counter(looks.values())
    return {char: look for char, look in looks.items() if look != char and (shared[look] > 1 or len(look) > 1)}


def _looks(char: str, first: Alike, targets: Alike) -> str:
    return "".join(first.get(each, each) for each in targets.get(first.get(char, char), char))


def main() -> None:
    version, scripts = allowed()
    known = {part for code in scripts for part in unicodedata.normalize("NFD", chr(code))}
    table = {"unicode": version, "allowed": ranges(scripts), "alike": alike(known)}
    TABLE.write_text(json.dumps(table, ensure_ascii=True, separators=(",", ":")) + "\n", encoding="ascii")
    sys.stdout.write(f"{TABLE}: {len(scripts)} characters, {len(table['alike'])} with looks of others\n")


if __name__ == "__main__":
    main()
