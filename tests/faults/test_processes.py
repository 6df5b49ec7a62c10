"""Workers and the master are killed, stopped and reloaded under load."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from tempfile import TemporaryDirectory

from tests.api.sessions.playing import UNTIMED, Session, make
from tests.faults.load import CONNECTIONS, Load, loaded
from tests.faults.players import playing
from tests.live import Service, lives, running
from tests.sessions.servers import until
from tests.worker.raw import BODY, Raw, connected, post

DEATHS = 3


def is_free(port: int) -> bool:
    """Whether another service could listen on `port` now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
            probe.listen()
        except OSError:
            return False
    return True


def seconds_until_free(service: Service) -> float:
    """How long the port of a service remains taken."""
    began = time.monotonic()
    until(partial(is_free, service.port), "the port is free")
    return time.monotonic() - began


@contextmanager
def held(service: Service) -> Iterator[Raw]:
    """A connection to `service`, over which half of a request has been sent: see `finish`."""
    with connected(service) as raw:
        raw.send(post())
        assert raw.reply().status == 200
        raw.send(post()[: -len(BODY)])
        yield raw


def finish(request: Raw) -> None:
    """Sends the rest of a request that was held; fails unless it is answered as the last one."""
    request.send(BODY)
    reply = request.reply()
    assert (reply.status, reply.headers["Connection"]) == (200, "close")
    assert request.end() == b""


def test_worker_killed() -> None:
    """A killed worker takes with it only what it was answering, and another one takes its place.
    Actions that are repeated with their keys are performed once.
    """
    with running(WEB_CONCURRENCY="2") as service:
        with playing(service, repeats_broken=True) as players, loaded(service, again=True) as load:
            for _ in range(DEATHS):
                before = service.workers()
                os.kill(before[0], signal.SIGKILL)
                until(partial(_are_gone, before[:1]), "it is dead")
                until(lambda: len(service.workers()) == 2, "there is another one")
                players.await_more(50)
                load.await_more(100)
        found = players.find().printed(f"{DEATHS} workers killed, {players.broken} requests broken")
    print(f"requests over {CONNECTIONS} connections: {load}")
    assert (found.lost, found.twice) == (0, 0)
    assert load.counts["broken"] + load.counts["unaccepted"] <= DEATHS * CONNECTIONS
    assert load.counts["refused"] == 0


def test_master_killed() -> None:
    """When the master is killed, its workers free the port while requests are still under way, and
    every request that they have received is answered. Another service goes on with the same port
    and sessions.
    """
    with TemporaryDirectory() as folder:
        with running(DATA_DIR=folder, WEB_CONCURRENCY="2") as service:
            session = make(service, "dice-poker", "ann", "ben", house_rules=UNTIMED)
            acted = session.act("roll", version=1).json
            with loaded(service, again=False) as load, held(service) as request:
                workers = service.workers()
                service.process.kill()
                took = seconds_until_free(service)
                finish(request)
                until(partial(_all_closed, load), "every client has had its last response")
            until(lambda: not any(map(lives, workers)), "the workers have ended")
        with running(DATA_DIR=folder, PORT=str(service.port)) as again:
            found = Session(replace(again, port=service.port), session.made).read().json
    print(f"master killed: the port is free after {took:.2f} s; {load}")
    assert (load.counts["broken"], load.counts["closed"]) == (0, CONNECTIONS)
    assert found == acted


def test_stopped() -> None:
    """A service that gets SIGTERM refuses new connections while requests are still under way, and
    answers every request that it has received.
    """
    with running(WEB_CONCURRENCY="2") as service:
        with loaded(service, again=False) as load, held(service) as request:
            service.process.terminate()
            took = seconds_until_free(service)
            finish(request)
            until(partial(_all_closed, load), "every client has had its last response")
        assert service.process.wait(timeout=60) == 0
        output = service.output.whole
    print(f"SIGTERM: the port is free after {took:.2f} s; {load}")
    assert (load.counts["broken"], load.counts["closed"]) == (0, CONNECTIONS)
    assert "SIGKILL" not in output


def test_reloaded() -> None:
    """A service that gets SIGHUP again and again answers every request, and refuses nobody."""
    with running(WEB_CONCURRENCY="2") as service:
        with loaded(service, again=True) as load:
            for _ in range(DEATHS):
                before = service.workers()
                service.process.send_signal(signal.SIGHUP)
                until(partial(_are_gone, before), "its workers are others")
                load.await_more(100)
        output = service.output.text
    print(f"{DEATHS} times SIGHUP: {load}")
    lost = [load.counts[name] for name in ("broken", "unaccepted", "refused")]
    assert lost == [0, 0, 0]
    assert load.counts["closed"] >= DEATHS
    assert "SIGKILL" not in output


def _all_closed(load: Load) -> bool:
    """Whether all connections are closed, as announced or not."""
    return load.counts["closed"] + load.counts["broken"] == CONNECTIONS


def _are_gone(processes: Sequence[int]) -> bool:
    """Whether none of the processes is there."""
    return not any(map(lives, processes))
