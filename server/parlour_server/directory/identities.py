"""Who is who: names, tokens, keys. Secrets are only ever kept as hashes.

A *token* belongs to the main socket: rotated at each hello, the one presented staying valid until the first
frame on the new socket, so that a lost ``welcome`` locks nobody out. A *key* is an identity's own long-lived
secret; a name bound to a key opens to that key only. A guest that comes back with its token and a key besides has the
key from then on. A *ticket* makes a house bot, once.
"""

from collections.abc import Callable, Iterable
from hashlib import sha256
from operator import attrgetter

import attrs

from parlour_protocol.errors import BadMessage, Denied
from parlour_protocol.messages import Hello, Kind
from parlour_server.persistence import DropIdentity, SaveIdentity

NAME_LENGTH = 20
DELETED = "deleted"
"""What stands in results for the name of an identity that was deleted; nobody can be called so."""
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")


@attrs.define
class Identity:
    """Somebody. ``who`` is its id, which is no secret; token, previous and key are hashes."""

    who: str
    name: str
    kind: Kind
    token: str | None = None
    previous: str | None = None
    key: str | None = None
    banned: bool = False
    muted: bool = False
    house: bool = False

    def saved(self) -> SaveIdentity:
        """Return what is stored of it."""
        return SaveIdentity(*_stored(self))

    def lapses(self) -> bool:
        """Whether it is forgotten some time after its last connection: a guest about whom nothing is decided."""
        return self.key is None and not (self.banned or self.muted or self.house)


_stored = attrgetter(*(field.name for field in attrs.fields(SaveIdentity)))


def hashed(secret: str) -> str:
    """Return what is kept of a token, key or ticket."""
    return sha256(secret.encode()).hexdigest()


def check_name(name: str) -> None:
    """Refuse what is not a name, [A-Za-z0-9][A-Za-z0-9_-]{0,19}, and the one that stands for the deleted."""
    if not name or len(name) > NAME_LENGTH or name[0] not in _LETTERS or not set(name) <= _LETTERS | {"_", "-"}:
        raise Denied("bad_name", f"{name[:40]!a} is not a name")
    if name.lower() == DELETED:
        raise Denied("bad_name", f"nobody can be called {name}: it stands for those who are")


def check_text(text: str) -> None:
    """Refuse control, format and other unprintable characters in what people say."""
    if not text.strip() or not text.isprintable():
        raise BadMessage("text must be printable characters, not only spaces")


