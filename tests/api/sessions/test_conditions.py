"""Conditions of actions: If-Match and idempotency keys."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.api.sessions.playing import PATH, TABLE, UNTIMED, Session, make, refusal, tagged
from tests.live import JSON, Reply, Service


@pytest.fixture
def session(service: Service) -> Session:
    """A game at version 2: ann has rolled once."""
    started = make(service, "dice-poker", "ann", "ben", house_rules=UNTIMED)
    assert started.act("roll", version=1).json["version"] == 2
    return started


def answer(reply: Reply) -> tuple[int, bytes, str, str]:
    """The parts of a response that must be the same when it is repeated."""
    headers = reply.headers
    return reply.status, reply.body, headers["ETag"], headers["Content-Type"]


@pytest.mark.parametrize(
    "match",
    ['"1"', '"1", W/"2"', '"1-00000000"', '"x", "1"'],
)
def test_stale(session: Session, match: str) -> None:
    """An action for a version that isn't current isn't performed.

    Tags are compared character by character (RFC 9110, 8.8.3.2), and weak ones match nothing.
    """
    before = session.stands()
    reply = session.act("roll", version=match)
    assert refusal(reply, 412) == (
        "The session is at version 2, which If-Match doesn't name; read it again and decide again."
    )
    assert reply.headers["ETag"] == session.read().headers["ETag"]
    assert reply.headers["Cache-Control"] == "no-transform"
    assert session.stands() == before


@pytest.mark.parametrize(
    "match",
    ["2", '"2 "', 'W/"2"', '"2', '"', "", ",", "abc", '"2" "3"', '*, "1"', '2, "2"', 'w/"2"',
     '""', '"x"', '"-1"', '"2.0"', '"\xb2"', '"' + "9" * 5000 + '"', '"02"', '"+2"', '"2-"',
     '"2,1"', "W/{tag}", "{tag};gzip", '{tag}"', "{open}-gzip\""],
)  # fmt: skip
def test_no_tag(session: Session, match: str) -> None:
    """A header that names no version matches nothing, and the problem says what does: also if it
    has an ETag that a proxy has made weak, or given an ending.
    """
    before = session.stands()
    tag = session.read().headers["ETag"]
    reply = session.act("roll", version=match.format(tag=tag, open=tag[:-1]))
    assert refusal(reply, 412) == (
        'The session is at version 2, and If-Match names none: send the number in quotes, "2", or '
        "the ETag as the service sent it, which a proxy that compresses changes; read it again and "
        "decide again."
    )
    assert reply.headers["ETag"] == tag
    assert session.stands() == before


@pytest.mark.parametrize(
    "match", ['"3"', '"4", "3"', '"999999999999999999"', '"3-00000000"', '"3", "01"']
)
def test_from_the_future(session: Session, match: str) -> None:
    """An action for a future version is refused with that reason."""
    before = session.stands()
    reply = session.act("roll", version=match)
    assert refusal(reply, 412) == (
        "The session is at version 2, and If-Match names only later ones; read it again and "
        "decide again."
    )
    assert tagged(reply) == 2
    assert session.stands() == before


def test_of_another_history(session: Session) -> None:
    """An action for another version of the same number is refused with that reason."""
    before = session.stands()
    tag = session.read().headers["ETag"]
    other = tag[:-2] + ("0" if tag[-2] != "0" else "1") + '"'
    reply = session.act("roll", version=other)
    assert refusal(reply, 412) == (
        "The session is at version 2, but not in the state that If-Match names, which may "
        "have been lost; read it again and decide again."
    )
    assert reply.headers["ETag"] == tag
    assert session.stands() == before


@pytest.mark.parametrize(
    "match",
    ['"2"', '"1", "2"', "*", " * ", ' "2" ', 'W/"1", "2"', ', "2" ,', "{tag}", '"1-0",{tag}'],
)
def test_in_time(session: Session, match: str) -> None:
    """If-Match may list several versions, by tag or number, or be `*`."""
    tag = session.read().headers["ETag"]
    reply = session.act("roll", version=match.format(tag=tag))
    assert (reply.status, reply.json["version"], tagged(reply)) == (200, 3, 3)


@pytest.mark.parametrize(
    ("match", "none_match"),
    [
        ("*", "*"),
        ('"2"', "*"),
        ('"2"', '"2"'),
        ("{tag}", "{tag}"),
        ("*", 'W/{tag}, "7"'),
        ("*", '{open}-gzip"'),
    ],
)
def test_unwanted(session: Session, match: str, none_match: str) -> None:
    """An action isn't performed in a version that If-None-Match names, strongly or weakly."""
    before = session.stands()
    tag = session.read().headers["ETag"]
    headers = session.headers(version=match.format(tag=tag))
    headers["If-None-Match"] = none_match.format(tag=tag, open=tag[:-1])
    reply = session.send(b'{"action": "roll"}', headers)
    assert refusal(reply, 412) == (
        "The session is at version 2, which If-None-Match names; read it again and decide again."
    )
    assert reply.headers["ETag"] == tag
    assert session.stands() == before


