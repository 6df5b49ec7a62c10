"""One simulation: what a seed plays, and what befalls it."""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from typing import cast
from unittest import mock

import orjson
from greenlet import getcurrent

from service.sessions import service
from service.sessions.store import deadline, redis_store, scripts
from service.sessions.store.failures import Breaker
from service.variants import variants
from tests.simulation import feed, invariants, stored
from tests.simulation.client import Client
from tests.simulation.faults import NONE, Faults
from tests.simulation.records import Record, Request, Response, Violated
from tests.simulation.redis_server import Stream
from tests.simulation.store_host import StoreHost
from tests.simulation.worker import STREAM, Network, NoResponse, Worker
from tests.simulation.world import MILLISECOND, SECOND, World
from tests.whole_games.invariants import by_computer
from tests.whole_games.requests import request

WORKERS = 2

SETTLED = 20 * SECOND
"""After this time without faults nothing is on its way any more."""

LONG, SHORT = 86_400, 2
"""How long sessions live, in seconds."""

SNAPSHOT_EVERY = 4
"""How many versions apart snapshots are kept: fewer than usual, so that they are used."""

PAUSES = 0.1
"""How often it is enough for a request after each move of a computer, and before the first."""

MOST_STEPS = 300
"""How many steps it may take to end a game that is played to its end."""


