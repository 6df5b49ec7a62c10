"""What problems say, in both languages: written down without the tables that they come from."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.api.batch.batching import NDJSON
from tests.live import PROBLEM, Reply, Service

LANGUAGE = "Accept-Language"
LANGUAGES = ("en", "de")

Ask = Callable[[Mapping[str, str]], Reply]
"""Sends a request with further headers, any number of times."""


@dataclass(frozen=True)
class Said:
    """The body of a problem, except its path: titles and details in both languages.

    Those in German are None if the service can't know the client's language. `members` are those
    with values. `errors` has the members of each violation, its English detail, and its German one.
    """

    code: str
    status: int
    title: str
    detail: str
    german_title: str | None
    german: str | None
    members: Mapping[str, Any] = field(default_factory=dict)
    errors: Sequence[tuple[Mapping[str, Any], str, str]] = ()

    def body(self, instance: str, *, in_german: bool) -> dict[str, Any]:
        """The whole body."""
        title, detail = self.title, self.detail
        if in_german and self.german_title and self.german:
            title, detail = self.german_title, self.german
        errors = [
            {**members, "detail": german if in_german else english}
            for members, english, german in self.errors
        ]
        return {
            "type": f"/problems/{self.code}",
            "title": title,
            "status": self.status,
            "detail": detail,
            "instance": instance,
            **self.members,
            **({"errors": errors} if errors else {}),
        }

    def check(self, ask: Ask, instance: str) -> None:
        """The response to a request has this body in either language."""
        for language in LANGUAGES:
            self.check_reply(ask({LANGUAGE: language}), instance, language)

    def check_reply(self, reply: Reply, instance: str, language: str) -> None:
        """A response has this body in the client's language, and its headers say so. That of a
        batch of lines has it as its last line.
        """
        found = json.loads(reply.body.splitlines()[-1])
        assert found == self.body(instance, in_german=language == "de"), found
        response = reply.status, reply.headers["Content-Type"]
        assert response in ((self.status, PROBLEM), (200, NDJSON))
        assert reply.headers["Content-Language"] == (language if self.german else "en")
        assert LANGUAGE in reply.headers["Vary"].split(", ")


@dataclass(frozen=True)
class Case:
    """A problem, and a request to a service that causes it, with its path."""

    said: Said
    causes: Callable[[Service], tuple[Ask, str]]

    def check(self, service: Service) -> None:
        """The request causes the problem, in each language."""
        self.said.check(*self.causes(service))


def request(
    method: str, path: str, body: bytes | None = None, **headers: str
) -> Callable[[Service], tuple[Ask, str]]:
    """A request of a case; underscores in a header's name become hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    def made(service: Service) -> tuple[Ask, str]:
        def ask(more: Mapping[str, str]) -> Reply:
            return service.ask(method, path, body, {**named, **more})

        return ask, path.partition("?")[0]

    return made
