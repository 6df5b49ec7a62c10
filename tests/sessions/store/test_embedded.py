"""The service's own server: private, kept on disk, and gone when the service is."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import stat
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Timer

import pytest

from service.sessions.store import embedded
from service.sessions.store.embedded import EmbeddedServer
from service.sessions.store.supervisor import NoServer
from service.settings import Settings
from tests.api.sessions.playing import Kept
from tests.cli.commands import ran, said
from tests.live import Service, lives, running
from tests.sessions import servers
from tests.sessions.store.own_server import about, client_of, free, rewrite, started

pytestmark = pytest.mark.usefixtures("any_server")


def replaced(service: Service, old: list[int]) -> bool:
    """Whether the service has other workers than the `old` ones, and none of those."""
    new = service.workers()
    return bool(new) and not set(new) & set(old)


def guards(group: int) -> list[int]:
    """The processes of a group that run a shell."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
            if int(fields[2]) == group and b"sh\0-c" in Path(f"/proc/{name}/cmdline").read_bytes():
                found.append(int(name))
    return found


@pytest.mark.smoke
def test_is_private_and_kept(own_kept: Kept) -> None:
    """The embedded server listens only on a private socket, and writes each change to disk."""
    path = Path(own_kept.store.get_connection_kwargs()["path"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    asked = ["port", "unixsocketperm", "appendonly", "appendfsync", "save", "maxmemory-policy"]
    assert [own_kept.store.config_get(name)[name] for name in asked] == [
        "0",
        "700",
        "yes",
        "everysec",
        "",
        "noeviction",
    ]


@pytest.mark.fault
def test_the_packaged_server_is_tested(
    folder: Path, tmp_path: Path, packaged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Services in tests use the packaged server, even on a machine that has another."""
    (tmp_path / "redis-server").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "redis-server").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    own = folder / "tested"
    with running(DATA_DIR=str(own)):
        assert about(own)["executable"] == packaged


@pytest.mark.fault
@pytest.mark.parametrize(
    "stop",
    [*(pytest.param(stop, marks=pytest.mark.proof) for stop in ("SIGTERM", "Ctrl-C")), "SIGKILL"],
)
def test_ends_with_the_service_and_keeps_what_it_had(folder: Path, stop: str) -> None:
    """However the service ends, its server ends too; the next service finds the stored sessions."""
    own = folder / stop
    with running(DATA_DIR=str(own)) as service:
        with client_of(own) as client:
            client.set("kept", stop)
        if stop == "Ctrl-C":  # a terminal sends it to the whole process group
            os.killpg(service.process.pid, signal.SIGINT)
        else:
            os.kill(service.process.pid, getattr(signal, stop))
        ended = service.process.wait(timeout=60)
        if stop == "SIGKILL":
            servers.until(lambda: free(own), "the server ends with the master")
        assert (ended, free(own)) == (-9 if stop == "SIGKILL" else 0, True)
    with running(DATA_DIR=str(own)) as service, client_of(own) as client:
        assert (client.get("kept"), "Sessions are off" in service.output.text) == (
            stop.encode(),
            False,
        )


@pytest.mark.fault
def test_the_folder_is_locked_for_as_long_as_the_server_lives(folder: Path) -> None:
    """A master that is killed doesn't take the lock from its server, which still has the files: no
    other service may use them. The server ends, even if its guard was killed before.
    """
    own = folder / "locked"
    with running(DATA_DIR=str(own)) as service:
        server = about(own)["process_id"]
        group = os.getpgid(server)
        (guard,) = guards(group)
        os.kill(group, signal.SIGSTOP)  # the supervisor
        for process in (guard, service.process.pid):
            os.kill(process, signal.SIGKILL)
        service.process.wait(timeout=60)
        assert (lives(server), free(own)) == (True, False)
        os.kill(group, signal.SIGCONT)
        servers.until(lambda: free(own), "the server ends")


@pytest.mark.fault
def test_outlives_workers_and_reloads(folder: Path) -> None:
    """The server keeps running when a worker dies and when all are reloaded."""
    own = folder / "outlives"
    with running(DATA_DIR=str(own)) as service:
        assert service.get("/livez").status == 200  # there is a worker by now
        before = about(own)["process_id"]
        for signalled in ("worker", "master"):
            old = service.workers()
            if signalled == "worker":
                (worker,) = old
                os.kill(worker, signal.SIGKILL)
            else:
                os.kill(service.process.pid, signal.SIGHUP)
            servers.until(partial(replaced, service, old), "there is another worker")
            assert service.get("/livez").status == 200
            assert about(own)["process_id"] == before


def test_a_service_that_is_just_leaving(folder: Path) -> None:
    """A folder that another service still has can be used if it leaves within a moment: after a
    master that was killed, its server ends a little later.
    """
    own = folder / "left"
    own.mkdir(mode=0o700)
    held = os.open(own / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(held, fcntl.LOCK_EX)
    leaves = Timer(0.1, os.close, [held])
    leaves.start()
    with started(own) as client:
        assert client.ping() is True
    leaves.join()


@pytest.mark.parametrize("name", ["redis-server", "valkey-server"])
def test_machine_has_a_server(
    folder: Path, tmp_path: Path, any_server: str, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A server on the PATH is preferred to the packaged one."""
    found = tmp_path / name
    found.write_text(f'#!/bin/sh\necho "$0" > {tmp_path}/used\nexec {any_server} "$@"\n')
    found.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    EmbeddedServer(folder / f"path-{name}").stop()
    assert (tmp_path / "used").read_text() == f"{found}\n"


def test_packaged_server(
    folder: Path, tmp_path: Path, packaged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a server on the PATH the packaged one runs, and the next one finds its data."""
    monkeypatch.setenv("PATH", str(tmp_path))
    own = folder / "packaged"
    for expected in (None, b"yes"):
        with started(own) as client:
            assert client.get("kept") == expected
            client.set("kept", "yes")
            assert client.info("server")["executable"] == packaged


def test_data_of_one_server_in_the_other(
    folder: Path, debian: str, packaged: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine's own server, installed later, reads what the packaged one wrote."""
    own = folder / "moved"
    used = tmp_path / "redis-server"
    monkeypatch.setenv("PATH", str(tmp_path))
    for binary, expected in ((packaged, None), (debian, packaged), (packaged, debian)):
        used.unlink(missing_ok=True)
        used.symlink_to(binary)
        with started(own) as client:
            assert client.get("by") == (expected.encode() if expected else None)
            client.set("by", binary)
            rewrite(client)


def test_bad_url_stops_the_start() -> None:
    """An invalid REDIS_URL prevents the start with one sentence."""
    assert said(ran(REDIS_URL="redis+cluster://host/1")) == (
        1,
        "",
        "The service can't start: REDIS_URL must have no database: a Redis Cluster has only one.\n",
    )


def test_the_url_of_no_server(tmp_path: Path) -> None:
    """Without REDIS_URL, and without a server of its own, a service has no store. With a REDIS_URL
    no server is started, and that URL is used.
    """
    with pytest.raises(NoServer) as caught:
        embedded.url(Settings())
    assert str(caught.value) == "there is neither a REDIS_URL nor a server of the service's own"
    given = Settings(redis_url="redis://127.0.0.1:1", data_dir=str(tmp_path / "data"))
    embedded.start(given)
    assert (embedded.url(given), (tmp_path / "data").exists()) == ("redis://127.0.0.1:1", False)


def test_the_longest_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path of the socket may be as long as the system allows, and no longer."""
    monkeypatch.chdir(tmp_path)
    longest = "s" * embedded.LONGEST_SOCKET_PATH
    with socket.socket(socket.AF_UNIX) as own:
        own.bind(longest)
    with socket.socket(socket.AF_UNIX) as own, pytest.raises(OSError, match="too long"):
        own.bind(f"{longest}s")