class Simulation:
    """The simulation of `seed`; the same seed does the same, to the byte.

    `counts` says what has happened.
    """

    def __init__(self, seed: int, *, traced: bool = False) -> None:
        self.world = World(seed, traced=traced)
        self.counts = Counter[str]()
        rng = self.world.rng
        self._seed = seed
        self._faults = Faults.drawn(rng)
        self._replicas, self._feeds = self._faults.replicas, seed % 3 == 0
        self._seconds = SHORT if rng.random() < 0.05 else LONG
        self._host = StoreHost(self.world, lambda: self._faults)
        self._workers = [
            Worker(
                self.world,
                number,
                self._host,
                lambda: self._faults,
                self._seconds,
                feeds=self._feeds,
            )
            for number in range(WORKERS)
        ]
        self._network = Network(self.world, self._workers, lambda: self._faults)
        self._records: list[Record] = []
        self._playing = 0

    def run(self) -> None:
        """Plays, lets all faults end, and checks everything. Raises `Violated`."""
        world = self.world
        world.note("seed", f"{self._seed}: {self._faults}, {self._seconds} s")
        with deterministic(world, self._seed):
            for worker in self._workers:
                worker.start()
            for _ in range(1 if world.rng.random() < 0.8 else 2):
                self._begin(self._play)
            for befalls in (self._outages, self._clocks):
                world.start(befalls)
            world.run()
            self._faults = NONE
            world.after(SETTLED, lambda: None)
            world.run()
            world.start(self._end)
            world.run()
            self._check()

    def _begin(self, task: Callable[[], object]) -> None:
        """Starts a task of a client."""
        self._playing += 1

        def counted() -> None:
            task()
            self._playing -= 1

        self.world.start(counted)

    def _play(self) -> None:
        """Creates a session, and starts its clients."""
        rng = self.world.rng
        variant = rng.choice(sorted(variants()))
        asked = request(rng, variant)
        if variants()[variant].kind == "community":
            asked["dice"] = "server"  # who types dice in would have to know all pockets
        key = f"{rng.getrandbits(128):032x}" if rng.random() < 0.8 else ""
        headers = {"Idempotency-Key": key} if key else {}
        sent = Request("POST", "/v1/sessions", headers, orjson.dumps(asked))
        made = self._created(sent)
        if made is None:
            return
        record = Record(sent, made)
        self._records.append(record)
        viewers: list[str | None] = list(record.tokens)
        devices = rng.sample(viewers, rng.randint(1, min(3, len(viewers))))
        if rng.random() < 0.5:
            devices.append(rng.choice(devices))
        steps, pause = rng.randint(5, 60 // len(devices)), rng.choice([20, 200, 2_000])
        for viewer in devices:
            client = Client(self.world, self._network, record, viewer, self._lossy)
            self._begin(partial(client.play, steps, pause * MILLISECOND))

    def _created(self, sent: Request) -> Response | None:
        """The response to a request for a session, sent until there is one; None if there isn't."""
        rng, key = self.world.rng, "Idempotency-Key" in sent.headers
        answers: list[Response] = []

        def gone() -> bool:
            """Whether the session may be gone before the request has arrived once more."""
            deleted = [record.deleted for record in self._records if record.request is sent]
            return self._lossy() or any(deleted)

        def send() -> None:
            try:
                response = self._network.ask("creator", sent)
            except NoResponse:
                return
            if response.status == 201:
                answers.append(response)
            elif response.status != 503 and not (response.status == 409 and gone()):
                raise Violated(f"{response.status} for a new session: {response.body.decode()}")

        for _ in range(8):
            if key and rng.random() < 0.1:
                self.world.start(send)
            send()
            if answers and rng.random() < 0.8:
                break
            self.world.sleep(rng.randrange(SECOND))
        if key and not self._lossy() and len({answer.body for answer in answers}) > 1:
            raise Violated(f"one key has created several sessions: {answers}")
        return answers[-1] if answers else None

    def _lossy(self) -> bool:
        """Whether sessions may be gone, or at an earlier version than clients know."""
        return bool(self._host.losses) or self._seconds == SHORT

    def _outages(self) -> None:
        """Outages of the store, one after the other, as long as somebody plays."""
        world, faults = self.world, self._faults
        while self._playing and faults.outages:
            if world.chance(0.7):
                self._host.save()
            world.sleep(world.rng.randrange(1, 2 * faults.calm))
            self._host.befall(world.rng.choice(faults.outages))
            world.sleep(world.rng.randrange(MILLISECOND, 3 * SECOND))
            self._host.heal()

    def _clocks(self) -> None:
        """The clocks of workers are off, and jump, as long as somebody plays."""
        world, faults = self.world, self._faults
        jumps = faults.jumps
        while faults.skew and self._playing:
            for worker in self._workers:
                worker.offset = world.rng.randint(-faults.skew, faults.skew)
                world.note(worker.name, f"clock off by {worker.offset} ms")
            if not jumps:
                return
            jumps -= 1
            world.sleep(world.rng.randrange(1, 5 * SECOND))

    def _end(self) -> None:
        """Reads all sessions with every token, without faults. Some are played on before."""
        for record in self._records:
            clients = {
                viewer: Client(self.world, self._network, record, viewer, self._lossy)
                for viewer in record.tokens
            }
            if self.world.chance(0.15):
                self._play_on(clients[None])
            gone = record.deleted or self._lossy()
            for number, client in enumerate(clients.values()):
                client.read(number % WORKERS)
                history = client.read_history((number + 1) % WORKERS)
                if history is None or (history.status != 200 and not gone):
                    raise Violated(f"the session can't be read without faults: {history}")
                if client.over and client is clients[None]:
                    self._over(history)

    def _play_on(self, client: Client) -> None:
        """Plays to the end of the game, if it isn't far. Every action is answered."""
        client.read()
        for _ in range(MOST_STEPS):
            if client.over or not client.knows:
                return
            response = client.act()
            if response is None or response.status == 503:
                raise Violated(f"an action fails without faults: {response}")
            if response.status != 200:
                client.read()

    def _over(self, history: Response) -> None:
        """Verifies the dice of a game that is over."""
        self.counts["games over"] += 1
        if history.status == 200 and history.json["dice"] == "server":
            invariants.check_dice(history)
            self.counts["games verified"] += 1

    def _check(self) -> None:
        """Checks what was sent, received and logged against what the store has."""
        values = self._host.server.values(b"")
        log = [line for worker in self._workers for line in worker.log]
        for record in self._records:
            now = stored.read(record.id, values)
            if now is None and not (record.deleted or self._lossy()):
                raise Violated(f"the session {record.id} is gone")
            lost = stored.read_lost(record.id, self._host.archive)
            invariants.check(record, now, lost)
            if self._replicas and self._seconds == LONG and not record.deleted:
                invariants.check_kept(record, now)
            if self._feeds and now is not None:
                feed.check(now, cast(Stream, values.get(STREAM.encode(), Stream())))
            invariants.check_log(record, lost if now is None else [now, *lost], log)
            self.counts["sessions"] += 1
            if now is not None:
                steps = [event.steps[0] for event in now.events]
                self.counts["moves of computers"] += sum(map(by_computer, steps))
            self.counts["actions acknowledged"] += sum(bool(sent.answers) for sent in record.sent)
            self.counts["of them more than once"] += sum(
                len(sent.answers) > 1 for sent in record.sent
            )


@contextmanager
def deterministic(world: World, seed: int) -> Iterator[None]:
    """Takes random bytes from `seed` and monotonic time from `world` instead of the machine.

    What the service keeps for each thread, it keeps for each task.
    """

    def monotonic() -> float:
        return world.now / SECOND

    with (
        mock.patch.object(secrets, "_sysrand", Random(f"secrets of {seed}")),
        mock.patch.object(time, "monotonic", monotonic),
        mock.patch.object(redis_store, "Breaker", partial(Breaker, monotonic)),
        mock.patch.object(scripts, "SNAPSHOT_EVERY", SNAPSHOT_EVERY),
        mock.patch.object(deadline, "_request", _OfTask()),
        mock.patch.object(service, "budget", return_value=partial(world.chance, PAUSES)),
    ):
        yield


class _OfTask:
    """The time of the request that a task works on, in place of a thread's."""

    def __getattr__(self, name: str) -> float:
        seconds: float = getattr(getcurrent(), name, 0.0)
        return seconds

    def __setattr__(self, name: str, seconds: float) -> None:
        setattr(getcurrent(), name, seconds)
