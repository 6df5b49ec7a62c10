"""Authorization: what each token may do; tokens are returned once and never stored."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from service.sessions.requests import hash_token
from service.sessions.store.codec import unpack
from tests.api.sessions.playing import PATH, TABLE, UNTIMED, Session, cause, keeping, make, refusal
from tests.live import Service


@pytest.fixture
def session(service: Service) -> Session:
    """A game of two; it is ann's turn to roll."""
    return make(service, "dice-poker", "ann", "ben", house_rules=UNTIMED)


@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Basic abc", "bearer\t", "Token %s", "%s", "Bearer%s"]
)
def test_no_token(session: Session, header: str | None) -> None:
    """Without a token every request gets a 401 and changes nothing, whatever the header has."""
    before = session.stands()
    given = (
        {} if header is None else {"Authorization": header.replace("%s", session.secrets[TABLE])}
    )
    for reply in session.every_request(given):
        assert cause(reply, 401) == "no-token"
        assert reply.headers["WWW-Authenticate"] == "Bearer"
    assert session.stands() == before


@pytest.mark.parametrize(
    ("method", "below"),
    [("GET", ""), ("GET", "?wait=1"), ("DELETE", ""), ("POST", "/joined")]
    + [
        ("GET", f"/{name}")
        for name in ("events", "result", "sheet", "advice", "forecast", "review")
    ],
)
@pytest.mark.parametrize("session_id", ["x", "x" * 22])
def test_no_token_of_no_session(service: Service, method: str, below: str, session_id: str) -> None:
    """Without a token nobody learns whether there is a session, or can be, with an id."""
    path = f"{PATH}/{session_id}{below}"
    assert cause(service.ask(method, path), 401) == "no-token"
    token = {"Authorization": "Bearer x"}
    assert cause(service.ask(method, path, headers=token), 404) == "no-such-session"


@pytest.mark.parametrize(
    "header",
    ["Bearer x", "Bearer %s.", "Bearer %s %s", 'Bearer "%s"', "Bearer \xff\xfe", "Bearer %s,",
     "Bearer " + "x" * 4000, "Bearer %h"],
)  # fmt: skip
def test_no_token_of_this_session(session: Session, header: str) -> None:
    """A token of no session is forbidden everything, and so is the hash of a token."""
    before = session.stands()
    secret = session.secrets[TABLE]
    given = {"Authorization": header.replace("%s", secret).replace("%h", hash_token(secret))}
    for reply in session.every_request(given):
        assert cause(reply, 403) == "wrong-token"
    assert session.stands() == before


def test_token_of_another_session(session: Session) -> None:
    """The tokens of another session are not valid, even of players with the same names."""
    other = make(session.service, "dice-poker", "ann", "ben", house_rules=UNTIMED)
    before = session.stands()
    for who in ("", "ann", "ben"):
        for reply in session.every_request(other.bearer(who)):
            assert cause(reply, 403) == "wrong-token"
    assert session.stands() == before
    assert other.read().json["version"] == 1


@pytest.mark.parametrize("header", ["bearer %s", "BEARER %s", "Bearer   %s  "])
def test_written_otherwise(session: Session, header: str) -> None:
    """The scheme is case-insensitive, and extra spaces are ignored."""
    given = {"Authorization": header % session.secrets["ann"]}
    assert session.service.ask("GET", session.path, headers=given).status == 200


def test_turn_of_another(session: Session) -> None:
    """A player's token acts only for that player, even if the body names another."""
    before = session.stands()
    reply = session.act("roll", who="ben", version=1)
    assert refusal(reply, 403) == "The token belongs to ben, but only ann can act now."
    reply = session.act("roll", who="ben", version=1, player="ann")
    assert refusal(reply, 403) == "The token belongs to ben, but the action is for ann."
    assert "actions" not in reply.json
    out_of_turn = session.act("roll", who="ben", version=1, player="ben")
    assert refusal(out_of_turn, 422) == "/player can't roll now; only ann can."
    assert out_of_turn.json["actions"] == session.made["actions"]
    for_other = session.act("roll", who="ann", version=1, player="ben")
    assert refusal(for_other, 403) == "The token belongs to ann, but the action is for ben."
    assert session.stands() == before
    assert session.act("roll", who="ann", version=1).status == 200
    assert session.act("cross_out", who=TABLE, version=2, box="ones").status == 200
    assert session.act("roll", who="ben", version=3, player="ben").status == 200


def test_deleting(session: Session) -> None:
    """Only the table token can delete a session."""
    before = session.stands()
    for who in ("ann", "ben"):
        assert cause(session.delete(who), 403) == "table-token-needed"
    assert session.stands() == before
    gone = session.delete()
    assert (gone.status, gone.body) == (204, b"")
    assert "Content-Type" not in gone.headers


def test_returned_once(tmp_path: Path) -> None:
    """Tokens are only in the response that created their session, and its repeats: not in others,
    in logs, or in the store, packed or not. Nor is the key of that request.
    """
    log = tmp_path / "access.log"
    with keeping(ACCESS_LOG=str(log)) as kept:
        keys: list[str] = []
        sessions: list[Session] = []
        for variant in ("dice-poker", "texas-holdem-dice", "roll-a-royal", "poker-dice"):
            rules = UNTIMED if variant == "dice-poker" else {}
            new = {"variant": variant, "players": ["ann", "ben"], "house_rules": rules}
            keys.append(f"secret-{uuid4()}")
            made, again = (kept.service.post(PATH, new, Idempotency_Key=keys[-1]) for _ in range(2))
            assert (again.status, again.body) == (201, made.body)
            sessions.append(Session(kept.service, made.json))
        another = {"variant": "poker-dice", "players": ["ann"]}
        other = kept.service.post(PATH, another, Idempotency_Key=keys[-1])
        answers = [other]
        for session in sessions:
            action = session.made["actions"][0]
            amount = {"amount": 1} if "amount" in action else {}
            who = action["player"]
            for name in (action["action"], "no such action"):
                for key in ("k", "k"):
                    acted = session.act(name, who=who, version=1, key=key, **amount)
                    answers.append(acted)
            answers += session.every_request(session.bearer("ann"))
            answers += [session.read(who) for who in session.secrets]
            answers += [session.events(who) for who in session.secrets]
        assert {reply.status for reply in answers} >= {200, 403, 409, 422}
        tokens = [secret for session in sessions for secret in session.secrets.values()]
        sent = [repr((reply.headers, reply.body)) for reply in answers]
        stored = [text for key in kept.store.scan_iter() for text in texts(kept.store, key)]
        assert len(stored) > 40
        printed = kept.service.output.text
    lines = log.read_text()
    assert lines.count(PATH) == len(answers) + 2 * len(sessions)
    for secret in (*tokens, *keys):
        assert all(secret not in text for text in [*sent, *stored, lines, printed])
    for token in tokens:
        raw = base64.urlsafe_b64decode(token + "=")
        assert all(raw.hex() not in text for text in stored)


def texts(store: Any, key: bytes) -> list[str]:
    """All that is stored at `key`, unpacked if it is packed."""
    kind = store.type(key)
    values: list[bytes] = [key]
    if kind == b"hash":
        values += [part for pair in store.hgetall(key).items() for part in pair]
    elif kind == b"list":
        values += store.lrange(key, 0, -1)
    found = [repr(value) for value in values]
    for value in values:
        try:
            found.append(json.dumps(unpack(value)))
        except (zlib.error, ValueError):  # not packed
            continue
    assert kind in (b"hash", b"list")
    return found
