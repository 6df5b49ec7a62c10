"""Requests and responses between clients and workers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import orjson

from tests.live import JSON


@dataclass(frozen=True)
class Request:
    """A request as a client sends it; `body` is "" for none."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes = b""

    def environ(self, request_id: str) -> dict[str, Any]:
        """The WSGI environment of the request."""
        path, _, query = self.path.partition("?")
        environ: dict[str, Any] = {
            "REQUEST_METHOD": self.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_NAME": "dice",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "dice",
            "HTTP_X_REQUEST_ID": request_id,
            "CONTENT_TYPE": JSON,
            "CONTENT_LENGTH": str(len(self.body)),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(self.body),
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
        }
        for name, value in self.headers.items():
            environ[f"HTTP_{name.upper().replace('-', '_')}"] = value
        return environ


@dataclass(frozen=True)
class Response:
    """A response as a client gets it."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The decoded body."""
        return orjson.loads(self.body)

    @property
    def tag(self) -> str:
        """The entity tag, without quotes; "" if there is none."""
        return self.headers.get("ETag", "").strip('"')
