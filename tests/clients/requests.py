"""The requests that generated clients send: those that pages print, and the contract's examples."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.contract.openapi import SESSIONS, operations, read_contract
from tests.from_outside import PAGES, printed_requests
from tests.live import JSON, Service


@dataclass(frozen=True)
class Request:
    """A request that needs no session."""

    path: str
    operation: dict[str, Any]
    """The operation in the contract."""

    type: str
    """The media type of the body."""

    body: Any
    """JSON, or the text of another media type."""

    def sent_to(self, service: Service) -> str:
        """The body of the response, if a plain HTTP client sends the request."""
        body = json.dumps(self.body) if self.type == JSON else self.body
        reply = service.ask("POST", self.path, body.encode(), {"Content-Type": self.type})
        return reply.body.decode()


def requests() -> list[Request]:
    """All requests of the pages, and every example of a JSON body in the contract."""
    return [*_of_pages(), *_of_contract()]


def _of_pages() -> Iterator[Request]:
    paths = read_contract()["paths"]
    for printed in printed_requests(*PAGES):
        media_type = printed.headers["Content-Type"]
        text = printed.body.decode()
        body = json.loads(text) if media_type == JSON else text
        yield Request(printed.path, paths[printed.path]["post"], media_type, body)


def _of_contract() -> Iterator[Request]:
    for path, method, operation in operations(read_contract()):
        if method == "POST" and not path.startswith(SESSIONS):
            content = operation["requestBody"]["content"]
            for example in content.get(JSON, {}).get("examples", {}).values():
                yield Request(path, operation, JSON, example["value"])
