"""Server requests: what clients ask of the server rather than of a room, and about their own webhooks."""

import attrs
from msgspec.structs import replace

from parlour_games.registry import AnyGame
from parlour_protocol import messages as m
from parlour_protocol.errors import BadMessage, Denied
from parlour_protocol.phrases import language_of
from parlour_server import effects
from parlour_server.contests.director import Director
from parlour_server.directory import room_creation
from parlour_server.directory.bot_pool import BotPool, check_style
from parlour_server.directory.identities import Identity, check_text
from parlour_server.directory.peers import Peers
from parlour_server.directory.rooms import RoomDirectory, is_listed, is_shown, no_room, row
from parlour_server.directory.sessions import ClientSession, Connections, Handlers
from parlour_server.directory.webhook_targets import BadTarget, CallRules, target
from parlour_server.effects import Outbox
from parlour_server.persistence import DropMissed, DropPreset, DropWebhook, SavePreset, SaveWebhook
from parlour_server.rooms import records
from parlour_server.rooms.audience import Person

PAGE = 100
"""Rows of a page of rooms."""


@attrs.define(eq=False)
class ServerRequests:
    """Answers requests about the server: its rooms, bots, games and results."""

    _games: dict[str, AnyGame]
    _outbox: Outbox
    _connections: Connections
    _rooms: RoomDirectory
    _bots: BotPool
    _peers: Peers
    _director: Director

    @property
    def handlers(self) -> Handlers:
        """Return what answers which message. What no handler answers is a question to the store: ``ask``."""
        return {
            m.List: self.list,
            m.OfferBot: self.offer,
            m.Standings: self.standings,
            m.Describe: self.describe,
            m.Missed: self.missed,
            m.Presets: self.presets,
            m.Ping: self.ping,
        }

    def list(self, session: ClientSession, message: m.List, now: int) -> None:
        """Return a page of the listed rooms of all nodes and the bots that can be invited, or the room of a code."""
        if message.room is not None:
            shown = self._row(self._connections.person(session), message.room.upper())
            self._outbox.post(session.conn, m.Rooms([shown], [], re=message.id))
            return
        after = (message.after or "").upper()
        rows = {code: there for code, there in self._peers.rows.items() if message.game in (None, there["game"])}
        rooms = {code: each.room for code, each in self._rooms.loaded.items()}
        here = {code: room for code, room in rooms.items() if is_listed(room, message.game)}
        found = sorted(code for code in rows.keys() | here.keys() if code > after)
        more = found[PAGE - 1] if len(found) > PAGE else None
        page = [row(here[code]) if code in here else rows[code] for code in found[:PAGE]]
        self._outbox.post(session.conn, m.Rooms(page, self._bots.rows(message.game)[:PAGE], more, re=message.id))

    def offer(self, session: ClientSession, message: m.OfferBot, now: int) -> None:
        """Make a bot available to be invited, or unavailable."""
        identity = self._connections.identity(session)
        if identity.kind != "bot":
            raise Denied("wrong_kind", "only bots offer themselves; you sent hello as a human", hint="`join` a room")
        for game in message.games:
            room_creation.game_of(game, self._games)
        styles = tuple(message.styles or ())
        for style in styles:
            check_style(style, "offer.styles")
        self._bots.offer(identity.who, tuple(message.games), message.max, styles)
        self._outbox.post(session.conn, m.Ok(re=message.id))
        if identity.house and message.max:
            self._replace_default_action(identity.who, now)
        self._director.arrange(now)

    def standings(self, session: ClientSession, message: m.Standings, now: int) -> None:
        """Return a page of a leaderboard, of a ladder, or of a contest's standings."""
        if message.contest is not None and message.ladder is None:
            page = self._director.standings(message.contest, message.after, message.cross, message.id, now)
            self._outbox.post(session.conn, page)
            return
        if message.ladder is not None:
            room_creation.game_of(message.game, self._games)
        self.ask(session, message, now)

    def ask(self, session: ClientSession, message: m.ClientMessage, now: int) -> None:
        """Let the node answer from the store."""
        self._outbox.want(effects.Ask(session.conn, self._connections.person(session), message))

    def describe(self, session: ClientSession, message: m.Describe, now: int) -> None:
        """Return what a client needs to show a game."""
        game = room_creation.game_of(message.game, self._games)
        form = room_creation.form(game)
        words = room_creation.words(game, message.lang)
        seats, options, layout = list(form["seats"]), form["options"], room_creation.layout(game) or None
        self._outbox.post(session.conn, m.Described(message.game, seats, options, words, layout, re=message.id))

    def missed(self, session: ClientSession, message: m.Missed, now: int) -> None:
        """Return the matches that ended while the client was away, but for those that it has ``seen``."""
        if message.seen:
            self._outbox.want(DropMissed(self._connections.identity(session).who, tuple(message.seen)))
        self.ask(session, message, now)

    def presets(self, session: ClientSession, message: m.Presets, now: int) -> None:
        """Return the presets of this server, after one has been saved or removed."""
        if message.do != "list":
            message = replace(message, name=" ".join((message.name or "").split()))
            self._outbox.want(self._changed(self._connections.identity(session), message))
        self.ask(session, message, now)

    def _changed(self, identity: Identity, message: m.Presets) -> SavePreset | DropPreset:
        """Return what is to be stored when a preset is saved or removed. Raises BadMessage and Denied."""
        name = message.name or ""
        check_text(name)
        if identity.key is None:
            raise Denied("key_required", "a preset belongs to a name with a key; yours has none")
        if message.do == "remove":  # also of a game that is not installed any more
            return DropPreset(message.game or "", name, identity.who)
        game = room_creation.game_of(message.game, self._games)
        changed = room_creation.changed(message, game, 0)
        rules = records.canonical({"options": changed.options, "seats": changed.seats, "clock": changed.clock})
        return SavePreset(game.name, name, identity.who, identity.name, rules)

    def ping(self, session: ClientSession, message: m.Ping, now: int) -> None:
        """Return a pong."""
        self._outbox.post(session.conn, m.Pong(re=message.id))

    def _row(self, person: Person, code: str) -> m.RoomRow:
        """Return the row of a room at any node. Raises what ``join`` would."""
        elsewhere = self._peers.rows.get(code) or self._peers.unlisted.get(code)
        if elsewhere is not None and code not in self._rooms.loaded:
            return elsewhere
        room = self._rooms.get(code).room
        if not is_shown(room):
            raise no_room(code)
        room.seating.require_not_banned(person)
        return row(room)

    def _replace_default_action(self, who: str, now: int) -> None:
        """Let a house bot stand in wherever the default action does."""
        bot, offer = self._bots.person(who), self._bots.available[who]
        for code, loaded in list(self._rooms.loaded.items()):
            number = loaded.room.seating.wants_bot(who)
            if number is None or loaded.room.state.config.game not in offer.games:
                continue
            if len(self._rooms.inside[who]) >= offer.limit:
                return
            self._stand_in(code, number, bot, now)

    def _stand_in(self, code: str, seat: int, bot: Person, now: int) -> None:
        self._rooms.update(code, now, lambda room, at: room.seating.stand_in(at, seat, bot))


