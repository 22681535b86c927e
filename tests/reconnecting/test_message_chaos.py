"""Repeated, reordered, late, lost or replayed messages: every act takes effect once, and every view is current."""

import json
from itertools import count
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace
from tests.server.local_server import load_again, new_server
from tests.support.examples import examples

from parlour_client.core.room import JoinedRoom
from parlour_client.core.session import Session
from parlour_protocol import messages as m
from parlour_server.local import Local, Peer

NAMES = ("anna", "bert", "cleo")
people = st.integers(0, len(NAMES) - 1)
picks = st.integers(0, 1_000)
REFUSALS = ("stale", "no_such_rid", "wrong_state", "not_seated")
"""Error codes of an act whose request id is not open."""
CLOCK: m.Clock = {"bank": 0, "add": 2_000}
MOMENT = 300
"""Milliseconds between two steps: enough to refill the rate limit."""
STREAMED = (m.Update, m.Turn, m.Over, m.SeatsChanged, m.Said)


def answer_of(message: m.ServerMessage) -> m.Id | None:
    """Return the id of the request that ``message`` answers."""
    ok = getattr(message, "ok", None)
    return ok.get("re") if ok else getattr(message, "re", None)


class Person:
    """A player's client. ``peer`` None: not connected; ``room`` None: in no room."""

    def __init__(self, server: Local, name: str) -> None:
        self.session = Session(name, entropy=bytes, can=())
        self.peer: Peer | None = None
        self.room: JoinedRoom | None = None
        self.sent: list[m.Act] = []
        """Every act that was sent, whether or not it arrived."""
        self._server = server
        self._ids = count(1)
        self.connect()

    def say(self, message: m.ClientMessage) -> m.ServerMessage | None:
        """Send as an application does; return the answer, or None if the session holds the message."""
        out = self.session.outgoing(message)
        if isinstance(out, m.Act):
            self.sent.append(out)
        return self.send(out) if out is not None else None

    def send(self, message: m.ClientMessage) -> m.ServerMessage:
        """Send a message past the session; return its only answer."""
        assert self.peer is not None
        out = message if message.id is not None else replace(message, id=f"raw-{next(self._ids)}")
        self.listen()
        self.peer.send(out)
        answers = [reply for reply in self.peer.inbox if answer_of(reply) == out.id]
        assert len(answers) == 1, (out, answers)
        self.listen()
        return answers[0]

    def listen(self) -> None:
        """Process received messages."""
        while self.peer is not None and self.peer.inbox:
            self._hear(self.peer.inbox.popleft())
        if self.peer is not None and self.peer.closed is not None:
            self.peer = None

    def _hear(self, message: m.ServerMessage) -> None:
        if isinstance(message, STREAMED):
            assert self.session.is_news(message), "the server repeats nothing, and tells of no room but ours"
        elif not self.session.is_news(message):
            return
        if isinstance(message, m.Joined):
            self.room = JoinedRoom.of(message)
        elif isinstance(message, m.Left):
            self.room = None
        elif self.room is not None:
            self.room.apply(message)
        for reply in self.session.receive(message):
            self.send(reply)

    def connect(self, **forged: Any) -> None:
        """Connect with a new socket, even while the old one is open. ``forged``: fields of hello."""
        was, self.peer = self.peer, self._server.open(self.session.name)
        self.send(replace(self.session.hello(), **forged))
        if was is not None:
            assert was.closed == 4001
        for left in self.session.left:
            self.room = None if self.room and self.room.code == left.room else self.room
        self.session.left.clear()
        self.session.reports.clear()

    def lose(self) -> None:
        """Lose the socket and all messages in transit."""
        if self.peer is not None:
            self.peer.close()
            self.peer = None

    def say_and_lose(self, act: m.Act, arrives: bool) -> None:
        """Send an act on a socket that breaks before the act or its answer arrives."""
        out = self.session.outgoing(act)
        assert out is not None
        assert self.peer is not None
        self.sent.append(act)
        if arrives:
            self.peer.send(out)
        self.lose()

    @property
    def here(self) -> bool:
        """Whether the client is connected and in a room."""
        return self.peer is not None and self.room is not None

    def open(self) -> dict[int, list[m.Plain]]:
        """Return the open decisions it knows: rid → legal actions."""
        if self.room is None:
            return {}
        asked = {offer["rid"]: offer["legal"] for offer in self.room.may}
        question = self.room.question
        return {**asked, question.rid: question.legal} if question else asked

    def known(self) -> m.Plain:
        """Return all it knows of its room except times."""
        assert self.room is not None
        return _known(self.room)

    def rejoined_state(self) -> m.Plain:
        """Return what a new join would tell it of its room, without processing it.

        Who sat down after a match shows nothing of it, and would not if it sat down now.
        """
        assert self.peer is not None
        assert self.room is not None
        self.peer.send(m.Join(self.room.code, "player" if self.room.seat is not None else "spectator"))
        joined = self.peer.inbox.popleft()
        assert isinstance(joined, m.Joined)
        room = JoinedRoom.of(replace(joined, why="join") if self.room.late else joined)
        while self.peer.inbox:
            message = self.peer.inbox.popleft()
            assert isinstance(message, m.Turn | m.Over)
            assert message.seq == joined.seq
            room.apply(message)
        return {**_known(room), "seq": joined.seq}


