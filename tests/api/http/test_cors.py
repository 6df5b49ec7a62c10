"""CORS: pages from other origins call the service and read all responses."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator

import pytest

from service.api.http.request_id import TracedFlask
from service.app import create_app
from service.settings import Settings
from tests.api.sessions.playing import PATH, UNTIMED, Session
from tests.live import JSON, Reply, Service, free_port, running
from tests.worker.raw import BODY, EVALUATE, connected, get, head, post

PAGE = "https://game.example"
OTHER = "http://localhost:3000"

EXPOSED = {"Access-Control-Expose-Headers": "ETag, Location, RateLimit, RateLimit-Policy, "
           "Retry-After, X-Request-ID, WWW-Authenticate"}  # fmt: skip
ALLOWED = {"Access-Control-Allow-Origin": PAGE, **EXPOSED, "Vary": "Origin"}
ALL_ALLOWED = {"Access-Control-Allow-Origin": "*", **EXPOSED}
NOT_ALLOWED = {"Vary": "Origin"}

BATCH = "/v1/variants/poker-dice/batch"
LINES = b'{"dice":[1,2,3,4,6]}\n' * 2_000
VARIANTS = "/v1/variants"


@pytest.fixture(scope="module")
def some() -> Iterator[Service]:
    """A service that two origins may call."""
    with running(ALLOW_ORIGINS=f"{PAGE}, {OTHER}") as started:
        yield started


@pytest.fixture(scope="module")
def every() -> Iterator[Service]:
    """A service that all origins may call."""
    with running(ALLOW_ORIGINS="*") as started:
        yield started


def cors(reply: Reply) -> dict[str, str]:
    """The headers of `reply` that browsers and caches read for CORS.

    Some vary by encoding and language, too, which is left out.
    """
    found = {
        name: value for name, value in reply.headers.items() if name.startswith("Access-Control-")
    }
    vary = reply.headers.get("Vary", "").split(", ")
    left = ", ".join(name for name in vary if not name.startswith("Accept-"))
    return {**found, "Vary": left} if left else found


@pytest.mark.parametrize(
    ("status", "method", "path", "body", "headers"),
    [
        (200, "GET", VARIANTS, b"", {}),
        (200, "HEAD", VARIANTS, b"", {}),
        (200, "GET", "/livez", b"", {}),
        (200, "GET", "/openapi.json", b"", {}),
        (200, "OPTIONS", EVALUATE, b"", {}),
        (200, "POST", EVALUATE, BODY, {"Content-Type": JSON}),
        (200, "POST", BATCH, LINES, {"Content-Type": "application/x-ndjson"}),
        (304, "GET", VARIANTS, b"", {"If-None-Match": "*"}),
        (400, "POST", EVALUATE, b"{", {"Content-Type": JSON}),
        (401, "GET", f"{PATH}/none", b"", {}),
        (404, "GET", "/nothing", b"", {}),
        (405, "GET", EVALUATE, b"", {}),
        (406, "GET", VARIANTS, b"", {"Accept": "text/plain"}),
        (413, "POST", EVALUATE, b" " * 1_100_000, {"Content-Type": JSON}),
        (415, "POST", EVALUATE, BODY, {"Content-Type": "text/plain"}),
        (422, "POST", EVALUATE, b"{}", {"Content-Type": JSON}),
    ],
)
def test_every_response(
    some: Service, every: Service, status: int, method: str, path: str, body: bytes,
    headers: dict[str, str],
) -> None:  # fmt: skip
    """Pages from the origins in the setting can read every response, errors and 304 included."""
    listed = some.ask(method, path, body, {"Origin": PAGE, **headers})
    assert (listed.status, cors(listed)) == (status, ALLOWED)
    other = some.ask(method, path, body, {"Origin": OTHER, **headers})
    assert cors(other) == {**ALLOWED, "Access-Control-Allow-Origin": OTHER}
    unlisted = some.ask(method, path, body, {"Origin": "https://other.example", **headers})
    assert (unlisted.status, cors(unlisted)) == (status, NOT_ALLOWED)
    for origin in ({"Origin": "https://other.example"}, {"Origin": "null"}, {}):
        anyone = every.ask(method, path, body, {**origin, **headers})
        assert (anyone.status, cors(anyone)) == (status, ALL_ALLOWED)


def test_every_response_of_a_session(some: Service) -> None:
    """The responses of a session allow the page, too; `Origin` is added to their `Vary`."""
    page = {"Origin": PAGE, "Content-Type": JSON}
    new = json.dumps({"variant": "dice-poker", "players": ["ann"], "house_rules": UNTIMED})
    created = some.ask("POST", PATH, new.encode(), page)
    assert (created.status, created.headers["Location"][: len(PATH)]) == (201, PATH)
    game = Session(some, created.json)
    ann = {**page, **game.bearer("ann")}
    tag = created.headers["ETag"]
    read = some.ask("GET", game.path, None, ann)
    unchanged = some.ask("GET", game.path, None, {**ann, "If-None-Match": tag})
    roll = b'{"action":"roll"}'
    rolled = game.send(roll, {**ann, "If-Match": tag})
    for status, reply in ((201, created), (200, read), (304, unchanged), (200, rolled)):
        assert reply.status == status
        assert cors(reply) == {**ALLOWED, "Vary": "Authorization, Origin"}
    no_token = game.send(roll, {**page, "If-Match": tag})
    assert no_token.headers["WWW-Authenticate"] == "Bearer"
    illegal = game.send(b'{"action":"fold"}', {**ann, "If-Match": rolled.headers["ETag"]})
    no_version = game.send(roll, ann)
    stale = game.send(roll, {**ann, "If-Match": tag})
    forbidden = some.ask("DELETE", game.path, None, ann)
    deleted = some.ask("DELETE", game.path, None, {**page, **game.bearer()})
    gone = some.ask("GET", game.path, None, ann)
    for status, reply in (
        (401, no_token), (422, illegal), (428, no_version), (412, stale), (403, forbidden),
        (204, deleted), (404, gone),
    ):  # fmt: skip
        assert (reply.status, cors(reply)) == (status, ALLOWED)


def test_an_origin_is_compared_as_browsers_send_it(some: Service) -> None:
    """Only the exact text of an origin in the setting is allowed; `null` and other ports aren't."""
    origins = ["null", "https://game.example:8443", "http://game.example", "https://a.game.example",
               "https://game.example.evil.example", f"{PAGE}, {OTHER}", "*", ""]  # fmt: skip
    for origin in origins:
        assert cors(some.get("/livez", Origin=origin)) == NOT_ALLOWED, origin


