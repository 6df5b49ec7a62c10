"""Logs in JSON: one object a line, for programs. The setting LOG_FORMAT chooses it."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from functools import partial
from typing import Any

from gunicorn.config import Config
from gunicorn.glogging import Logger

from service.notices import encoded, log_line, write_now
from service.worker.counting import Outcome
from service.worker.request_lines import RequestLines


class JsonFormatter(logging.Formatter):
    """A record as JSON, its traceback included. It comes after the `lines` that wait."""

    def __init__(self, lines: RequestLines) -> None:
        super().__init__()
        self._lines = lines

    def format(self, record: logging.LogRecord) -> str:
        """The line, without a line feed."""
        self._lines.write()
        at = datetime.fromtimestamp(record.created, UTC)
        line = log_line(at, record.levelname.lower(), record.name, record.getMessage())
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return encoded(line)


def _emit(handler: logging.StreamHandler[Any], record: logging.LogRecord) -> None:
    """Writes a record if there is room for it. Otherwise the line is lost, and counted."""
    try:
        line = handler.format(record)
        write_now(handler.stream.fileno(), f"{line}\n".encode())
    except Exception:
        handler.handleError(record)


class JsonLogger(Logger):
    """gunicorn's logger, with lines in JSON. Those of the app come out the same way.

    `lines` are those of requests.
    """

    def __init__(self, cfg: Config) -> None:
        self.lines = RequestLines(logging.getLogger("gunicorn.access").handlers)
        super().__init__(cfg)

    def setup(self, cfg: Config) -> None:
        """Prepares the handlers, at the start and after a reload."""
        super().setup(cfg)
        for handler in self.error_log.handlers:
            self._prepare(handler)
        root = logging.getLogger()
        if not any(isinstance(each.formatter, JsonFormatter) for each in root.handlers):
            own = logging.StreamHandler()
            self._prepare(own)
            root.addHandler(own)

    def _prepare(self, handler: logging.Handler) -> None:
        """Has `handler` write JSON, and never wait for somebody who doesn't read the log."""
        handler.setFormatter(JsonFormatter(self.lines))
        if isinstance(handler, logging.StreamHandler):
            # the handler itself would wait; mypy allows no method to be replaced
            handler.emit = partial(_emit, handler)  # type: ignore[method-assign]

    def reopen_files(self) -> None:
        """Reopens the files of the logs; what has ended before is still in the old ones."""
        self.lines.write()
        super().reopen_files()

    def request(
        self, id_: str, outcome: Outcome, sent: int, seconds: float, traceparent: str
    ) -> None:
        """Adds the line of a request to the access log, if there is one.

        It has nothing of the path, the query, the headers and the body but the id of the request
        and a valid `traceparent`. So no token, seed or die gets into it, however they were sent.
        """
        if self.access_log_enabled:
            self.lines.add(id_, outcome, sent, seconds, traceparent)