class Identities:
    """All identities that this server remembers. ``require_key``: it welcomes nobody without a key."""

    def __init__(self, entropy: Callable[[int], bytes], *, require_key: bool = False) -> None:
        self._entropy = entropy
        self._require_key = require_key
        self._all: dict[str, Identity] = {}
        self._names: dict[str, str] = {}
        self._secrets: dict[str, str] = {}
        self._stored: dict[str, SaveIdentity] = {}
        self._tickets: dict[str, str] = {}
        self.writes = 0
        """How many writes have been stored so far."""
        self._written: dict[str, int] = {}
        """The number of the last one about each identity."""

    def load(self, saved: SaveIdentity) -> None:
        """Remember an identity from the store."""
        self._stored[saved.who] = saved
        self._add(Identity(**attrs.asdict(saved)))

    def __len__(self) -> int:
        return len(self._all)

    def __contains__(self, who: str) -> bool:
        return who in self._all

    def get(self, who: str) -> Identity:
        """Return identity ``who``."""
        return self._all[who]

    def by_name(self, name: str) -> Identity | None:
        """Return who has this name, letter case aside."""
        who = self._names.get(name.lower())
        return self._all[who] if who else None

    def by_secret(self, secret: str | None) -> Identity | None:
        """Return whose token or key this is."""
        who = self._secrets.get(hashed(secret)) if secret else None
        return self._all[who] if who else None

    def ticket(self, name: str) -> str:
        """Return a ticket that makes one house bot called ``name``."""
        ticket = self._entropy(32).hex()
        self._tickets[hashed(ticket)] = name
        return ticket

    def greet(self, hello: Hello) -> tuple[Identity, str]:
        """Return who says hello, and its new token. Raises Denied with nothing changed."""
        identity = self._known(hello) or self._new(hello)
        if identity.banned:
            raise Denied("banned", "the operator has shut you out")
        key = _bound(identity, hello, self.by_secret(hello.key))
        if self._require_key and key is None and not identity.house:
            raise Denied("key_required", "this server welcomes only names that are protected by a key")
        token = self._entropy(32).hex()
        presented = hashed(hello.token) if hello.token else None
        self._forget_secrets(identity)
        identity.previous, identity.token, identity.key = presented, hashed(token), key
        self._add(identity)
        return identity, token

    def settle(self, identity: Identity) -> bool:
        """The new token has arrived: the one before is void. Returns whether that changed anything."""
        if identity.previous is None:
            return False
        self._secrets.pop(identity.previous, None)
        identity.previous = None
        return True

    def stored(self, write: SaveIdentity | DropIdentity) -> None:
        """What was wanted is stored."""
        self.writes += 1
        if isinstance(write, SaveIdentity):
            self._stored[write.who] = write
            self._written[write.who] = self.writes
        else:
            self._stored.pop(write.who, None)
            self._written.pop(write.who, None)

    def refresh(self, who: str, saved: SaveIdentity | None, since: int) -> bool:
        """Know of ``who`` what another node may have stored; None: nothing. Returns False if what we know is newer:

        written by ourselves and not stored yet, or stored after write number ``since``.
        """
        known = self._all.get(who)
        if self._written.get(who, 0) > since or (known is not None and known.saved() != self._stored.get(who)):
            return False
        if known is not None:
            self.forget(who)
        self._stored.pop(who, None)
        if saved is not None:
            self.load(saved)
        return True

    def asked(self, names: Iterable[str], hashes: Iterable[str]) -> set[str]:
        """Return who is known here by one of these names, or hashed tokens or keys."""
        found = {self._names.get(name.lower()) for name in names} | {self._secrets.get(secret) for secret in hashes}
        return {who for who in found if who is not None}

    def makes(self, ticket: str) -> bool:
        """Whether a ticket makes a house bot here."""
        return hashed(ticket) in self._tickets

    def restore(self, who: str) -> None:
        """Know of ``who`` again what is stored, since something could not be: of somebody new nothing."""
        if who in self._all:
            self.forget(who)
        if who in self._stored:
            self.load(self._stored[who])

    def forget(self, who: str, *, erased: bool = False) -> DropIdentity:
        """Forget an identity; ``erased``: with its name in results, and its ratings."""
        identity = self._all.pop(who)
        self._forget_secrets(identity)
        self._secrets.pop(identity.key or "", None)
        if self._names.get(identity.name.lower()) == who:
            del self._names[identity.name.lower()]
        return DropIdentity(who, erased)

    def _known(self, hello: Hello) -> Identity | None:
        if hello.token is not None:
            identity = self.by_secret(hello.token)
            if identity is None or identity.key == hashed(hello.token):
                raise Denied("bad_token", "this token is not valid (any more)")
            return identity
        return self._keyed(hello) if hello.key is not None else None

    def _keyed(self, hello: Hello) -> Identity | None:
        """Return the identity of a key; None to make one. The name has to be free or its own."""
        assert hello.key is not None
        owner = self.by_name(hello.name)
        if owner is not None and owner.key is not None and owner.key != hashed(hello.key):
            raise Denied("bad_key", f"the name {owner.name} belongs to another key")
        identity = self.by_secret(hello.key)
        return identity if identity is not None and identity.key == hashed(hello.key) else None

    def _new(self, hello: Hello) -> Identity:
        if hello.ticket is not None:
            return self._house_bot(hello.ticket)
        check_name(hello.name)
        if self.by_name(hello.name) is not None:
            raise Denied("name_taken", f"somebody here is called {hello.name}")
        key = hashed(hello.key) if hello.key is not None else None
        return Identity(self._entropy(8).hex(), hello.name, hello.kind, key=key)

    def _house_bot(self, ticket: str) -> Identity:
        """Return the house bot that this ticket makes: after a restart the same one as before, with its seats."""
        name = self._tickets.pop(hashed(ticket), None)
        if name is None:
            raise Denied("bad_ticket", "this ticket is not valid (any more)")
        known = self.by_name(name)
        if known is not None and not known.house:
            raise Denied("name_taken", f"somebody here is called {name}")
        return known or Identity(self._entropy(8).hex(), name, "bot", house=True)

    def _add(self, identity: Identity) -> None:
        self._all[identity.who] = identity
        self._names[identity.name.lower()] = identity.who
        for secret in (identity.token, identity.previous, identity.key):
            if secret:
                self._secrets[secret] = identity.who

    def _forget_secrets(self, identity: Identity) -> None:
        for secret in (identity.token, identity.previous):
            self._secrets.pop(secret or "", None)


def _bound(identity: Identity, hello: Hello, owner: Identity | None) -> str | None:
    """Return the hash of the key that ``identity`` has from now on; ``owner`` has the presented one already."""
    if hello.key is None or identity.house or owner is identity:
        return identity.key
    if owner is not None or identity.key not in (None, hashed(hello.key)):
        raise Denied("bad_key", f"this is not the key of {identity.name}")
    return hashed(hello.key)
