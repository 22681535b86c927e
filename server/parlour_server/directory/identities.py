"""Identities: names, tokens and keys. Secrets are kept as hashes only.

A *token* belongs to the main connection. Each hello makes a new one. The first frame after ``welcome`` proves that it
has arrived, and voids all others; until then the token that was presented and all made since stay valid. So neither a
lost ``welcome`` nor a late copy of an older hello locks a client out. A *key* is an identity's own long-lived secret: a
name with a key opens to that key only. A guest that presents its token and a key is bound to the key from then on. A
*ticket* makes a house bot, once.
"""

from collections.abc import Callable, Iterable
from hashlib import sha256
from operator import attrgetter

import attrs
from msgspec.structs import asdict

from parlour_protocol import names
from parlour_protocol.errors import BadMessage, Denied
from parlour_protocol.messages import Hello, Kind
from parlour_server.persistence import DropIdentity, Rated, SaveIdentity
from parlour_server.rooms import audience
from parlour_server.settings import ServerSettings


class Ratings:
    """The ratings of the identities that may play here."""

    def __init__(self, games: Iterable[str], may_exist: Callable[[str], bool]) -> None:
        self._games = games
        self._may_exist = may_exist
        self._ratings: dict[tuple[str, str], int] = {}

    @property
    def table(self) -> audience.Ratings:
        """Return all ratings by (identity, game). The mapping stays current."""
        return self._ratings

    def changed(self, changes: Iterable[Rated]) -> None:
        """Take in ratings from the store, except those of identities that can never come back."""
        self._ratings |= {(change.who, change.game): change.rating for change in changes if self._may_exist(change.who)}

    def of(self, who: str, game: str) -> int | None:
        """Return the rating of ``who`` at ``game``."""
        return self._ratings.get((who, game))

    def forget(self, who: str) -> None:
        """Forget the ratings of ``who``."""
        for game in self._games:
            self._ratings.pop((who, game), None)


UNCONFIRMED = 16
"""Tokens made after the one presented that stay valid until a newer one has arrived."""
DELETED = "deleted"
"""The text that results show in place of the name of a deleted identity. No identity can have this name."""


@attrs.define
class Identity:
    """A player. ``who`` is its id, which is not secret. Token, previous and key are hashes.

    ``previous`` holds the older tokens that are still valid, oldest first, separated by spaces.
    """

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

    @property
    def tokens(self) -> list[str]:
        """Return the tokens that are valid, oldest first."""
        return [*(self.previous or "").split(), *filter(None, [self.token])]

    def renew(self, presented: str | None, token: str) -> None:
        """Add a token. Those older than the one ``presented`` are void: its owner has seen a newer one."""
        known = self.tokens
        valid = known[known.index(presented) :] if presented else known
        self.previous, self.token = " ".join([*valid[:1], *valid[1:][-UNCONFIRMED:]]) or None, token

    @property
    def is_guest(self) -> bool:
        """Whether it has no key, and is not the server's own."""
        return self.key is None and not self.house

    def lapses(self) -> bool:
        """Whether it may be forgotten after its last connection: no one has banned or muted it."""
        return not (self.banned or self.muted or self.house)


_stored = attrgetter(*SaveIdentity.__struct_fields__)


def hashed(secret: str) -> str:
    """Return the hash of a token, key or ticket, which is all that is kept of it."""
    return sha256(secret.encode()).hexdigest()


def check_name(name: str) -> None:
    """Refuse what is not a name, and the name reserved for deleted identities."""
    try:
        names.check(name)
    except names.NoName as error:
        raise Denied("bad_name", f"{name[:40]!a} is not a name: it {error}") from None
    if name.lower() == DELETED:
        raise Denied("bad_name", f"the name {name} is reserved for deleted identities")


def check_text(text: str) -> None:
    """Refuse control, format and other unprintable characters in chat."""
    if not text.strip() or not text.isprintable():
        raise BadMessage("text must be printable characters, not only spaces")


