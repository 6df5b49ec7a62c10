"""Problems of requests to operations and of paths: their whole bodies, in English and German."""

from __future__ import annotations

import socket
from collections.abc import Mapping

import pytest

from tests.api.causes import Ask, Causes, Said, request
from tests.live import JSON, Reply, Service
from tests.worker.raw import BODY, EVALUATE, connected, head

VARIANTS = "/v1/variants"


def raw(data: bytes, instance: str = "") -> Causes:
    """Bytes that nobody takes for a request to the path `instance`, or for any; headers go behind
    the first line.
    """

    def causes(service: Service) -> tuple[Ask, str]:
        def ask(more: Mapping[str, str]) -> Reply:
            line, _, rest = data.partition(b"\r\n")
            lines = "".join(f"{name}: {value}\r\n" for name, value in more.items())
            with connected(service) as client:
                client.send(line + b"\r\n" + lines.encode() + rest)
                client.socket.shutdown(socket.SHUT_WR)
                return client.reply()

        return ask, instance

    return causes


CASES: list[tuple[Said, Causes]] = [
    (Said("unparsable", 400, "The request can't be parsed: Invalid character in Content-Length."),
     raw(head("POST", EVALUATE, "Content-Length: x"), EVALUATE)),
    (Said("unparsable", 400,
          "The request can't be parsed: invalid request line 'GET  / HTTP/1.1'.", translated=False),
     raw(b"GET  / HTTP/1.1\r\n\r\n")),
    (Said("no-host", 400, "A request must have one Host header: a host, and perhaps a port."),
     raw(b"GET /livez HTTP/1.1\r\n\r\n", "/livez")),
    (Said("head-ended", 400,
          "The connection ended within the head of the request.", translated=False),
     raw(b"GET /livez HTTP/1.1\r\nHost: a\r\n")),
    (Said("body-ended", 400, "The body ended after 5 of 20 bytes."),
     raw(head("POST", EVALUATE, "Content-Length: 20") + BODY[:5], EVALUATE)),
    (Said("bad-chunks", 400, "The body ended early, or its chunked encoding is invalid."),
     raw(head("POST", EVALUATE, "Transfer-Encoding: chunked") + b"5\n", EVALUATE)),
    (Said("uri-too-long", 414,
          "The request can't be parsed: the request line is too long (5014 > 4094 bytes)."),
     raw(head("GET", "/" + "a" * 5000))),
    (Said("headers-too-large", 431,
          "The request can't be parsed: a header has more than 8190 bytes."),
     raw(head("GET", "/livez", "X-Long: " + "a" * 9000), "/livez")),
    (Said("unknown-expectation", 417, "The request can't be parsed: unknown expectation 'tea'."),
     raw(head("GET", "/livez", "Expect: tea"), "/livez")),
    (Said("unknown-coding", 501, "The request can't be parsed: unknown transfer coding 'br'."),
     raw(head("POST", EVALUATE, "Transfer-Encoding: br"), EVALUATE)),
    (Said("not-found", 404,
          "There is nothing at this path. /v1/variants lists the variants and their links; "
          "/openapi.yaml describes every path."),
     request("GET", "/v2")),
    (Said("no-such-variant", 404,
          "There is no such variant. The variants are: dice-poker, poker-dice, roll-a-royal, "
          "texas-holdem-dice, yahtzee-deluxe."),
     request("GET", f"{VARIANTS}/chess")),
    (Said("no-such-operation", 404,
          "poker-dice has no such operation. Its operations are: evaluate, rank, advise, choose, "
          "forecast, batch."),
     request("POST", f"{VARIANTS}/poker-dice/play")),
    (Said("method-not-allowed", 405, "PUT is not allowed here; allowed: OPTIONS, POST."),
     request("PUT", EVALUATE)),
    (Said("not-acceptable", 406, "The response is application/json; Accept allows: image/png."),
     request("GET", VARIANTS, Accept="image/png")),
    (Said("wrong-media-type", 415,
          "The body must be application/json; text must be in UTF-8. Content-Type is text/plain."),
     request("POST", EVALUATE, BODY, Content_Type="text/plain")),
    (Said("wrong-media-type", 415,
          "The body must be application/json; text must be in UTF-8. Content-Type is missing."),
     request("POST", EVALUATE, BODY)),
    (Said("encoded", 415, "The body must not be encoded; Content-Encoding is gzip."),
     request("POST", EVALUATE, BODY, Content_Type=JSON, Content_Encoding="gzip")),
]  # fmt: skip


@pytest.mark.parametrize(("said", "causes"), CASES, ids=[said.code for said, _ in CASES])
def test_cause(service: Service, said: Said, causes: Causes) -> None:
    """A request that the service can't follow, or to nothing, gets a problem that says so."""
    said.check(*causes(service))