@attrs.define(eq=False)
class WebhookRequests:
    """Answers ``webhook``. ``rules``: what this server may call; None: nothing."""

    _rules: CallRules | None
    _outbox: Outbox
    _connections: Connections

    @property
    def handlers(self) -> Handlers:
        """Return what answers which message."""
        return {m.Webhook: self.webhook}

    def webhook(self, session: ClientSession, message: m.Webhook, now: int) -> None:
        """Return one's own webhook, after it has been set, tested or removed."""
        identity = self._connections.identity(session)
        if self._rules is None:
            allow = "its admin can allow them: parlour serve --webhooks"
            raise Denied("no_webhooks", f"this server calls no webhooks; {allow}")
        if identity.key is None:
            raise Denied("key_required", "a webhook belongs to a name with a key; yours has none")
        if message.do == "set":
            self._outbox.want(self._set(self._rules, identity, message))
        elif message.do == "remove":
            self._outbox.want(DropWebhook(identity.who))
        self._outbox.want(effects.Ask(session.conn, self._connections.person(session), message))

    def _set(self, rules: CallRules, identity: Identity, message: m.Webhook) -> SaveWebhook:
        """Return what is to be stored. Raises BadMessage, and Denied ``bad_webhook``, neither with the URL."""
        if message.url is None:
            raise BadMessage("url is missing: send the URL of the webhook")
        try:
            rules.check(target(message.url))
        except BadTarget as error:
            raise Denied("bad_webhook", str(error)) from None
        return SaveWebhook(identity.who, message.url, message.format, language_of(message.lang or ""))
