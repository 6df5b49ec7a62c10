"""Problems of requests to operations and of paths: their whole bodies, in English and German."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping

import pytest

from tests.api.causes import Ask, Case, Said, request
from tests.live import JSON, Reply, Service
from tests.worker.raw import BODY, EVALUATE, connected, head

VARIANTS = "/v1/variants"


def raw(data: bytes, instance: str = "") -> Callable[[Service], tuple[Ask, str]]:
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


CASES = [
    Case(
        Said(
            "unparsable",
            400,
            "Unparsable",
            "The request can't be parsed: Invalid character in Content-Length.",
            "Nicht lesbar",
            "Die Anfrage ist nicht lesbar: Invalid character in Content-Length.",
            {"message": "Invalid character in Content-Length"},
        ),
        raw(head("POST", EVALUATE, "Content-Length: x"), EVALUATE),
    ),
    Case(
        Said(
            "unparsable",
            400,
            "Unparsable",
            "The request can't be parsed: invalid request line 'GET  / HTTP/1.1'.",
            None,
            None,
            {"message": "invalid request line 'GET  / HTTP/1.1'"},
        ),
        raw(b"GET  / HTTP/1.1\r\n\r\n"),
    ),
    Case(
        Said(
            "no-host",
            400,
            "No host",
            "A request must have one Host header: a host, and perhaps a port.",
            "Kein Host",
            "Eine Anfrage muss einen Host-Header haben: einen Host, vielleicht mit Port.",
        ),
        raw(b"GET /livez HTTP/1.1\r\n\r\n", "/livez"),
    ),
    Case(
        Said(
            "head-ended",
            400,
            "Head ended",
            "The connection ended within the head of the request.",
            None,
            None,
        ),
        raw(b"GET /livez HTTP/1.1\r\nHost: a\r\n"),
    ),
    Case(
        Said(
            "body-ended",
            400,
            "Body ended",
            "The body ended after 5 of 20 bytes.",
            "Inhalt abgebrochen",
            "Der Inhalt endete nach 5 von 20 Bytes.",
            {"count": 5, "length": 20},
        ),
        raw(head("POST", EVALUATE, "Content-Length: 20") + BODY[:5], EVALUATE),
    ),
    Case(
        Said(
            "bad-chunks",
            400,
            "Bad chunks",
            "The body ended early, or its chunked encoding is invalid.",
            "Ungültige Stücke",
            "Der Inhalt endete zu früh, oder seine Kodierung in Stücken (chunked) ist ungültig.",
        ),
        raw(head("POST", EVALUATE, "Transfer-Encoding: chunked") + b"5\n", EVALUATE),
    ),
    Case(
        Said(
            "uri-too-long",
            414,
            "URI too long",
            "The request can't be parsed: the request line is too long (5014 > 4094 bytes).",
            "URI zu lang",
            "Die Anfrage ist nicht lesbar: the request line is too long (5014 > 4094 bytes).",
            {"message": "the request line is too long (5014 > 4094 bytes)"},
        ),
        raw(head("GET", "/" + "a" * 5000)),
    ),
    Case(
        Said(
            "headers-too-large",
            431,
            "Headers too large",
            "The request can't be parsed: a header has more than 8190 bytes.",
            "Header zu groß",
            "Die Anfrage ist nicht lesbar: a header has more than 8190 bytes.",
            {"message": "a header has more than 8190 bytes"},
        ),
        raw(head("GET", "/livez", "X-Long: " + "a" * 9000), "/livez"),
    ),
    Case(
        Said(
            "unknown-expectation",
            417,
            "Unknown expectation",
            "The request can't be parsed: unknown expectation 'tea'.",
            "Unbekannte Erwartung",
            "Die Anfrage ist nicht lesbar: unknown expectation 'tea'.",
            {"message": "unknown expectation 'tea'"},
        ),
        raw(head("GET", "/livez", "Expect: tea"), "/livez"),
    ),
    Case(
        Said(
            "unknown-coding",
            501,
            "Unknown coding",
            "The request can't be parsed: unknown transfer coding 'br'.",
            "Unbekannte Übertragung",
            "Die Anfrage ist nicht lesbar: unknown transfer coding 'br'.",
            {"message": "unknown transfer coding 'br'"},
        ),
        raw(head("POST", EVALUATE, "Transfer-Encoding: br"), EVALUATE),
    ),
    Case(
        Said(
            "not-found",
            404,
            "Not found",
            "There is nothing at this path. /v1/variants lists the variants and their "
            "links; /openapi.yaml describes every path.",
            "Nicht gefunden",
            "Unter diesem Pfad gibt es nichts. /v1/variants nennt die Spiele und ihre "
            "Links; /openapi.yaml beschreibt jeden Pfad.",
        ),
        request("GET", "/v2"),
    ),
    Case(
        Said(
            "no-such-variant",
            404,
            "No such variant",
            "There is no such variant. The variants are: dice-poker, poker-dice, "
            "roll-a-royal, texas-holdem-dice, yahtzee-deluxe.",
            "Kein solches Spiel",
            "Dieses Spiel gibt es nicht. Es gibt: dice-poker, poker-dice, roll-a-royal, "
            "texas-holdem-dice, yahtzee-deluxe.",
            {
                "allowed": [
                    "dice-poker",
                    "poker-dice",
                    "roll-a-royal",
                    "texas-holdem-dice",
                    "yahtzee-deluxe",
                ]
            },
        ),
        request("GET", f"{VARIANTS}/chess"),
    ),
    Case(
        Said(
            "no-such-operation",
            404,
            "No such operation",
            "poker-dice has no such operation. Its operations are: evaluate, rank, advise, choose, "
            "forecast, batch.",
            "Keine solche Operation",
            "poker-dice hat diese Operation nicht. Es hat: evaluate, rank, advise, choose, "
            "forecast, batch.",
            {
                "variant": "poker-dice",
                "allowed": ["evaluate", "rank", "advise", "choose", "forecast", "batch"],
            },
        ),
        request("POST", f"{VARIANTS}/poker-dice/play"),
    ),
    Case(
        Said(
            "method-not-allowed",
            405,
            "Method not allowed",
            "PUT is not allowed here; allowed: OPTIONS, POST.",
            "Methode nicht erlaubt",
            "PUT ist hier nicht erlaubt; erlaubt: OPTIONS, POST.",
            {"method": "PUT", "allowed": ["OPTIONS", "POST"]},
        ),
        request("PUT", EVALUATE),
    ),
    Case(
        Said(
            "not-acceptable",
            406,
            "Not acceptable",
            "The response is application/json; Accept allows: image/png.",
            "Nicht akzeptabel",
            "Die Antwort ist application/json; Accept erlaubt: image/png.",
            {"offered": ["application/json"], "accepted": "image/png"},
        ),
        request("GET", VARIANTS, Accept="image/png"),
    ),
    Case(
        Said(
            "wrong-media-type",
            415,
            "Wrong media type",
            "The body must be application/json; text must be in UTF-8. Content-Type is text/plain.",
            "Falscher Medientyp",
            "Der Inhalt muss application/json sein; Text muss UTF-8 sein. Content-Type ist "
            "text/plain.",
            {"allowed": ["application/json"], "sent": "text/plain"},
        ),
        request("POST", EVALUATE, BODY, Content_Type="text/plain"),
    ),
    Case(
        Said(
            "wrong-media-type",
            415,
            "Wrong media type",
            "The body must be application/json; text must be in UTF-8. Content-Type is missing.",
            "Falscher Medientyp",
            "Der Inhalt muss application/json sein; Text muss UTF-8 sein. Content-Type ist "
            "nicht angegeben.",
            {"allowed": ["application/json"], "missing": True},
        ),
        request("POST", EVALUATE, BODY),
    ),
    Case(
        Said(
            "encoded",
            415,
            "Encoded",
            "The body must not be encoded; Content-Encoding is gzip.",
            "Kodiert",
            "Der Inhalt darf nicht kodiert sein; Content-Encoding ist gzip.",
            {"sent": "gzip"},
        ),
        request("POST", EVALUATE, BODY, Content_Type=JSON, Content_Encoding="gzip"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.said.code)
def test_cause(service: Service, case: Case) -> None:
    """A request that the service can't follow, or to nothing, gets a problem that says so."""
    case.check(service)
