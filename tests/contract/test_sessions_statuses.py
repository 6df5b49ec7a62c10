"""Every status that openapi.yaml names for sessions occurs, each for its cause."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from service.contract.sessions import NO_VARIANT
from service.sessions.store.codec import FORMAT_VERSION
from tests.api.sessions.playing import PATH, Kept, Session, make
from tests.contract.openapi import Contract, answer, of_sessions, operations
from tests.live import JSON, PROBLEM, Reply, Service, free_port, named, running

ROLL: dict[str, Any] = {"action": "roll", "dice": [1, 2, 3, 4, 5]}
TOO_LONG = b" " * 2_000_000
NO_SESSION = "0" * 22

Ask = Callable[[Session], Reply]


def typed(service: Service, *players: str, **fields: Any) -> Session:
    """A session whose dice the test types in."""
    return make(service, "dice-poker", *(players or ("ann", "ben")), dice="client", **fields)


def asks(method: str, below: str = "", **more: Any) -> Ask:
    """A request to the session, or what is `below` its path."""
    return lambda game: game.ask(method, below, **more)


def raw(body: bytes, **more: Any) -> Ask:
    """The raw request of an action."""
    given = {"If_Match": "*", "Content_Type": JSON, **more}
    return asks("POST", "/actions", body=body, **given)


def creation(body: bytes, **headers: str) -> Ask:
    """The raw request of a new session."""
    given = {"Content-Type": JSON, **named(headers)}
    return lambda game: game.service.ask("POST", PATH, body, given)


def used_key(game: Session) -> Reply:
    """Another action with an idempotency key that was used."""
    assert game.act(**ROLL, key="a").status == 200
    return game.act("score", box="fours", key="a")


def used_for_another(game: Session) -> Reply:
    """Another session with an idempotency key that was used."""
    assert creation(NEW, Idempotency_Key="used-for-0123456789")(game).status == 201
    other = NEW.replace(b"ann", b"eve")
    return creation(other, Idempotency_Key="used-for-0123456789")(game)


def deleted(game: Session) -> Reply:
    """A session with the key of one that was deleted."""
    ask = creation(NEW, Idempotency_Key="deleted-for-0123456789")
    assert Session(game.service, ask(game).json).delete().status == 204
    return ask(game)


def of_another_player(game: Session) -> Reply:
    """An action for the first player with the token of the second."""
    other = typed(game.service, "player 1", "player 2")
    return other.act(**ROLL, who="player 2", player="player 1")


def out_of_turn(game: Session) -> Reply:
    """An action without a player, with the token of the second, who can't act."""
    return typed(game.service, "player 1", "player 2").act(**ROLL, who="player 2")


def stale(game: Session) -> Reply:
    """An action for a version that another action has changed."""
    assert game.act(**ROLL).status == 200
    return game.act(**ROLL, version=1)


def stale_to_delete(game: Session) -> Reply:
    """A deletion at a version that an action has changed."""
    assert game.act(**ROLL).status == 200
    return game.delete(If_Match='"1"')


def elsewhere(ask: Ask) -> Ask:
    """The same request for a session that doesn't exist."""
    return lambda game: ask(Session(game.service, {**game.made, "id": NO_SESSION}))


def advisable(service: Service) -> Session:
    """A game of poker dice with advice."""
    return make(service, "poker-dice", "ann", "ben", dice="client", advice=True)


def advised(game: Session, if_none_match: str = "") -> Reply:
    """Advice after a roll of poker dice."""
    round_ = advisable(game.service)
    roll = {"action": "roll", "dice": [1, 2, 3, 4, 6]}
    actions: list[dict[str, Any]] = [{"action": "ante", "amount": 1}, {"action": "meet"}, roll]
    for action in actions:
        assert round_.act(**action).status == 200
    return round_.read(below="/advice", If_None_Match=if_none_match)


def without_table(below: str) -> Ask:
    """Advice, a forecast or a review by a service that has just begun to make the table."""

    def ask(_: Session) -> Reply:
        with tempfile.TemporaryDirectory() as folder, running(DATA_DIR=folder) as service:
            return typed(service, advice=True).read(below=below)

    return ask


SOUND = json.dumps(ROLL).encode()
NEW = b'{"variant": "dice-poker", "players": ["ann", "ben"], "dice": "client"}'


def refused(below: str, method: str = "GET") -> dict[str, Ask]:
    """The refusals of all requests without a body."""
    return {
        "401 no_token": asks(method, below, who=None),
        "403 wrong_token": asks(method, below, Authorization="Bearer other"),
        "404 no_such_session": elsewhere(asks(method, below)),
        "406 not_acceptable": asks(method, below, Accept="image/png"),
    }


