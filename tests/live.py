"""A real gunicorn for tests, and a plain client of it."""

from __future__ import annotations

import fcntl
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from http.client import HTTPConnection
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from service.sessions.store.embedded import packaged_binary
from service.settings import Settings
from service.variants import SETTING
from tests.contract.checker import check_raw, contract_checker

ROOT = Path(__file__).parents[1]
JSON = "application/json"
PROBLEM = "application/problem+json"

SHARED_TABLES = "TESTS_SHARED_TABLES"
"""The environment variable with the folder of the tables that all services of a test run share."""

WORKER = "TESTS_WORKER"
"""The environment variable with the class of the workers of the services, if it isn't their own. In
tests they have more time for the store: on a busy machine, it waits for its disk.
"""


@dataclass(frozen=True)
class Reply:
    """What the service answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def pointers(self) -> set[str]:
        """The pointers of a problem's errors."""
        return {error["pointer"] for error in self.json["errors"]}


class Output:
    """What a process prints, read as it comes so that the process never waits for a reader."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._lines: list[str] = []
        self._changed = threading.Condition()
        self._ended = False
        self._reader = threading.Thread(target=self._read, args=(process,), daemon=True)
        self._reader.start()

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                with self._changed:
                    self._lines.append(line)
                    self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def wait_for(self, word: str, seconds: float = 60) -> None:
        """Waits until a line holds `word`; fails if none does in time or before the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or word in self.text, seconds)
        assert word in self.text, self.text

    @property
    def text(self) -> str:
        """All that was printed so far."""
        return "".join(self._lines)

    @property
    def whole(self) -> str:
        """All that was printed, once the process has ended."""
        self._reader.join(60)
        return self.text


@dataclass(frozen=True)
class Service:
    """A running service."""

    port: int
    process: subprocess.Popen[str]
    output: Output

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """One request over a connection of its own; the answer is held to the contract."""
        reply = self.ask_unchecked(method, path, body, headers)
        contract_checker().check(method, path, reply.status, reply.headers, reply.body)
        return reply

    def ask_unchecked(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """The same for a service whose settings differ from the contract."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            joined = {name: response.getheader(name, "") for name in response.headers}
            return Reply(response.status, joined, response.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Reply:
        """A GET; a header's name is written with underscores."""
        return self.ask("GET", path, headers=named(headers))

    def post(self, path: str, body: object, **headers: str) -> Reply:
        """A POST of `body` as JSON, perhaps with further headers."""
        given = {"Content-Type": JSON, **named(headers)}
        return self.ask("POST", path, json.dumps(body).encode(), given)

    def workers(self) -> list[int]:
        """The worker processes that live: gunicorn's log names each one that it starts."""
        started = "Booting worker with pid: "
        self.output.wait_for(started)
        pids = re.findall(rf"{started}(\d+)", self.output.text)
        return [pid for pid in map(int, pids) if lives(pid)]

    def send(self, data: bytes) -> bytes:
        """Everything that comes back for bytes on a raw connection, held to the contract."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as raw:
            raw.sendall(data)
            raw.shutdown(socket.SHUT_WR)
            received = b"".join(iter(lambda: raw.recv(65536), b""))
        check_raw(data, received)
        return received


def named(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers whose names are written with underscores, as the names of arguments are."""
    return {name.replace("_", "-"): value for name, value in headers.items()}


def lives(pid: int) -> bool:
    """Whether the process `pid` is there, and not merely its exit status."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return fields[0] != "Z"


def plain_environment() -> dict[str, str]:
    """The environment without anything that would change the service, but games from outside.

    Where the package has a server for sessions, that one is used and tested: the PATH leads to no
    other that the machine may have. The service starts nothing else by its name.
    """
    ours = {setting.name.upper() for setting in fields(Settings)} | {
        "GUNICORN_CMD_ARGS",
        "MAKELEVEL",
    }
    ours -= {SETTING}  # the tests run over all games that they find
    plain = {name: value for name, value in os.environ.items() if name not in ours}
    if packaged_binary() is not None:
        plain["PATH"] = str(Path(sys.executable).parent)
    return plain


_ports = islice(cycle(range(10_000, 32_000)), os.getpid() * 97 % 22_000, None)


def free_port() -> int:
    """A port that nobody listens on.

    It isn't one of those that the system gives to clients, and each process that tests begins at
    another one: so nobody takes it before the server does for which it is.
    """
    for port in _ports:
        with socket.socket() as probe, suppress(OSError):  # it is taken
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("there is always a next port")


def listens(port: int) -> bool:
    """Whether somebody listens on `port`."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def share_tables(data: str) -> None:
    """Has a new data folder share the tables of all services of a test run."""
    if SHARED_TABLES in os.environ:
        (Path(data) / "tables").symlink_to(os.environ[SHARED_TABLES])


@contextmanager
def running(*words: str, **settings: str) -> Iterator[Service]:
    """A service with `settings`, in gunicorn as `make run` has it; stopped afterwards.

    `words` are the arguments of Python that start another one, if any.

    Each has its own data folder by default. It lies right in the folder for
    temporary files, as the path of a socket in it must be short. No tables are made that nobody
    needs, and all services of a test run share them.
    """
    with tempfile.TemporaryDirectory() as folder:
        share_tables(folder)
        try:
            yield from _running(
                words or ("-m", "service"), {"DATA_DIR": folder, "PREPARE_TABLES": "0", **settings}
            )
        finally:
            _wait_for_store(Path(folder))


def _wait_for_store(folder: Path) -> None:
    """Waits until the store in `folder`, if any, has ended: it holds the lock, ends after the
    master, and writes its log until then.
    """
    with suppress(FileNotFoundError), (folder / "lock").open() as lock:
        waits = threading.Thread(target=fcntl.flock, args=(lock, fcntl.LOCK_EX), daemon=True)
        waits.start()
        waits.join(60)
        assert not waits.is_alive(), f"the store in {folder} doesn't end"


def _running(words: Sequence[str], settings: Mapping[str, str]) -> Iterator[Service]:
    port = free_port()
    options = ["--log-level=info"]  # names the workers
    if WORKER in os.environ:
        options += [f"--worker-class={os.environ[WORKER]}"]
    options += [settings.get("GUNICORN_CMD_ARGS", "")]
    settings = {**settings, "GUNICORN_CMD_ARGS": " ".join(options)}
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=ROOT,
        env={**plain_environment(), "PORT": str(port), "WEB_CONCURRENCY": "1", **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )  # fmt: skip
    output = Output(process)
    try:
        output.wait_for("/docs")
        yield Service(port, process, output)
    finally:
        process.terminate()
        process.wait(timeout=60)
