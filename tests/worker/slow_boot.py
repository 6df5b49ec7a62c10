"""A logger for gunicorn that delays a new worker until it has been asked to stop."""

from __future__ import annotations

import signal
from threading import Event
from typing import Any

from gunicorn.glogging import Logger


class SlowBoot(Logger):
    """Delays a worker when it logs that it boots: right after the fork, before every hook."""

    def info(self, msg: object, *args: Any, **kwargs: Any) -> None:
        """Logs `msg`, and then waits if `msg` says that a worker boots."""
        super().info(msg, *args, **kwargs)
        if str(msg).startswith("Booting worker"):
            looked = Event()
            for _ in range(200):
                if signal.SIGTERM in signal.sigpending():
                    break
                looked.wait(0.01)