def test_not_unwanted(session: Session) -> None:
    """An action is performed in a version that If-None-Match doesn't name."""
    headers = {**session.headers(version=2), "If-None-Match": '"1", W/"3", x'}
    assert session.send(b'{"action": "roll"}', headers).json["version"] == 3
    headers = {**session.headers(version=3), "If-None-Match": '"2", W/"4"'}
    assert session.send(b'{"action": "score", "box": "chance"}', headers).json["version"] == 4


FALSE: list[tuple[dict[str, str], str]] = [
    ({"If-Match": '"1"'}, "which If-Match doesn't name"),
    ({"If-Match": '"3"'}, "and If-Match names only later ones"),
    ({"If-None-Match": "*"}, "which If-None-Match names"),
    ({"If-Match": '"2"', "If-None-Match": '"2"'}, "which If-None-Match names"),
]


@pytest.mark.parametrize(("conditions", "why"), FALSE, ids=str)
def test_not_deleted(session: Session, conditions: dict[str, str], why: str) -> None:
    """A session isn't deleted at another version than the client wants."""
    before = session.stands()
    reply = session.delete(**conditions)
    assert (
        refusal(reply, 412)
        == f"The session is at version 2, {why}; read it again and decide again."
    )
    assert tagged(reply) == 2
    assert session.stands() == before
    assert refusal(session.delete("ann", **conditions), 403)


@pytest.mark.parametrize(
    "conditions", [{"If-Match": '"2"'}, {"If-Match": "*"}, {"If-None-Match": '"1"'}], ids=str
)
def test_deleted(session: Session, conditions: dict[str, str]) -> None:
    """A session is deleted at a version that the client wants; then it is at none."""
    assert session.delete(**conditions).status == 204
    assert refusal(session.delete(**conditions), 404)


def test_deleted_in_time(session: Session) -> None:
    """Of clients that act and delete at once for one version, one succeeds: what it has done isn't
    deleted.
    """
    with ThreadPoolExecutor(8) as pool:
        acting = [pool.submit(session.act, "roll", version=2, key=f"k{n}") for n in range(4)]
        deleting = [pool.submit(session.delete, **{"If-Match": '"2"'}) for _ in range(4)]
        acted = sorted(each.result().status for each in acting)
        deleted = sorted(each.result().status for each in deleting)
    if 200 in acted:
        assert (acted, deleted) == ([200, 412, 412, 412], [412] * 4)
        assert session.read().json["version"] == 3
    else:
        assert (acted, deleted) == ([404] * 4, [204, 404, 404, 404])


