"""The worker: a loop that waits for all connections, and threads for what takes long."""

from __future__ import annotations

import asyncio
import os
import sys

from gunicorn.config import Config
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker

from service.worker.hooks import Hooks
from service.worker.server import Server

SWITCH_SECONDS = 0.001
"""How long a batch that computes keeps the interpreter while other threads wait for it. The loop
has to wait for it at each system call, so Python's default, five times as long, slows everybody.
"""


class BufferingWorker(Worker):
    """A gunicorn worker in which a client that stalls, lingers or idles costs no thread.

    The loop receives each request in full before the app runs, in a thread or, if it is brief, in
    the loop. If the client doesn't take the response as fast as the app makes it, the loop sends
    what there is, and a thread then continues. A client may stall for `stall_seconds` within its
    request or its response, and has `linger_seconds` to close its end after the last response.
    """

    hooks: Hooks
    """Those of the service; its configuration sets them before `run`."""

    stall_seconds: float = 5
    linger_seconds: float = 2.0

    @classmethod
    def check_config(cls, cfg: Config, log: Logger) -> None:
        """Exits for settings that the worker ignores: with TLS, secrets would be sent in clear."""
        if cfg.is_ssl:
            log.critical("This worker doesn't serve TLS: leave certfile out, and use a proxy.")
            sys.exit(1)
        if cfg.proxy_protocol != "off":
            log.critical("This worker doesn't know the PROXY protocol: leave proxy_protocol out.")
            sys.exit(1)

    def run(self) -> None:
        """Serves until the worker is to stop; then finishes what is under way."""
        sys.setswitchinterval(SWITCH_SECONDS)
        loop = asyncio.SelectorEventLoop()
        try:
            loop.run_until_complete(self._serve())
        finally:
            loop.close()

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        server = Server(self.wsgi, self.hooks, self.cfg, self.log, self._beat, self._count)
        server.stall_seconds, server.linger_seconds = self.stall_seconds, self.linger_seconds
        server.loop.add_reader(self.PIPE[0], self._on_signal)
        server.loop.add_reader(self.hooks.parent, self._on_death)
        await server.serve(self.sockets, self._stop)

    def _on_signal(self) -> None:
        """Stops if a signal has asked for that: gunicorn writes a byte into its pipe for each."""
        os.read(self.PIPE[0], 4096)
        if not self.alive:
            self._stop.set()

    def _on_death(self) -> None:
        """Stops, as the master has ended: the port must be free for the next one."""
        asyncio.get_running_loop().remove_reader(self.hooks.parent)
        self.log.error("The master has ended, so this worker stops")
        self._stop.set()

    def _beat(self) -> None:
        """Tells the master that the worker is alive."""
        self.notify()
        if not self.alive:
            self._stop.set()

    def _count(self) -> None:
        """Counts a response; after so many, gunicorn starts another worker."""
        self.nr += 1
        if self.nr == self.max_requests:
            self._stop.set()