def reading(below: str) -> dict[str, Ask]:
    """The statuses of what every token of a session may read."""
    had = asks("GET", below, If_None_Match="*")
    return {"200": asks("GET", below), "304": had, **refused(below)}


HAPPEN: Mapping[str, Mapping[str, Ask]] = {
    "createSession": {
        "201": creation(NEW),
        "400 not_json": creation(b"{"),
        "400 short_key": creation(NEW, Idempotency_Key="game-1"),
        "406 not_acceptable": creation(NEW, Accept="image/png"),
        "408 body_stalled": creation(b"{", Content_Length="2"),
        "409 key_used_with_other_body": used_for_another,
        "409 created_session_gone": deleted,
        "413 too_large": creation(TOO_LONG),
        "412 no_session_yet": creation(NEW, If_Match="*"),
        "415 wrong_media_type": creation(NEW, Content_Type="text/plain"),
        "422 no_variant": creation(json.dumps(NO_VARIANT).encode()),
    },
    "readSession": {**reading(""), "422 wait": asks("GET", "?wait=61")},
    "actInSession": {
        "200": raw(SOUND),
        "400 not_json": raw(b"{"),
        "401 no_token": raw(SOUND, who=None),
        "403 wrong_token": raw(SOUND, Authorization="Bearer other"),
        "403 other_players_token": of_another_player,
        "403 not_your_turn": out_of_turn,
        "404 no_such_session": elsewhere(raw(SOUND)),
        "406 not_acceptable": raw(SOUND, Accept="image/png"),
        "409 key_used_otherwise": used_key,
        "412 stale_version": stale,
        "408 body_stalled": raw(b"{", Content_Length="2"),
        "413 too_large": raw(TOO_LONG),
        "415 wrong_media_type": raw(SOUND, Content_Type="text/plain"),
        "422": raw(b'{"action": "score", "box": "fours"}'),
        "428 no_version": asks("POST", "/actions", body=SOUND, Content_Type=JSON),
    },
    "listSessionEvents": reading("/events"),
    "joinSession": {"200": asks("POST", "/joined"), **refused("/joined", "POST")},
    "getSessionResult": reading("/result"),
    "getSessionSheet": reading("/sheet"),
    "adviseSession": {
        **refused("/advice"),
        "200": advised,
        "304": lambda game: advised(game, "*"),
        "409 advice_not_agreed": asks("GET", "/advice"),
        "409 nothing_to_decide": lambda game: advisable(game.service).read(below="/advice"),
        "503 table_in_the_making": without_table("/advice"),
    },
    "forecastSession": {
        **reading("/forecast"),
        "503 table_in_the_making": without_table("/forecast"),
    },
    "reviewSession": {
        **reading("/review"),
        "403 game_not_over": asks("GET", "/review", who="ann"),
        "404 no_review": lambda game: advisable(game.service).read(below="/review"),
        "503 table_in_the_making": without_table("/review"),
    },
    "deleteSession": {
        **refused("", "DELETE"),
        "204": asks("DELETE"),
        "403 table_token_needed": asks("DELETE", who="ann"),
        "412 stale_version": stale_to_delete,
    },
}
"""A request for each status of each operation, and for each cause: its example in the contract."""


@pytest.fixture(scope="module")
def newer(own_kept: Kept) -> Session:
    """A session that a newer release wrote, created with the key `newer`."""
    service, store = own_kept.service, own_kept.store
    reply = creation(NEW, Idempotency_Key="newer-for-0123456789")(typed(service))
    session = Session(service, reply.json)
    terms: Any = store.hget(own_kept.key(session), "t")
    assert terms[0] == FORMAT_VERSION
    store.hset(own_kept.key(session), "t", bytes([FORMAT_VERSION + 1]) + terms[1:])
    return session


@pytest.fixture(scope="module")
def storeless() -> Iterator[Session]:
    """A session whose store is unreachable."""
    with running(REDIS_URL=f"redis://127.0.0.1:{free_port()}") as service:
        yield Session(service, {"id": NO_SESSION, "tokens": {"table": "token", "players": {}}})


STORE = {"503 store_away", "503 store_unusable", "503 session_damaged"}
CHANGE = {*STORE, "503 not_replicated", "503 outcome_unknown"}

ELSEWHERE = {
    **{name: {*STORE, "409 newer_release"} for name in HAPPEN},
    "createSession": {*CHANGE, "409 newer_release", "429 too_many_sessions", "503 store_full"},
    "actInSession": {
        *CHANGE,
        *("409 newer_release", "409 too_many_events", "503 store_full", "503 too_many_at_once"),
    },
    "joinSession": {*STORE, "409 newer_release", "503 outcome_unknown"},
    "deleteSession": {*CHANGE, "409 newer_release", "503 too_many_at_once"},
}
"""Causes that need a service or a store of their own; `test_caps.py` and `tests/api/sessions/store`
have them.
"""


