"""The generated clients for TypeScript and Python play with a running service."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable

import pytest

from service.variants import variants
from tests.clients.conftest import Client
from tests.clients.requests import Request, requests
from tests.live import JSON, Service

OPENAPI_FETCH = "TypeScript: openapi-typescript with openapi-fetch"
HEY_API = "TypeScript: hey-api"
PYTHON = "Python: openapi-python-client"

ROLL, SCORE, CROSS_OUT = "roll", "score", "cross_out"


def played(action: str, version: int, ann: int, ben: int) -> dict[str, object]:
    """What is seen after an action that is sent twice with the same key."""
    return {"action": action, "version": version, "totals": [ann, ben], "same": True}


SEEN = {
    "played": [
        played("roll, keeping 0", 2, 0, 0),
        played("roll, keeping 3", 3, 0, 0),
        played("score full_house", 4, 25, 0),
        played("roll, keeping 0", 5, 25, 0),
        played("score small_straight", 6, 25, 30),
        played("roll, keeping 0", 7, 25, 30),
        played("cross_out five_of_a_kind", 8, 25, 30),
    ],
    "illegal": {
        "status": 422,
        "detail": "/action must be roll, write or leave now.",
        "actions": [
            *(["roll", "ben"], ["write", "ben"], ["leave", "ann"], ["leave", "ben"]),
            *(["take_back", "ann"], ["take_back", None]),
        ],
    },
    "stale": {"status": 412, "title": "Stale version"},
    "to_act": ["ben"],
    "events": ["create", ROLL, ROLL, SCORE, ROLL, SCORE, ROLL, CROSS_OUT],
    "removed": 204,
    "holdem": {"pocket": 2, "pot": 30},
}
"""What every client sees of three turns of dice-poker, of two refused actions, and of a bet."""


def openapi_fetch_call(request: Request) -> str:
    """The expression that sends `request` by openapi-fetch; its value is the response's body."""
    body = json.dumps(request.body)
    if request.type == JSON:
        return f'body(await api.POST("{request.path}", {{ body: {body} }}))'
    options = (
        f'body: {body}, bodySerializer: (text) => text, parseAs: "text", '
        f'headers: {{ "Content-Type": "{request.type}" }}'
    )
    return f'body(await api.POST("{request.path}", {{ {options} }}))'


def hey_api_call(request: Request) -> str:
    """The expression that sends `request` by hey-api; its value is the response's body."""
    function, body = request.operation["operationId"], json.dumps(request.body)
    if request.type == JSON:
        return f"body(await sdk.{function}({{ body: {body} }}))"
    options = (  # its functions take JSON alone, but its client takes any body
        f'url: "{request.path}", body: {body}, bodySerializer: null, parseAs: "text", '
        f'headers: {{ "Content-Type": "{request.type}" }}'
    )
    return f"body(await client.post({{ {options} }}))"


TYPESCRIPT: dict[str, tuple[str, str, Callable[[Request], str]]] = {
    OPENAPI_FETCH: ("openapi_fetch.ts", 'import { api } from "./api.js";', openapi_fetch_call),
    HEY_API: (
        "hey_api.ts",
        'import "./api.js";\nimport { client } from "./dice/client.gen.js";\n'
        'import * as sdk from "./dice/index.js";',
        hey_api_call,
    ),
}
"""The file with the calls of play.ts, and how a request is imported and written."""

OPTIONS = {HEY_API: ("--exactOptionalPropertyTypes", "false")}
"""The options that override tsconfig.json, which has those of `tsc --init`: as the page says."""

BODY = "const body = (done: { data?: unknown; error?: unknown }) => done.data ?? done.error;"
"""The body of a response, whether the request was refused or not."""


@pytest.fixture(scope="session", params=TYPESCRIPT)
def typescript(request: pytest.FixtureRequest, generate: Callable[[str], Client]) -> Client:
    """A client for TypeScript, with all programs that use it; `made` has what is compiled."""
    calls, imports, call = TYPESCRIPT[request.param]
    client = generate(request.param)
    client.copy(f"typescript/{calls}", "api.ts")
    client.copy("typescript/play.ts", "play.ts")
    client.write("example.ts", client.section.example)
    answers = ",\n".join(call(each) for each in requests())
    client.write("send.ts", f"{imports}\n{BODY}\nconsole.log(JSON.stringify([\n{answers}\n]));\n")
    client.run("npx", "tsc", *OPTIONS.get(request.param, ()))
    return client


@pytest.fixture(scope="session")
def python(generate: Callable[[str], Client]) -> Client:
    """The client for Python, with all programs that use it."""
    client = generate(PYTHON)
    client.copy("python/play.py", "play.py")
    client.copy("python/games.py", "games.py")
    client.copy("python/send.py", "send.py")
    client.write("example.py", client.section.example)
    return client


def plain_responses(service: Service) -> list[object]:
    """What a plain HTTP client gets for each request: JSON, or text if it isn't JSON."""
    return [
        json.loads(text) if each.type == JSON else text
        for each, text in ((each, each.sent_to(service)) for each in requests())
    ]


def test_typescript_sends_every_request(typescript: Client, service: Service) -> None:
    """Strict TypeScript accepts the pages' bodies and all examples; responses are as plain."""
    assert json.loads(typescript.run("node", "made/send.js")) == plain_responses(service)


def test_python_sends_every_request(python: Client, service: Service) -> None:
    """The Python client sends the pages' JSON and all examples unchanged; so are responses."""
    sent = [
        {
            "tag": each.operation["tags"][0].replace("-", "_"),
            "operation": re.sub("(?=[A-Z])", "_", each.operation["operationId"]).lower(),
            "body": each.body,
        }
        for each in requests()
        if each.type == JSON
    ]
    received = json.loads(python.run(sys.executable, "send.py", python.url, stdin=json.dumps(sent)))
    assert received == [
        json.loads(each.sent_to(service)) for each in requests() if each.type == JSON
    ]


def test_typescript_plays(typescript: Client) -> None:
    """Three turns, repeated actions, an illegal one and a stale one, all with their types."""
    assert json.loads(typescript.run("node", "made/play.js")) == SEEN


def test_python_plays(python: Client) -> None:
    """The Python client plays the same game, and sees the same."""
    assert json.loads(python.run(sys.executable, "play.py", python.url)) == SEEN


def test_python_plays_every_variant(python: Client) -> None:
    """The Python client reads every response in games of each variant, and loses nothing."""
    played = json.loads(python.run(sys.executable, "games.py", python.url))
    assert played.keys() == variants().keys()
    assert "lay" in played["roll-a-royal"], "the only action whose bounds have objects"


def test_typescript_examples(typescript: Client) -> None:
    """The programs of the page compile with the options of `tsc --init` for strictness, and print
    what their comments say.
    """
    assert typescript.run("node", "made/example.js").splitlines() == typescript.section.prints


def test_python_example(python: Client) -> None:
    """The Python program of the page prints what its comments say."""
    assert python.run(sys.executable, "example.py").splitlines() == python.section.prints
