"""The feed: what the stream of FEED says of sessions, and that no stream stops a game."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from redis import Redis

from service.settings import Settings
from service.variants import variants
from tests.api.conftest import STREAM
from tests.api.sessions.playing import PATH, UNTIMED, Kept, Session, keeping, make
from tests.api.sessions.test_several_actions import send, typed, whole_game
from tests.engine.random_play import picked
from tests.short_games import short_rules
from tests.whole_games.legal_player import moves

ROLL = {"action": "roll", "dice": [2, 2, 3, 3, 3]}
LAST_ID = f"{2**64 - 1}-{2**64 - 1}"

Entry = dict[str, Any]


def read_entry(fields: dict[bytes, bytes]) -> Entry:
    """An entry of the stream; what isn't text is JSON."""
    read = {name.decode(): value.decode() for name, value in fields.items()}
    values = {
        name: json.loads(read[name]) for name in ("version", "to_act", "result") & read.keys()
    }
    return {**read, **values}


def entries(kept: Kept, session: Session) -> list[Entry]:
    """The entries of a session, in order."""
    stored: Any = kept.store.xrange(STREAM)
    found = [read_entry(fields) for _, fields in stored]
    return [entry for entry in found if entry["id"] == session.made["id"]]


def entry_of(session: Session, type_: str = "turn") -> Entry:
    """The entry for the session as it is now."""
    now = session.read().json
    named = {name: now[name] for name in ("id", "variant", "version")}
    result = {"result": session.read(below="/result").json} if type_ == "over" else {}
    return {"type": type_, **named, "to_act": now["state"]["to_act"], **result}


def turn_of(state: Any) -> tuple[Any, ...]:
    """Whose turn it is in which hand or round, as the session says it."""
    return state["to_act"], state.get("hand"), state.get("round"), state["over"]


@pytest.mark.parametrize("variant", sorted(variants()))
def test_a_game_of_each_kind(feeding: Kept, variant: str) -> None:
    """There is an entry for the first version, for each in which others can act or another hand or
    round has begun, and for the end, with the signed result; nothing of hidden dice.
    """
    rng = Random(variant)
    rules = {**short_rules(variants()[variant]), **UNTIMED}
    session = make(feeding.service, variant, "ann", "ben", house_rules=rules)
    expected, state, actions = [entry_of(session)], session.made["state"], session.made["actions"]
    while not state["over"]:
        listed = rng.choice(moves(actions))
        values = {
            name: picked(rng, shape)
            for name, shape in listed.items()
            if name not in ("action", "player")
        }
        reply = session.act(listed["action"], player=listed["player"], **values)
        assert reply.status == 200, reply.body
        before, state, actions = state, reply.json["state"], reply.json["actions"]
        if turn_of(state) != turn_of(before):
            expected.append(entry_of(session, "over" if state["over"] else "turn"))
    assert entries(feeding, session) == expected
    assert expected[-1]["to_act"] == []
    assert len(expected[-1]["result"]["signature"]) == 64
    for entry in expected:
        shown = json.dumps(entry).replace(entry["id"], "")
        assert re.findall(r"\b[1-6][rbwy]\b", shown) == []
        assert entry.keys() <= {"type", "id", "variant", "version", "to_act", "result"}


def test_several_actions_have_one_entry(feeding: Kept) -> None:
    """Of versions that are stored together nobody can read any but the last: one entry, if one of
    the actions has ended a turn. An action that ends none has no entry, nor has a refused one.
    """
    session = typed(feeding.service)
    expected = [entry_of(session)]
    game = whole_game()
    assert send(session, game[:1]).status == 200
    assert send(session, [*game[1:2], {"action": "fly"}]).status == 422
    assert entries(feeding, session) == expected
    assert send(session, game[1:4]).status == 200  # it is ann's turn again
    expected.append(entry_of(session))
    assert send(session, game[4:]).status == 200
    expected.append(entry_of(session, "over"))
    assert [entry["version"] for entry in expected] == [1, 5, 53]
    assert entries(feeding, session) == expected


def test_a_repeated_request_has_no_second_entry(feeding: Kept) -> None:
    """An action that is sent again with its key, and a session that is created again, add none."""
    body = {"variant": "dice-poker", "players": ["ann", "ben"], "dice": "client"}
    made = [feeding.service.post(PATH, body, Idempotency_Key="k" * 22).json for _ in range(2)]
    assert made[0] == made[1]
    session = Session(feeding.service, made[1])
    send(session, [ROLL], version=1)
    done = [session.act("cross_out", box="chance", version=2, key="once").status for _ in range(2)]
    assert done == [200, 200]
    assert [entry["version"] for entry in entries(feeding, session)] == [1, 3]


