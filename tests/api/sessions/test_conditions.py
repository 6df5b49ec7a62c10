"""Conditions of actions and deletions: If-Match, If-None-Match, and idempotency keys."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.api.sessions.playing import (
    PATH,
    TABLE,
    UNTIMED,
    Session,
    answer,
    cause,
    make,
    refusal,
    tagged,
)
from tests.live import JSON, Reply, Service

ROLL = b'{"action": "roll"}'


@pytest.fixture
def session(service: Service) -> Session:
    """A game at version 2: ann has rolled once."""
    started = make(service, "dice-poker", "ann", "ben", house_rules=UNTIMED)
    assert started.act("roll", version=1).json["version"] == 2
    return started


STALE = ['"1"', '"1", W/"2"', '"1-00000000"', '"x", "1"']
NO_TAG = ["2", '"2 "', 'W/"2"', '"2', '2"', '"', "", ",", "abc", '"2" "3"', '"2""3"', '*, "2"',
          "**", '2, "2"', 'w/"2"', 'W /"2"', '""', '"x"', '"-1"', '"2.0"', '"\xb2"', '"02"', '"+2"',
          '"2-"', '"2,1"', "'2'", '"2";', '"2", "\t"', '"' + "9" * 5000 + '"', "W/{tag}",
          "{tag};gzip", '{tag}"', "{open}-gzip\""]  # fmt: skip
LATER = ['"3"', '"4", "3"', '"999999999999999999"', '"3-00000000"', '"3", "01"']
UNWANTED = [("*", "*"), ('"2"', "*"), ('"2"', '"2"'), ("{tag}", "{tag}"), ("*", 'W/{tag}, "7"'),
            ("*", '{open}-gzip"')]  # fmt: skip

REFUSED: list[tuple[str, str | None, str]] = [
    *((match, None, "which If-Match doesn't name") for match in STALE),
    *(
        (
            match,
            None,
            'and If-Match names none: send the number in quotes, "2", or the ETag as the service '
            "sent it, which a proxy that compresses changes",
        )
        for match in NO_TAG
    ),
    *((match, None, "and If-Match names only later ones") for match in LATER),
    ("{other}", None, "but not in the state that If-Match names, which may have been lost"),
    *((match, none_match, "which If-None-Match names") for match, none_match in UNWANTED),
]


@pytest.mark.parametrize(("match", "none_match", "why"), REFUSED)
def test_refused(session: Session, match: str, none_match: str | None, why: str) -> None:
    """Nothing is done to a session that isn't at a version that the client wants.

    Tags are compared character by character (RFC 9110, 8.8.3.2). In If-Match weak ones match
    nothing, and neither does a header that isn't a list of tags, even if a part of it is valid. The
    problem says what the client may do about it, also if a proxy has made its ETag weak, or given
    it an ending.
    """
    before = session.stands()
    tag = session.read().headers["ETag"]
    other = tag[:-2] + ("0" if tag[-2] != "0" else "1") + '"'
    parts = {"tag": tag, "open": tag[:-1], "other": other}
    conditions = {"If-Match": match.format(**parts)}
    if none_match is not None:
        conditions["If-None-Match"] = none_match.format(**parts)
    acted = session.send(ROLL, {**session.headers(), **conditions})
    for reply in (acted, session.delete(**conditions)):
        assert refusal(reply, 412) == (
            f"The session is at version 2, {why}; read it again and decide again."
        )
        assert (reply.headers["ETag"], reply.headers["Cache-Control"]) == (tag, "no-transform")
    assert refusal(session.delete("ann", **conditions), 403)
    assert session.stands() == before


@pytest.mark.parametrize(
    "match",
    ['"2"', '"1", "2"', "*", " * ", ' "2" ', 'W/"1", "2"', ', "2" ,', "{tag}", '"1-0",{tag}',
     '"a,b", "!#~",\t"2"', '"1",, W/"2", "2"'],
)  # fmt: skip
def test_in_time(session: Session, match: str) -> None:
    """If-Match may list several versions, by tag or number, or be `*`."""
    tag = session.read().headers["ETag"]
    reply = session.act("roll", version=match.format(tag=tag))
    assert (reply.status, reply.json["version"], tagged(reply)) == (200, 3, 3)


def test_not_unwanted(session: Session) -> None:
    """An action is performed in a version that If-None-Match doesn't name."""
    headers = {**session.headers(version=2), "If-None-Match": '"1", W/"3", x'}
    assert session.send(ROLL, headers).json["version"] == 3
    headers = {**session.headers(version=3), "If-None-Match": '"2", W/"4"'}
    assert session.send(b'{"action": "score", "box": "chance"}', headers).json["version"] == 4