def _known(room: JoinedRoom) -> m.Plain:
    table: m.Plain = {**room.table, "seats": [{**row, "left": None} for row in room.table["seats"]]}
    question = room.question and (room.question.rid, room.question.legal)
    over = room.over and room.over.digest
    return {"seat": room.seat, "table": table, "view": room.view, "may": room.may, "asked": question, "over": over}


class MessageChaos(RuleBasedStateMachine):
    """A room of UNO. ``acts`` is the model: each act sent for an open request id, once."""

    @initialize(standin=st.booleans(), breath=st.sampled_from([0, 2_000]), clock=st.sampled_from([None, CLOCK]))
    def open(self, standin: bool, breath: int, clock: m.Clock | None) -> None:
        self.server = new_server()
        self.people = [Person(self.server, name) for name in NAMES]
        options = {"scoring": "single", "breath": breath}
        create = m.Create("uno", options, seats=3, clock=clock, standin=standin, start="full")
        joined = self.people[0].say(create)
        assert isinstance(joined, m.Joined)
        self.code, self.epoch = joined.room, 1
        self.acts: list[m.Plain] = []
        for person in self.people[1:]:
            person.say(m.Join(self.code))
        self.listen()

    def listen(self) -> None:
        for person in self.people:
            person.listen()

    def choose(self, person: Person, pick: int) -> tuple[m.Act, m.Plain] | None:
        """Return an act for an open request id, and its future record."""
        asked = person.open() if person.here else {}
        if not asked or person.room is None:
            return None
        rid = sorted(asked)[pick % len(asked)]
        legal = asked[rid]
        place = pick % max(1, len(legal) - 1) if pick % 10 else len(legal) - 1
        assert person.room.seat is not None
        record = {"seat": person.room.seat, "rid": rid, "act": legal[place]}
        return m.Act(self.code, rid, place if pick % 2 else legal[place]), record

    @rule(who=people, pick=picks)
    def act(self, who: int, pick: int) -> None:
        self._answer(self.people[who], pick)

    @rule(seed=picks, several=st.integers(1, 120))
    def game_goes_on(self, seed: int, several: int) -> None:
        """All players reconnect and answer every decision, so that matches end."""
        for person in self.people:
            if person.peer is None:
                self.comes_back(self.people.index(person), "no")
        self.listen()
        for pick in range(seed, seed + several):
            for person in self.people:
                if person.here and person.open():
                    self._answer(person, pick)
                    break

    def _answer(self, person: Person, pick: int) -> None:
        chosen = self.choose(person, pick)
        if chosen:
            answer: Any = person.say(chosen[0])
            assert (answer.ok if answer.t != "ok" else {"act": answer.act})["act"] == chosen[1]["act"]
            self.acts.append(chosen[1])
            self.listen()

    @rule(who=people, pick=picks, arrives=st.booleans())
    def act_is_cut_off(self, who: int, pick: int, arrives: bool) -> None:
        person = self.people[who]
        chosen = self.choose(person, pick)
        if chosen:
            person.say_and_lose(chosen[0], arrives)
            self.acts += [chosen[1]] if arrives else []

    @rule(who=people, old=picks, other=st.none() | st.integers(0, 3))
    def old_act_comes_again(self, who: int, old: int, other: int | None) -> None:
        """An act is replayed unchanged, or with another action under its request id."""
        person = self.people[who]
        if person.here and person.sent:
            act = person.sent[old % len(person.sent)]
            if act.rid not in person.open():
                answer = person.send(replace(act, act=act.act if other is None else other, id=None))
                assert isinstance(answer, m.Ok | m.Error)
                done = [each["act"] for each in self._mine(person) if each["rid"] == act.rid]
                assert not isinstance(answer, m.Ok) or [answer.act] == done

    @rule(who=people, rid=st.integers(-1, 60), place=st.integers(-1, 3))
    def act_under_any_number(self, who: int, rid: int, place: int) -> None:
        person = self.people[who]
        if person.here and rid not in person.open():
            answer = person.send(m.Act(self.code, rid, place))
            assert isinstance(answer, m.Ok) or getattr(answer, "code", "") in REFUSALS

    def _mine(self, person: Person) -> list[m.Plain]:
        assert person.room is not None
        return [act for act in self.acts if act["seat"] == person.room.seat]

    @rule(who=people)
    def socket_breaks(self, who: int) -> None:
        self.people[who].lose()

    @rule(who=people, forged=st.sampled_from(["no", "nothing seen", "other epoch", "future", "past"]))
    def comes_back(self, who: int, forged: str) -> None:
        """Reconnect while the old socket is lost or open, with a correct or a wrong last seq."""
        person = self.people[who]
        link = person.session.rooms.get(self.code)
        seen = {"room": self.code, "epoch": self.epoch, "seq": link.seq if link else 0}
        rooms: Any = {
            "nothing seen": None,
            "other epoch": [{**seen, "epoch": self.epoch + 1}],
            "future": [{**seen, "seq": 9_999}],
            "past": [{**seen, "seq": 0}],
        }
        lost = {act.rid: act for act in person.sent if person.session.unanswered(self.code, act.rid)}
        person.connect(**({} if forged == "no" else {"rooms": rooms[forged]}))
        self._note_what_was_repeated(person, lost)

    def _note_what_was_repeated(self, person: Person, lost: dict[int, m.Act]) -> None:
        """An act that never arrived takes effect now if its decision is still open; the log has it once, unchanged."""
        noted = [(act["seat"], act["rid"]) for act in self.acts]
        for record in self._log():
            if (record["seat"], record["rid"]) not in noted:
                assert person.room is not None
                assert record["seat"] == person.room.seat
                said = lost[record["rid"]].act
                assert said == record["act"] or isinstance(said, int)
                self.acts.append(record)

    @rule(who=people, verb=st.sampled_from(["ready", "unready", "join", "watch", "chat", "start"]))
    def says(self, who: int, verb: str) -> None:
        person = self.people[who]
        messages: dict[str, m.ClientMessage] = {
            "ready": m.Ready(self.code),
            "unready": m.Ready(self.code, ready=False),
            "join": m.Join(self.code),
            "watch": m.Join(self.code, as_="spectator"),
            "chat": m.Chat(self.code, "oops"),
            "start": m.Start(self.code),
        }
        if person.peer is not None:
            person.say(messages[verb])

    @rule(who=people, sure=st.integers(0, 5))
    def leaves(self, who: int, sure: int) -> None:
        if self.people[who].here and sure == 0:
            self.people[who].say(m.Leave(self.code))

    @rule(who=people, sure=st.integers(0, 5))
    def resigns(self, who: int, sure: int) -> None:
        person = self.people[who]
        if person.here and person.open() and sure == 0:
            rid = min(person.open())
            assert person.room is not None
            record = {"seat": person.room.seat, "rid": rid, "act": {"do": "resign"}}
            person.say(m.Act(self.code, rid, {"do": "resign"}))
            self.acts.append(record)

    @rule(ms=st.sampled_from([100, 2_500, 31_000]))
    def time_passes(self, ms: int) -> None:
        self.server.wait(ms)

    @precondition(lambda self: self.code in self.server.lobby.rooms.loaded)
    @rule(sure=st.integers(0, 3))
    def server_is_killed(self, sure: int) -> None:
        if sure == 0:
            self.epoch += 1
            for person in self.people:
                person.lose()
            load_again(self.server, self.code, self.epoch)

    @invariant()
    def the_log_holds_what_was_said_once(self) -> None:
        self.listen()
        assert self._log() == self.acts

    @invariant()
    def everybody_knows_what_is_so(self) -> None:
        self.server.wait(MOMENT)
        self.listen()
        for person in self.people:
            if person.here:
                assert {**person.known(), "seq": person.session.rooms[self.code].seq} == person.rejoined_state()

    def _log(self) -> list[m.Plain]:
        records = map(json.loads, self.server.log[self.code])
        return [{name: r[name] for name in ("seat", "rid", "act")} for r in records if r["r"] == "act"]


def test_acts_take_effect_once_and_views_are_current() -> None:
    run_state_machine_as_test(MessageChaos, settings=examples(30, steps=60))
