"""A log for gunicorn that keeps a worker from going on before it has been asked to stop."""

from __future__ import annotations

import signal
from threading import Event
from typing import Any

from gunicorn.glogging import Logger


class SlowBoot(Logger):
    """Holds a worker where it says that it boots: right after the fork, before every hook."""

    def info(self, msg: object, *args: Any, **kwargs: Any) -> None:
        """Logs `msg`, and waits if a worker says that it boots."""
        super().info(msg, *args, **kwargs)
        if str(msg).startswith("Booting worker"):
            looked = Event()
            for _ in range(200):
                if signal.SIGTERM in signal.sigpending():
                    break
                looked.wait(0.01)