@pytest.mark.parametrize(
    ("status", "path", "headers"), [(200, "/livez", ()), (417, "/livez", ("Expect: tea",))]
)
def test_two_origins(some: Service, status: int, path: str, headers: tuple[str, ...]) -> None:
    """A request with two origins is from neither, be the response the app's or a refusal."""
    origins = (f"Origin: {PAGE}", f"Origin: {OTHER}")
    reply = refused(some, get(path, *origins, *headers))
    assert (reply.status, cors(reply)) == (status, NOT_ALLOWED)


def test_without_an_origin(some: Service) -> None:
    """A response says that it depends on the origin even if the request names none."""
    assert cors(some.get("/livez")) == NOT_ALLOWED


def test_vary_is_one_line(some: Service) -> None:
    """`Origin` goes into the `Vary` that is there, and not beside it."""
    game = Session(some, some.post(PATH, {"variant": "dice-poker", "players": ["ann"]}).json)
    received = some.send(get(game.path, f"Authorization: Bearer {game.secrets['ann']}",
                             "Connection: close"))  # fmt: skip
    assert received.partition(b"\r\n\r\n")[0].lower().count(b"\r\nvary:") == 1


@pytest.mark.parametrize(
    "path", [EVALUATE, VARIANTS, PATH, f"{PATH}/some", f"{PATH}/some/events?after=1", "/nothing"]
)
def test_preflight(some: Service, every: Service, path: str) -> None:
    """A preflight allows the same methods on every path, whether the path exists or not: the page
    gets to read a 404 and a 405.
    """
    asked = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type",
        "X-Request-ID": "find-me",
    }
    allowed = {
        "Access-Control-Allow-Methods": "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
        "Access-Control-Allow-Headers": "Authorization, Content-Type, If-Match, If-None-Match, "
        "Idempotency-Key, X-Request-ID",
        "Access-Control-Max-Age": "7200",
    }
    reply = some.ask("OPTIONS", path, headers={"Origin": PAGE, **asked})
    assert (reply.status, reply.body, reply.headers["X-Request-ID"]) == (204, b"", "find-me")
    assert cors(reply) == {**allowed, **ALLOWED}
    anyone = every.ask("OPTIONS", path, headers={"Origin": "null", **asked})
    assert (anyone.status, cors(anyone)) == (204, {**allowed, **ALL_ALLOWED})