def reads(game: Session, contract: Contract, name: str) -> Reply:
    """A request of the operation `name` that reads the session `newer`, or needs the store."""
    ((path, method),) = [
        (path, method)
        for path, method, operation in operations(contract)
        if operation["operationId"] == name
    ]
    if name == "createSession":
        return creation(NEW, Idempotency_Key="newer-for-0123456789")(game)
    if name == "actInSession":
        return raw(SOUND)(game)
    return game.ask(method, path.removeprefix(f"{PATH}/{{session_id}}"))


def test_every_status_is_named(contract: Contract) -> None:
    """Operations name exactly the statuses that are shown to occur here, and the code of each
    cause; the causes of a 422 are those of its examples, but for illegal actions. All refuse other
    methods and unknown parameters, as `tests/api/http/test_near_misses.py` shows.
    """
    found = {}
    for name, operation in of_sessions(contract).items():
        found[name] = {status for status in operation["responses"] if int(status) < 400}
        for status in operation["responses"].keys() - found[name]:
            response = answer(contract, operation, int(status))
            causes = (
                codes(response) if status != "422" else response["content"][PROBLEM]["examples"]
            )
            if (name, status) == ("actInSession", "422"):
                causes = [""]
            found[name] |= {f"{status} {cause}".strip() for cause in causes}
    assert found == {
        name: {*happen, *ELSEWHERE[name], "405 method_not_allowed", "429 rate_limited"}
        | ({"422 unknown"} if all(cause[:3] != "422" for cause in happen) else set())
        for name, happen in HAPPEN.items()
    }


def codes(response: dict[str, Any]) -> list[str]:
    """The codes of the problems that the description of `response` names, as names of examples."""
    return [code.replace("-", "_") for code in re.findall("`([a-z-]+)`", response["description"])]


def disturbs(operation: str, cause: str) -> bool:
    """Whether a request stalls, or has a table made; asking for advice is enough for make test."""
    return "stalled" in cause or ("table_in" in cause and operation != "adviseSession")


@pytest.mark.usefixtures("solved_dice_poker")
@pytest.mark.parametrize(
    ("operation", "cause"),
    [
        pytest.param(operation, cause, marks=[pytest.mark.fault] * disturbs(operation, cause))
        for operation, happen in HAPPEN.items()
        for cause in happen
    ],
)
def test_every_status_happens(
    service: Service, contract: Contract, operation: str, cause: str
) -> None:
    """Each status is the response to a request that causes it, with the code of its cause.

    The client checks its media type, fields and headers.
    """
    reply = HAPPEN[operation][cause](typed(service))
    assert reply.status == int(cause[:3])
    if reply.status >= 400:
        assert (reply.headers["Content-Type"], reply.json["status"]) == (PROBLEM, reply.status)
    if " " in cause:
        assert_shown(contract, operation, cause, reply)


def assert_shown(contract: Contract, operation: str, cause: str, reply: Reply) -> None:
    """Asserts that `reply` has the code `cause`, and is its example if it is the one that the
    contract shows, except the id of the session.

    If several operations share the response, the example is that of another one.
    """
    status, name = cause.split()
    response = of_sessions(contract)[operation]["responses"][status]
    said = answer(contract, of_sessions(contract)[operation], int(status))
    ((first, example),) = said["content"][PROBLEM]["examples"].items()
    if name != first:
        assert reply.json["type"] == f"/problems/{name.replace('_', '-')}"
        return
    shown = example["value"]
    instance = re.sub(rf"(?<={PATH}/)[\w-]{{22}}", NO_SESSION, reply.json["instance"])
    if "$ref" in response:
        instance = shown["instance"]
    assert {**reply.json, "instance": instance} == shown


@pytest.mark.parametrize("operation", [*HAPPEN])
def test_written_by_a_newer_release(newer: Session, contract: Contract, operation: str) -> None:
    """A session that this release can't read gets a 409 for every request."""
    reply = reads(newer, contract, operation)
    assert reply.status == 409
    assert_shown(contract, operation, "409 newer_release", reply)


@pytest.mark.parametrize("operation", [*HAPPEN])
def test_no_store(storeless: Session, contract: Contract, operation: str) -> None:
    """Without its store the service returns a 503 for every request, with Retry-After."""
    reply = reads(storeless, contract, operation)
    assert (reply.status, reply.headers["Retry-After"]) == (503, "1")
    assert_shown(contract, operation, "503 store_away", reply)
