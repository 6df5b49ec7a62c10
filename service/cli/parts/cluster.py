"""The cluster that a run uses: one of its own on this machine, or one that is there."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import dask
from distributed import Client, LocalCluster

from service.cli.command_error import CommandError

_QUIET = {
    "distributed.admin.log-length": 0,
    "distributed.scheduler.allowed-failures": 10,  # a worker may be killed for what isn't its fault
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.comm.timeouts.connect": "10s",
}

_LOGGERS = ["distributed", "distributed.client", "distributed.nanny", "distributed.scheduler"]
"""They print traces of what the command says in a sentence."""


@contextmanager
def connected(workers: int, scheduler: str | None) -> Iterator[Client]:
    """A client of `scheduler`, or of so many `workers` on this machine, which end with it.

    Its own cluster is encrypted and asks for a key: without one, everyone on this machine could run
    code in it. Raises `CommandError` if nothing answers at the address.
    """
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with dask.config.set(_QUIET):
        if scheduler is not None:
            try:
                client = Client(scheduler, set_as_default=False)
            except (OSError, ValueError) as error:
                raise CommandError(f"no scheduler answers at {scheduler}: {error}") from None
            with client:
                yield client
            return
        with (
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                security=True,
                memory_limit=0,  # a part is never held whole
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            ) as cluster,
            Client(cluster, set_as_default=False) as client,
        ):
            yield client
