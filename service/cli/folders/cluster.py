"""The cluster that a run uses: one of its own on this machine, or one that is there; and whether
its workers have the same games.
"""

from __future__ import annotations

import asyncio
import logging
import re
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from multiprocessing import resource_tracker
from typing import Any

import dask
from distributed import Client, LocalCluster
from distributed.comm import connect
from distributed.security import Security

from service import __version__
from service.cli.command import CommandError, TryAgain, postponed
from service.cli.files.locations import command_errors
from service.rules.house_rules import HouseRules, in_force
from service.rules.variant import Variant
from service.variants import variants

SETTINGS = {
    "distributed.admin.log-length": 0,
    "distributed.scheduler.allowed-failures": 10,  # a worker may be killed for what isn't its fault
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.comm.timeouts.connect": "10s",
    # Dask also sets MALLOC_TRIM_THRESHOLD_: a worker would give its memory back after each piece,
    # and use 5 % of its time to get it again.
    "distributed.nanny.pre-spawn-environ": {"OMP_NUM_THREADS": 1},
}
"""The settings of the command, and of its own cluster."""

_LOGGERS = ["distributed", "distributed.client", "distributed.nanny", "distributed.scheduler"]
"""They print traces of what the command says in a sentence."""


_SECONDS = 20
"""How long a scheduler may take to answer."""

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


async def _reach(scheduler: str) -> None:
    """Raises an `OSError`, or waits, if no scheduler answers: a `Client` would wait for ever.

    Raises `CommandError` if it asks for TLS and Dask has no settings for that.
    """
    arguments = Security().get_connection_args("client")
    if scheduler.startswith("tls:") and arguments["ssl_context"] is None:
        raise CommandError(
            f"{scheduler} needs a certificate: set distributed.comm.tls.ca-file and the others in "
            "Dask's configuration"
        )
    (await connect(scheduler, **arguments)).abort()


@contextmanager
def _ctrl_c_kept_from_workers() -> Iterator[None]:
    """Threads and processes that begin meanwhile leave Ctrl-C, which a terminal sends to all
    processes, to this thread: a worker that is starting would print a traceback.
    """
    resource_tracker.ensure_running()  # where it is started, it unblocks the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def connected(workers: int, scheduler: str | None) -> Iterator[Client]:
    """A client of `scheduler`, or of so many `workers` on this machine, which end with it.

    Its own cluster is encrypted and asks for a key: without one, everyone on this machine could run
    code in it. Raises `TryAgain` if nothing answers at the address.
    """
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with dask.config.set(SETTINGS):
        if scheduler is not None:
            try:
                asyncio.run(asyncio.wait_for(_reach(scheduler), _SECONDS))
                client = Client(scheduler, set_as_default=False)
            except (OSError, ValueError, TimeoutError) as error:
                why = f": {error}" if str(error) else f" within {_SECONDS} seconds"
                raise TryAgain(f"no scheduler answers at {scheduler}{why}") from None
            with client:
                yield client
            return
        failed = "the processes on this machine can't be started"
        with postponed(), _ctrl_c_kept_from_workers(), command_errors(failed):
            cluster = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                security=True,
                memory_limit=0,  # a part is never held whole
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
        with cluster, Client(cluster, set_as_default=False) as client:
            yield client


def digest_of(variant: Variant) -> str:
    """A digest of the description of a game: its dice, boxes or ranks, switches and clauses.

    It is the same in every process. Code of a game that isn't in its description isn't seen.
    """
    return sha256(_ADDRESS.sub("", repr(variant)).encode()).hexdigest()[:16]


def rules_of(variant: Variant, house_rules: HouseRules) -> dict[str, Any]:
    """What every run notes of the game, as JSON: all parts of an output have the same."""
    return {
        "variant": variant.id,
        "game": digest_of(variant),
        "house_rules": dict(in_force(house_rules)),
        "version": __version__,
    }


def check_worker(rules: Mapping[str, Any]) -> None:
    """Raises `CommandError` unless this process has the release and the game in `rules_of`."""
    name, version = rules["variant"], rules["version"]
    if version != __version__:
        raise CommandError(f"a worker has version {__version__}, and the command {version}")
    variant = variants().get(name)
    if variant is None:
        raise CommandError(f"a worker has no game {name}: set VARIANTS there, too")
    if digest_of(variant) != rules["game"]:
        raise CommandError(f"a worker describes {name} otherwise than the command does")
