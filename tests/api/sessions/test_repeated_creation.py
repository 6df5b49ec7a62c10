"""Requests for a new session that are sent again with their idempotency key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest

from tests.api.sessions.playing import (
    PATH,
    UNTIMED,
    Kept,
    Session,
    answer,
    cause,
    keeping,
    refusal,
    tagged,
)
from tests.api.sessions.test_creation import GAMES
from tests.live import JSON, Reply, Service
from tests.sessions.servers import until

BODY: Mapping[str, Any] = {
    "variant": "dice-poker",
    "players": ["ann", "ben"],
    "house_rules": UNTIMED,
    "seed": "my luck",
}
NO_KEY = (
    "Idempotency-Key must be one value of 16 to 255 visible ASCII characters, such as a random "
    "UUID: whoever repeats the request gets the tokens."
)


def create(service: Service, key: str | None, body: object = BODY, **headers: str) -> Reply:
    """A request for a session, with a key or None for none."""
    keyed = {"Idempotency-Key": key} if key is not None else {}
    return service.post(PATH, body, **keyed, **headers)


@pytest.fixture(scope="module")
def kept() -> Iterator[Kept]:
    """A service of two workers, with a store that the test can inspect."""
    with keeping(WEB_CONCURRENCY="2", ACCESS_LOG="-") as started:
        yield started


@pytest.mark.parametrize("variant", GAMES)
@pytest.mark.parametrize("dice", ["server", "client"])
def test_sent_again(service: Service, variant: str, dice: str) -> None:
    """The same request with the same key gets the same response, with the same tokens."""
    body = {"variant": variant, "players": GAMES[variant], "dice": dice}
    key = str(uuid4())
    first = create(service, key, body)
    assert first.status == 201
    assert [answer(create(service, key, body)) for _ in range(3)] == [answer(first)] * 3
    session = Session(service, first.json)
    for who, token in session.secrets.items():
        assert token
        assert session.read(who).status == 200


def test_headers(service: Service) -> None:
    """No cache may store the response, because it has the tokens."""
    reply = create(service, str(uuid4()))
    assert reply.status == 201
    assert answer(reply)[2] == {
        "Content-Type": JSON,
        "Content-Length": str(len(reply.body)),
        "Location": f"{PATH}/{reply.json['id']}",
        "ETag": reply.headers["ETag"],
        "Cache-Control": "no-store, no-transform",
        "X-Content-Type-Options": "nosniff",
        "Vary": "Authorization, Accept-Language",
        "Content-Language": "en",
    }
    assert tagged(reply) == 1


def test_sent_again_later(service: Service) -> None:
    """A repeat gets the session as it was created, however far the game has come."""
    key = str(uuid4())
    first = create(service, key)
    session = Session(service, first.json)
    for version in range(1, 3):
        assert session.act("roll", version=version).status == 200
    before = session.stands()
    assert answer(create(service, key)) == answer(first)
    assert session.stands() == before


def test_two_keys(service: Service) -> None:
    """Each key makes a session of its own, and so does each request without a key."""
    replies = [create(service, key) for key in (str(uuid4()), str(uuid4()), None, None)]
    made = [Session(service, reply.json) for reply in replies]
    tokens = [token for session in made for token in session.secrets.values()]
    assert len(set(tokens)) == len(tokens) == 12
    assert len({session.made["id"] for session in made}) == 4
    assert len({session.made["fairness"]["commitment"] for session in made}) == 4


@pytest.mark.parametrize(
    "body",
    [
        {**BODY, "seed": "other luck"},
        {**BODY, "players": ["ben", "ann"]},
        {**BODY, "dice": "server"},
        {**BODY, "variant": "yahtzee-deluxe", "house_rules": {}},
        {"variant": "dice-poker", "players": ["ann", "ben"]},
        {**BODY, "house_rules": None},
        {**BODY, "house_rules": {}},
        {**BODY, "house_rules": {"turn_seconds": 60}},
    ],
    ids=str,
)
def test_another_body(service: Service, body: object) -> None:
    """A key that was used with another body is refused, even if the body means the same."""
    key = str(uuid4())
    session = Session(service, create(service, key).json)
    before = session.stands()
    reply = create(service, key, body)
    assert cause(reply, 409) == "key-used-with-other-body"
    assert "Location" not in reply.headers
    assert session.stands() == before


@pytest.mark.parametrize(
    ("given", "same"),
    [
        (BODY, {name: BODY[name] for name in reversed([*BODY])}),
        (BODY, {**BODY, "dice": None}),
        (
            {**BODY, "house_rules": {"turn_seconds": 60}},
            {**BODY, "house_rules": {"turn_seconds": 60.0}, "dice": None},
        ),
        ({**BODY, "house_rules": UNTIMED}, {**BODY, "house_rules": {**UNTIMED, "joker": None}}),
        (
            {"variant": "dice-poker", "players": ["ann"]},
            {"variant": "dice-poker", "players": ["ann"], "house_rules": None, "seed": None},
        ),
    ],
    ids=str,
)
def test_same_body(service: Service, given: object, same: object) -> None:
    """The order of the fields, null for one that may be left out, and another way to write a number
    make no other body.
    """
    for one, other in ((given, same), (same, given)):
        key = str(uuid4())
        first = create(service, key, one)
        assert first.status == 201, first.body
        assert answer(create(service, key, other)) == answer(first)


@pytest.mark.parametrize(
    ("key", "again"),
    [
        *[(key, key) for key in ("k" * 16, "!" * 255, "\"';DROP{}:~\\01234")],
        ("0123456789abcdef,2", " \t0123456789abcdef,2 \t"),
    ],
)
def test_any_key(service: Service, key: str, again: str) -> None:
    """Every key of 16 to 255 visible ASCII characters is accepted. A comma is part of it; white
    space around it isn't (RFC 9110, 5.5).
    """
    first = create(service, key)
    assert first.status == 201
    assert answer(create(service, again)) == answer(first)


@pytest.mark.parametrize("key", ["", " ", "k", "k" * 15, f"{'a' * 16} b", "x" * 256, "\xe9" * 16])
def test_no_key(service: Service, key: str) -> None:
    """A malformed key is refused, and so is a short one, which others could guess or use too."""
    assert refusal(create(service, key), 400) == NO_KEY


def test_two_keys_in_one_request(service: Service) -> None:
    """A request with two keys is refused; neither is used up."""
    one, two = str(uuid4()), str(uuid4())
    assert refusal(create(service, one, **{"idempotency-key": two}), 400) == NO_KEY
    assert [create(service, key, {**BODY, "seed": ""}).status for key in (one, two)] == [201, 201]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b'{"variant": "dice-poker", "players": []}', 422),
        (b'{"variant": "roll-a-royal", "players": ["ann"], "house_rules": '
         b'{"turns": null, "target_score": null}}', 422),
        (b"{", 400),
    ],
)  # fmt: skip
def test_refused_body(service: Service, sent: bytes, status: int) -> None:
    """A refused request doesn't use up its key: the corrected one succeeds with the same key."""
    key = str(uuid4())
    headers = {"Content-Type": JSON, "Idempotency-Key": key}
    assert service.ask("POST", PATH, sent, headers).status == status
    first = create(service, key)
    assert first.status == 201
    assert service.ask("POST", PATH, sent, headers).status == status
    assert answer(create(service, key)) == answer(first)