def test_taking_back_has_entries(feeding: Kept) -> None:
    """The last entry of a session counts, whatever was taken back: from one end of the game to
    another, too (G3).
    """
    session = typed(feeding.service)
    game = whole_game()
    send(session, game)
    expected = [entry_of(session, "over")]
    for back, type_ in ((52, "turn"), (None, "over"), (53, "over"), (55, "over")):
        action = {"action": "score", "box": game[-1]["box"]}
        done = send(session, [action if back is None else {"action": "take_back", "to": back}])
        assert done.status == 200
        expected.append(entry_of(session, type_))
    assert entries(feeding, session)[1:] == expected
    winners = [entry["result"]["winners"] for entry in expected if entry["type"] == "over"]
    assert winners == [["ann", "ben"], ["ben"], ["ann", "ben"], ["ben"]]


def test_the_clock_has_entries(feeding: Kept) -> None:
    """A turn whose time is up has an entry once somebody looks; the same player may be at turn."""
    rules = {"turn_seconds": 1}
    session = make(feeding.service, "dice-poker", "ann", dice="client", house_rules=rules)
    first = entry_of(session)
    assert session.wait(1, 10).status == 200
    made, later, *_ = entries(feeding, session)
    assert (made, later["type"], later["to_act"]) == (first, "turn", ["ann"])
    assert later["version"] > 1  # more turns may be over by then, which share an entry


def make_text(store: Redis) -> None:
    """Puts a text where the stream should be."""
    store.set(STREAM, "a text")


def exhaust(store: Redis) -> None:
    """Gives an entry the last id that there is."""
    store.xadd(STREAM, {"type": "last"}, id=LAST_ID)


@pytest.mark.fault
@pytest.mark.parametrize(
    ("spoil", "why"),
    [(make_text, "WRONGTYPE"), (exhaust, "ERR The stream has exhausted the last possible ID")],
)
def test_a_stream_that_takes_no_entries(spoil: Any, why: str) -> None:
    """If the key is of another type, or the stream takes no more, the game goes on to its end. The
    entries are lost: they are counted, and the log says why, once.
    """
    with keeping(FEED=STREAM, WEB_CONCURRENCY="1") as kept:
        spoil(kept.store)
        before = kept.store.dump(STREAM)
        session = typed(kept.service)
        for action in whole_game():
            values = {name: value for name, value in action.items() if name != "action"}
            assert session.act(action["action"], **values).status == 200
        assert session.read().json["state"]["over"]
        assert kept.store.dump(STREAM) == before
        counted = 'dice_store_errors_total{command="write",error="no_entry"} 27'
        assert counted in kept.service.get("/metrics").body.decode()
        ready = kept.service.get("/readyz?store").json
        if why == "WRONGTYPE":
            assert ready["warning"] == (
                "The store of sessions takes no entries for the feed: the key that FEED names is "
                "no stream, or its user may not use XADD and XTRIM on it."
            )
        kept.store.delete(STREAM)
        again = typed(kept.service)
        assert entries(kept, again) == [entry_of(again)]
    assert kept.service.output.text.count(f"The stream games of FEED refuses entries: {why}") == 1


@pytest.mark.parametrize("name", ["games", "Club.games:2026_a-b", "x" * 100])
def test_names(name: str) -> None:
    """FEED takes names of letters, digits and four signs."""
    assert Settings.from_environment({"FEED": name}).feed == name


@pytest.mark.parametrize("name", ["dice:games", "dice:{x}", "a b", "x" * 101, "ä", "{a}"])
def test_refused_names(name: str) -> None:
    """FEED takes no key that may be one of the service's own, and no other signs."""
    with pytest.raises(ValueError, match="FEED") as error:
        Settings.from_environment({"FEED": name})
    assert str(error.value) == (
        "FEED must be a name of at most 100 letters, digits and . : _ -, which doesn't begin with "
        f"dice: {name!r}"
    )


def test_no_feed_in_a_cluster() -> None:
    """With a cluster the service doesn't start: one script can't use keys of several slots."""
    given = {"FEED": STREAM, "REDIS_URL": "redis+cluster://one:6379,two:6379"}
    with pytest.raises(ValueError, match="FEED") as error:
        Settings.from_environment(given)
    assert str(error.value) == (
        "FEED needs a single Redis: a cluster has no one place for a stream"
    )
    assert Settings.from_environment({**given, "REDIS_URL": "redis://one"}).feed == STREAM
