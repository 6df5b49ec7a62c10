"""Logs in JSON: one object a line, for programs. The setting LOG_FORMAT chooses it."""

from __future__ import annotations

import logging
import os
import re
import time
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import orjson
from gunicorn.config import Config
from gunicorn.glogging import Logger

from service.notices import encoded, log_line
from service.worker.counting import Route

_TRACEPARENT = re.compile(
    r"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"
    r"|(?!00|ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]{1,200})?"
).fullmatch
"""W3C Trace Context, 2.2.1; later versions may be longer."""


class JsonFormatter(logging.Formatter):
    """A record as JSON, its traceback included."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without a line feed."""
        at = datetime.fromtimestamp(record.created, UTC)
        line = log_line(at, record.levelname.lower(), record.name, record.getMessage())
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return encoded(line)


class JsonLogger(Logger):
    """gunicorn's logger, with lines in JSON. Those of the app come out the same way."""

    def setup(self, cfg: Config) -> None:
        """Prepares the handlers, at the start and after a reload."""
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(JsonFormatter())
        root = logging.getLogger()
        if not any(isinstance(each.formatter, JsonFormatter) for each in root.handlers):
            own = logging.StreamHandler()
            own.setFormatter(JsonFormatter())
            root.addHandler(own)

    def request(
        self,
        id_: str,
        method: str,
        route: Route,
        status: str,
        sent: int,
        seconds: float,
        traceparent: str,
    ) -> None:
        """Writes the line of a request to the access log, if there is one.

        It has nothing of the path, the query, the headers and the body but the id of the request
        and a valid `traceparent`. So no token, seed or die gets into it, however they were sent.
        """
        if not self.access_log_enabled:
            return
        now = time.time()
        moment = f"{_second(int(now))}.{int(now % 1 * 1e6):06d}Z"
        own = orjson.dumps(id_).decode()
        trace = f',"traceparent":"{traceparent}"' if _TRACEPARENT(traceparent) else ""
        text = (
            f'{{"time":"{moment}","level":"info","message":"request","id":{own},'
            f'{_known(method, route, status)},"bytes":{sent},"seconds":{seconds:.6f}{trace}}}\n'
        )
        for handler in self.access_log.handlers:
            if isinstance(handler, logging.StreamHandler):
                _write(handler, text)
            else:
                handler.handle(_record(text))


@lru_cache(1)
def _second(seconds: int) -> str:
    """A time up to its second; most lines have that of the line before."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


@lru_cache(1024)
def _known(method: str, route: Route, status: str) -> str:
    """The fields of a line that have few values, as JSON without its braces."""
    fields = {
        "method": method,
        "route": route.path,
        "variant": route.variant or None,
        "status": int(status) if status.isdigit() else None,
    }
    return orjson.dumps(fields).decode()[1:-1]


def _write(handler: logging.StreamHandler[Any], text: str) -> None:
    """Writes a line at once, which takes a quarter of the time of the handler.

    It is shorter than what a pipe takes as a whole, so lines of several processes don't mix.
    """
    try:
        os.write(handler.stream.fileno(), text.encode())
    except OSError:
        handler.handleError(_record(text))


def _record(text: str) -> logging.LogRecord:
    attributes = {"name": "gunicorn.access", "levelno": logging.INFO, "levelname": "INFO"}
    return logging.makeLogRecord({**attributes, "msg": text.removesuffix("\n")})
