"""A logger for gunicorn that delays a new worker until it has been asked to stop."""

from __future__ import annotations

import os
import signal
from typing import Any

from gunicorn.glogging import Logger


class SlowBoot(Logger):
    """Delays a worker when it logs that it boots: right after the fork, before every hook."""

    def info(self, msg: object, *args: Any, **kwargs: Any) -> None:
        """Logs `msg`, and then waits if `msg` says that a worker boots."""
        super().info(msg, *args, **kwargs)
        booting = str(msg).startswith("Booting worker")
        if booting and signal.sigtimedwait({signal.SIGTERM}, 30):  # which is blocked here
            os.kill(os.getpid(), signal.SIGTERM)
