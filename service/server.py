"""gunicorn's configuration: `gunicorn --config python:service.server "service.app:create_app()"`.

Every name here is a gunicorn setting.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sys
from contextlib import suppress
from typing import Any

from gunicorn.glogging import Logger
from gunicorn.systemd import listen_fds

from service import listen, parent_death, traces
from service.access_log import EscapedAtoms
from service.api.operations.registry import operations
from service.metrics import instruments
from service.metrics.declared import WORKERS, WORKERS_WANTED
from service.rules.variant import WrongDescription
from service.sessions.store import embedded
from service.settings import IN_JSON, ON, Settings
from service.tables import serving
from service.variants import variants
from service.worker_hooks import hooks_of

# Until gunicorn has its own handlers. As the first process of a container, Python would ignore
# SIGTERM otherwise, and be killed at the end of the grace period; Ctrl-C would print a traceback.
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
signal.signal(signal.SIGINT, lambda *_: os._exit(0))
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # `service.__main__` has blocked it

_settings = Settings.from_environment()
try:
    operations(variants(_settings.variants).values())
except WrongDescription as error:
    sys.exit(f"The service can't start: {error}.")

_host = _settings.bind_address
_address = f"[{_host}]" if ":" in _host else _host
bind = [f"{_address}:{port}" for _, port in listen.addresses_of(_settings)]
workers = _settings.web_concurrency
worker_class = "service.worker.worker.BufferingWorker"
worker_connections = 10_000  # as far as the limit of open files allows
threads = _settings.threads
keepalive = 75
graceful_timeout = 8  # a container is given ten seconds to stop
preload_app = True
control_socket_disable = True  # it would need a writable home
if _settings.log_format == IN_JSON:
    logger_class = "service.access_log.JsonLogger"
else:
    loglevel = "warning"  # a terminal needn't see each process begin and end
    logging.basicConfig(format=Logger.error_fmt, datefmt=Logger.datefmt)  # the app's lines, too
accesslog = _settings.access_log or None
access_log_format = '%(h)s "%(r)s" %(s)s %(B)s bytes %(D)s us %({x-request-id}o)s'
if os.path.isdir("/dev/shm"):
    worker_tmp_dir = "/dev/shm"  # in memory, and writable where the root file system is not


_SPARE_SLOTS = 64
"""Slots of metrics for more workers than the setting says: a reload starts new ones first."""

instruments.share(2 * workers + _SPARE_SLOTS)

_STOP_SIGNALS = {signal.SIGINT, signal.SIGQUIT, signal.SIGTERM}


def nworkers_changed(_: Any, wanted: int, __: int | None) -> None:
    """Notes how many workers there should be: at the start, after a reload, SIGTTIN or SIGTTOU."""
    WORKERS_WANTED.of().set(wanted)


def on_starting(master: Any) -> None:
    """Starts the embedded store, or checks the one of REDIS_URL. A reload (SIGHUP) doesn't.

    It first checks where the service is to listen, unless it is handed open sockets: by systemd, by
    the master that it replaces (SIGUSR2), or by number.
    """
    addresses = master.cfg.address
    inherited = master.master_pid or listen_fds(unset_environment=False)
    if not (inherited or master.cfg.reuse_port or any(type(each) is int for each in addresses)):
        listen.check(_settings, addresses)
    os.register_at_fork(after_in_parent=_unblock)
    embedded.start(_settings)
    serving.start(_settings)
    traces.report_missing(_settings.log_format)


def pre_exec(master: Any) -> None:
    """Has SIGUSR2 start the next master as a module, too. By its path, Python would find modules of
    gunicorn's folder, such as its `http`, before its own.
    """
    path, *arguments = master.START_CTX["args"][1:]
    if path.endswith("__main__.py"):
        master.START_CTX["args"] = [sys.executable, "-m", "gunicorn", *arguments]


def on_exit(_: Any) -> None:
    """Stops the store, after the last worker, and the processes that make tables."""
    serving.stop()
    embedded.stop()
    _leave_memory()


def pre_fork(_: Any, worker: Any) -> None:
    """Gives the worker a slot for its metrics, and blocks the signals that stop workers.

    They are blocked until the new worker has its own handlers. Until then it has the master's,
    which would ignore the signal: the worker would go on, and be killed after `graceful_timeout`.
    In the master the signals are blocked until the fork only.
    """
    worker.metrics_slot = instruments.take_slot()
    signal.pthread_sigmask(signal.SIG_BLOCK, _STOP_SIGNALS)


def post_fork(_: Any, worker: Any) -> None:
    """Enters the slot of metrics; closes what only the master may hold."""
    instruments.enter_slot(worker.metrics_slot)
    WORKERS.of().set(1)
    parent_death.leave()


def child_exit(_: Any, worker: Any) -> None:
    """Frees the slot of a worker that has ended, in the master."""
    if worker.metrics_slot is not None:
        instruments.leave_slot(worker.metrics_slot)


def post_worker_init(worker: Any) -> None:
    """Tells a worker about the service; lets it ignore Ctrl-C, which a terminal sends to all.

    The master then stops the workers with SIGQUIT. gunicorn's workers would drop their requests;
    here SIGQUIT ends a worker as SIGTERM does.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGQUIT, worker.handle_exit)
    traces.start(worker.wsgi)
    type(worker.log).atoms_wrapper_class = EscapedAtoms
    worker.hooks = hooks_of(_settings, worker.wsgi, worker.cfg)
    _unblock()


def worker_exit(_: Any, __: Any) -> None:
    """Sends the last spans of a worker that stops."""
    traces.stop()
    _leave_memory()


def _leave_memory() -> None:
    """Leaves all memory to the kernel, since the process ends: Python would search it for cycles,
    which takes a quarter of a second.
    """
    gc.freeze()


def _say(text: str) -> None:
    """Prints `text`; a service whose output nobody reads starts, too."""
    with suppress(OSError):
        print(text, flush=True)


def when_ready(master: Any) -> None:
    """Says where the service listens; has the default tables made."""
    where = str(master.LISTENERS[0]) if master.LISTENERS else f"http://{bind[0]}"
    if _settings.log_format == IN_JSON:
        master.log.info(f"Listening on {where} (contract: /docs).")
    elif where.startswith("unix:"):
        _say(f"Listening on {where}. Ctrl-C stops.")
    else:
        url = _reachable(where)
        play = f"Play: {url}/play\n" if _settings.play == ON else ""
        _say(
            f"{play}API:  {url}/docs\n"
            f"Try:  curl -s {url}/v1/variants/poker-dice/evaluate "
            """-H 'Content-Type: application/json' -d '{"dice": [1, 2, 3, 4, 6]}'\n"""
            "Ctrl-C stops."
        )
    serving.prepare(_settings)


def _reachable(url: str) -> str:
    """`url` for other programs: if it has no address, as the service listens on all of them, with
    one of this machine.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # which sends nothing
            own = str(probe.getsockname()[0])
        except OSError:  # without a network
            own = "127.0.0.1"
    return url.replace("//0.0.0.0:", f"//{own}:").replace("//[::]:", "//[::1]:")


def _unblock() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOP_SIGNALS)
