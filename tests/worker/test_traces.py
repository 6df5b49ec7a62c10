"""Traces: a collector on this machine gets a span for each request."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from service import __version__
from service.traces import wanted
from tests.live import JSON, Service, running
from tests.sessions.servers import until

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
OTHER_TRACE = "0af7651916cd43dd8448eb211c80319c"


class Collector(ThreadingHTTPServer):
    """Keeps what it gets."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.bodies: list[bytes] = []

    def spans(self, trace: str) -> dict[str, Any]:
        """The last span so far of each name in this trace."""
        return {span.name: span for span in self._all() if span.trace_id.hex() == trace}

    def named(self, trace: str, name: str) -> list[Any]:
        """The spans so far with this name in this trace."""
        return [span for span in self._all() if (span.trace_id.hex(), span.name) == (trace, name)]

    def _all(self) -> Iterator[Any]:
        sent: list[Any] = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        for request in sent:
            for resource in request.resource_spans:
                for scope in resource.scope_spans:
                    yield from scope.spans

    def resource(self) -> dict[str, str]:
        """What the spans are of."""
        request: Any = ExportTraceServiceRequest.FromString(self.bodies[0])
        return attributes(request.resource_spans[0].resource)


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        """Takes spans."""
        assert isinstance(self.server, Collector)
        assert self.path == "/v1/traces"
        self.server.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Prints nothing."""


@contextmanager
def collecting() -> Iterator[tuple[Collector, dict[str, str]]]:
    """A collector, and the settings that send traces to it."""
    with Collector() as collector:
        threading.Thread(target=collector.serve_forever, daemon=True).start()
        endpoint = f"http://127.0.0.1:{collector.server_address[1]}"
        yield collector, {"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint, "OTEL_BSP_SCHEDULE_DELAY": "50"}
        collector.shutdown()


@pytest.fixture(scope="module")
def traced() -> Iterator[tuple[Collector, Service]]:
    """A service, and a collector that gets its spans."""
    with collecting() as (collector, settings), running(**settings) as service:
        yield collector, service


def attributes(of: Any) -> dict[str, Any]:
    """The attributes of a span or a resource."""
    kinds = ("string_value", "int_value")
    return {
        each.key: next(getattr(each.value, kind) for kind in kinds if each.value.HasField(kind))
        for each in of.attributes
        if any(each.value.HasField(kind) for kind in kinds)
    }


def test_spans(traced: tuple[Collector, Service]) -> None:
    """A request is a span within that of its client; the store and searches are spans within it.

    They have nothing of the path, the query, the headers and the body.
    """
    evaluate = "/v1/variants/dice-poker/evaluate"
    search = "/v1/variants/roll-a-royal/evaluate"
    collector, service = traced
    traceparent = {"traceparent": f"00-{TRACE}-{PARENT}-01"}

    def post(path: str, body: object, **headers: str) -> Any:
        named = {"Content-Type": JSON, "X-Request-ID": "find-me", **traceparent, **headers}
        return service.ask("POST", path, json.dumps(body).encode(), named).json

    post(evaluate, {"dice": [1, 2, 3, 4, 5]})
    post(search, {"rolls": [["Js", "Jh", *["--"] * 11]]})
    made = post("/v1/sessions", {"variant": "dice-poker", "players": ["ann"]})
    token = made["tokens"]["table"]
    path = f"/v1/sessions/{made['id']}?wait=0"
    service.get(path, Authorization=f"Bearer {token}", **traceparent)
    service.get("/secret-path", **traceparent)
    names = {
        f"POST {evaluate}", f"POST {search}", "POST /v1/sessions", "store write",
        "solve roll-a-royal", "GET /v1/sessions/{session_id}", "store read", "GET",
    }  # fmt: skip
    until(lambda: names <= collector.spans(TRACE).keys(), f"these spans arrive: {names}")
    spans = collector.spans(TRACE)
    resource = collector.resource()
    everything = b"".join(collector.bodies)
    evaluated = spans[f"POST {evaluate}"]
    assert (evaluated.trace_id.hex(), evaluated.parent_span_id.hex()) == (TRACE, PARENT)
    assert evaluated.start_time_unix_nano < evaluated.end_time_unix_nano
    assert attributes(evaluated) == {
        "http.request.method": "POST",
        "http.route": evaluate,
        "http.response.status_code": 200,
        "dice.request_id": "find-me",
        "dice.variant": "dice-poker",
    }
    for child, parent in (
        ("store write", "POST /v1/sessions"),
        ("solve roll-a-royal", f"POST {search}"),
    ):
        assert spans[child].parent_span_id == spans[parent].span_id
        assert spans[child].trace_id == spans[parent].trace_id
    assert attributes(spans["store write"]) == {"dice.command": "write"}
    assert resource["service.name"] == "dice-scoring"
    assert resource["service.version"] == __version__
    for secret in (token, made["id"], "secret-path"):
        assert secret.encode() not in everything


def test_a_request_that_waits(traced: tuple[Collector, Service]) -> None:
    """A request that waits is a single span, to the end of its response."""
    collector, service = traced
    made = service.post("/v1/sessions", {"variant": "dice-poker", "players": ["ann"]}).json
    path, bearer = f"/v1/sessions/{made['id']}", f"Bearer {made['tokens']['table']}"
    own = {"Authorization": bearer, "traceparent": f"00-{OTHER_TRACE}-{PARENT}-01"}
    tag = service.get(path, **own).headers["ETag"]
    assert service.get(f"{path}?wait=1", If_None_Match=tag, **own).status == 304
    name = "GET /v1/sessions/{session_id}"
    until(lambda: len(collector.named(OTHER_TRACE, name)) >= 2, "both spans arrive")
    found = collector.named(OTHER_TRACE, name)
    assert [attributes(span)["http.response.status_code"] for span in found] == [200, 304]
    assert found[1].end_time_unix_nano - found[1].start_time_unix_nano >= 1_000_000_000


def test_hostile_headers(traced: tuple[Collector, Service]) -> None:
    """Headers of traces that can't be read change nothing, and nothing unprintable is logged."""
    _, service = traced
    for value in ("a\x9b2J", "\x85[ERROR]", "a=b\t,\xff", '"', "=,=", "a=" + "b" * 4000):
        for name in ("traceparent", "tracestate", "baggage"):
            own = {"traceparent": f"00-{TRACE}-{PARENT}-01", name: value}
            assert service.ask("GET", "/livez", headers=own).status == 200
    assert all(map(str.isprintable, service.output.text.split("\n")))


@pytest.mark.fault
@pytest.mark.proof
def test_last_spans_of_a_worker() -> None:
    """A worker that stops sends the spans that it has; a collector that is away delays nobody."""
    with collecting() as (collector, settings):
        with running(**{**settings, "OTEL_BSP_SCHEDULE_DELAY": "60000"}) as service:
            service.get("/livez")
        assert b"GET /livez" in b"".join(collector.bodies)
    with running(**settings) as service:
        assert service.get("/livez").status == 200


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://collector:4318/v1/traces"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_SDK_DISABLED": "true"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_TRACES_EXPORTER": "none"}, False),
        ({"OTEL_TRACES_EXPORTER": "console"}, True),
    ],
)  # fmt: skip
def test_when_traces_are_wanted(environment: dict[str, str], expected: bool) -> None:
    """Traces are sent only if the standard variables say where to."""
    assert wanted(environment) is expected
