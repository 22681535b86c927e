import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_protocol.names import LONGEST, NoName, check, looks, normal, valid, width

OLD = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,19}", fullmatch=True)


@given(OLD)
def test_names_of_the_old_set_stay_valid(name: str) -> None:
    check(name)
    assert width(name) == len(name)


@pytest.mark.parametrize(
    "name",
    [
        "Jürgen", "Zoë", "Đặng-Thị", "Łukasz_7", "李小龍", "山田たろう", "カナ3", "김철수", "Kim김",
        "Αλέξης", "Владимир", "محمد", "דוד",
        "अनिता", "สมชาย", "გიორგი", "Արամ", "٣محمد", "ñandú", "王Bob", "ပြောင်း", "ᾧ", "Ọlọ́run",
        "1", "à" * 20, "李" * 10,
    ],
)  # fmt: skip
def test_names_in_many_scripts(name: str) -> None:
    check(name)
    assert valid(name) == name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "empty"),
        ("a" * 21, "20 columns"),
        ("李" * 11, "20 columns"),
        ("-a", "begin with"),
        ("_a", "begin with"),
        ("\u0301a", "mark"),
        ("a b", "without ' '"),
        ("a.b", "without '.'"),
        ("a\u200db", "without"),  # zero-width joiner
        ("a\u200b", "without"),  # zero-width space
        ("a\u202eb", "without"),  # right-to-left override
        ("a\u2066b", "without"),
        ("\ufeffa", "without"),
        ("a\x1b[2J", "without"),
        ("\ud800", "without"),
        ("a\u00adb", "without"),  # soft hyphen
        ("ａnna", "without"),  # fullwidth
        ("𝔞nna", "without"),
        ("ⅷ", "without"),
        ("☺", "without"),
        ("e\u0301", "form C"),
        ("раypal", "mix scripts"),  # Cyrillic а
        ("Αlice", "mix scripts"),  # Greek Α
        ("王Иван", "mix scripts"),
        ("カ김", "mix scripts"),
        ("a1٢", "digits of several scripts"),
        ("q\u0302\u0303\u0304\u0306", "mark"),
        ("q\u0302\u0302", "mark"),
        ("a-\u0302", "mark"),
        ("anna\u0338", "mark"),
    ],
)
def test_what_is_no_name(name: str, words: str) -> None:
    with pytest.raises(NoName, match=words):
        check(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("poc", "рос"), ("maria", "rnaria"), ("maria1", "marial"), ("Ivan", "lvan"), ("b0b", "bOb"), ("Bob", "bob"),
        ("СОВ", "COB"), ("ο", "o"), ("Straße", "STRAßE"),
    ],
)  # fmt: skip
def test_names_that_look_alike(one: str, other: str) -> None:
    assert looks(one) & looks(other)


def test_names_that_do_not_look_alike() -> None:
    for one, other in ("anna", "hanna"), ("zoe", "zoë"), ("adam", "ada"), ("李", "王"), ("bot-1", "bot-2"):
        assert not looks(one) & looks(other), one


@given(st.text(max_size=24))
def test_a_name_is_shown_in_as_many_columns_as_it_says_and_stays_as_it_is(text: str) -> None:
    try:
        check(text)
    except NoName:
        return
    assert 1 <= width(text) <= LONGEST
    assert normal(text) == text
    assert text.isprintable()
    steering = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert not {unicodedata.bidirectional(char) for char in text} & steering
    assert not {unicodedata.category(char)[0] for char in text} & {"C", "Z", "S"}


@given(st.text(max_size=40), st.sampled_from(["", "-2", "-17"]))
def test_any_text_can_be_made_a_name(text: str, ending: str) -> None:
    name = valid(text, ending)
    check(name)
    assert name.endswith(ending)


@given(OLD | st.text(st.sampled_from("аорсхіѕе李山김éß"), max_size=10))
def test_names_look_like_themselves_in_lowercase(name: str) -> None:
    assert looks(name) & looks(name.lower())
