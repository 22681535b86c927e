"""Names, tokens, keys and tickets: SPEC.md#resuming, #tokens-keys-and-tickets."""

import random
from typing import Any

import pytest
from msgspec.structs import asdict, replace

from parlour_protocol.errors import BadMessage, Denied
from parlour_protocol.messages import Hello, Kind
from parlour_server.directory.identities import UNCONFIRMED, Identities, Identity, check_text, hashed
from parlour_server.persistence import SaveIdentity
from parlour_server.settings import ServerSettings


def identities() -> Identities:
    return Identities(random.Random(1).randbytes, ServerSettings())


def hello(name: str = "anna", kind: Kind = "human", **more: Any) -> Hello:
    return Hello(name, kind, **more)


def denied(found: Identities, said: Hello) -> str:
    with pytest.raises(Denied) as refusal:
        found.greet(said)
    assert refusal.value.msg, "a refusal says what is wrong"
    return refusal.value.code


@pytest.mark.parametrize("name", ["", "a\x1b[2J", "аnna", "-", "Deleted"])
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(Denied, match=r"^[ -~]+\Z") as refusal:
        identities().greet(hello(name))
    assert refusal.value.code == "bad_name"


@pytest.mark.parametrize(
    ("known", "wanted"), [("maria", "rnaria"), ("Ivan", "lvan"), ("рос", "poc"), ("Zoë", "zoë"), ("Anna", "aNNa")]
)
def test_a_name_too_like_another_is_refused(known: str, wanted: str) -> None:
    found = identities()
    first, _ = found.greet(hello(known))
    assert denied(found, hello(wanted)) == "name_taken"
    found.forget(first.who)
    assert found.greet(hello(wanted))[0].name == wanted


def test_names_that_an_older_version_gave_stay_though_they_look_alike() -> None:
    found = identities()
    for who, name in (("1" * 16, "maria1"), ("2" * 16, "marial")):
        found.load(SaveIdentity(who, name, "human", None, None, None))
    assert [found.by_name(name) is not None for name in ("maria1", "marial")] == [True, True]
    found.forget("1" * 16)
    assert denied(found, hello("mariaI")) == "name_taken"


@pytest.mark.parametrize("text", ["", "  ", "a\nb", "\x1b[31m", "a\u202eb", "\x7f", "\u200b", "a\tb"])
def test_people_may_say_only_what_can_be_printed(text: str) -> None:
    check_text("gute Züge, 良い手 🎉!")
    with pytest.raises(BadMessage):
        check_text(text)


def test_only_hashes_are_kept() -> None:
    found = identities()
    identity, token = found.greet(hello(key="my-secret"))
    assert len(bytes.fromhex(token)) == 32
    saved = asdict(identity.saved())
    assert (saved["token"], saved["key"]) == (hashed(token), hashed("my-secret"))
    assert token not in str(saved)
    assert "my-secret" not in str(saved)


def test_each_hello_has_a_new_token_and_the_old_one_works_until_it_has_arrived() -> None:
    found = identities()
    identity, first = found.greet(hello())
    _, second = found.greet(hello(token=first))
    assert found.by_secret(first) is found.by_secret(second) is identity
    assert found.settle(identity)
    assert found.by_secret(first) is None
    assert found.by_secret(second) is identity
    assert not found.settle(identity)
    assert denied(found, hello(token=first)) == "bad_token"


def test_whichever_welcome_has_arrived_its_token_works() -> None:
    """Of several hellos with one token each may have been a late copy, or have lost its welcome."""
    for arrived in range(5):
        found = identities()
        identity, token = found.greet(hello())
        made = [found.greet(hello(token=token))[1] for _ in range(5)]
        assert all(found.by_secret(each) is identity for each in (token, *made))
        assert found.greet(hello(token=made[arrived]))[0] is identity
        older = [token, *made[:arrived]]
        assert [denied(found, hello(token=each)) for each in older] == ["bad_token"] * len(older)


def test_a_late_copy_of_a_hello_with_a_key_voids_no_token() -> None:
    found = identities()
    identity, token = found.greet(hello(key="k" * 32))
    _, copied = found.greet(hello(key="k" * 32))
    assert found.by_secret(token) is found.by_secret(copied) is identity
    assert found.settle(identity)
    assert found.by_secret(token) is None


