"""What the worker and the service that it serves agree on, beyond WSGI.

The worker knows nothing of the service: whoever configures it passes `Hooks`. A WSGI environment
has three keys more, which an app may use, or not.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from gunicorn.glogging import Logger

    from service.worker.connection import Connection
    from service.worker.exchange import Exchange
    from service.worker.refusal import Refusal, RefusalResponse
    from service.worker.request import Request

REQUEST_ID = "worker.request_id"
"""The key for the id of the request, which refusals and the log have, too."""

IN_LOOP = "worker.in_loop"
"""The key for whether the worker's loop itself answers the request now.

It is False once the app has raised `TakesLong`, and missing if the request can't be brief.
"""

WAITER = "worker.waiter"
"""The key for the `Exchange`. An app that can't respond yet sets its attribute `waiting`, and
returns nothing: it is called again with the same request when the exchange is woken, or after
`waiting.seconds`.
"""

Headers = list[tuple[str, str]]


class TakesLong(BaseException):
    """An app raises it for a request that must not be answered in the loop, before any effect."""


class Waiting(Protocol):
    """What an app sets if a request has to wait, for so many seconds at most."""

    seconds: float


class Watch(Protocol):
    """What a request waits for; closed when the request ends."""

    def close(self) -> None:
        """Ends the watch."""


@dataclass(frozen=True)
class Kind:
    """A kind of request: how many `threads` it has for itself, and how long its body may be.

    A longer body isn't received, and the app has to refuse the request. A `large` request needs a
    slot, whatever its length (see `fairness`).
    """

    threads: int
    body_bytes: int
    large: bool = False


@dataclass(frozen=True)
class Hooks:
    """What a worker must know of its service, and what it calls.

    - `work_of` finds the kind of a request by its method and PATH_INFO; `kinds` describes it.
    - `brief_paths` are those at which the loop itself answers short requests.
    - `client_of` finds out the client by the address of the peer and X-Forwarded-For.
    - `request_id` makes the id of a request out of its `id_header`, which may be missing.
    - `line_bytes`, `headers` and `header_bytes` limit the head: its first line, the number of its
      headers, and each of them.
    - `problem` makes the status, the headers and the body of a refusal.
    - `log_access` logs a response of the app, and what it took in seconds; `log_refusal` one of the
      worker.
    - `note` is told once a second how many connections there are at most and now, and how many of
      them wait.
    - `parent` is a file that ends when the service does: then the worker stops.
    """

    work_of: Callable[[str, str], Hashable]
    kinds: Mapping[Hashable, Kind]
    brief_paths: Container[str]
    client_of: Callable[[str, str], str]
    id_header: str
    request_id: Callable[[str], str]
    line_bytes: int
    headers: int
    header_bytes: int
    problem: Callable[[Refusal, Request], tuple[HTTPStatus, Headers, bytes]]
    log_access: Callable[[Logger, Exchange, Request, dict[str, Any], float], None]
    log_refusal: Callable[[Logger, RefusalResponse, Request, Connection, float], None]
    note: Callable[[int, int, int], None]
    parent: int
