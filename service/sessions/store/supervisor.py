"""Keeps the server of the embedded store running: a process between gunicorn's master and it.

It starts the server again when it dies. gunicorn waits for all children of the master and has no
hook for one that isn't a worker, and a thread in the master would be a danger to its forks.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from select import select

from service.sessions.store.data_folder import FOLDER, NAME, damage

RESPONDS = signal.SIGUSR1
"""What the master sends once the server has responded: from then on, it is started again. A server
that can't even start is the master's to report."""

STEADY_SECONDS = 10.0
"""A server that ran so long is started again at once."""

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 30.0
"""Seconds before another one is started; each pause is twice as long as the one before."""

WATCH_SECONDS = 2.0
"""How often the manifest is checked."""


class Supervisor:
    """Runs `command`, a server with its data in `folder`, until SIGTERM; it inherits `lock`.

    Its lines for the operator have the format `log_format`.
    """

    def __init__(self, folder: Path, lock: int, log_format: str, command: Sequence[str]) -> None:
        self._folder, self._lock, self._command = folder, lock, command
        self._log_format = log_format
        self._manifest = folder / FOLDER / NAME
        self._over = self._responds = False
        self._signals, wake = os.pipe()  # of the signals that came, a byte each
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake)
        for each in (signal.SIGTERM, signal.SIGCHLD, RESPONDS):
            signal.signal(each, lambda *_: None)

    def run(self) -> int:
        """Returns the exit status: 1 if the first server ended before it responded."""
        pause = 0.0
        while True:
            began = time.monotonic()
            how = self._serve()
            self._wait(0)  # its end may be that of the service
            if self._over:
                return 0
            if not self._responds:
                return 1
            steady = time.monotonic() - began >= STEADY_SECONDS
            pause = 0.0 if steady else min(max(2 * pause, FIRST_PAUSE), LONGEST_PAUSE)
            self._report(
                f"The store of sessions has ended ({how}). It is started again"
                + (f" in {pause:.3g} seconds." if pause else ".")
            )
            until = time.monotonic() + pause
            while not self._over and (left := until - time.monotonic()) > 0:
                self._wait(left)
            if wrong := damage(self._folder):  # a server would start without the data
                self._report(
                    f"Sessions are off: {self._manifest} {wrong}. The store starts once it is "
                    "restored."
                )
            while damage(self._folder) and not self._over:
                self._wait(WATCH_SECONDS)

    def _serve(self) -> str:
        """Runs a server; returns how it ended. If its manifest gets lost or damaged meanwhile, it
        reports that and has the server write all its data, and a manifest.
        """
        if self._over:
            return ""
        try:
            server = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stderr=sys.stdout, pass_fds=[self._lock]
            )
        except OSError as error:
            print(error, flush=True)  # into its log
            return "with status 1; see store.log"
        reported = suspected = ""
        while server.poll() is None:
            self._wait(WATCH_SECONDS)
            if self._over:
                server.terminate()
                server.wait()
                return ""
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
        if server.returncode < 0:
            return f"by {signal.Signals(-server.returncode).name}"
        return f"with status {server.returncode}; see store.log"

    def _wait(self, seconds: float) -> None:
        """Waits for a signal, up to `seconds`, and notes what it says."""
        if select([self._signals], [], [], seconds)[0]:
            came = os.read(self._signals, 64)
            self._over = self._over or signal.SIGTERM in came
            self._responds = self._responds or RESPONDS in came

    def _report(self, line: str) -> None:
        """Prints a line for the operator."""
        from service.notices import notice  # the process stays small until it has something to say

        notice(line, self._log_format)


def ask(folder: Path, command: bytes) -> bytes:
    """The reply of the server in `folder` to a command without arguments, b"" if it doesn't come
    within a second. This needs no redis-py, which would make the process large.
    """
    with suppress(OSError), socket.socket(socket.AF_UNIX) as server:
        server.settimeout(1)
        server.connect(str(folder / "store.sock"))
        server.sendall(command + b"\r\n")
        return server.recv(256)
    return b""


def command(folder: Path, lock: int, log_format: str, server: Sequence[str]) -> list[str]:
    """The command of a supervisor, whose standard output is the log of the server."""
    return [sys.executable, "-m", __name__, str(folder), str(lock), log_format, *server]


def environment() -> dict[str, str]:
    """The environment of a supervisor, which has to find this package."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


if __name__ == "__main__":
    folder, lock, log_format, *server = sys.argv[1:]
    sys.exit(Supervisor(Path(folder), int(lock), log_format, server).run())