def test_however_many_welcomes_are_lost_the_token_presented_and_the_newest_work() -> None:
    found = identities()
    identity, token = found.greet(hello())
    for _ in range(100):
        _, newest = found.greet(hello(token=token))
    assert found.by_secret(token) is found.by_secret(newest) is identity
    assert len(identity.tokens) == UNCONFIRMED + 2
    assert found.settle(identity)
    assert identity.tokens == [hashed(newest)]


def test_a_wrong_token_changes_nothing() -> None:
    found = identities()
    identity, token = found.greet(hello())
    before = identity.saved()
    for wrong in ("", "x", token[:-1], token.upper() + "0", hashed(token)):
        assert denied(found, hello("zoe", token=wrong)) == "bad_token"
    assert identity.saved() == before
    assert found.by_name("zoe") is None


def test_a_key_reserves_a_name() -> None:
    found = identities()
    identity, _ = found.greet(hello(key="k" * 32))
    again, token = found.greet(hello(key="k" * 32))
    assert again is identity
    assert found.by_secret(token) is identity
    assert denied(found, hello(key="other")) == "bad_key"
    assert denied(found, hello()) == "name_taken"
    assert found.greet(hello("whatever", key="k" * 32))[0] is identity


def test_a_key_does_not_take_a_guests_name_and_is_no_token_as_a_token_is_no_key() -> None:
    found = identities()
    bert, token = found.greet(hello("bert"))
    assert denied(found, hello("bert", key="k" * 32)) == "name_taken"
    found.greet(hello(key="k" * 32))
    assert denied(found, hello(token="k" * 32)) == "bad_token"
    assert denied(found, hello("cleo", key=token)) == "bad_key"
    assert found.by_name("cleo") is None
    assert found.by_secret(token) is bert


def test_a_guest_that_brings_a_key_has_it_from_then_on() -> None:
    found = identities()
    identity, token = found.greet(hello())
    assert found.greet(hello(token=token, key="k" * 32))[0] is identity
    _, token = found.greet(hello("whoever", key="k" * 32))
    assert found.by_secret(token) is identity
    assert found.greet(hello(token=token, key="k" * 32))[0] is identity


def test_a_key_that_is_not_ones_own_is_refused_with_a_good_token_too() -> None:
    found = identities()
    found.greet(hello("bert", key="b" * 32))
    guest, token = found.greet(hello("cleo"))
    assert denied(found, hello(token=token, key="b" * 32)) == "bad_key"
    assert guest.key is None
    dora, token = found.greet(hello("dora", key="d" * 32))
    assert denied(found, hello(token=token, key="x" * 32)) == "bad_key"
    assert found.by_secret(token) is dora


def test_where_keys_are_required_only_names_with_a_key_and_house_bots_come_in() -> None:
    found = Identities(random.Random(1).randbytes, ServerSettings(require_key=True))
    assert denied(found, hello()) == "key_required"
    assert found.by_name("anna") is None
    _, token = found.greet(hello(key="k" * 32))
    found.greet(hello(token=token))
    house, token = found.greet(hello("hal", ticket=found.ticket("hal")))
    assert found.greet(hello(token=token))[0] is house


def test_a_guest_of_before_comes_in_where_keys_are_required_as_soon_as_it_has_one() -> None:
    before, found = identities(), Identities(random.Random(2).randbytes, ServerSettings(require_key=True))
    guest, token = before.greet(hello())
    found.load(guest.saved())
    assert denied(found, hello(token=token)) == "key_required"
    assert found.greet(hello(token=token, key="k" * 32))[0].who == guest.who


def test_a_ticket_makes_one_house_bot_once() -> None:
    found = identities()
    ticket = found.ticket("hal")
    assert [found.makes(each) for each in ("hal", ticket)] == [False, True]
    identity, _ = found.greet(hello("whoever", "human", ticket=ticket))
    assert (identity.name, identity.kind, identity.house) == ("hal", "bot", True)
    assert not found.makes(ticket)
    assert denied(found, hello(ticket=ticket)) == "bad_ticket"
    again, _ = found.greet(hello(ticket=found.ticket("hal")))
    assert again is identity


