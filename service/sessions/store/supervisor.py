"""Starts the server of the embedded store and keeps it running: a process of its own.

gunicorn's master starts it, and reads one line: why there is no server, or an empty one when the
server responds. The process then starts the server again whenever it dies. gunicorn waits for all
children of the master and has no hook for one that isn't a worker, and a thread in the master would
be a danger to its forks.

The files of the server hold the seeds of running games, so they are private. The manifest lists
those with the data. The server reads it only when it starts. Without it, it starts empty and
overwrites those files. So a manifest that is missing or damaged has to be noticed before that.
"""

from __future__ import annotations

import fcntl
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Thread

from service import parent_death

START_SECONDS = 5.0
LOCK_SECONDS = 5.0
"""How long to wait for the server of a killed master. On a slow disk it takes seconds to end."""

STEADY_SECONDS = 10.0
"""A server that ran so long is started again at once."""

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 30.0
"""Seconds before another one is started; each pause is twice as long as the one before."""

WATCH_SECONDS = 2.0
"""How often the manifest is checked."""

UMASK = 0o077
"""The umask of the server: only its own user can read its files."""

FOLDER = "appendonlydir"
NAME = "appendonly.aof.manifest"

_OWN = ("lock", "store.log", "appendonly.aof", FOLDER)
"""What the service and its server create; Redis 6 has a file instead of the folder."""

_LEAST_ROOM = 1 << 16
"""A disk with fewer free bytes is full: a server begins a file of commands, and a log."""