def test_none_to_create(service: Service) -> None:
    """A request for a new session with If-Match creates none: no session is there yet. With
    If-None-Match it does.
    """
    body = b'{"variant": "dice-poker", "players": ["ann"]}'
    for match in ("*", '"1"'):
        reply = service.ask("POST", PATH, body, {"Content-Type": JSON, "If-Match": match})
        assert refusal(reply, 412) == (
            "There is no session yet that If-Match could name; nothing was done. Leave the header "
            "out."
        )
    reply = service.ask("POST", PATH, body, {"Content-Type": JSON, "If-None-Match": "*"})
    assert reply.status == 201


def test_without_a_version(session: Session) -> None:
    """If-Match is required."""
    before = session.stands()
    headers = session.headers()
    del headers["If-Match"]
    reply = session.send(b'{"action": "roll"}', headers)
    assert refusal(reply, 428).startswith("If-Match must name the version")
    assert session.stands() == before


def test_again(session: Session) -> None:
    """A repeated request gets the same response, and nothing changes."""
    first = session.act("roll", version=2, key="again", keep=[0, 1])
    assert first.json["version"] == 3
    before = session.stands()
    for _ in range(3):
        assert answer(session.act("roll", version=2, key="again", keep=[0, 1])) == answer(first)
    reordered = b'{ "keep": [0, 1],\n "action": "roll" }'
    again = session.send(reordered, session.headers(version="*", key="again"))
    assert answer(again) == answer(first)
    assert session.stands() == before


@pytest.mark.parametrize(
    "same",
    [
        {"keep": [0, 1], "player": None},
        {"keep": [0, 1], "dice": None},
        {"keep": [0.0, 1]},
    ],
    ids=str,
)
def test_same_body(session: Session, same: dict[str, Any]) -> None:
    """Null for a field that may be left out, and another way to write a number, make no other
    body.
    """
    first = session.act("roll", version=2, key="again", keep=[0, 1])
    assert answer(session.act("roll", version=2, key="again", **same)) == answer(first)
    second = session.act("roll", version=3, key="other", **same)
    assert answer(session.act("roll", version=3, key="other", keep=[0, 1])) == answer(second)
    assert session.read().json["version"] == 4


def test_again_after_others(session: Session) -> None:
    """It gets the same response after others have acted, too."""
    first = session.act("score", version=2, key="mine", box="chance", who="ann")
    for _ in range(2):
        session.act("roll", who="ben")
    session.act("cross_out", who="ben", box="ones")
    assert session.read().json["version"] == 6
    before = session.stands()
    again = session.act("score", version=2, key="mine", box="chance", who="ann")
    assert answer(again) == answer(first)
    assert session.stands() == before


def test_again_after_the_end(service: Service) -> None:
    """The repeated response is the same when the game is over: without the seed, as at first."""
    session = make(service, "dice-poker", "ann", house_rules=UNTIMED)
    answers: list[tuple[str, dict[str, Any], Reply]] = []
    latest = session.made
    while latest["actions"]:
        action = next(one for one in latest["actions"] if one["action"] in ("roll", "cross_out"))
        if latest["state"]["turn"]["dice"]:
            action = next(one for one in latest["actions"] if one["action"] == "score")
        values = {"box": action["box"]["enum"][0]} if "box" in action else {}
        reply = session.act(action["action"], key=f"key-{latest['version']}", **values)
        answers.append((action["action"], values, reply))
        latest = reply.json
    assert latest["state"]["over"]
    assert len(answers) == 26
    before = session.stands()
    for number, (name, values, first) in enumerate(answers, start=1):
        again = session.act(name, key=f"key-{number}", **values)
        assert answer(again) == answer(first)
        assert (again.json["fairness"]["seed"] is not None) == (number == 26)
    assert session.stands() == before