def test_a_ticket_makes_no_house_bot_of_a_guest_and_is_kept_until_the_name_is_free() -> None:
    found = identities()
    guest, _ = found.greet(hello("hal"))
    ticket = found.ticket("hal")
    assert denied(found, hello(ticket=ticket)) == "name_taken"
    assert not guest.house
    found.forget(guest.who)
    assert found.greet(hello(ticket=ticket))[0].house


def test_a_banned_identity_is_refused_and_keeps_its_token() -> None:
    found = identities()
    identity, token = found.greet(hello(key="k" * 32))
    identity.banned = True
    assert denied(found, hello(token=token)) == "banned"
    assert denied(found, hello(key="k" * 32)) == "banned"
    identity.banned = False
    assert found.greet(hello(token=token))[0] is identity


def test_a_loaded_identity_is_recognized() -> None:
    found, later = identities(), identities()
    identity, token = found.greet(hello(key="k" * 32))
    later.load(identity.saved())
    assert later.by_secret(token) == later.by_secret("k" * 32) == later.by_name("ANNA") == identity


@pytest.mark.parametrize(
    ("more", "lapses"),
    [({}, True), ({"key": "h"}, True), ({"banned": True}, False), ({"muted": True}, False), ({"house": True}, False)],
)
def test_only_those_about_whom_nothing_is_decided_may_be_forgotten(more: dict[str, Any], lapses: bool) -> None:
    assert Identity("w", "anna", "human", **more).lapses() is lapses


def saved(found: Identities, name: str, **more: Any) -> SaveIdentity:
    """Return the stored identity after a hello."""
    identity, _ = found.greet(hello(name, **more))
    write = identity.saved()
    found.stored(write)
    return write


def test_nothing_is_left_of_forgotten_identities() -> None:
    found = identities()
    empty = {name: len(held) for name, held in vars(found).items() if hasattr(held, "__len__")}
    for name in ("anna", "bert"):
        write = saved(found, name, key=f"{name}'s key")
        identity, _ = found.greet(hello(name, key=f"{name}'s key"))
        found.settle(identity)
        found.stored(found.forget(write.who))
    assert {name: len(held) for name, held in vars(found).items() if hasattr(held, "__len__")} == empty
    assert found.writes == 4


def test_what_could_not_be_stored_has_not_been() -> None:
    found = identities()
    anna, bert = saved(found, "anna"), saved(found, "bert")
    found.load(dora := SaveIdentity("d" * 16, "dora", "bot", None, None, hashed("hers")))
    found.get(anna.who).banned = found.get(dora.who).muted = True
    new, _ = found.greet(hello("cleo"))
    for who in (anna.who, dora.who, new.who):
        found.restore(who)
    assert [found.get(each.who).saved() for each in (anna, bert, dora)] == [anna, bert, dora]
    assert new.who not in found
    assert len(found) == 3


def test_another_node_is_believed_unless_we_know_better() -> None:
    found = identities()
    anna = saved(found, "anna")
    theirs = replace(anna, token=hashed("new"), muted=True)
    assert not found.refresh(anna.who, theirs, 0)  # ours was stored since
    assert found.get(anna.who).saved() == anna
    assert found.refresh(anna.who, theirs, found.writes)
    assert found.get(anna.who).saved() == theirs
    assert found.by_secret("new") is found.get(anna.who)
    found.get(anna.who).banned = True
    assert not found.refresh(anna.who, anna, found.writes)  # ours is on its way to the store
    found.restore(anna.who)
    assert found.get(anna.who).saved() == theirs


def test_whom_another_node_has_forgotten_is_forgotten_here_and_whom_it_greets_is_known() -> None:
    found = identities()
    anna = saved(found, "anna")
    assert found.refresh(anna.who, None, found.writes)
    assert anna.who not in found
    found.restore(anna.who)
    assert anna.who not in found
    assert found.refresh(anna.who, anna, 1)
    assert found.get(anna.who).saved() == anna
    assert found.refresh("e" * 16, None, 0)


def test_identities_are_found_by_name_and_by_secret() -> None:
    found = identities()
    anna, bert = saved(found, "Anna", key="hers"), saved(found, "bert")
    assert found.asked(["ANNA", "nobody"], []) == {anna.who}
    assert found.asked([], [hashed("hers"), str(bert.token), hashed("none")]) == {anna.who, bert.who}
    assert found.asked(["bert"], [hashed("hers")]) == {anna.who, bert.who}
    assert found.asked(["cleo"], [hashed("none")]) == set()
