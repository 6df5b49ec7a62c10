"""The service and a bare Flask view that returns a constant.

`bare` is the view alone, for any server; `application` has both, for the service's own worker.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from flask import Flask

from service.app import create_app

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

BARE = "/bare"

CONSTANT = (
    '{"variant":"poker-dice","rank":"small_straight","clause":"P3","strength":175,'
    '"best":[4,3,2,1,6],"tie_break":{"numbers":[4,6]}}'
)
"""A real answer, the shortest that `evaluate` gives."""

bare = Flask("bare")


@bare.post(BARE)
def constant() -> str:
    """The minimal Flask view."""
    return CONSTANT


service = create_app()


class Both:
    """Either app, by path. The worker answers both in its loop."""

    brief_paths = service.brief_paths | {BARE}
    work_of = service.work_of

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Handles one request (PEP 3333)."""
        app = bare if environ["PATH_INFO"] == BARE else service
        return app(environ, start_response)


application = Both()