def test_again_typed_in(service: Service) -> None:
    """A repeated request returns typed dice unchanged."""
    session = make(service, "dice-poker", "ann", dice="client", house_rules=UNTIMED)
    first = session.act("roll", version=1, key="k", dice=[1, 2, 3, 4, 5])
    session.act("roll", version=2, keep=[0], dice=[1, 6, 6, 6, 6])
    assert answer(session.act("roll", version=1, key="k", dice=[1, 2, 3, 4, 5])) == answer(first)
    reply = session.act("roll", version=1, key="k", dice=[1, 2, 3, 4, 6])
    assert "was used for another action" in refusal(reply, 409)


@pytest.mark.parametrize(
    "body",
    [
        {"action": "roll"},
        {"action": "roll", "keep": [1]},
        {"action": "roll", "keep": [0], "player": "ann"},
        {"action": "score", "box": "chance"},
        {"action": "no such action"},
    ],
    ids=str,
)
def test_another_body(session: Session, body: dict[str, Any]) -> None:
    """A key that was used for another action is refused, whatever the other action is."""
    session.act("roll", version=2, key="used", keep=[0])
    before = session.stands()
    for version in (2, 3):
        reply = session.act(version=version, key="used", **body)
        assert refusal(reply, 409) == (
            "This Idempotency-Key was used for another action of this session; nothing was done. "
            "Use a new key for each action."
        )
    assert session.stands() == before


def test_key_of_another(session: Session) -> None:
    """The keys of different tokens are independent, and so are those of different sessions."""
    first = session.act("roll", version=2, key="one", who="ann")
    second = session.act("roll", version=3, key="one", who=TABLE)
    assert (first.json["version"], second.json["version"]) == (3, 4)
    other = make(session.service, "dice-poker", "ann", house_rules=UNTIMED)
    assert other.act("roll", version=1, key="one").json["version"] == 2


def test_refused_key(session: Session) -> None:
    """A refused action doesn't use up its key: the corrected action succeeds with the same key."""
    assert session.act("roll", version=2, key="k", keep=[9]).status == 422
    assert session.act("roll", version=1, key="k", keep=[0]).status == 412
    assert session.act("roll", version=2, key="k", keep=[0]).json["version"] == 3


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 256, "\xe9", "a\tb"])
def test_no_key(session: Session, key: str) -> None:
    """A malformed key is refused."""
    before = session.stands()
    detail = refusal(session.act("roll", version=2, key=key), 400)
    assert detail == "Idempotency-Key must be one value of 1 to 255 visible ASCII characters."
    assert session.stands() == before


def test_two_keys(session: Session) -> None:
    """An action with two keys is refused, and isn't performed."""
    before = session.stands()
    headers = {**session.headers(version=2, key="one"), "idempotency-key": "two"}
    detail = refusal(session.send(b'{"action":"roll"}', headers), 400)
    assert detail == "Idempotency-Key must be one value of 1 to 255 visible ASCII characters."
    assert session.stands() == before


def test_at_once(session: Session) -> None:
    """Eight clients that send the same request at once get the same response, and it is performed
    once.
    """
    for version in range(2, 4):
        with ThreadPoolExecutor(8) as pool:
            sent = [
                pool.submit(session.act, "roll", version=version, key=f"at-{version}", keep=[2])
                for _ in range(8)
            ]
            answers = {answer(reply.result()) for reply in sent}
        assert len(answers) == 1
        ((status, _, etag, _),) = answers
        assert (status, etag) == (200, session.read().headers["ETag"])
    assert [event["version"] for event in session.events().json["events"]] == [1, 2, 3, 4]


def test_for_one_version(session: Session) -> None:
    """Of eight clients that act at once on one version, one succeeds and the others get a 412."""
    with ThreadPoolExecutor(8) as pool:
        sent = [pool.submit(session.act, "roll", version=2, key=f"k{n}") for n in range(8)]
        replies = [reply.result() for reply in sent]
    assert sorted(reply.status for reply in replies) == [200] + [412] * 7
    assert {reply.headers["ETag"] for reply in replies} == {session.read().headers["ETag"]}
    assert session.read().json["version"] == 3
