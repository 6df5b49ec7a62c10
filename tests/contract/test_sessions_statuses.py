"""Every status that openapi.yaml names for sessions occurs, each for its cause."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing

import pytest

from service.contract.sessions.examples import NO_VARIANT
from service.sessions.store.codec import FORMAT_VERSION
from service.sessions.store.connect import connect
from service.sessions.store.redis_store import Client
from tests.contract.openapi import Contract, answer, of_sessions
from tests.contract.session_requests import PATH, TYPED, Game, made
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
    assert creation(NEW, Idempotency_Key="used")(game).status == 201
    other = json.dumps({**TYPED, "players": ["dan", "eve"]}).encode()
    return creation(other, Idempotency_Key="used")(game)


def stale(game: Game) -> Reply:
    """An action for a version that another action has changed."""
    assert game.act(ROLL).status == 200
    return game.act(ROLL, If_Match='"1"')


def elsewhere(game: Game, method: str, below: str = "") -> Reply:
    """The same request for a session that doesn't exist."""
    path = f"{PATH}/{NO_SESSION}{below}"
    headers = {"Authorization": f"Bearer {game.table}", "If-Match": "*", "Content-Type": JSON}
    body = json.dumps(ROLL).encode() if method == "POST" else None
    return game.service.ask(method, path, body, headers)


def same(game: Game) -> Reply:
    """A request from a client that has the current version."""
    return game.ask("GET", If_None_Match='"1"')


SOUND = json.dumps(ROLL).encode()
NEW = json.dumps(TYPED).encode()

HAPPEN: Mapping[str, Mapping[int, Ask]] = {
    "createSession": {
        201: creation(NEW),
        400: creation(b"{"),
        406: creation(NEW, Accept="image/png"),
        408: creation(b"{", Content_Length="2"),
        409: used_for_another,
        413: creation(TOO_LONG),
        415: creation(NEW, Content_Type="text/plain"),
        422: creation(json.dumps(NO_VARIANT).encode()),
    },
    "readSession": {
        200: lambda game: game.ask("GET"),
        304: same,
        401: lambda game: game.ask("GET", token=""),
        403: lambda game: game.ask("GET", token="other"),
        404: lambda game: elsewhere(game, "GET"),
        406: lambda game: game.ask("GET", Accept="image/png"),
        422: lambda game: game.ask("GET", "?wait=61"),
    },
    "actInSession": {
        200: raw(SOUND),
        400: raw(b"{"),
        401: raw(SOUND, token=""),
        403: raw(SOUND, token="other"),
        404: lambda game: elsewhere(game, "POST", "/actions"),
        406: raw(SOUND, Accept="image/png"),
        409: used_key,
        412: stale,
        408: raw(b"{", Content_Length="2"),
        413: raw(TOO_LONG),
        415: raw(SOUND, Content_Type="text/plain"),
        422: raw(b'{"action": "score", "box": "fours"}'),
        428: lambda game: game.ask("POST", "/actions", SOUND, Content_Type=JSON),
    },
    "listSessionEvents": {
        200: lambda game: game.ask("GET", "/events"),
        304: lambda game: game.ask("GET", "/events", If_None_Match="*"),
        401: lambda game: game.ask("GET", "/events", token=""),
        403: lambda game: game.ask("GET", "/events", token="other"),
        404: lambda game: elsewhere(game, "GET", "/events"),
        406: lambda game: game.ask("GET", "/events", Accept="image/png"),
    },
    "deleteSession": {
        204: lambda game: game.ask("DELETE"),
        401: lambda game: game.ask("DELETE", token=""),
        403: lambda game: game.ask("DELETE", token=game.players["ann"]),
        404: lambda game: elsewhere(game, "DELETE"),
        406: lambda game: game.ask("DELETE", Accept="image/png"),
    },
}
"""A request for each status of each operation."""

