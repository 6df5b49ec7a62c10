"""Requests without a worker."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from gunicorn.config import Config

from service.settings import Settings
from service.worker.client import Incoming
from service.worker.request import Request
from service.worker_hooks import hooks_of

HOOKS = hooks_of(Settings(), None, Config())
"""What a worker knows of the service by default."""


CONNECTION: Any = SimpleNamespace(
    peer="127.0.0.1", address=("127.0.0.1", 4321), own_address=("127.0.0.1", 8000)
)
"""The addresses of a connection."""


def parsed(data: bytes) -> Request:
    """The request in `data`; its body is closed."""
    incoming = Incoming(HOOKS)
    incoming.add(data)
    incoming.parse()
    assert incoming.request is not None
    incoming.request.close()
    return incoming.request
