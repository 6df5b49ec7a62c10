"""Workers, and the network between them and their clients."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import count
from typing import Any, cast

from flask import Flask
from greenlet import GreenletExit, greenlet
from werkzeug.test import run_wsgi_app

from service.api.http import problems
from service.api.http.request_id import TracedFlask
from service.api.operations.registry import operations
from service.api.sessions import views
from service.api.sessions.results import result_json
from service.sessions.service import SessionService
from service.sessions.store.connect import Client
from service.sessions.store.redis_store import Store
from service.settings import Settings
from service.variants import variants
from tests.simulation.faults import Faults, latency
from tests.simulation.records import Request, Response
from tests.simulation.store_client import StoreClient
from tests.simulation.store_host import StoreHost
from tests.simulation.world import MILLISECOND, SECOND, Promise, TimedOut, World
from tests.whole_games.playing import CHOOSE

MAX_BODY_BYTES = 1 << 20


STREAM = "games"

RESULT_JSON = partial(result_json, key="")
"""Writes the results for the stream."""


class NoResponse(Exception):
    """A request got no response; the message says why."""


class _Current(logging.Handler):
    """Stands in an app for the `SessionService` of the current life of its worker, and for its log.

    An app takes longer to make than to simulate, and keeps nothing about sessions.
    """

    service: SessionService
    log: Callable[[str], object]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.service, name)

    def emit(self, record: logging.LogRecord) -> None:
        """Logs what the app logs."""
        self.log(self.format(record))


@cache
def _app(number: int) -> tuple[Flask, _Current]:
    """The app of the worker `number`, the same for each simulation of this process."""
    app = TracedFlask(f"worker {number}", static_folder=None)
    found = list(variants().values())
    current = _Current()
    problems.register(app)
    views.register(
        app,
        cast(SessionService, current),
        found,
        operations(found),
        Settings(max_body_bytes=MAX_BODY_BYTES),
    )
    app.logger.handlers, app.logger.propagate = [current], False
    return app, current


class Worker:
    """The worker `number`, whose clock is `offset` milliseconds ahead. Sessions live `seconds`.
    If it `feeds`, `STREAM` gets entries.

    It has to be started.
    """

    def __init__(
        self,
        world: World,
        number: int,
        host: StoreHost,
        faults: Callable[[], Faults],
        seconds: int,
        *,
        feeds: bool,
    ) -> None:
        self.name = f"worker {number}"
        self.offset = 0
        self.log: list[str] = []
        """All lines that the app has logged."""
        self._world, self._host, self._faults, self._seconds = world, host, faults, seconds
        self._replicas, self._feeds = faults().replicas, feeds
        self._app, self._current = _app(number)
        self._current.log = self._logs
        self._requests = count()
        self._tasks: dict[greenlet, Promise[Response]] = {}
        self._client: StoreClient | None = None

    def clock(self) -> int:
        """The worker's time, in milliseconds since 1970."""
        return self._world.now // 1000 + self.offset

    def start(self) -> None:
        """Begins a new life, which remembers nothing."""
        client = StoreClient(self._world, self._host, self._faults, self.name, self.die)
        self._client = client
        store = Store(lambda: cast(Client, client), self._replicas, STREAM, self._logs)
        self._current.service = SessionService(
            store,
            variants(),
            self._seconds,
            self.clock,
            feed=RESULT_JSON if self._feeds else None,
            choose=CHOOSE,
        )

    def die(self, when: str) -> None:
        """Ends the life of the worker, whatever it is doing; it comes back after a while."""
        if self._client is None:
            return
        self._world.note(self.name, f"dies {when}")
        self._client.dead, self._client = True, None
        self._world.after(0, self._bury, dict(self._tasks))
        self._tasks.clear()
        self._world.after(self._world.rng.randrange(50 * MILLISECOND, 2 * SECOND), self.start)

    def receive(self, request: Request, answered: Promise[Response]) -> None:
        """Processes a request, and answers it if nothing comes between."""
        if self._client is None:
            answered.fail(NoResponse("refused"))
            return
        number = next(self._requests)

        def process() -> None:
            response = self._respond(request, f"{self.name[-1]}-{number}")
            del self._tasks[task]
            self._world.note(self.name, f"responds {response.status} {response.tag}")
            if self._world.chance(self._faults().lost_responses):
                if self._world.chance(0.5):
                    self._world.after(latency(self._world.rng), answered.fail, NoResponse("reset"))
                return
            self._world.after(latency(self._world.rng), answered.keep, response)

        task = self._world.start(process)
        self._tasks[task] = answered

    def _logs(self, line: str) -> None:
        self.log.append(line)
        self._world.note(self.name, line)

    def _bury(self, tasks: dict[greenlet, Promise[Response]]) -> None:
        """Ends what the worker was doing. The kernel closes the connections of its clients."""
        for task, answered in tasks.items():
            task.throw(GreenletExit)
            self._world.after(latency(self._world.rng), answered.fail, NoResponse("reset"))

    def _respond(self, request: Request, request_id: str) -> Response:
        environ = request.environ(request_id)
        parts, status, headers = run_wsgi_app(self._app.wsgi_app, environ)
        return Response(int(status[:3]), dict(headers), b"".join(parts))


TIMEOUT = 3 * SECOND
"""How long a client waits for a response, in microseconds."""


class Network:
    """Brings requests to one of `workers`, and may lose them."""

    def __init__(
        self, world: World, workers: Sequence[Worker], faults: Callable[[], Faults]
    ) -> None:
        self._world, self.workers, self._faults = world, workers, faults

    def ask(self, who: str, request: Request, worker: int | None = None) -> Response:
        """The response of a worker, any one if None. Raises `NoResponse`."""
        world = self._world
        number = world.rng.randrange(len(self.workers)) if worker is None else worker
        body = request.body.decode()
        world.note(who, f"to {number}: {request.method} {request.path} {request.headers} {body}")
        answered = Promise[Response](world)
        if world.chance(self._faults().lost_requests):
            world.note(who, "the request is lost")
        else:
            arrives = latency(world.rng)
            world.after(arrives, self.workers[number].receive, request, answered)
        try:
            response = answered.wait(TIMEOUT)
        except TimedOut:
            world.note(who, "gets no response")
            raise NoResponse("timeout") from None
        except NoResponse as why:
            world.note(who, f"gets no response: {why}")
            raise
        world.note(who, f"gets {response.status} {response.tag} {response.body.decode()}")
        return response