@pytest.mark.parametrize(
    "conditions", [{"If-Match": '"2"'}, {"If-Match": "*"}, {"If-None-Match": '"1"'}], ids=str
)
def test_deleted(session: Session, conditions: dict[str, str]) -> None:
    """A session is deleted at a version that the client wants; then it is at none."""
    assert session.delete(**conditions).status == 204
    assert refusal(session.delete(**conditions), 404)


def test_not_deleted(session: Session) -> None:
    """If-None-Match alone also keeps a session that is there from being deleted."""
    before = session.stands()
    assert refusal(session.delete(**{"If-None-Match": "*"}), 412) == (
        "The session is at version 2, which If-None-Match names; read it again and decide again."
    )
    assert session.stands() == before


def test_no_version(session: Session) -> None:
    """An action that names no version isn't done."""
    before = session.stands()
    headers = {**session.bearer(), "Content-Type": JSON}
    assert cause(session.send(ROLL, headers), 428) == "no-version"
    assert session.stands() == before


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
        assert cause(reply, 412) == "no-session-yet"
    reply = service.ask("POST", PATH, body, {"Content-Type": JSON, "If-None-Match": "*"})
    assert reply.status == 201


@pytest.mark.parametrize(
    "again",
    [
        b'{"action": "roll", "keep": [0, 1]}',
        b'{ "keep": [0, 1],\n "action": "roll" }',
        b'{"action": "roll", "keep": [0, 1], "player": null}',
        b'{"action": "roll", "keep": [0, 1], "dice": null}',
        b'{"action": "roll", "keep": [0.0, 1]}',
    ],
    ids=["same", "another order", "null for the player", "null for dice", "another number"],
)
@pytest.mark.parametrize("swapped", [False, True])
def test_again(session: Session, again: bytes, swapped: bool) -> None:
    """A repeated request gets the same response, and nothing changes. White space, the order of
    fields, null for one that may be left out, and how a number is written make no other body.
    """
    once, twice = b'{"action": "roll", "keep": [0, 1]}', again
    if swapped:
        once, twice = twice, once
    first = session.send(once, session.headers(version=2, key="again"))
    assert first.json["version"] == 3
    before = session.stands()
    versions: tuple[int | str, ...] = (2, 2, "*")
    for version in versions:
        reply = session.send(twice, session.headers(version=version, key="again"))
        assert answer(reply) == answer(first)
    assert session.stands() == before


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
    assert cause(reply, 409) == "key-used-otherwise"


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
        assert cause(reply, 409) == "key-used-otherwise"
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


@pytest.mark.parametrize(
    "keys",
    [
        *[{"Idempotency-Key": key} for key in ("", " ", "a b", "x" * 256, "\xe9", "a\tb")],
        {"Idempotency-Key": "one", "idempotency-key": "two"},
    ],
    ids=lambda keys: repr([key[:9] for key in keys.values()]),
)
def test_no_key(session: Session, keys: dict[str, str]) -> None:
    """A malformed key is refused, and so are two; the action isn't performed."""
    before = session.stands()
    detail = refusal(session.send(ROLL, {**session.headers(version=2), **keys}), 400)
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
            first, *others = [answer(reply.result()) for reply in sent]
        assert others == [first] * 7
        assert (first[0], first[2]["ETag"]) == (200, session.read().headers["ETag"])
    assert [event["version"] for event in session.events().json["events"]] == [1, 2, 3, 4]


def test_for_one_version(session: Session) -> None:
    """Of eight clients that act at once on one version, one succeeds and the others get a 412."""
    with ThreadPoolExecutor(8) as pool:
        sent = [pool.submit(session.act, "roll", version=2, key=f"k{n}") for n in range(8)]
        replies = [reply.result() for reply in sent]
    assert sorted(reply.status for reply in replies) == [200] + [412] * 7
    assert {reply.headers["ETag"] for reply in replies} == {session.read().headers["ETag"]}
    assert session.read().json["version"] == 3
