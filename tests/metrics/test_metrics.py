"""`/metrics` of a running service, read by the client library of Prometheus."""

from __future__ import annotations

import json
import os
import resource
import signal
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest

from service import __version__
from service.app import create_app
from service.metrics.declared import declared
from service.settings import Settings, parse_endpoint
from tests.api.sessions.playing import make
from tests.live import JSON, PROBLEM, Service, free_port, running
from tests.metrics import broken_card
from tests.metrics.scrapes import OPENMETRICS, Samples, scraped, scraped_as_openmetrics, value
from tests.sessions.servers import until

EVALUATE = "/v1/variants/dice-poker/evaluate"
REQUESTS = "dice_http_request_duration_seconds"


@pytest.fixture(scope="module")
def two_workers() -> Iterator[Service]:
    """A service with two workers, for these tests alone."""
    with running(WEB_CONCURRENCY="2", COMMIT="1a2b3c4") as service:
        yield service


def requests(found: Samples, method: str, route: str, status: int | str) -> float:
    """How many requests were counted."""
    return value(found, f"{REQUESTS}_count", method=method, route=route, status=str(status))


def test_every_metric_is_there(two_workers: Service) -> None:
    """Both formats name every metric with its kind and meaning, whether it has samples or not."""
    for media_type, start in (("", "text/plain; version=0.0.4"), (OPENMETRICS, OPENMETRICS)):
        reply = two_workers.get("/metrics", Accept=media_type or "*/*")
        assert reply.headers["Content-Type"].startswith(start)
        lines = reply.body.decode().splitlines()
        names = [line.split()[2] for line in lines if line.startswith("# TYPE ")]
        cut = "_total" if media_type else "\n"
        assert names == [each.name.removesuffix(cut) for each in declared()]


def test_connections_that_are_accepted(two_workers: Service) -> None:
    """Each worker accepts 10,000 connections, or as many as it may open files besides its own."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    own = 10_000 if most == resource.RLIM_INFINITY else min(10_000, most - 256)

    def both() -> bool:  # one of them may have begun before the other
        return scraped(two_workers).get(("dice_connections_max", frozenset())) == 2 * own

    until(both, "both workers accept connections")


def test_prometheus_gets_openmetrics(two_workers: Service) -> None:
    """Prometheus asks for several formats, and gets the one that it prefers."""
    accept = (
        "application/openmetrics-text;version=1.0.0;q=0.5,"
        "application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2"
    )
    reply = two_workers.get("/metrics", Accept=accept)
    assert reply.headers["Content-Type"] == f"{OPENMETRICS}; version=1.0.0; charset=utf-8"
    assert reply.body.endswith(b"\n# EOF\n")


def test_requests_by_route_and_status(two_workers: Service) -> None:
    """Requests to both workers are counted by template, method and status, and so are refusals."""
    before = scraped(two_workers)
    for _ in range(20):
        two_workers.post(EVALUATE, {"dice": [1, 2, 3, 4, 5]})
    two_workers.post(EVALUATE, {"dice": [1, 2, 3, 4]})
    two_workers.get("/v1/sessions/" + "x" * 22, Authorization="Bearer x")
    two_workers.get("/nowhere/secret")
    two_workers.ask("PROPFIND", "/livez")
    two_workers.send(f"POST {EVALUATE} HTTP/1.1\r\n\r\n".encode())
    after = scraped(two_workers)
    counted = {
        ("POST", EVALUATE, 200): 20,
        ("POST", EVALUATE, 422): 1,
        ("GET", "/v1/sessions/{session_id}", 404): 1,
        ("GET", "none", 404): 1,
        ("other", "/livez", 405): 1,
        ("POST", "refused", 400): 1,
        ("GET", "/metrics", 200): 1,
    }
    found = {key: requests(after, *key) - requests(before, *key) for key in counted}
    assert found == counted
    labels = {"method": "POST", "route": EVALUATE, "status": "200"}
    count = requests(after, "POST", EVALUATE, 200)
    assert value(after, f"{REQUESTS}_bucket", le="+Inf", **labels) == count
    assert value(after, f"{REQUESTS}_sum", **labels) > 0
    assert "secret" not in str(after)


def test_both_formats_agree(two_workers: Service) -> None:
    """The two formats have the same samples."""
    own = ("method", "GET"), ("route", "/metrics")
    first, second = scraped(two_workers), scraped_as_openmetrics(two_workers)
    assert {key for key in first if not set(own) <= key[1]} == {
        key for key in second if not set(own) <= key[1]
    }


def test_hands(two_workers: Service) -> None:
    """Hands are counted by variant: one by one, and those of a batch in each of its forms."""
    before = scraped(two_workers)
    path = "/v1/variants/dice-poker/batch"
    two_workers.post(EVALUATE, {"dice": [1, 2, 3, 4, 5]})
    two_workers.post(path, {"hands": [[1, 2, 3, 4, 5]] * 7})
    lines = b'{"dice": [1, 2, 3, 4, 5]}\n' * 3 + b"{}\n"
    sent = two_workers.ask("POST", path, lines, {"Content-Type": "application/x-ndjson"})
    after = scraped(two_workers)

    def grown(name: str) -> float:
        labels = {"variant": "dice-poker"}
        return value(after, name, **labels) - value(before, name, **labels)

    assert sent.body.count(b"\n") == 4
    assert grown("dice_hands_evaluated_total") == 1 + 7 + 3
    assert grown("dice_batch_received_bytes_total") == len(lines) + len(
        b'{"hands": %s}' % str([[1, 2, 3, 4, 5]] * 7).encode()
    )
    assert grown("dice_batch_sent_bytes_total") > len(sent.body)


def test_solver(two_workers: Service) -> None:
    """Searches for layouts are timed, and those that reached their limit are counted."""
    before = scraped(two_workers)
    path = "/v1/variants/roll-a-royal/evaluate"
    rules = {"repeated_cards": True, "max_uses": 4}
    for body in (
        {"rolls": [["Js", "Jh", *["--"] * 11]]},
        {"rolls": [["As"] * 7 + ["Ah"] * 6], "house_rules": rules},
    ):
        assert two_workers.post(path, body).status == 200
    after = scraped(two_workers)
    names = ("dice_solver_duration_seconds_count", "dice_solver_unproven_total")
    grown = [
        value(after, name, variant="roll-a-royal") - value(before, name, variant="roll-a-royal")
        for name in names
    ]
    assert grown == [2, 1]


def test_session_actions(two_workers: Service) -> None:
    """Actions in sessions are counted by outcome; a repeat isn't a second action."""
    before = scraped(two_workers)
    session = make(two_workers, "dice-poker", "ann", "ben")
    of_nobody = replace(session, made={**session.made, "id": "x" * 22})
    replies = [
        session.act("roll", version=1, key="a"),
        session.act("roll", version=1, key="a"),
        session.act("roll", version=1, key="b"),
        session.act("fly", version=2),
        session.act("roll", version=2, keep=[9]),
        session.send(b"{", session.headers(version=2)),
        session.send(b'{"action": "roll"}', {"Content-Type": JSON, **session.bearer()}),
        session.act("roll", version=2, key="a", keep=[1]),
        session.act("roll", who="ben", version=2),
        of_nobody.act("roll", version=2),
    ]
    statuses = [reply.status for reply in replies]
    assert statuses == [200, 200, 412, 422, 422, 400, 428, 409, 403, 404]
    after = scraped(two_workers)
    name = "dice_session_actions_total"
    counted = {
        "performed": 1, "repeated": 1, "stale": 1, "illegal": 2, "invalid": 2, "key_reused": 1,
        "forbidden": 1, "unknown": 1, "store_unavailable": 0,
    }  # fmt: skip
    assert {
        outcome: value(after, name, outcome=outcome) - value(before, name, outcome=outcome)
        for outcome in counted
    } == counted


