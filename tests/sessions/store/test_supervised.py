"""The service's own store is started again when it dies, and never without its data."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from service.sessions.store import embedded
from service.sessions.store.embedded import EmbeddedServer
from service.sessions.store.supervisor import FOLDER, NAME, NoServer, damage
from tests.api.sessions.playing import UNTIMED, Session, make
from tests.live import Service, lives, running
from tests.sessions import servers
from tests.sessions.servers import until
from tests.sessions.store.own_server import about, free

pytestmark = pytest.mark.usefixtures("any_server")


def is_gone(server: int) -> bool:
    """Whether the process `server` has ended; after SIGTERM it serves for a moment more."""
    return not lives(server)


def shows(session: Session, version: int) -> bool:
    """Whether the session is at `version`; False without the store."""
    reply = session.read()
    if reply.status == 503:
        return False
    assert (reply.status, reply.json["version"]) == (200, version)
    return True


def acts(session: Session, version: int) -> bool:
    """Whether a roll makes `version`: the store is there, and has all versions before."""
    reply = session.act("roll", version=version - 1, key=str(version))
    return bool(reply.status == 200 and reply.json["version"] == version)


@pytest.mark.parametrize(
    ("ending", "how"),
    [
        pytest.param(signal.SIGKILL, "by SIGKILL", marks=pytest.mark.fault),
        pytest.param(signal.SIGTERM, "with status 0; see store.log", marks=pytest.mark.proof),
    ],
)
def test_killed(own: Path, ending: signal.Signals, how: str) -> None:
    """A server that is killed or ended is started again, with all that was acknowledged; workers
    reconnect by themselves, and the log says so.
    """
    with running(DATA_DIR=str(own)) as service:
        session = make(service, "dice-poker", "ann", house_rules=UNTIMED)
        for version in (2, 3):
            server = about(own)["process_id"]
            os.kill(server, ending)
            until(partial(is_gone, server), "the server ends")
            until(partial(acts, session, version), "the action is performed")
            until(partial(shows, session, version), "it is still there, for every worker")
        service.output.wait_for(
            f"The store of sessions has ended ({how}). It is started again in 0.1 seconds.\n"
        )
        assert "Sessions are off" not in service.output.text


@pytest.mark.proof
def test_dies_again_at_once(own: Path) -> None:
    """The pauses before a server that dies again at once become longer."""
    with running(DATA_DIR=str(own)) as service:
        for pause in (0.1, 0.2, 0.4):
            until(partial(servers.answers, f"unix://{own}/store.sock"), "the server answers")
            os.kill(about(own)["process_id"], signal.SIGTERM)
            service.output.wait_for(
                f"with status 0; see store.log). It is started again in {pause}"
            )


@pytest.mark.fault
def test_stopped_while_it_pauses(own: Path) -> None:
    """A service that stops doesn't wait for a pause, and leaves no server behind."""
    with running(DATA_DIR=str(own)) as service:
        os.kill(about(own)["process_id"], signal.SIGKILL)
        service.output.wait_for("has ended")
        service.process.terminate()
        assert service.process.wait(timeout=60) == 0
    EmbeddedServer(own).stop()  # the folder is free


def test_a_server_that_is_not_there(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that can't be started is said in its log, and isn't tried again."""
    monkeypatch.setattr(embedded, "_binary", lambda: str(own / "none"))
    with pytest.raises(NoServer, match=rf"^{own}/none didn't start with the data in {own}; "):
        EmbeddedServer(own)
    assert (own / "store.log").read_text().count(f"{own}/none") == 1
    assert free(own)


def test_ended_by_itself(own: Path) -> None:
    """A supervisor that is ended ends its server, even without its guard."""
    server = EmbeddedServer(own)
    number = about(own)["process_id"]
    os.kill(os.getpgid(number), signal.SIGTERM)
    until(partial(is_gone, number), "the server ends")
    server.stop()


_ENDED_WHILE_IT_STARTS = """
import os, signal, subprocess, sys
from pathlib import Path
from service.sessions.store.supervisor import Supervisor

class Popen(subprocess.Popen):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        os.kill(os.getpid(), signal.SIGTERM)

subprocess.Popen = Popen
Supervisor(Path(sys.argv[1]), sys.argv[2], "100mb", "text").run()
"""
"""A supervisor that gets SIGTERM when its server runs, but nothing refers to that yet."""


def test_ended_while_it_starts(own: Path) -> None:
    """A supervisor that is ended while it starts its server leaves none behind."""
    command = [sys.executable, "-c", _ENDED_WHILE_IT_STARTS, str(own), embedded._binary()]
    with subprocess.Popen(command, start_new_session=True) as supervisor:
        try:
            assert supervisor.wait(60) == 0
            assert free(own)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(supervisor.pid, signal.SIGKILL)


@pytest.mark.proof
def test_deleted_while_it_runs(own: Path) -> None:
    """A manifest that is deleted while the server runs is reported, and written again."""
    with running(DATA_DIR=str(own)) as service:
        session = make(service, "dice-poker", "ann", house_rules=UNTIMED)
        manifest = own / FOLDER / NAME
        manifest.unlink()
        service.output.wait_for(
            f"{manifest} is missing: without it, the next start would lose all sessions. The store "
            "writes its data anew.\n"
        )
        service.output.wait_for(f"{manifest} is complete again.\n")
        assert damage(own) == ""
    with running(DATA_DIR=str(own)) as again:
        assert Session(again, session.made).read().json["version"] == 1


@pytest.mark.proof
def test_killed_without_a_manifest(own: Path) -> None:
    """A server that is killed after its manifest was deleted isn't started until it is restored."""
    with running(DATA_DIR=str(own)) as service:
        session = make(service, "dice-poker", "ann", house_rules=UNTIMED)
        manifest = own / FOLDER / NAME
        written = manifest.read_bytes()
        manifest.unlink()
        os.kill(about(own)["process_id"], signal.SIGKILL)
        service.output.wait_for(
            f"Sessions are off: {manifest} is missing. The store starts once it is restored.\n"
        )
        assert is_off(service, session)
        manifest.write_bytes(written)
        until(partial(acts, session, 2), "the action is performed")


def is_off(service: Service, session: Session) -> bool:
    """Whether sessions get 503, and everything else its response."""
    evaluated = service.post("/v1/variants/dice-poker/evaluate", {"dice": [1] * 5})
    return (session.read().status, evaluated.status) == (503, 200)
