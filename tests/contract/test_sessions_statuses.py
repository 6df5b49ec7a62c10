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
from tests.api.sessions.playing import Kept
from tests.contract.openapi import Contract, answer, of_sessions, operations
from tests.contract.session_requests import PATH, TYPED, Game, game_of, made
from tests.live import JSON, PROBLEM, Reply, Service, free_port, running

ROLL = {"action": "roll", "dice": [1, 2, 3, 4, 5]}
TOO_LONG = b" " * 2_000_000
NO_SESSION = "0" * 22

Ask = Callable[[Game], Reply]


def raw(body: bytes, token: str | None = None, **headers: str) -> Ask:
    """The raw request of an action."""
    given = {"If_Match": "*", "Content_Type": JSON, **headers}
    return lambda game: game.ask("POST", "/actions", body, token=token, **given)


def creation(body: bytes, **headers: str) -> Ask:
    """The raw request of a new session."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    given = {"Content-Type": JSON, **named}
    return lambda game: game.service.ask("POST", PATH, body, given)


def used_key(game: Game) -> Reply:
    """Another action with an idempotency key that was used."""
    assert game.act(ROLL, Idempotency_Key="a").status == 200
    return game.act({"action": "score", "box": "fours"}, Idempotency_Key="a")


def used_for_another(game: Game) -> Reply:
    """Another session with an idempotency key that was used."""
    assert creation(NEW, Idempotency_Key="used-for-0123456789")(game).status == 201
    other = json.dumps({**TYPED, "players": ["dan", "eve"]}).encode()
    return creation(other, Idempotency_Key="used-for-0123456789")(game)


def deleted(game: Game) -> Reply:
    """A session with the key of one that was deleted."""
    ask = creation(NEW, Idempotency_Key="deleted-for-0123456789")
    reply = ask(game)
    bearer = {"Authorization": f"Bearer {reply.json['tokens']['table']}"}
    assert game.service.ask("DELETE", reply.headers["Location"], headers=bearer).status == 204
    return ask(game)


def of_another_player(game: Game) -> Reply:
    """An action for the first player with the token of the second."""
    other = made(game.service, {**TYPED, "players": ["player 1", "player 2"]})
    body = json.dumps({**ROLL, "player": "player 1"}).encode()
    return raw(body, other.players["player 2"])(other)


def out_of_turn(game: Game) -> Reply:
    """An action without a player, with the token of the second, who can't act."""
    other = made(game.service, {**TYPED, "players": ["player 1", "player 2"]})
    return raw(json.dumps(ROLL).encode(), other.players["player 2"])(other)


def stale(game: Game) -> Reply:
    """An action for a version that another action has changed."""
    assert game.act(ROLL).status == 200
    return game.act(ROLL, If_Match='"1"')


def stale_to_delete(game: Game) -> Reply:
    """A deletion at a version that an action has changed."""
    assert game.act(ROLL).status == 200
    return game.ask("DELETE", If_Match='"1"')


def elsewhere(game: Game, method: str, below: str = "") -> Reply:
    """The same request for a session that doesn't exist."""
    path = f"{PATH}/{NO_SESSION}{below}"
    headers = {"Authorization": f"Bearer {game.table}", "If-Match": "*", "Content-Type": JSON}
    body = json.dumps(ROLL).encode() if method == "POST" else None
    return game.service.ask(method, path, body, headers)


ADVISED = {"variant": "poker-dice", "players": ["ann", "ben"], "dice": "client", "advice": True}


def advised(game: Game, if_none_match: str = "") -> Reply:
    """Advice after a roll of poker dice."""
    round_ = made(game.service, ADVISED)
    roll = {"action": "roll", "dice": [1, 2, 3, 4, 6]}
    for action in ({"action": "ante", "amount": 1}, {"action": "meet"}, roll):
        assert round_.act(action).status == 200
    return round_.ask("GET", "/advice", If_None_Match=if_none_match)


def without_table(below: str) -> Ask:
    """Advice, a forecast or a review by a service that has just begun to make the table."""

    def ask(_: Game) -> Reply:
        with tempfile.TemporaryDirectory() as folder, running(DATA_DIR=folder) as service:
            return made(service, {**TYPED, "advice": True}).ask("GET", below)

    return ask


SOUND = json.dumps(ROLL).encode()
NEW = json.dumps(TYPED).encode()


def refused(below: str, method: str = "GET") -> dict[str, Ask]:
    """The refusals of all requests without a body."""
    return {
        "401 no_token": lambda game: game.ask(method, below, token=""),
        "403 wrong_token": lambda game: game.ask(method, below, token="other"),
        "404 no_such_session": lambda game: elsewhere(game, method, below),
        "406 not_acceptable": lambda game: game.ask(method, below, Accept="image/png"),
    }


