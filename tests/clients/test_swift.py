"""The client for Swift is compiled and plays: by `make swift`, or wherever Swift is installed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from typing import Any

import pytest

from tests.clients.conftest import FOLDER, Client
from tests.clients.requests import Request, requests
from tests.live import JSON, Service

pytestmark = pytest.mark.skipif(shutil.which("swift") is None, reason="needs Swift: make swift")

TIMES = ("created_at", "expires_at")
"""Fields with a time, which the client holds parsed, and writes in another format."""


@pytest.fixture(scope="module")
def swift(generate: Callable[[str], Client]) -> Client:
    """The client for Swift, beside the package of a program."""
    client = generate("Swift: openapi-generator")
    (client.folder / "Sources").mkdir()
    return client


def printed(client: Client, program: str) -> list[str]:
    """The lines that `program` prints."""
    client.write("Sources/main.swift", program)
    client.run("swift", "build")
    return client.run("swift", "run", "--skip-build").splitlines()


def sending(request: Request) -> str:
    """The statement that sends `request`."""
    schema = request.operation["requestBody"]["content"][JSON]["schema"]["$ref"].rpartition("/")[2]
    api = "".join(word.capitalize() for word in request.operation["tags"][0].split("-")) + "API"
    body = f'{schema[0].lower()}{schema[1:]}: decoded(#"{json.dumps(request.body)}"#)'
    call = f"{api}.{request.operation['operationId']}({body}, apiConfiguration: api)"
    return f"try await send {{ try await {call} }}\n"


def test_the_page(swift: Client) -> None:
    """All code of the page compiles, and its program prints what its comments say."""
    section = swift.section
    assert printed(swift, section.example + section.more) == section.prints


def test_a_whole_game(swift: Client, service: Service) -> None:
    """A program plays a game to its end; the last session it gets is what a plain client reads."""
    (line,) = printed(swift, (FOLDER / "swift/play.swift").read_text())
    played = json.loads(line)
    seen: dict[str, Any] = played["session"]
    reply = service.get(f"/v1/sessions/{seen['id']}", Authorization=f"Bearer {played['token']}")
    assert reply.json["state"]["over"]
    assert {**seen, **{name: reply.json[name] for name in TIMES}} == reply.json


def test_every_request(swift: Client, service: Service) -> None:
    """The pages' JSON and all examples are read into their types and sent unchanged; so are the
    responses.
    """
    sent = [each for each in requests() if each.type == JSON]
    program = (FOLDER / "swift/send.swift").read_text() + "".join(map(sending, sent))
    received = [json.loads(line) for line in printed(swift, program)]
    assert received == [json.loads(each.sent_to(service)) for each in sent]
