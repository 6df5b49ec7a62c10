"""Why the service has no server of its own, and what it then says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from service.sessions.store import embedded
from service.sessions.store.embedded import EmbeddedServer
from service.sessions.store.supervisor import NoServer
from tests.api.sessions.playing import Kept
from tests.cli.commands import ran
from tests.live import Service, lives, plain_environment, running
from tests.sessions import servers
from tests.sessions.store.own_server import free

pytestmark = pytest.mark.usefixtures("any_server")


def refusals(service: Service) -> list[str]:
    """What the lines say that say that sessions are off."""
    said = [line.partition("[WARNING] ")[2] for line in service.output.text.splitlines()]
    return [text for text in said if text.startswith("Sessions are off")]


@pytest.mark.fault
def test_second_service_in_a_folder(own_kept: Kept) -> None:
    """A second service with the same folder prints one line and leaves the first alone."""
    own = Path(own_kept.store.get_connection_kwargs()["path"]).parent
    with running(DATA_DIR=str(own)) as second:
        assert second.get("/livez").status == 200
        assert refusals(second) == [
            f"Sessions are off: another service uses {own}, or its store is still ending; set "
            "DATA_DIR to another folder, set the same REDIS_URL for both, or start again."
        ]
    assert own_kept.store.ping() is True


@pytest.mark.fault
def test_no_folder_can_be_made(tmp_path: Path) -> None:
    """If the data folder can't be written, one line says so, and everything but sessions works.
    Nobody is told to try again, and `/readyz` has the reason without the path.
    """
    (tmp_path / "file").touch()
    with running(DATA_DIR=str(tmp_path / "file" / "data")) as service:
        assert service.get("/livez").status == 200
        assert refusals(service) == [
            f"Sessions are off: {tmp_path}/file/data can't be written (Not a directory); set "
            "DATA_DIR to a writable folder, or set REDIS_URL."
        ]
        ready = service.get("/readyz?store")
        assert (ready.status, ready.json["detail"]) == (
            503,
            "The store of sessions can't be used: DATA_DIR can't be written (Not a directory); set "
            "DATA_DIR to a writable folder, or set REDIS_URL.",
        )
        refused = service.post("/v1/sessions", {"variant": "dice-poker", "players": ["ann"]})
        assert (refused.status, refused.headers["Retry-After"], refused.json["detail"]) == (
            503,
            "60",
            "The store of sessions can't be used; nothing was done. Whoever runs the service finds "
            "the reason in its log, and at /readyz?store.",
        )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere: run it as another user")
def test_read_only_folder(tmp_path: Path) -> None:
    """A folder that can't be written raises NoServer with the reason."""
    tmp_path.chmod(0o500)
    with pytest.raises(NoServer) as caught:
        EmbeddedServer(tmp_path / "data")
    assert str(caught.value) == (
        f"{tmp_path}/data can't be written (Permission denied); set DATA_DIR to a writable "
        "folder, or set REDIS_URL"
    )


def test_folder_with_too_long_a_path(tmp_path: Path) -> None:
    """A path that is too long for a socket raises NoServer before anything is created."""
    long = tmp_path / ("x" * 100)
    most = embedded.LONGEST_SOCKET_PATH
    with pytest.raises(NoServer) as caught:
        EmbeddedServer(long)
    assert (str(caught.value), long.exists()) == (
        f"the path of a socket has at most {most} bytes, and {long}/store.sock is longer; set "
        "DATA_DIR to a shorter one, or REDIS_URL",
        False,
    )


@pytest.mark.fault
def test_a_server_that_never_answers(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is silent from the start is ended, and leaves the folder to the next."""
    own, silent, begun = folder / "silent", tmp_path / "silent-server", tmp_path / "begun"
    silent.write_text(f"#!/bin/sh\necho $$ >{begun}\nexec sleep 600\n")
    silent.chmod(0o755)
    with monkeypatch.context() as patched:
        patched.setattr(embedded, "_binary", lambda: str(silent))
        with pytest.raises(NoServer) as caught:
            EmbeddedServer(own)
    assert str(caught.value) == (
        f"{silent} didn't start with the data in {own}; see store.log there, and set DATA_DIR to "
        "another folder, or REDIS_URL"
    )
    server = int(begun.read_text())
    servers.until(lambda: not lives(server), "the server ends")
    EmbeddedServer(own).stop()


def test_a_server_that_cannot_be_started(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the system starts no process, NoServer says why, and the folder is left to the next."""
    binary = tmp_path / ("n" * 200_000)  # longer than an argument may be
    with monkeypatch.context() as patched:
        patched.setattr(embedded, "_binary", lambda: str(binary))
        with pytest.raises(NoServer) as caught:
            EmbeddedServer(folder)
    assert str(caught.value) == (
        f"{binary} can't be started (Argument list too long); set REDIS_URL"
    )
    EmbeddedServer(folder).stop()


@pytest.mark.fault
def test_broken_data(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Data that the server can't load is left unchanged, and one line says where to look."""
    monkeypatch.setenv("PATH", plain_environment()["PATH"])
    own = folder / "broken"
    server = EmbeddedServer(own)
    server.stop()
    (written,) = (own / "appendonlydir").glob("*.incr.aof")
    written.write_bytes(b"no commands\r\n" * 9)
    with running(DATA_DIR=str(own)) as service:
        assert service.get("/livez").status == 200
        (line,) = refusals(service)
    assert line.endswith(
        f"didn't start with the data in {own}; see store.log there, and set DATA_DIR to another "
        "folder, or REDIS_URL."
    )
    assert (written.read_bytes(), free(own)) == (b"no commands\r\n" * 9, True)


NO_BINARY = """
import os, sys
from service.sessions.store import embedded, supervisor
from service.settings import Settings
Settings.from_environment()  # as the service does first; it needs modules
sys.path.clear()  # so that no package is found either
os.environ["PATH"] = "/nowhere"
embedded.start(Settings(data_dir=sys.argv[1]))
try:
    embedded.url(Settings())
except supervisor.NoServer as why:
    print(why)
"""


def test_no_server_on_this_machine(tmp_path: Path) -> None:
    """Without a server on the machine, one line says what to install or set; nothing is created."""
    own = tmp_path / "data"
    done = ran(own, program=NO_BINARY)
    why = (
        "there is no redis-server or valkey-server on this machine, and none packaged for it; "
        "install one, or set REDIS_URL"
    )
    assert (done.returncode, done.stdout, own.exists()) == (0, f"{why}\n", False)
    assert done.stderr.endswith(f"[WARNING] Sessions are off: {why}.\n")