def test_deleted(service: Service) -> None:
    """The key of a deleted session creates no other one, and the error says to use a new key."""
    key = str(uuid4())
    session = Session(service, create(service, key).json)
    assert session.delete().status == 204
    assert cause(create(service, key), 409) == "created-session-gone"
    assert cause(create(service, key, {**BODY, "seed": ""}), 409) == "created-session-gone"
    assert session.read().status == 404


@pytest.mark.fault
def test_expired() -> None:
    """The key of an expired session creates no other one until a day after it was used first."""
    with keeping(SESSION_SECONDS="1") as kept:
        key = str(uuid4())
        session = Session(kept.service, create(kept.service, key).json)
        until(lambda: session.read().status == 404, "the session expires")
        assert cause(create(kept.service, key), 409) == "created-session-gone"
        (left,) = kept.store.keys()
        assert left == f"{kept.key(session)}:taken".encode()
        remaining = kept.store.pttl(left)
        assert 86_000_000 < remaining <= 86_400_000
        kept.store.delete(left)  # as it is after that day
        again = create(kept.service, key)
        assert again.status == 201
        new = Session(kept.service, again.json)
        assert not {*session.secrets.values()} & {*new.secrets.values()}


@pytest.mark.fault
def test_kept_as_long_as_the_session(kept: Kept) -> None:
    """The key of a session that lives longer than a day still finds it."""
    key = str(uuid4())
    first = create(kept.service, key)
    session = Session(kept.service, first.json)
    assert kept.store.delete(f"{kept.key(session)}:taken") == 1  # as it is after a day
    assert answer(create(kept.service, key)) == answer(first)


def test_old_tokens(kept: Kept) -> None:
    """If the store lost the session, its key creates it anew, and the lost tokens open nothing."""
    key = str(uuid4())
    lost = Session(kept.service, create(kept.service, key).json)
    for name in kept.store.keys(f"{kept.key(lost)}*".replace("{", "[{]")):
        kept.store.delete(name)
    new = Session(kept.service, create(kept.service, key).json)
    assert new.path == lost.path
    for _ in range(4):  # a worker may have cached the lost one
        for who in lost.secrets:
            assert lost.read(who).status == 403
            assert lost.act("roll", version=1).status == 403
    assert new.act("roll", version=1).status == 200


def test_at_once(kept: Kept) -> None:
    """Clients that send the same request at once get the same response, and one session exists."""
    for _ in range(5):
        before, key = kept.store.dbsize(), str(uuid4())
        with ThreadPoolExecutor(16) as pool:
            sent = [pool.submit(create, kept.service, key) for _ in range(16)]
            replies = [each.result() for each in sent]
        assert [answer(reply) for reply in replies] == [answer(replies[0])] * 16
        assert replies[0].status == 201
        assert kept.store.dbsize() == before + 4