_LINE = re.compile(
    r"file (appendonly\.aof\.(\d+)\.(base|incr)\.(?:aof|rdb)) seq \d+ type ([bhi])\Z"
)
_FILE = re.compile(r"appendonly\.aof\.(\d+)\.(base|incr)\.(?:aof|rdb)\Z")


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
        self._server: subprocess.Popen[bytes] | None = None
        self._starting = self._over = False

    def run(self) -> None:
        """Starts the first server, says so or why not, and keeps one running. Ends it at last."""
        signal.signal(signal.SIGTERM, self._end)
        try:
            self._open_folder()
            self._keep_running(self._start_first())
        except NoServer as why:
            print(why, flush=True)
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            if self._server is not None:
                self._server.terminate()
                self._server.wait()

    def _end(self, *_: object) -> None:
        """Ends this process. While a server is being started, `_start` does so: before that, there
        would be nothing to end it by.
        """
        self._over = True
        if not self._starting:
            sys.exit()

    def _keep_running(self, server: subprocess.Popen[bytes]) -> None:
        """Starts another server whenever one ends, and would start with its data."""
        print(flush=True)
        parent_death.end_with(sys.stdin.fileno(), lambda: os.killpg(0, signal.SIGTERM))
        os.dup2(self._log, sys.stdout.fileno())  # which the master no longer reads
        Thread(target=self._watch_manifest, daemon=True).start()
        pause, began = 0.0, time.monotonic()
        while True:
            server.wait()
            how = f"with status {server.returncode}; see store.log"
            if server.returncode < 0:
                how = f"by {signal.Signals(-server.returncode).name}"
            steady = time.monotonic() - began >= STEADY_SECONDS
            pause = 0.0 if steady else min(max(2 * pause, FIRST_PAUSE), LONGEST_PAUSE)
            self._report(
                f"The store of sessions has ended ({how}). It is started again"
                + (f" in {pause:.3g} seconds." if pause else ".")
            )
            time.sleep(pause)
            if wrong := damage(self._folder):
                self._report(
                    f"Sessions are off: {self._manifest} {wrong}. The store starts once it is "
                    "restored."
                )
                while damage(self._folder):
                    time.sleep(WATCH_SECONDS)
            began = time.monotonic()
            server = self._start()

    def _open_folder(self) -> None:
        """Makes the folder private and locks it. Raises `NoServer` if its data can't be used."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
            appended = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            self._log = os.open(self._folder / "store.log", appended, 0o600)
            within = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
            for name in _OWN:
                _make_private(name, within)
            os.close(within)
        except OSError as error:
            raise NoServer(
                f"{self._folder} can't be written ({error.strerror}); set DATA_DIR to a writable "
                "folder, or set REDIS_URL"
            ) from None
        end = time.monotonic() + LOCK_SECONDS
        while True:
            with suppress(BlockingIOError):
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            if time.monotonic() > end:
                raise NoServer(
                    f"another service uses {self._folder}, or its store is still ending; set "
                    "DATA_DIR to another folder, set the same REDIS_URL for both, or start again"
                )
            time.sleep(0.01)
        if wrong := damage(self._folder):
            raise NoServer(
                f"{self._manifest} {wrong}; restore it, or set DATA_DIR to another folder, or set "
                "REDIS_URL"
            )

    def _start_first(self) -> subprocess.Popen[bytes]:
        """A server that responds within `START_SECONDS`, or is still loading its data then. Raises
        `NoServer`; the master ends the process group then.
        """
        (self._folder / "store.sock").unlink(missing_ok=True)
        server = self._start()
        end = time.monotonic() + START_SECONDS
        reply = b""
        while server.poll() is None and time.monotonic() < end:
            reply = ask(self._folder, b"PING")
            if reply.startswith(b"+"):
                return server
            time.sleep(0.01)
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

    def _start(self) -> subprocess.Popen[bytes]:
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
        self._starting = True
        self._server = subprocess.Popen(
            ["/bin/sh", "-c", 'exec "$@"', "sh", self._binary, *words],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            pass_fds=[self._lock],
        )
        self._starting = False
        if self._over:
            sys.exit()
        return self._server

    def _watch_manifest(self) -> None:
        """Reports a manifest that gets lost or damaged while the server runs, and has the server
        write all its data, and a manifest.
        """
        suspected = reported = ""
        while True:
            time.sleep(WATCH_SECONDS)
            wrong = damage(self._folder)
            lasts = wrong == suspected  # otherwise files may just be being replaced
            if wrong and lasts and wrong != reported and ask(self._folder, b"BGREWRITEAOF"):
                self._report(
                    f"{self._manifest} {wrong}: without it, the next start would lose all "
                    "sessions. The store writes its data anew."
                )
                reported = wrong
            elif reported and not wrong:
                self._report(f"{self._manifest} is complete again.")
                reported = ""
            suspected = wrong

    def _report(self, line: str) -> None:
        """Prints a line for the operator."""
        # here, so that the process stays small until it has something to say
        from service.operator_log import notice

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


def _make_private(name: str, within: int) -> None:
    """Removes all rights of others from the file or folder `name` and its contents.

    They may come from earlier releases. It follows no links: if others can write there, a link
    could lead anywhere.
    """
    try:
        entry = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=within)
    except OSError:  # missing, a link, or another user's
        return
    status = os.fstat(entry)
    if status.st_uid == os.geteuid():
        os.fchmod(entry, stat.S_IMODE(status.st_mode) & ~UMASK)
    if stat.S_ISDIR(status.st_mode):
        for each in os.listdir(entry):
            _make_private(each, entry)
    os.close(entry)


def damage(folder: Path) -> str:
    """What is wrong with the manifest of the data in `folder`, worded to follow its name; "" if
    nothing.

    Redis before version 7 writes one file, without a manifest. Files that a server is about to
    remove, or has begun to write, needn't be listed: they are older than the listed ones, or empty.
    """
    files = folder / FOLDER
    try:
        written = {each.name: each.stat().st_size for each in files.iterdir()}
        lines = (files / NAME).read_text(errors="replace").splitlines() if NAME in written else []
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"can't be read ({error.strerror})"
    filled = [found for name, size in written.items() if size and (found := _FILE.match(name))]
    if NAME not in written:
        return "is missing" if filled else ""
    listed = [found for line in lines if (found := _LINE.match(line))]
    if len(listed) < len(lines) or not lines:
        return "is damaged"
    newest = {"base": -1, "incr": -1}
    for found in listed:
        if found[1] not in written and found[4] != "h":
            return f"lists {found[1]}, which is missing"
        newest[found[3]] = max(newest[found[3]], int(found[2]))
    for found in filled:
        number, kind = int(found[1]), found[2]
        if number > newest[kind] and (kind == "incr" or newest[kind] < 0):
            return f"doesn't list {found[0]}"
    return ""


if __name__ == "__main__":
    Supervisor(Path(sys.argv[1]), *sys.argv[2:]).run()
