"""Methods, redirects, compression and caching: what clients and caches expect of any service."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from hashlib import sha256

import pytest

from service.variants import variants
from tests.api.sessions.playing import Session, make
from tests.live import JSON, PROBLEM, Reply, Service
from tests.worker.raw import connected, get, head

CONSTANT = (
    "/openapi.json",
    "/openapi.yaml",
    "/docs",
    "/docs/assets/docs.js",
    "/docs/assets/swagger-ui.css",
    "/docs/assets/swagger-ui-bundle.js",
    "/play",
    "/v1/variants",
    *(f"/v1/variants/{variant}" for variant in variants()),
)
"""The paths whose responses never change while the service runs."""


@pytest.fixture
def session(service: Service) -> Iterator[Session]:
    """A session of a game with hidden dice."""
    made = make(service, "texas-holdem-dice", "ann", "ben")
    yield made
    made.delete()


def test_root(service: Service) -> None:
    """`/` leads browsers to `/play`, others to `/docs`; the URL is relative, for proxies."""
    browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    for accept, page in (
        (browser, "play"),
        ("text/html", "play"),
        ("application/json", "docs"),
        ("*/*", "docs"),
        ("image/png", "docs"),
    ):
        reply = service.get("/", Accept=accept)
        assert (reply.status, reply.headers["Location"], reply.body) == (302, page, b"")
        assert reply.headers["Vary"] == "Accept"
        assert "Content-Type" not in reply.headers


@pytest.mark.parametrize(
    ("accepted", "zipped"),
    [
        *((accepted, True) for accepted in (
            "gzip", "GZIP", "br, gzip, deflate, zstd", "*", "gzip;q=0.1", "gzip, *;q=0",
            "gzip;q=0.5, identity;q=0.5", "gzip;q=0.5, *;q=0.5", "identity;q=0, *;q=0.5",
            "identity;q=0, gzip;q=0.1")),
        *((accepted, False) for accepted in (
            None, "", "identity", "br", "gzip;q=0", "gzip;q=0, *", "*;q=0", "gzip;q=0.5, Identity",
            "gzip;q=0.5, *;q=1", "*;q=0.5, identity;q=0.6", "identity;q=0, br")),
    ],
)  # fmt: skip
def test_negotiation(service: Service, accepted: str | None, zipped: bool) -> None:
    """A client gets a gzip if it accepts that at least as much as the plain response.

    A client that rules out both gets the plain one.
    """
    reply = service.get("/docs", **({} if accepted is None else {"Accept_Encoding": accepted}))
    assert (reply.status, reply.headers["Vary"]) == (200, "Accept-Encoding")
    assert reply.headers.get("Content-Encoding") == ("gzip" if zipped else None)
    assert reply.headers["Content-Length"] == str(len(reply.body))
    body = gzip.decompress(reply.body) if zipped else reply.body
    assert body == service.get("/docs").body


@pytest.mark.parametrize("path", CONSTANT)
def test_constant_responses(service: Service, path: str) -> None:
    """The plain and the compressed form have the same content and different strong ETags; each gets
    a 304 for its own, with the headers that a cache updates. Caches ask whether they have changed.
    """
    plain, zipped = service.get(path), service.get(path, Accept_Encoding="gzip")
    assert (plain.status, zipped.status) == (200, 200)
    assert gzip.decompress(zipped.body) == plain.body
    assert plain.headers["ETag"] != zipped.headers["ETag"]
    for own, other, accepted in ((plain, zipped, "identity"), (zipped, plain, "gzip")):
        tag = own.headers["ETag"]
        assert tag.startswith('"')
        assert (own.headers["Cache-Control"], own.headers["Vary"]) == (
            "no-cache, no-transform",
            "Accept-Encoding, Accept-Language" if path.startswith("/v1") else "Accept-Encoding",
        )
        for known in (tag, f"W/{tag}", f'"x", {tag}', "*"):
            reply = service.get(path, Accept_Encoding=accepted, If_None_Match=known)
            assert (reply.status, reply.body) == (304, b"")
            for name in ("ETag", "Vary", "Cache-Control"):
                assert reply.headers[name] == own.headers[name]
            assert not {"Content-Type", "Content-Encoding"} & reply.headers.keys()
        unknown = (other.headers["ETag"], '"other"', tag.strip('"'), f"{tag} x", f"{tag}, 'x'")
        for conditions in (*({"If_None_Match": each} for each in unknown), {"If_Match": '"other"'}):
            changed = service.get(path, Accept_Encoding=accepted, **conditions)
            assert (changed.status, changed.body) == (200, own.body)


def test_caching_of_assets(service: Service) -> None:
    """The page loads its files from URLs that change with their content, which are cached for a
    year. Under another URL, such as that of another release, a cache has to ask.
    """
    urls = re.findall(r'"(docs/assets/[^"]+)"', service.get("/docs").body.decode())
    assert urls
    for url in urls:
        path, _, digest = url.partition("?v=")
        reply = service.get(f"/{url}")
        assert reply.headers["ETag"] == f'"{digest}"'
        assert reply.headers["Cache-Control"] == (
            "public, max-age=31536000, immutable, no-transform"
        )
        for other in ("", "?v=", f"?v={digest[1:]}"):
            again = service.get(f"/{path}{other}")
            assert again.headers["Cache-Control"] == "no-cache, no-transform"


def test_images_are_not_compressed(service: Service) -> None:
    """The icon of the page is compressed in itself: a gzip of it would be longer."""
    path = "/docs/assets/favicon-32x32.png"
    reply = service.get(path, Accept_Encoding="gzip")
    assert (reply.status, reply.headers["Content-Type"]) == (200, "image/png")
    assert not {"Content-Encoding", "Vary"} & reply.headers.keys()
    assert headers(reply) == headers(service.get(path))


def test_headers_of_a_constant_response(service: Service) -> None:
    """A constant response has the headers that caches need, and nothing else of its own."""
    reply = service.get("/v1/variants", Accept_Encoding="gzip")
    digest = sha256(service.get("/v1/variants").body).hexdigest()[:32]
    assert headers(reply) == {
        "Content-Type": JSON,
        "Content-Length": str(len(reply.body)),
        "Content-Encoding": "gzip",
        "ETag": f'"{digest}-gzip"',
        "Cache-Control": "no-cache, no-transform",
        "Vary": "Accept-Encoding, Accept-Language",
        "Content-Language": "en",
        "X-Content-Type-Options": "nosniff",
        "Connection": reply.headers["Connection"],
    }


def headers(reply: Reply) -> dict[str, str]:
    """The headers that two responses to the same request have in common."""
    return {
        name: value for name, value in reply.headers.items() if name not in ("Date", "X-Request-ID")
    }


@pytest.mark.parametrize("path", ["/", "/livez", "/readyz", *CONSTANT])
@pytest.mark.parametrize("accepted", ["identity", "gzip"])
def test_head(service: Service, path: str, accepted: str) -> None:
    """HEAD gets the headers of GET, and no body."""
    asked = {"Accept-Encoding": accepted}
    get = service.ask("GET", path, headers=asked)
    head = service.ask("HEAD", path, headers=asked)
    assert (head.status, head.body) == (get.status, b"")
    assert headers(head) == headers(get)
    assert int(head.headers["Content-Length"]) == len(get.body)


@pytest.mark.parametrize("end", ["", "/events", "/result", "/sheet"])
def test_head_of_a_session(session: Session, end: str) -> None:
    """HEAD gets the headers of a session and its history, for its token; 304 if it is current."""
    for who in ("ann", None):
        get, head = (session.ask(method, end, who=who) for method in ("GET", "HEAD"))
        assert (head.status, head.body) == (200 if who else 401, b"")
        assert headers(head) == headers(get)
    tag = session.ask("HEAD", end, who="ann").headers["ETag"]
    again = session.ask("HEAD", end, who="ann", If_None_Match=tag)
    assert (again.status, again.body, again.headers["ETag"]) == (304, b"", tag)


def test_options_of_the_service(service: Service) -> None:
    """`OPTIONS *` returns all methods of the service (RFC 9110, 9.3.7)."""
    with connected(service) as raw:
        raw.send(head("OPTIONS", "*") + get())
        reply = raw.reply("OPTIONS")
        assert (reply.status, reply.body) == (200, b"")
        assert reply.headers["Allow"] == "DELETE, GET, HEAD, OPTIONS, POST"
        assert len(reply.headers["X-Request-ID"]) == 32
        assert raw.reply("GET").json == {"status": "ok"}


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (get(), 200),
        (get("/nowhere"), 404),
        (b"GET /livez HTTP/1.1\r\n\r\n", 400),
        (b"nothing like HTTP\r\n\r\n", 400),
        (get("/livez", "Transfer-Encoding: gzip"), 501),
    ],
)
def test_no_versions(service: Service, sent: bytes, status: int) -> None:
    """No response names the software that made it, be it the app's or the worker's refusal."""
    with connected(service) as raw:
        raw.send(sent)
        reply = raw.reply("GET")
    assert reply.status == status
    assert not {"server", "x-powered-by", "via"} & {name.lower() for name in reply.headers}
    assert not re.search("gunicorn|python|werkzeug|flask", str(reply.headers).lower())


def test_problems_are_not_compressed(service: Service) -> None:
    """A problem is a few hundred bytes: it is never compressed."""
    reply = service.get("/nowhere", Accept_Encoding="gzip")
    assert (reply.status, reply.headers["Content-Type"]) == (404, PROBLEM)
    assert "Content-Encoding" not in reply.headers