class Identities:
    """All identities that this server remembers."""

    def __init__(self, entropy: Callable[[int], bytes], settings: ServerSettings) -> None:
        self._entropy = entropy
        self._settings = settings
        self._all: dict[str, Identity] = {}
        self._names: dict[str, str] = {}
        self._looks: dict[str, tuple[str, ...]] = {}
        """The identities by what their names look like. Older versions gave names that look alike."""
        self._secrets: dict[str, str] = {}
        self._stored: dict[str, SaveIdentity] = {}
        self._tickets: dict[str, str] = {}
        self.complete = True
        """Whether all identities that exist are in memory."""
        self.writes = 0
        """The number of writes stored so far."""
        self._dropped = 0
        """The number of the last write that dropped one."""
        self._leaving: set[str] = set()
        """The identities whose end is not stored yet."""
        self._written: dict[str, int] = {}
        """The number of the last write about each identity."""
        self.unplayed: set[str] = set()
        """The identities that have not finished a match yet."""

    def load(self, saved: SaveIdentity) -> None:
        """Remember an identity from the store."""
        self._stored[saved.who] = saved
        self._add(Identity(**asdict(saved)))

    def __len__(self) -> int:
        return len(self._all)

    def __contains__(self, who: str) -> bool:
        return who in self._all

    def get(self, who: str) -> Identity:
        """Return identity ``who``."""
        return self._all[who]

    def by_name(self, name: str) -> Identity | None:
        """Return the identity with this name, in any letter case."""
        who = self._names.get(name.lower())
        return self._all[who] if who else None

    def like(self, name: str, lapsed: Identity | None = None) -> Identity | None:
        """Return another identity than ``lapsed`` whose name looks like this one or differs in letter case only."""
        alike = [who for look in names.looks(name) for who in self._looks.get(look, ())]
        found = [*(self._all[who] for who in alike), self.by_name(name)]
        return next((each for each in found if each is not lapsed), None)

    def by_secret(self, secret: str | None) -> Identity | None:
        """Return the identity that this token or key belongs to."""
        who = self._secrets.get(hashed(secret)) if secret else None
        return self._all[who] if who else None

    def ticket(self, name: str) -> str:
        """Return a ticket that makes one house bot with this name."""
        ticket = self._entropy(32).hex()
        self._tickets[hashed(ticket)] = name
        return ticket

    def is_new(self, hello: Hello) -> bool:
        """Whether a hello takes a name that no one here has."""
        return hello.token is None and hello.ticket is None and self.by_secret(hello.key) is None

    def greet(self, hello: Hello, lapsed: Identity | None = None) -> tuple[Identity, str]:
        """Return the identity that says hello, and its new token. Raises Denied with nothing changed.

        ``lapsed``: an identity whose name a new one may take; the caller then forgets it.
        """
        identity = self._known(hello) or self._new(hello, lapsed)
        if identity.banned:
            raise Denied("banned", "an admin has banned you from this server")
        key = _bound(identity, hello, self.by_secret(hello.key))
        if self._settings.require_key and key is None and not identity.house:
            raise Denied("key_required", "this server accepts only names with a key")
        if identity.who not in self._all and not identity.house:
            self.unplayed.add(identity.who)
        if hello.ticket is not None:
            self._tickets.pop(hashed(hello.ticket), None)
        token = self._entropy(32).hex()
        presented = hashed(hello.token) if hello.token else None
        self._forget_tokens(identity)
        identity.renew(presented, hashed(token))
        identity.key = key
        self._add(identity)
        return identity, token

    def settle(self, identity: Identity) -> bool:
        """Void the tokens before the newest one, which has arrived. Returns whether there were any."""
        if identity.previous is None:
            return False
        self._forget_tokens(identity)
        identity.previous = None
        self._add(identity)
        return True

    def stored(self, write: SaveIdentity | DropIdentity) -> None:
        """Note that a write was stored."""
        self.writes += 1
        if isinstance(write, SaveIdentity):
            self._stored[write.who] = write
            self._written[write.who] = self.writes
        else:
            self._dropped = self.writes
            self._leaving.discard(write.who)
            self._stored.pop(write.who, None)
            self._written.pop(write.who, None)

    def recall(self, saved: Iterable[SaveIdentity], since: int) -> list[str] | None:
        """Take in what was read of identities that are away, and return the ids of those who were not in memory.

        None: one was dropped after write number ``since``. It may be among them, so that they have to be read again.
        """
        if self._dropped > since:
            return None
        found = [each for each in saved if each.who not in self._all and each.who not in self._leaving]
        for each in found:
            self.load(each)
        return [each.who for each in found]

    def unload(self, who: str) -> bool:
        """Keep ``who`` in the store only. Returns False, with nothing changed, if it would not be found there."""
        identity = self._all[who]
        if identity.house or identity.previous is not None or identity.saved() != self._stored.get(who):
            return False
        self._forget(who)
        del self._stored[who]
        self._written.pop(who, None)
        self.complete = False
        return True

    def refresh(self, who: str, saved: SaveIdentity | None, since: int) -> bool:
        """Take in what another node may have stored of ``who``; None: nothing is stored.

        Returns False, with nothing changed, if this node knows better: its own last write about ``who`` is not stored
        yet, or was stored after write number ``since``.
        """
        known = self._all.get(who)
        if self._written.get(who, 0) > since or (known is not None and known.saved() != self._stored.get(who)):
            return False
        self._stored.pop(who, None)
        self._replace(who, saved)
        return True

    def stored_of(self, who: str) -> SaveIdentity | None:
        """Return what is stored of ``who``, as far as this node knows."""
        return self._stored.get(who)

    def asked(self, called: Iterable[str], hashes: Iterable[str]) -> set[str]:
        """Return the ids known here by one of these names, hashed tokens or hashed keys."""
        found = {self._names.get(name.lower()) for name in called} | {self._secrets.get(secret) for secret in hashes}
        return {who for who in found if who is not None}

    def by_ticket(self, ticket: str) -> Identity | None:
        """Return the house bot that this ticket makes, if it has been here before."""
        name = self._tickets.get(hashed(ticket))
        return self.by_name(name) if name is not None else None

    def makes(self, ticket: str) -> bool:
        """Whether a ticket makes a house bot here."""
        return hashed(ticket) in self._tickets

    def restore(self, who: str) -> None:
        """Return ``who`` to what is stored, because a write about it failed. A new identity is forgotten."""
        self._replace(who, self._stored.get(who))

    def forget(self, who: str, *, erased: bool = False) -> DropIdentity:
        """Forget an identity; ``erased``: with its name in results, and its ratings."""
        self._forget(who)
        self._leaving.add(who)
        return DropIdentity(who, erased)

    def _forget(self, who: str) -> None:
        identity = self._all.pop(who)
        self.unplayed.discard(who)
        self._forget_tokens(identity)
        self._secrets.pop(identity.key or "", None)
        if self._names.get(identity.name.lower()) == who:
            del self._names[identity.name.lower()]
        for look in names.looks(identity.name):
            self._looks[look] = tuple(each for each in self._looks[look] if each != who)
            if not self._looks[look]:
                del self._looks[look]

    def _replace(self, who: str, saved: SaveIdentity | None) -> None:
        """Replace what is known of ``who`` with ``saved``; None: forget it."""
        unplayed = who in self.unplayed
        if who in self._all:
            self._forget(who)
        self._leaving.discard(who)
        if saved is not None:
            self.load(saved)
            if unplayed:
                self.unplayed.add(who)

    def _known(self, hello: Hello) -> Identity | None:
        if hello.token is not None:
            identity = self.by_secret(hello.token)
            if identity is None or identity.key == hashed(hello.token):
                raise Denied("bad_token", "this token is not valid")
            return identity
        return self._keyed(hello) if hello.key is not None else None

    def _keyed(self, hello: Hello) -> Identity | None:
        """Return the identity of a key; None if there is none yet. The name must be free or its own."""
        assert hello.key is not None
        owner = self.by_name(hello.name)
        if owner is not None and owner.key is not None and owner.key != hashed(hello.key):
            raise Denied("bad_key", f"the name {owner.name} belongs to another key")
        identity = self.by_secret(hello.key)
        return identity if identity is not None and identity.key == hashed(hello.key) else None

    def _new(self, hello: Hello, lapsed: Identity | None) -> Identity:
        if hello.ticket is not None:
            return self._house_bot(hello.ticket, lapsed)
        check_name(hello.name)
        taken = self.like(hello.name, lapsed)
        if taken is not None:
            same = taken.name.lower() == hello.name.lower()
            raise Denied(
                "name_taken", f"the name {hello.name} is {'taken' if same else f'too similar to {taken.name}'}"
            )
        key = hashed(hello.key) if hello.key is not None else None
        return Identity(self._entropy(8).hex(), hello.name, hello.kind, key=key)

    def _house_bot(self, ticket: str, lapsed: Identity | None) -> Identity:
        """Return the house bot that this ticket makes. After a restart it is the same one, with its seats."""
        name = self._tickets.get(hashed(ticket))
        if name is None:
            raise Denied("bad_ticket", "this ticket is not valid, or was used already")
        known = self.by_name(name)
        if known is lapsed:
            known = None
        if known is not None and not known.house:
            raise Denied("name_taken", f"the name {name} is taken")
        return known or Identity(self._entropy(8).hex(), name, "bot", house=True)

    def _add(self, identity: Identity) -> None:
        self._all[identity.who] = identity
        self._names[identity.name.lower()] = identity.who
        for look in names.looks(identity.name):
            alike = self._looks.get(look, ())
            if identity.who not in alike:
                self._looks[look] = (*alike, identity.who)
        for secret in (*identity.tokens, identity.key):
            if secret:
                self._secrets[secret] = identity.who

    def _forget_tokens(self, identity: Identity) -> None:
        for token in identity.tokens:
            self._secrets.pop(token, None)


def _bound(identity: Identity, hello: Hello, owner: Identity | None) -> str | None:
    """Return the hash of the key that binds ``identity`` from now on. ``owner``: whose key was presented, if any."""
    if hello.key is None or identity.house or owner is identity:
        return identity.key
    if owner is not None or identity.key not in (None, hashed(hello.key)):
        raise Denied("bad_key", f"this is not the key of {identity.name}")
    return hashed(hello.key)
