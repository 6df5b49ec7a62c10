"""gunicorn's configuration: `gunicorn --config python:service.server "service.app:create_app()"`.

Every name here is a gunicorn setting.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from service.api.operations.registry import operations
from service.rules.variant import WrongDescription
from service.sessions.store import embedded, login
from service.settings import Settings
from service.tables import serving
from service.variants import variants

_settings = Settings.from_environment()
try:
    operations(variants(_settings.variants).values())
except WrongDescription as error:
    sys.exit(f"The service can't start: {error}.")

_host = _settings.bind_address
bind = f"{f'[{_host}]' if ':' in _host else _host}:{_settings.port}"
workers = _settings.web_concurrency
worker_class = "service.worker.worker.BufferingWorker"
worker_connections = 10_000  # as far as the limit of open files allows
threads = _settings.threads
keepalive = 75
graceful_timeout = 8  # a container is given ten seconds to stop
preload_app = True
control_socket_disable = True  # it would need a writable home
accesslog = _settings.access_log or None
access_log_format = '%(h)s "%(r)s" %(s)s %(B)s bytes %(D)s us %({x-request-id}o)s'
if os.path.isdir("/dev/shm"):
    worker_tmp_dir = "/dev/shm"  # in memory, and writable where the root file system is not


_STOP_SIGNALS = {signal.SIGINT, signal.SIGQUIT, signal.SIGTERM}


def on_starting(_: Any) -> None:
    """Starts the embedded store, or checks the one of REDIS_URL. A reload (SIGHUP) doesn't."""
    os.register_at_fork(after_in_parent=_unblock)
    embedded.start(_settings)
    serving.start(_settings)
    login.report_refusal(_settings)


def on_exit(_: Any) -> None:
    """Stops the store, after the last worker, and the processes that make tables."""
    serving.stop()
    embedded.stop()


def pre_fork(_: Any, __: Any) -> None:
    """Blocks the signals that stop a worker until the new worker has its own handlers.

    Until then it has the master's handlers, which would ignore the signal: the worker would go on,
    and be killed after `graceful_timeout`. In the master the signals are blocked until the fork
    only.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, _STOP_SIGNALS)


def post_fork(_: Any, __: Any) -> None:
    """Closes what only the master needs of the embedded store, and for the tables."""
    embedded.forked()
    serving.forked()


def post_worker_init(worker: Any) -> None:
    """Lets a worker ignore Ctrl-C, which a terminal sends to every process.

    The master then stops the workers with SIGQUIT. gunicorn's workers would drop their requests;
    here SIGQUIT ends a worker as SIGTERM does.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGQUIT, worker.handle_exit)
    _unblock()


def when_ready(_: Any) -> None:
    """Prints where the service listens, and a request to try; has the default tables made."""
    print(
        f"\nListening on http://{bind} (contract: /docs). Try:\n\n"
        f"  curl -s http://{bind}/v1/variants/poker-dice/evaluate "
        """-H 'Content-Type: application/json' -d '{"dice": [1, 2, 3, 4, 6]}'\n""",
        flush=True,
    )
    serving.prepare(_settings)


def _unblock() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOP_SIGNALS)
