"""Limits and addresses of requests without a worker."""

from __future__ import annotations

from dataclasses import dataclass

from gunicorn.config import Config
from gunicorn.glogging import Logger

from service.settings import Settings
from service.worker.incoming import Incoming
from service.worker.request import Request, RequestLimits
from service.worker_hooks import hooks_of

LIMITS = RequestLimits(
    line_bytes=4094,
    headers=100,
    header_bytes=8190,
    hooks=hooks_of(Settings(), None, Logger(Config()), threads=4),
)


@dataclass(frozen=True)
class Ends:
    """The addresses of a connection."""

    peer: str = "127.0.0.1"
    address: tuple[str, int] = ("127.0.0.1", 4321)
    own_address: tuple[str, int] = ("127.0.0.1", 8000)


def parsed(data: bytes) -> Request:
    """The request in `data`; its body is closed."""
    incoming = Incoming(LIMITS)
    incoming.add(data)
    incoming.parse()
    assert incoming.request is not None
    incoming.request.close()
    return incoming.request
