"""Requests whose bodies can't be read, or whose responses can't be: which problem they get."""

from __future__ import annotations

import json

import pytest

from tests.api.operations.posting import EVALUATE, is_problem, send
from tests.live import JSON, Service


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "it is empty"),
        (b'{"dice": [1, 2', "Expecting ',' delimiter, at line 1, column 15"),
        (b'{"dice": [1,2,3,4,6]} x', "Extra data, at line 1, column 23"),
        (b'{"dice": [1,2,3,4,NaN]}', "NaN is not a JSON number"),
        (b'{"dice": [1,2,3,4,-Infinity]}', "-Infinity is not a JSON number"),
        (b'{"dice": [], "dice": [1,2,3,4,6]}', 'the key "dice" appears twice in one object'),
        ('{"dice": [1,2,3,4,6]}'.encode("utf-16"), "it is not UTF-8, at byte 0"),
        (
            b'\xef\xbb\xbf{"dice": [1,2,3,4,6]}',
            "it begins with a byte order mark",
        ),
        (b'{"d\xff": 1}', "it is not UTF-8, at byte 3"),
        (b'{"\\ud800": 1}', "a \\u escape is half of a surrogate pair"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "it is nested too deeply"),
    ],
    ids=lambda value: None if isinstance(value, str) else repr(value[:24]),
)
def test_no_valid_json(service: Service, body: bytes, why: str) -> None:
    """Invalid JSON gets a 400 with the reason."""
    reply = send(service, body)
    assert is_problem(reply, 400)
    assert reply.json["detail"] == f"The body is not valid JSON: {why}."


def test_very_many_keys(service: Service) -> None:
    """A repeated key after very many others is found at once."""
    keys = [f'"{number}": 0' for number in range(80_000)]
    reply = send(service, f"{{{', '.join([*keys, keys[-1]])}}}".encode())
    assert is_problem(reply, 400)
    assert 'the key "79999" appears twice' in reply.json["detail"]


def test_ten_megabytes(service: Service) -> None:
    """A body over the limit gets a 413 that states the limit, with or without Content-Length."""
    body = json.dumps({"dice": [1] * 5_000_000}).encode()
    reply = send(service, body)
    assert is_problem(reply, 413)
    assert reply.json["detail"] == "The body may hold at most 1048576 bytes."
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    answer = service.send(
        b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n" % EVALUATE.encode() + chunked
    )
    assert answer.startswith(b"HTTP/1.1 413 ")


HEAD = (
    f"POST {EVALUATE} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
).encode()


CHUNKED = b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize(
    "rest",
    [
        b'Content-Length: 500\r\n\r\n{"dice": [1,2,3,4,6]}',
        b'Content-Length: 500\r\n\r\n{"dice": [1,',
        CHUNKED + b"zz\r\n{}\r\n0\r\n\r\n",
        CHUNKED + b"20\r\n{}",
        CHUNKED + b"2\r\n{}XX0\r\n\r\n",
        CHUNKED,
    ],
)
def test_a_body_cut_short(service: Service, rest: bytes) -> None:
    """An incomplete or badly chunked body gets a 400, and the service keeps running."""
    assert service.send(HEAD + rest).startswith(b"HTTP/1.1 400 ")
    assert service.get("/livez").status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/json; charset=utf-16"},
        {"Content-Type": "application/vnd.dice+json"},
        {"Content-Type": JSON, "Content-Encoding": "gzip"},
    ],
)
def test_media_type_of_the_body(service: Service, headers: dict[str, str]) -> None:
    """Another media type, charset or encoding gets a 415."""
    reply = service.ask("POST", EVALUATE, b'{"dice": [1,2,3,4,6]}', headers)
    assert is_problem(reply, 415)


@pytest.mark.parametrize(
    "content_type", [JSON, "application/json; charset=UTF-8", "Application/JSON"]
)
def test_json_by_its_names(service: Service, content_type: str) -> None:
    """JSON in UTF-8 is accepted in all spellings of its type."""
    body = b'{"dice": [1,2,3,4,6]}'
    assert service.ask("POST", EVALUATE, body, {"Content-Type": content_type}).status == 200


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("application/json", 200),
        ("application/json; charset=utf-8", 200),
        ("", 200),
        ("*/*", 200),
        ("text/html, application/*;q=0.5", 200),
        ("text/html", 406),
        ("application/json;q=0", 406),
        ("application/json;q=0, text/html", 406),
    ],
)
def test_accept(service: Service, accept: str, status: int) -> None:
    """An Accept header that rules out the media type of the response gets a 406."""
    headers = {"Content-Type": JSON, "Accept": accept}
    reply = service.ask("POST", EVALUATE, b'{"dice": [1,2,3,4,6]}', headers)
    assert reply.status == status
    assert service.get("/v1/variants", Accept=accept).status == status
    assert status == 200 or is_problem(reply, 406)
