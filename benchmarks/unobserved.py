"""The service without metrics: what the instruments do is left out."""

from __future__ import annotations

from typing import Any

from service.app import create_app
from service.metrics import instruments
from service.worker import exchange


def _ignore(*_: object) -> None:
    """Counts nothing."""


for kind, method in ((instruments.Count, "add"), (instruments.Distribution, "observe")):
    changed: Any = kind
    setattr(changed, method, _ignore)

setattr(exchange, "log_access", _ignore)  # noqa: B010  # mypy can't know it
application = create_app()
