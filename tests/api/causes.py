"""What problems say: written down in English, and asserted whole in both languages."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from service.texts import languages
from tests.api.batch.batching import NDJSON
from tests.live import PROBLEM, Reply, Service, named
from tests.problems import problem

LANGUAGE = "Accept-Language"
LANGUAGES = languages()

Ask = Callable[[Mapping[str, str]], Reply]
"""Sends a request with further headers, any number of times."""

Causes = Callable[[Service], tuple[Ask, str]]
"""A request to a service that causes a problem, and its path."""


@dataclass(frozen=True)
class Said:
    """What a problem says in English: its detail, and the pointer and the detail of each violation.

    The tables of the service make the rest of its body from that (`tests.problems`), in German, too
    unless the service can't know the client's language. `more` members are no values of the detail.
    """

    code: str
    status: int
    detail: str
    errors: Sequence[tuple[str, str]] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    translated: bool = True

    def body(self, instance: str, language: str = "en") -> dict[str, Any]:
        """The whole body."""
        words = LANGUAGES[language if self.translated else "en"]
        errors = self.errors or None
        return problem(
            self.status, self.detail, instance, errors, self.code, words=words, **self.more
        )

    def check(self, ask: Ask, instance: str) -> None:
        """The response to a request has this body in either language."""
        for language in LANGUAGES:
            self.check_reply(ask({LANGUAGE: language}), instance, language)

    def check_reply(self, reply: Reply, instance: str, language: str) -> None:
        """A response has this body in the client's language, and its headers say so. That of a
        batch of lines has it as its last line.
        """
        found = json.loads(reply.body.splitlines()[-1])
        assert found == self.body(instance, language), found
        response = reply.status, reply.headers["Content-Type"]
        assert response in ((self.status, PROBLEM), (200, NDJSON))
        assert reply.headers["Content-Language"] == (language if self.translated else "en")
        assert LANGUAGE in reply.headers["Vary"].split(", ")


def request(method: str, path: str, body: bytes | None = None, **headers: str) -> Causes:
    """A request that causes a problem; underscores in a header's name become hyphens."""

    def made(service: Service) -> tuple[Ask, str]:
        def ask(more: Mapping[str, str]) -> Reply:
            return service.ask(method, path, body, {**named(headers), **more})

        return ask, path.partition("?")[0]

    return made
