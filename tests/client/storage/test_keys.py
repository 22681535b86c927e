from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from parlour_client.core.errors import Usage
from parlour_client.storage import keys

KEY = "ab" * 32


def test_a_key_is_made_once_and_belongs_to_the_name_in_any_letter_case_and_script() -> None:
    assert keys.kept() == {}
    assert keys.make("Maria")
    key = keys.key_of("mARIA")
    assert key is not None
    assert len(bytes.fromhex(key)) == 32
    assert not keys.make("maria")
    assert keys.kept() == {"Maria": key}
    for name in ("otto", "Jürgen", "李小龍"):
        assert keys.make(name)
        assert keys.key_of(name) not in (None, key)
        assert not keys.make(name.upper())
    assert sorted(keys.kept()) == ["Jürgen", "Maria", "otto", "李小龍"]


def test_a_key_from_elsewhere_does_not_replace_one() -> None:
    keys.add("maria", KEY)
    keys.add("MARIA", KEY)
    with pytest.raises(Usage, match="has a different key here") as fault:
        keys.add("maria", "cd" * 32)
    assert "cd" * 32 not in str(fault.value)
    assert keys.kept() == {"maria": KEY}


@pytest.mark.parametrize(
    "name", ["", "-a", "a b", "a" * 21, 'a"', "a\n", "../a", "a\u0308", "a.b", "a\x1b[2J", "[a]", "a=1"]
)
@pytest.mark.parametrize("do", [keys.make, lambda name: keys.add(name, KEY)])
def test_hostile_names_never_enter_the_file(name: str, do: Callable[[str], object]) -> None:
    with pytest.raises(Usage, match="is not a name") as fault:
        do(name)
    assert str(fault.value).isprintable()
    assert not keys.file().exists()


@pytest.mark.parametrize("key", ["", "short", KEY + '"', KEY[:31], "x" * 129, KEY[:40] + "\n" + KEY[:20], "ä" * 40])
def test_what_is_no_key_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(Usage, match="not a key") as fault:
        keys.add("maria", key)
    assert not key or key not in str(fault.value)


@pytest.mark.parametrize("text", ["maria = 7", "maria = 'x", "[maria]", f'"a b" = "{KEY}"', 'maria = "short"', "\x00"])
def test_a_damaged_file_is_named_and_neither_used_nor_overwritten(text: str) -> None:
    path = keys.file()
    path.parent.mkdir(parents=True)
    path.write_text(text)
    path.chmod(0o600)
    for do in (keys.kept, lambda: keys.make("otto")):
        with pytest.raises(Usage, match=str(path)):
            do()
    assert path.read_text() == text


def test_two_who_write_at_once_lose_nothing() -> None:
    names = [f"n{number}" for number in range(20)]
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(keys.make, names))
    assert set(keys.kept()) == set(names)


def test_a_folder_that_cannot_be_written_is_a_fault(home: Path) -> None:
    (home / "config").write_text("a file where the folder should be")
    with pytest.raises(Usage, match="cannot be"):
        keys.make("maria")


def test_what_is_forgotten_is_gone() -> None:
    keys.add("maria", KEY)
    keys.forget("Maria")
    with pytest.raises(Usage, match="no key for 'maria'"):
        keys.forget("maria")