def reading(below: str) -> dict[str, Ask]:
    """The statuses of what every token of a session may read."""
    return {
        "200": lambda game: game.ask("GET", below),
        "304": lambda game: game.ask("GET", below, If_None_Match="*"),
        **refused(below),
    }


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
    "readSession": {**reading(""), "422 wait": lambda game: game.ask("GET", "?wait=61")},
    "actInSession": {
        "200": raw(SOUND),
        "400 not_json": raw(b"{"),
        "401 no_token": raw(SOUND, token=""),
        "403 wrong_token": raw(SOUND, token="other"),
        "403 other_players_token": of_another_player,
        "403 not_your_turn": out_of_turn,
        "404 no_such_session": lambda game: elsewhere(game, "POST", "/actions"),
        "406 not_acceptable": raw(SOUND, Accept="image/png"),
        "409 key_used_otherwise": used_key,
        "412 stale_version": stale,
        "408 body_stalled": raw(b"{", Content_Length="2"),
        "413 too_large": raw(TOO_LONG),
        "415 wrong_media_type": raw(SOUND, Content_Type="text/plain"),
        "422": raw(b'{"action": "score", "box": "fours"}'),
        "428 no_version": lambda game: game.ask("POST", "/actions", SOUND, Content_Type=JSON),
    },
    "listSessionEvents": reading("/events"),
    "joinSession": {"200": lambda game: game.ask("POST", "/joined"), **refused("/joined", "POST")},
    "getSessionResult": reading("/result"),
    "getSessionSheet": reading("/sheet"),
    "adviseSession": {
        **refused("/advice"),
        "200": advised,
        "304": lambda game: advised(game, "*"),
        "409 advice_not_agreed": lambda game: game.ask("GET", "/advice"),
        "409 nothing_to_decide": lambda game: made(game.service, ADVISED).ask("GET", "/advice"),
        "503 table_in_the_making": without_table("/advice"),
    },
    "forecastSession": {
        **reading("/forecast"),
        "503 table_in_the_making": without_table("/forecast"),
    },
    "reviewSession": {
        **reading("/review"),
        "403 game_not_over": lambda game: game.ask("GET", "/review", token=game.players["ann"]),
        "404 no_review": lambda game: made(game.service, ADVISED).ask("GET", "/review"),
        "503 table_in_the_making": without_table("/review"),
    },
    "deleteSession": {
        **refused("", "DELETE"),
        "204": lambda game: game.ask("DELETE"),
        "403 table_token_needed": lambda game: game.ask("DELETE", token=game.players["ann"]),
        "412 stale_version": stale_to_delete,
    },
}
"""A request for each status of each operation, and for each cause: its example in the contract."""


@pytest.fixture(scope="module")
def newer(own_kept: Kept) -> Game:
    """A session that a newer release wrote, created with the key `newer`."""
    service, store = own_kept.service, own_kept.store
    reply = creation(NEW, Idempotency_Key="newer-for-0123456789")(made(service, TYPED))
    key = f"dice:{{{reply.json['id']}}}"
    terms: Any = store.hget(key, "t")
    assert terms[0] == FORMAT_VERSION
    store.hset(key, "t", bytes([FORMAT_VERSION + 1]) + terms[1:])
    return game_of(service, reply)


@pytest.fixture(scope="module")
def storeless() -> Iterator[Game]:
    """A session whose store is unreachable."""
    with running(REDIS_URL=f"redis://127.0.0.1:{free_port()}") as service:
        reply = service.post(PATH, TYPED)
        yield Game(service, reply, f"{PATH}/{NO_SESSION}", "token", {})


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


def reads(game: Game, contract: Contract, name: str) -> Reply:
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
    named = {}
    for name, operation in of_sessions(contract).items():
        named[name] = {status for status in operation["responses"] if int(status) < 400}
        for status in operation["responses"].keys() - named[name]:
            response = answer(contract, operation, int(status))
            causes = (
                codes(response) if status != "422" else response["content"][PROBLEM]["examples"]
            )
            if (name, status) == ("actInSession", "422"):
                causes = [""]
            named[name] |= {f"{status} {cause}".strip() for cause in causes}
    assert named == {
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
    reply = HAPPEN[operation][cause](made(service, TYPED))
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
def test_written_by_a_newer_release(newer: Game, contract: Contract, operation: str) -> None:
    """A session that this release can't read gets a 409 for every request."""
    reply = reads(newer, contract, operation)
    assert reply.status == 409
    assert_shown(contract, operation, "409 newer_release", reply)


@pytest.mark.parametrize("operation", [*HAPPEN])
def test_no_store(storeless: Game, contract: Contract, operation: str) -> None:
    """Without its store the service returns a 503 for every request, with Retry-After."""
    reply = reads(storeless, contract, operation)
    assert (reply.status, reply.headers["Retry-After"]) == (503, "1")
    assert_shown(contract, operation, "503 store_away", reply)
