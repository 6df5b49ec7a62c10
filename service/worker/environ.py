"""The WSGI environment of a request (PEP 3333)."""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from service.worker.hooks import REQUEST_ID
from service.worker.request import JOINT, Request

if TYPE_CHECKING:
    from service.worker.connection import Connection


def environ_of(request: Request, connection: Connection) -> dict[str, Any]:
    """The WSGI environment of `request`.

    A body always has a CONTENT_LENGTH, even if it came in chunks. A header with an underscore is
    left out, because it would get the same key as one with a hyphen.
    """
    address, server = connection.address, connection.own_address
    environ: dict[str, Any] = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": request.path_info,
        "QUERY_STRING": request.query,
        "RAW_URI": request.target,  # for gunicorn's access log
        "SERVER_PROTOCOL": request.version,
        "SERVER_NAME": server[0] if isinstance(server, tuple) else str(server),
        "SERVER_PORT": str(server[1]) if isinstance(server, tuple) else "",
        "REMOTE_ADDR": connection.peer,
        "REMOTE_PORT": str(address[1]) if address else "",
        REQUEST_ID: request.id,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": request.body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in request.headers:
        key = _key(name)
        if key in environ:
            environ[key] += JOINT + value
        elif key:
            environ[key] = value
    if request.chunked:
        environ["CONTENT_LENGTH"] = str(request.received)
    return environ


@lru_cache(1024)
def _key(name: str) -> str:
    """The key in the environment for the header `name`, empty for one that has none."""
    if "_" in name or name == "TRANSFER-ENCODING":
        return ""
    key = name.replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