@pytest.mark.fault
def test_sessions(two_workers: Service) -> None:
    """The sessions that are there are counted."""
    two_workers.post("/v1/sessions", {"variant": "dice-poker", "players": ["ann"]})
    until(
        lambda: value(scraped(two_workers), "dice_sessions") > 0, "a session is counted", pause=0.1
    )


def test_build(two_workers: Service) -> None:
    """The release and the commit are labels of one sample."""
    labels = {"version": __version__, "commit": "1a2b3c4"}
    assert value(scraped(two_workers), "dice_build_info", **labels) == 1


@pytest.mark.fault
def test_after_the_death_of_workers() -> None:
    """Counters keep what killed workers have counted, however many there were; gauges don't."""
    with running(WEB_CONCURRENCY="2") as service:
        size = 0
        for death in range(1, 5):
            for _ in range(10):
                service.get("/livez")
            assert requests(scraped(service), "GET", "/livez", 200) == 10 * death
            victim = service.workers()[0]
            os.kill(victim, signal.SIGKILL)
            until(partial(_workers, service, 2 + death), "another worker runs")
            size = size or len(service.get("/metrics").body)
        assert len(service.get("/metrics").body) < size + 100  # some numbers are longer
        service.process.send_signal(signal.SIGHUP)
        until(partial(_workers, service, 8), "the reload started two more")
        assert requests(scraped(service), "GET", "/livez", 200) == 40


def _workers(service: Service, begun: int) -> bool:
    """Whether `begun` workers were started so far, and two of them run."""
    started = service.output.text.count("Booting worker with pid")
    return started == begun and value(scraped(service), "dice_workers") == 2