OF_ANY_SESSION: Mapping[str, Ask] = {
    "readSession": lambda game: game.ask("GET"),
    "actInSession": raw(SOUND),
    "listSessionEvents": lambda game: game.ask("GET", "/events"),
    "deleteSession": lambda game: game.ask("DELETE"),
}
"""A valid request for each operation on a session."""


@pytest.fixture(scope="module")
def newer() -> Iterator[Game]:
    """A session that a newer release wrote."""
    with tempfile.TemporaryDirectory() as folder, running(DATA_DIR=folder) as service:
        game = made(service, TYPED)
        with closing(connect(f"unix://{folder}/store.sock")) as connected:
            store: Client = connected
            key = f"dice:{{{game.path.rsplit('/', 1)[1]}}}"
            terms = store.execute_command("HGET", key, "t")
            assert terms[0] == FORMAT_VERSION
            store.execute_command("HSET", key, "t", bytes([FORMAT_VERSION + 1]) + terms[1:])
        yield game


@pytest.fixture(scope="module")
def storeless() -> Iterator[Game]:
    """A session whose store is unreachable."""
    with running(REDIS_URL=f"redis://127.0.0.1:{free_port()}") as service:
        reply = service.post(PATH, TYPED)
        yield Game(service, reply, f"{PATH}/{NO_SESSION}", "token", {})


def test_every_status_is_named(contract: Contract) -> None:
    """Operations name exactly the statuses that are shown to occur here."""
    named = {name: set(said["responses"]) for name, said in of_sessions(contract).items()}
    assert named == {
        name: {str(status) for status in (*happen, 503, *([409] if name in OF_ANY_SESSION else []))}
        for name, happen in HAPPEN.items()
    }


@pytest.mark.parametrize(
    ("operation", "status"),
    [(operation, status) for operation, happen in HAPPEN.items() for status in happen],
)
def test_every_status_happens(
    service: Service, contract: Contract, operation: str, status: int
) -> None:
    """Each status is the response to a request that causes it, as an example shows if it can.

    The client checks its media type, fields and headers.
    """
    reply = HAPPEN[operation][status](made(service, TYPED))
    assert reply.status == status
    if status >= 400:
        assert (reply.headers["Content-Type"], reply.json["status"]) == (PROBLEM, status)
        if operation != "actInSession" or status != 422:  # the actions depend on the game
            assert_shown(contract, operation, reply)


def assert_shown(contract: Contract, operation: str, reply: Reply) -> None:
    """Asserts that the contract has the problem `reply` as an example; only `instance` differs."""
    said = answer(contract, of_sessions(contract)[operation], reply.status)
    shown = [example["value"] for example in said["content"][PROBLEM]["examples"].values()]
    assert {**reply.json, "instance": ""} in [{**problem, "instance": ""} for problem in shown]


def test_created_and_deleted(service: Service, contract: Contract) -> None:
    """The key of a session that was deleted gets a 409, as an example shows."""
    ask, game = creation(NEW, Idempotency_Key="deleted"), made(service, TYPED)
    reply = ask(game)
    bearer = {"Authorization": f"Bearer {reply.json['tokens']['table']}"}
    assert service.ask("DELETE", reply.headers["Location"], headers=bearer).status == 204
    again = ask(game)
    assert again.status == 409
    assert_shown(contract, "createSession", again)


@pytest.mark.parametrize("operation", [*OF_ANY_SESSION])
def test_written_by_a_newer_release(newer: Game, contract: Contract, operation: str) -> None:
    """A session that this release can't read gets a 409 for every request."""
    reply = OF_ANY_SESSION[operation](newer)
    assert reply.status == 409
    assert_shown(contract, operation, reply)


@pytest.mark.parametrize("operation", [*HAPPEN])
def test_no_store(storeless: Game, contract: Contract, operation: str) -> None:
    """Without its store the service returns a 503 for every request, with Retry-After."""
    ask = OF_ANY_SESSION.get(operation)
    reply = ask(storeless) if ask else storeless.reply
    assert (reply.status, reply.headers["Retry-After"]) == (503, "1")
    assert_shown(contract, operation, reply)
