"""One service replaces another one on the same store, while clients go on playing."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from tests.api.sessions.playing import UNTIMED, Session, make, refusal
from tests.faults.players import Players, playing
from tests.live import Service, running
from tests.sessions import servers

NEXT_RELEASE = "--logger-class=tests.faults.next_release.NextRelease"
MORE = 50


def move(players: Players, service: Service) -> None:
    """Sends the requests of all clients to `service` from now on, as a proxy does."""
    players.service = service
    players.await_more(MORE)


def test_restart(tmp_path: Path) -> None:
    """A service takes over from another one, which stops while clients play. No request is lost."""
    with (
        servers.on_a_socket(servers.either(), tmp_path) as url,
        running(REDIS_URL=url, WEB_CONCURRENCY="2") as new,
        ExitStack() as stack,
    ):
        old = stack.enter_context(running(REDIS_URL=url, WEB_CONCURRENCY="2"))
        with playing(old) as players:
            move(players, new)
            stack.close()
            players.await_more(MORE)
        found = players.find().printed("a service replaced by another one")
        assert "SIGKILL" not in old.output.whole
    assert (found.lost, found.twice, found.refused, found.failed) == (0, 0, 0, 0)


def test_next_release(tmp_path: Path) -> None:
    """A release with a new format of sessions goes on with all sessions of the old one, which
    leaves alone what the new one has written, and says so.
    """
    with (
        servers.on_a_socket(servers.either(), tmp_path) as url,
        running(REDIS_URL=url, WEB_CONCURRENCY="2") as old,
    ):
        with running(REDIS_URL=url, WEB_CONCURRENCY="2", GUNICORN_CMD_ARGS=NEXT_RELEASE) as new:
            untouched = make(old, "dice-poker", "ann", "ben", house_rules=UNTIMED)
            with playing(old) as players:
                move(players, new)
                players.await_more(MORE)
            found = players.find().printed("a release with a new format of sessions")
            made = make(old, "dice-poker", "ann", "ben", house_rules=UNTIMED).made
            taken_over = Session(new, made)
            assert taken_over.act("roll", version=1).json["version"] == 2
            before = taken_over.stands()
            detail = "A newer release of the service wrote this session"
            for refused in (Session(old, made).read(), Session(old, made).act("roll", version=2)):
                assert refusal(refused, 409).startswith(detail)
            assert taken_over.stands() == before
            created = make(new, "dice-poker", "ann", house_rules=UNTIMED)
            assert refusal(Session(old, created.made).read(), 409).startswith(detail)
        assert untouched.act("roll", version=1).json["version"] == 2
    assert (found.lost, found.twice, found.refused, found.failed) == (0, 0, 0, 0)