def test_workers_wanted(two_workers: Service) -> None:
    """The metrics say how many workers there should be: as many as the setting says, one more or
    fewer after each SIGTTIN or SIGTTOU to the master, and as many as before after a reload.
    """
    for number, wanted in (
        (None, 2),
        (signal.SIGTTIN, 3),
        (signal.SIGTTIN, 4),
        (signal.SIGTTOU, 3),
        (signal.SIGHUP, 2),
    ):
        if number is not None:
            two_workers.process.send_signal(number)
        until(partial(_has_workers, two_workers, wanted), f"{wanted} are wanted, and run")


def _has_workers(service: Service, wanted: int) -> bool:
    scrape = scraped(service)
    names = ("dice_workers_wanted", "dice_workers")
    return [value(scrape, name) for name in names] == [wanted, wanted]


@pytest.mark.fault
def test_own_port() -> None:
    """With a port of their own, the metrics are there and only there, with health and no more."""
    port = free_port()
    with running(METRICS=str(port)) as service:
        own = Service(port, service.process, service.output)
        assert service.get("/livez").status == own.get("/livez").status == 200
        assert own.get("/readyz").status == 200
        assert requests(scraped(own), "GET", "/livez", 200) == 2
        for nothing in (
            service.ask_unchecked("GET", "/metrics"),
            own.ask_unchecked("GET", "/v1/variants"),
            own.ask_unchecked("GET", "/docs"),
        ):
            assert (nothing.status, nothing.headers["Content-Type"]) == (404, PROBLEM)


def test_own_path_and_none() -> None:
    """The metrics can have another path, or none."""
    moved = create_app(Settings(metrics="/internal/metrics")).test_client()
    assert moved.get("/metrics").status_code == 404
    assert b"# TYPE dice_workers gauge\n" in moved.get("/internal/metrics").data
    assert create_app(Settings(metrics="off")).test_client().get("/metrics").status_code == 404


@pytest.mark.parametrize(
    "wrong", ["metrics", "/", "/a b", "65536", "0", "8000", "/livez", "/v1", "/docs/metrics"]
)
def test_wrong_places(wrong: str) -> None:
    """The service doesn't start with a place that can't be, such as its own port or a path of its
    own.
    """
    with pytest.raises(ValueError, match=r"^METRICS must be "):
        Settings.from_environment({"METRICS": wrong})


def test_taken_paths() -> None:
    """No path at which the service has something else can be that of the metrics."""
    app = create_app(Settings(metrics="off"))
    for path in {rule.rule for rule in app.url_map.iter_rules()}:
        with pytest.raises(ValueError, match=r"^must be a path "):
            parse_endpoint(path)


@pytest.mark.fault
def test_requests_that_no_view_gets() -> None:
    """A request that is refused for its rate or its method is counted at its route, and so is a
    preflight.
    """
    limited = {"RATE_LIMIT": "60", "ALLOW_ORIGINS": "*"}
    port = free_port()
    with running(METRICS=str(port), **limited) as service:
        own = Service(port, service.process, service.output)
        session = "/v1/sessions/" + "x" * 22
        before = scraped(own)
        service.ask("DELETE", EVALUATE)
        preflight = {"Origin": "https://game.example", "Access-Control-Request-Method": "POST"}
        service.ask("OPTIONS", EVALUATE, headers=preflight)
        body = b'{"dice": [1, 2, 3, 4, 5]}'
        for method, path in (("POST", EVALUATE), ("GET", session), ("GET", "/nowhere")):
            # on a slow machine a unit comes back between two requests
            while service.ask_unchecked(method, path, body, {"Content-Type": JSON}).status != 429:
                pass
        after = scraped(own)
    counted = {
        ("DELETE", EVALUATE, 405): 1,
        ("OPTIONS", EVALUATE, 204): 1,
        ("POST", EVALUATE, 429): 1,
        ("GET", "/v1/sessions/{session_id}", 429): 1,
        ("GET", "none", 429): 1,
    }
    assert {key: requests(after, *key) - requests(before, *key) for key in counted} == counted


def test_failed_actions() -> None:
    """An action that fails unexpectedly is no fault of the client's: it has an outcome of its own,
    also among others.
    """
    with running(VARIANTS=broken_card.__name__) as service:
        new = b'{"variant": "broken-card", "players": ["ann"]}'
        session = service.ask_unchecked("POST", "/v1/sessions", new, {"Content-Type": JSON}).json
        path = f"/v1/sessions/{session['id']}/actions"

        def act(body: dict[str, str], version: int) -> int:
            headers = {
                "Authorization": f"Bearer {session['tokens']['players']['ann']}",
                "If-Match": f'"{version}"',
                "Content-Type": JSON,
            }
            return service.ask_unchecked("POST", path, json.dumps(body).encode(), headers).status

        assert act({"action": "roll"}, 1) == 200
        assert act({"action": "score", "box": "sixes"}, 2) == 500
        assert act({"action": "fly"}, 2) == 422
        found = scraped(service)
    outcomes = ("performed", "failed", "illegal", "invalid")
    name = "dice_session_actions_total"
    assert [value(found, name, outcome=each) for each in outcomes] == [1, 1, 1, 0]
