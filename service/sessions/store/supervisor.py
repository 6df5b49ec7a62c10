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
from threading import Thread

from service.sessions.store.manifest import FOLDER, NAME, damage

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
        self._server: subprocess.Popen[bytes] | None = None
        self._ended, self._end = os.pipe()  # a signal's handler may not touch a lock
        self._responds = False

    def run(self) -> int:
        """Returns the exit status: 1 if the first server ended before it responded."""
        signal.signal(signal.SIGTERM, self._on_end)
        signal.signal(RESPONDS, self._on_response)
        Thread(target=self._watch, daemon=True).start()
        pause = 0.0
        while not self._over():
            began = time.monotonic()
            status = self._serve()
            if self._over():
                break
            if not self._responds:
                return 1
            steady = time.monotonic() - began >= STEADY_SECONDS
            pause = 0.0 if steady else min(max(2 * pause, FIRST_PAUSE), LONGEST_PAUSE)
            self._report(
                f"The store of sessions has ended ({_how(status)}). It is started again"
                + (f" in {pause:.3g} seconds." if pause else ".")
            )
            self._over(pause)
            self._await_manifest()
        return 0

    def _serve(self) -> int:
        """Runs a server; returns its exit status."""
        try:
            self._server = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stderr=sys.stdout, pass_fds=[self._lock]
            )
        except OSError as error:
            print(error, flush=True)  # into its log
            return 1
        if self._over():  # the signal came before there was a server
            self._server.terminate()
        return self._server.wait()

    def _on_end(self, *_: object) -> None:
        """Ends the server, and then this process."""
        os.write(self._end, b".")
        if self._server is not None:
            self._server.terminate()

    def _on_response(self, *_: object) -> None:
        self._responds = True

    def _over(self, seconds: float = 0.0) -> bool:
        """Waits up to `seconds` for the end of the service; returns whether it has come."""
        return bool(select([self._ended], [], [], seconds)[0])

    def _await_manifest(self) -> None:
        """Waits as long as a server would start without the data."""
        wrong = damage(self._folder)
        if wrong:
            self._report(
                f"Sessions are off: {self._manifest} {wrong}. The store starts once it is restored."
            )
        while damage(self._folder) and not self._over(WATCH_SECONDS):
            pass

    def _watch(self) -> None:
        """Reports a manifest that is missing or damaged, and has the server write another one."""
        reported = suspected = ""
        while not self._over(WATCH_SECONDS):
            wrong = damage(self._folder)
            if wrong and wrong == suspected != reported:  # not just while files are replaced
                self._report(
                    f"{self._manifest} {wrong}: without it, the next start would lose all "
                    "sessions. The store writes its data anew."
                )
                self._rewrite()
                reported = wrong
            elif not wrong and reported:
                self._report(f"{self._manifest} is complete again.")
                reported = ""
            suspected = wrong

    def _report(self, line: str) -> None:
        """Prints a line for the operator."""
        from service.operator_log import (
            notice,  # the process stays small until it has something to say
        )

        notice(line, self._log_format)

    @property
    def _manifest(self) -> Path:
        return self._folder / FOLDER / NAME

    def _rewrite(self) -> None:
        """Has the server write all its data, and a manifest."""
        with suppress(OSError), socket.socket(socket.AF_UNIX) as server:
            server.settimeout(1)
            server.connect(str(self._folder / "store.sock"))
            server.sendall(b"BGREWRITEAOF\r\n")
            server.recv(256)


def command(folder: Path, lock: int, log_format: str, server: Sequence[str]) -> list[str]:
    """The command of a supervisor, whose standard output is the log of the server."""
    return [sys.executable, "-m", __name__, str(folder), str(lock), log_format, *server]


def environment() -> dict[str, str]:
    """The environment of a supervisor, which has to find this package."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def _how(status: int) -> str:
    """How a server ended, by its exit status."""
    if status < 0:
        return f"by {signal.Signals(-status).name}"
    return f"with status {status}; see store.log"


if __name__ == "__main__":
    folder, lock, log_format, *server = sys.argv[1:]
    sys.exit(Supervisor(Path(folder), int(lock), log_format, server).run())
