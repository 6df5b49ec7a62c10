"""Starts the server of the embedded store and keeps it running: a process of its own.

gunicorn's master starts it, and reads one line: why there is no server, or an empty one when the
server responds. The process then starts the server again whenever it dies. gunicorn waits for all
children of the master and has no hook for one that isn't a worker, and a thread in the master would
be a danger to its forks.
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from select import select

from service.sessions.store.data_folder import FOLDER, NAME, damage, make_private

START_SECONDS = 5.0
LOCK_SECONDS = 5.0
"""How long to wait for the server of a killed master. On a slow disk it takes seconds to end."""

STEADY_SECONDS = 10.0
"""A server that ran so long is started again at once."""

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 30.0
"""Seconds before another one is started; each pause is twice as long as the one before."""

WATCH_SECONDS = 2.0
"""How often the manifest is checked."""

_LEAST_ROOM = 1 << 16
"""A disk with fewer free bytes is full: a server begins a file of commands, and a log."""


class NoServer(Exception):
    """Why there is no server and what to do, worded to follow "Sessions are off: "."""


class Supervisor:
    """Runs the server at the path `binary`, with `max_bytes` of memory and its data in `folder`,
    until SIGTERM. Its lines for the operator have the format `log_format`.
    """

    def __init__(self, folder: Path, binary: str, max_bytes: str, log_format: str) -> None:
        self._folder, self._binary, self._max_bytes = folder, binary, max_bytes
        self._log_format = log_format
        self._manifest = folder / FOLDER / NAME
        self._over = False
        self._signals, wake = os.pipe()  # of the signals that came, a byte each
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake)
        for each in (signal.SIGTERM, signal.SIGCHLD):
            signal.signal(each, lambda *_: None)

    def run(self) -> None:
        """Starts the first server, says so or why not, and keeps one running."""
        try:
            self._open_folder()
            server = self._first_server()
        except NoServer as why:
            print(why, flush=True)
            return
        print(flush=True)
        os.dup2(self._log, sys.stdout.fileno())  # which the master no longer reads
        pause, began = 0.0, time.monotonic()
        while True:
            how = self._watch(server)
            if self._over:
                return
            steady = time.monotonic() - began >= STEADY_SECONDS
            pause = 0.0 if steady else min(max(2 * pause, FIRST_PAUSE), LONGEST_PAUSE)
            self._report(
                f"The store of sessions has ended ({how}). It is started again"
                + (f" in {pause:.3g} seconds." if pause else ".")
            )
            self._pause(pause)
            if self._over:
                return
            began = time.monotonic()
            server = self._server()

    def _open_folder(self) -> None:
        """Makes the folder private and locks it. Raises `NoServer` if its data can't be used."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
            appended = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            self._log = os.open(self._folder / "store.log", appended, 0o600)
            make_private(self._folder)
        except OSError as error:
            raise NoServer(
                f"{self._folder} can't be written ({error.strerror}); set DATA_DIR to a writable "
                "folder, or set REDIS_URL"
            ) from None
        end = time.monotonic() + LOCK_SECONDS
        while not self._locks():
            if self._over or time.monotonic() > end:
                raise NoServer(
                    f"another service uses {self._folder}, or its store is still ending; set "
                    "DATA_DIR to another folder, set the same REDIS_URL for both, or start again"
                )
            self._wait(0.01)
        if wrong := damage(self._folder):
            raise NoServer(
                f"{self._manifest} {wrong}; restore it, or set DATA_DIR to another folder, or set "
                "REDIS_URL"
            )

    def _locks(self) -> bool:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _first_server(self) -> subprocess.Popen[bytes]:
        """A server that responds within `START_SECONDS`, or is still loading its data then. Raises
        `NoServer`; the master ends the process group then.
        """
        (self._folder / "store.sock").unlink(missing_ok=True)
        server = self._server()
        end = time.monotonic() + START_SECONDS
        reply = b""
        while server.poll() is None and not self._over and time.monotonic() < end:
            reply = ask(self._folder, b"PING")
            if reply.startswith(b"+"):
                return server
            self._wait(0.01)
        if reply.startswith(b"-LOADING") and server.poll() is None:
            return server
        disk = os.statvfs(self._folder)
        if disk.f_bavail * disk.f_frsize < _LEAST_ROOM:
            raise NoServer(
                f"the disk with {self._folder} is full; make room there, or set DATA_DIR to a "
                "folder on another, or REDIS_URL"
            )
        raise NoServer(
            f"{self._binary} didn't start with the data in {self._folder}; see store.log there, "
            "and set DATA_DIR to another folder, or REDIS_URL"
        )

    def _server(self) -> subprocess.Popen[bytes]:
        """A new server. It inherits the lock, so that the folder is locked for as long as it lives,
        whatever happens to this process. `sh` says it in the log if the binary can't be started.
        """
        options = {
            "port": "0",
            "unixsocket": str(self._folder / "store.sock"),
            "unixsocketperm": "700",
            "dir": str(self._folder),
            "appendonly": "yes",
            "appendfsync": "everysec",
            # Plain commands, which every Redis and Valkey can read: another may be used next time.
            "aof-use-rdb-preamble": "no",
            "save": "",
            "maxmemory": self._max_bytes,
            "maxmemory-policy": "noeviction",
            "loglevel": "warning",
            "logfile": str(self._folder / "store.log"),
            "daemonize": "no",
        }
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        return subprocess.Popen(
            ["/bin/sh", "-c", 'exec "$@"', "sh", self._binary, *words],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            pass_fds=[self._lock],
        )

    def _watch(self, server: subprocess.Popen[bytes]) -> str:
        """Waits until the server has ended, or ends it after SIGTERM; returns how it ended.

        If its manifest gets lost or damaged meanwhile, this reports it and has the server write all
        its data, and a manifest.
        """
        reported = suspected = ""
        while server.poll() is None:
            if self._over:
                server.terminate()
                server.wait()
                break
            self._wait(WATCH_SECONDS)
            wrong = damage(self._folder)
            if wrong and wrong == suspected != reported:  # not just while files are replaced
                self._report(
                    f"{self._manifest} {wrong}: without it, the next start would lose all "
                    "sessions. The store writes its data anew."
                )
                ask(self._folder, b"BGREWRITEAOF")
                reported = wrong
            elif not wrong and reported:
                self._report(f"{self._manifest} is complete again.")
                reported = ""
            suspected = wrong
        self._wait(0)  # it may have ended because the service does
        if server.returncode < 0:
            return f"by {signal.Signals(-server.returncode).name}"
        return f"with status {server.returncode}; see store.log"

    def _pause(self, seconds: float) -> None:
        """Waits before a server is started again, and until it would start with its data."""
        end = time.monotonic() + seconds
        while not self._over and (left := end - time.monotonic()) > 0:
            self._wait(left)
        if wrong := damage(self._folder):
            self._report(
                f"Sessions are off: {self._manifest} {wrong}. The store starts once it is restored."
            )
        while damage(self._folder) and not self._over:
            self._wait(WATCH_SECONDS)

    def _wait(self, seconds: float) -> None:
        """Waits for a signal, up to `seconds`."""
        if select([self._signals], [], [], seconds)[0]:
            self._over = signal.SIGTERM in os.read(self._signals, 64) or self._over

    def _report(self, line: str) -> None:
        """Prints a line for the operator."""
        from service.notices import notice  # the process stays small until it has something to say

        notice(line, self._log_format)


def ask(folder: Path, command: bytes) -> bytes:
    """The reply of the server in `folder` to a command without arguments, b"" if it doesn't come
    within a second. redis-py would make the process large.
    """
    with suppress(OSError), socket.socket(socket.AF_UNIX) as server:
        server.settimeout(1)
        server.connect(str(folder / "store.sock"))
        server.sendall(command + b"\r\n")
        return server.recv(256)
    return b""


if __name__ == "__main__":
    Supervisor(Path(sys.argv[1]), *sys.argv[2:]).run()