def test_the_connection_of_a_preflight_is_kept(some: Service) -> None:
    """The request that a preflight was for can follow on the same connection."""
    asked = ("Access-Control-Request-Method: POST", f"Origin: {PAGE}")
    with connected(some) as raw:
        raw.send(head("OPTIONS", EVALUATE, *asked))
        preflight = raw.reply("OPTIONS")
        assert (preflight.status, len(preflight.headers["X-Request-ID"])) == (204, 32)
        raw.send(post())
        assert raw.reply().status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": PAGE},
        {"Access-Control-Request-Method": "POST"},
        {"Origin": "https://other.example", "Access-Control-Request-Method": "POST"},
    ],
    ids=["no method", "no origin", "not allowed"],
)
def test_no_preflight(some: Service, headers: dict[str, str]) -> None:
    """Any other OPTIONS request gets the methods of its path in `Allow`, as without CORS."""
    reply = some.ask("OPTIONS", EVALUATE, headers=headers)
    assert (reply.status, reply.body) == (200, b"")
    assert reply.headers["Allow"] == "OPTIONS, POST"
    assert cors(reply) == (ALLOWED if headers == {"Origin": PAGE} else NOT_ALLOWED)


def test_off(service: Service) -> None:
    """Without the setting no response has a CORS header, and a preflight is an OPTIONS request."""
    page = {"Origin": PAGE, "Access-Control-Request-Method": "POST"}
    for method, path in (("GET", VARIANTS), ("GET", "/nothing"), ("OPTIONS", EVALUATE)):
        reply = service.ask(method, path, headers=page)
        assert (reply.status, cors(reply)) == (404 if path == "/nothing" else 200, {})
    assert type(create_app(Settings())) is TracedFlask  # which has nothing of CORS to pay for


ORIGIN = f"Origin: {PAGE}"


@pytest.mark.parametrize(
    ("status", "request_bytes"),
    [
        (400, get("/livez", ORIGIN, "Host: other")),
        (400, get("/livez", ORIGIN, "X: y", "no header")),
        (400, get("*", ORIGIN)),
        (400, head("POST", EVALUATE, ORIGIN, "Content-Length: 20") + BODY[:5]),
        pytest.param(
            408,
            head("POST", EVALUATE, ORIGIN, "Content-Length: 20") + BODY[:5],
            marks=pytest.mark.fault,
        ),
        (414, get("/" + "a" * 5000, ORIGIN)),
        (417, post(BODY, ORIGIN, "Expect: tea")),
        (431, get("/livez", ORIGIN, "X-Long: " + "a" * 9000)),
        (431, get("/livez", ORIGIN, *[f"X-{number}: 1" for number in range(200)])),
        (501, head("POST", EVALUATE, ORIGIN, "Transfer-Encoding: br")),
    ],
    ids=["host", "header", "target", "half a body", "stalled body", "long line", "expectation",
         "long header", "many headers", "coding"],
)  # fmt: skip
def test_refused_before_the_app(
    some: Service, every: Service, status: int, request_bytes: bytes
) -> None:
    """A page can read the response to a request that never reaches the app."""
    reply = refused(some, request_bytes, status)
    assert (reply.status, cors(reply)) == (status, ALLOWED)
    assert cors(refused(every, request_bytes, status)) == ALL_ALLOWED


@pytest.mark.parametrize(
    ("status", "request_bytes"),
    [
        (400, b"GET  /livez HTTP/1.1\r\n" + f"{ORIGIN}\r\n\r\n".encode()),
        (400, get("/livez", "no header", ORIGIN)),
        (400, get("/livez", ORIGIN)[:-2]),
        (431, get("/livez", ORIGIN, *[f"X-{number}: {'a' * 8000}" for number in range(9)])),
    ],
    ids=["line", "header above", "half a head", "endless head"],
)
def test_refused_before_the_origin_is_read(
    some: Service, every: Service, status: int, request_bytes: bytes
) -> None:
    """If `Origin` isn't read, the response allows a page only if all origins are allowed."""
    reply = refused(some, request_bytes)
    assert (reply.status, cors(reply)) == (status, NOT_ALLOWED)
    assert cors(refused(every, request_bytes)) == ALL_ALLOWED


def refused(service: Service, request_bytes: bytes, status: int = 400) -> Reply:
    """The response to a request after which the connection closes."""
    with connected(service) as raw:
        raw.send(request_bytes)
        if status != 408:
            raw.socket.shutdown(socket.SHUT_WR)
        return raw.reply()


@pytest.mark.fault
def test_without_a_store() -> None:
    """A page can read the 503 of a service whose store is gone, and when to try again."""
    with running(ALLOW_ORIGINS=PAGE, REDIS_URL=f"redis://127.0.0.1:{free_port()}") as service:
        headers = {"Origin": PAGE, "Authorization": f"Bearer {'a' * 43}"}
        reply = service.ask("GET", f"{PATH}/{'a' * 22}", headers=headers)
    assert (reply.status, reply.headers["Retry-After"], cors(reply)) == (503, "1", ALLOWED)
