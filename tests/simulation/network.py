"""The network between clients and workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.simulation.faults import Faults, latency
from tests.simulation.http import Request, Response
from tests.simulation.worker import NoResponse, Worker
from tests.simulation.world import SECOND, Promise, TimedOut, World

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
