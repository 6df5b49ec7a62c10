"""Tables of running services and apps, each in the folder that its settings name."""

from __future__ import annotations

import os
import re
import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

from service.app import create_app
from service.settings import Settings
from service.tables import serving
from service.tables.lock import PLACES, PREFIX, last_record
from tests.api.causes import LANGUAGE, LANGUAGES, Said
from tests.live import JSON, Reply, Service, running
from tests.tables.asking import is_making, until

BEGUN = "not ready: it has just been begun. Try again in 2 seconds."


def ask(service: Service) -> Reply:
    """Asks for advice that needs a table which nobody prepares."""
    asked = {"card": {}, "house_rules": {"joker": True}}
    return service.post("/v1/variants/dice-poker/advise", asked)


def refused(reply: Reply) -> str:
    """What a 503 says; it has to say when to ask again, too."""
    assert reply.status == 503
    detail: str = reply.json["detail"]
    wait = re.search(r"Try again in (\d+) seconds?\.$", detail)
    assert wait
    assert reply.headers["Retry-After"] == wait[1]
    return detail


NOT_READY = Said(
    "table-in-the-making",
    503,
    "The table of this game under these house rules is not ready: it has just been begun. Try "
    "again in 2 seconds.",
)


@pytest.mark.fault
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_it_says(tmp_path: Path, language: str) -> None:
    """Whoever asks first for a table learns that it has been begun."""
    path, body = "/v1/variants/dice-poker/advise", b'{"card": {}}'
    with running(DATA_DIR=str(tmp_path)) as service:
        reply = service.ask("POST", path, body, {"Content-Type": JSON, LANGUAGE: language})
    NOT_READY.check_reply(reply, path, language)


def maker(folder: Path) -> int:
    """The process that makes the table, once it has solved some of it."""

    def has_begun() -> bool:
        return 0 < last_record(folder).fraction < 1

    until(has_begun, "some of the table is made")
    return last_record(folder).process


def test_data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two apps of a process have tables in two folders, wherever DATA_DIR of the environment is."""
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "environment"))
    try:
        for name in ("one", "other"):
            app = create_app(Settings(data_dir=str(tmp_path / name)))
            reply = app.test_client().post("/v1/variants/dice-poker/advise", json={"card": {}})
            assert reply.status_code == 503
            assert reply.get_json()["detail"].startswith(
                "The table of this game under these house rules is"
            )
    finally:
        serving.stop()
    assert {each.parents[1].name for each in tmp_path.rglob("making.lock")} == {"one", "other"}


def temporary() -> set[Path]:
    """The temporary folders of services on this machine."""
    return {path for place in PLACES for path in Path(place).glob(f"{PREFIX}*")}


@pytest.mark.fault
def test_temporary_folder(tmp_path: Path) -> None:
    """A service that can't write in DATA_DIR starts as fast, and leaves no folder behind."""
    (tmp_path / "file").touch()
    before = temporary()
    with running(DATA_DIR=str(tmp_path / "file" / "data")) as service:
        assert service.get("/livez").status == 200
        found = temporary() - before
        assert found
    until(lambda: not found & temporary(), "the folder is removed")


@pytest.mark.proof
def test_table_is_made_despite_everything(tmp_path: Path) -> None:
    """Services with one folder have one process make the table; if it ends, either starts another.

    While it is frozen, requests are answered, and so is everything else.
    """
    folder = tmp_path / "tables"
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(running(DATA_DIR=str(tmp_path), WEB_CONCURRENCY="2"))
            for _ in range(2)
        )
        assert refused(ask(first)).endswith(BEGUN)
        process = maker(folder)
        os.kill(process, signal.SIGSTOP)
        for service in (first, second):
            assert re.search(r"not ready: \d+% of it is done", refused(ask(service)))
            assert service.get("/livez").status == 200
        first.process.kill()
        first.process.wait(timeout=300)
        os.kill(process, signal.SIGCONT)
        until(lambda: not is_making(folder), "the process ends with its service")
        assert refused(ask(second)).endswith(BEGUN)
        os.kill(maker(folder), signal.SIGKILL)
        until(lambda: not is_making(folder), "the process is gone")
        assert refused(ask(second)).endswith(BEGUN)
        until(lambda: ask(second).status == 200, "there is advice")
