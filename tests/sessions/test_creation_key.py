"""Sessions that are created with an idempotency key, below HTTP."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from service.sessions.requests import CreationKey, derived_id, derived_token, hash_token, new_id
from service.sessions.service import SessionService
from service.sessions.store.codec import FORMAT_VERSION, NewerRelease
from service.sessions.store.redis_store import Store
from service.sessions.view import CreatedSession, OtherBody, SessionGone
from service.variants import variants
from tests.sampled import first
from tests.sessions.servers import Direct
from tests.sessions.serving import Watched, act, new, now
from tests.sessions.store.proxied import proxied
from tests.sessions.store.stored import keys_of, opened, taken_key

ANTE = {"action": "ante", "amount": 1}


def service_of(store: Store) -> SessionService:
    """A process of the service."""
    return SessionService(store, variants(), 60, now)


def new_key(body: object = "body") -> CreationKey:
    """A key that nobody has used, with a body."""
    return CreationKey.of(f"key {new_id()}", body)


def create(session_service: SessionService, key: CreationKey | None) -> CreatedSession:
    """Creates a session of three."""
    return new(session_service, "poker-dice", ("ann", "ben", "cay"), key=key)


def test_derivation() -> None:
    """Ids and tokens are derived as in earlier releases, whose sessions are still there."""

    def text(data: bytes) -> str:
        return urlsafe_b64encode(data).decode().rstrip("=")

    salt = bytes(range(32))
    assert derived_id("k:1") == text(sha256(b"session:k:1").digest()[:16])
    assert derived_token("k:1", salt, 11) == text(hmac.digest(salt, b"k:1:11", "sha256"))
    assert CreationKey.of("k:1", {"b": 1, "a": "é"}) == CreationKey(
        "k:1", sha256('{"a":"é","b":1}'.encode()).digest()
    )


def test_a_key_is_not_shown() -> None:
    """A key is not part of what is printed of a request."""
    assert "secret" not in repr(CreationKey.of("secret", {}))


def test_created_once(client: Direct) -> None:
    """Every process returns the same session and tokens; only hashes of the tokens are stored."""
    key = new_key()
    first = create(service_of(Store(lambda: client)), key)
    again = create(service_of(Store(lambda: client)), key)
    assert again == first
    assert first.view.terms.id == key.session_id
    tokens = (first.table_token, *first.player_tokens.values())
    assert first.view.terms.tokens == tuple(map(hash_token, tokens))
    assert [*first.player_tokens] == ["ann", "ben", "cay"]


def test_how_long_its_id_is_taken(client: Direct) -> None:
    """The id of a session that was created with a key is taken for a day."""
    day = 86_400_000
    at = now() | day  # has the bits of a day, so adding one carries
    service = SessionService(Store(lambda: client), variants(), 60, lambda: at)
    made = create(service, new_key())
    taken = client.execute_command("PEXPIRETIME", taken_key(made.view.terms.id))
    assert taken == at + day


def test_another_is_first(client: Direct) -> None:
    """If another process creates the session while this one does, this one returns the other's."""
    store, key = Watched(client), new_key()
    made: list[CreatedSession] = []
    other = service_of(Store(lambda: client))
    store.before_write = [lambda: made.append(create(other, key))]
    assert create(service_of(store), key) == made[0]
    _, events = other.history(key.session_id, made[0].table_token)
    assert len(events) == 1


def test_another_plays_first(client: Direct) -> None:
    """The session is returned as it was created, even if it is played before it is read."""
    store, key = Watched(client), new_key()
    other = service_of(Store(lambda: client))
    first = create(other, key)
    store.before_read = [lambda: act(other, first, body=ANTE)]
    assert create(service_of(store), key) == first
    assert other.read(key.session_id, first.table_token).snapshot.version == 2


def test_deleted_meanwhile(client: Direct) -> None:
    """If the session is deleted before it can be read, its key is used up."""
    store, key = Watched(client), new_key()
    other = service_of(Store(lambda: client))
    first = create(other, key)
    store.before_read = [lambda: other.delete(key.session_id, first.table_token)]
    with pytest.raises(SessionGone):
        create(service_of(store), key)


def test_another_body(client: Direct) -> None:
    """The key with another body is refused, and the session remains as it is."""
    session_service, key = service_of(Store(lambda: client)), new_key("one")
    first = create(session_service, key)
    with pytest.raises(OtherBody):
        create(session_service, CreationKey.of(key.key, "two"))
    assert create(session_service, key) == first


@pytest.mark.parametrize("place", [0, 2], ids=["session", "idempotency keys"])
def test_part_of_it_is_lost(client: Direct, place: int) -> None:
    """If Redis evicted the session or its keys, though it must not, the key is used up."""
    session_service, key = service_of(Store(lambda: client)), new_key()
    create(session_service, key)
    client.execute_command("DEL", keys_of(key.session_id)[place])
    with pytest.raises(SessionGone):
        create(session_service, key)


def test_newer_release(client: Direct) -> None:
    """A session that a newer release created is not misread."""
    session_service, key = service_of(Store(lambda: client)), new_key()
    create(session_service, key)
    newer = bytes([FORMAT_VERSION + 1]) + b"by other means"
    client.execute_command("HSET", keys_of(key.session_id)[0], "t", newer)
    with pytest.raises(NewerRelease):
        create(session_service, key)


@pytest.mark.parametrize("kind", first(["server", "cluster"], pytest.mark.fault))
def test_round_trips(kind: str, any_server: str, tmp_path: Path) -> None:
    """Creating a session is one round trip with a key or without, and a repeat two or three."""
    with proxied(kind, any_server, tmp_path) as (proxy, through), opened(through) as client:
        client.ask("connected", ("GET", "connected"))
        session_service = service_of(Store(lambda: client))

        def trips(key: CreationKey | None) -> int:
            before = proxy.trips
            create(session_service, key)
            return proxy.trips - before

        key = new_key()
        assert [trips(None), trips(key), trips(key)] == [1, 1, 2]
        act(session_service, create(session_service, key), body=ANTE)
        assert trips(key) == 3


def test_null_in_a_body_counts() -> None:
    """A body with a null that means something, such as no clock, is another body than one without;
    the order of fields and how numbers are written don't matter.
    """
    rules = {"turn_seconds": None, "joker": True}
    body = CreationKey.of("a key", {"house_rules": rules}).body
    assert body != CreationKey.of("a key", {"house_rules": {"joker": True}}).body
    again = {"joker": True, "turn_seconds": None}
    assert body == CreationKey.of("another key", {"house_rules": again}).body
    sixty = [CreationKey.of("a key", {"seconds": number}).body for number in (60, 60.0)]
    assert sixty[0] == sixty[1]
