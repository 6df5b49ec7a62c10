"""The service, whose metrics, log and rate limits can be turned on and off while it runs.

A GET of `/switch/<level>` turns on what the names up to this one in `LEVELS` say.
"""

from __future__ import annotations

from typing import Any

from gunicorn.config import Config
from gunicorn.glogging import Logger

from service import access_log
from service.api.rate_limit import RateLimited
from service.app import create_app
from service.metrics import instruments
from service.trusted_proxies import parse_proxies
from service.worker.request import Request

LEVELS = ("without metrics", "with metrics", "and a log in JSON", "and rate limits")
SWITCH = "/switch/"
PATH = "/v1/variants/dice-poker/evaluate"
PLENTY = 10**9

application = create_app()
_unlimited = application.inner
_limited = RateLimited(
    _unlimited, PLENTY, parse_proxies(""), frozenset((PATH,)), application.note_route
)
_silent = Logger(Config())
_log_access = access_log.log_access
_add, _observe = instruments.Counter.add, instruments.Histogram.observe


def _ignore(*_: object) -> None:
    """Counts and logs nothing."""


def _count(
    _: object, response: Any, request: Request, environ: dict[str, Any], seconds: float
) -> None:
    """Counts a response, and doesn't log it."""
    _log_access(_silent, response, request, environ, seconds)


_NOTED = (_ignore, _count, _log_access, _log_access)
_noted: list[Any] = [_log_access]


def _note(*response: Any) -> None:
    """Notes a response as the level has it. The worker gets this function after its fork."""
    _noted[0](*response)


_access_log: Any = access_log
_access_log.log_access = _note


@application.get(f"{SWITCH}<int:level>")
def switch(level: int) -> str:
    """Turns on what belongs to `level`, and turns off the rest."""
    parts: Any = instruments  # methods and functions are replaced, which mypy doesn't allow
    parts.Counter.add, parts.Histogram.observe = (_add, _observe) if level else (_ignore, _ignore)
    _noted[0] = _NOTED[level]
    application.inner = _limited if level == LEVELS.index("and rate limits") else _unlimited
    return f'{{"level":{level}}}'
