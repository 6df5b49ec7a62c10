"""Traces of requests for OpenTelemetry, which is an optional part: `make traces`.

The standard variables OTEL_* set it up. A request is a span; commands to the store and searches for
layouts are spans within it, made of what the histograms measure.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from threading import Thread
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from werkzeug.wsgi import ClosingIterator

from service import __version__
from service.access_log import NONE, route_of
from service.api.http.request_id import ENVIRON, TracedFlask
from service.api.http.waiting import WAITER, Waiter
from service.metrics.declared import SOLVER, STORE
from service.metrics.instruments import Histogram
from service.operator_log import notice

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, Tracer

FLUSH_SECONDS = 1.0
"""How long a worker that stops may take to send its last spans."""

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_CHILDREN = {STORE: "store", SOLVER: "solve"}
_CARRIED = ("traceparent", "tracestate")
_PRINTABLE = re.compile("[ -~]*").fullmatch

_provider: TracerProvider | None = None


def wanted(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the OTEL_* variables ask for traces: an endpoint, or the exporter `console`."""
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    exporter = environment.get("OTEL_TRACES_EXPORTER", "otlp")
    if exporter == "otlp":
        return any(environment.get(name) for name in _ENDPOINTS)
    return exporter == "console"


def report_missing(log_format: str) -> None:
    """Prints a line if traces are wanted, but OpenTelemetry isn't installed."""
    if wanted() and find_spec("opentelemetry") is None:
        notice(
            "Traces are off: OpenTelemetry isn't installed; the extra `traces` has it.", log_format
        )


def start(app: Any) -> None:
    """Traces the requests to `app`. Call this after the fork: it starts a thread."""
    global _provider
    if not (wanted() and find_spec("opentelemetry") and isinstance(app, TracedFlask)):
        return
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SpanExporter

    exporter: SpanExporter = ConsoleSpanExporter()
    if os.environ.get("OTEL_TRACES_EXPORTER", "otlp") == "otlp":
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        exporter = OTLPSpanExporter()
    if "service.name=" not in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", ""):
        os.environ.setdefault("OTEL_SERVICE_NAME", "dice-scoring")
    resource = Resource.create({"service.version": __version__})
    _provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    _provider.add_span_processor(BatchSpanProcessor(exporter))
    tracer = _provider.get_tracer("dice-scoring", __version__)
    # Flask documents wrapping this method, which mypy can't know
    app.wsgi_app = _traced(app.wsgi_app, tracer)  # type: ignore[method-assign,assignment]
    for histogram, name in _CHILDREN.items():
        histogram.listeners.append(_listener(histogram, name, tracer))


def stop() -> None:
    """Sends the last spans. OpenTelemetry's own limit doesn't end the wait for a collector."""
    if _provider is not None:
        sending = Thread(target=_provider.force_flush, daemon=True)
        sending.start()
        sending.join(FLUSH_SECONDS)


def _traced(app: WSGIApplication, tracer: Tracer) -> WSGIApplication:
    """`app` with a span for each request, from its beginning to the end of its response."""
    from opentelemetry import context, propagate
    from opentelemetry.trace import SpanKind, set_span_in_context

    waiting: WeakKeyDictionary[Waiter, Span] = WeakKeyDictionary()

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        waiter: Waiter | None = environ.get(WAITER)
        carried = {name: environ.get(f"HTTP_{name.upper()}", "") for name in _CARRIED}
        # OpenTelemetry logs what it can't read as it is, so it gets nothing that isn't printable
        readable = {name: text for name, text in carried.items() if text and _PRINTABLE(text)}
        given = propagate.extract(readable)
        begun = waiting.pop(waiter, None) if waiter else None
        span = begun or tracer.start_span("request", given, SpanKind.SERVER)
        statuses = []

        def begin(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            statuses.append(status)
            return start_response(status, headers, *error)

        token = context.attach(set_span_in_context(span, given))
        try:
            parts = app(environ, begin)
        finally:  # if it raises, the request starts again: a span that isn't ended is never sent
            context.detach(token)
        if waiter is not None and waiter.waiting is not None:
            waiting[waiter] = span  # the app will be called again
            return parts
        return ClosingIterator(parts, lambda: _end(span, environ, statuses[-1:]))

    return respond


def _end(span: Span, environ: WSGIEnvironment, statuses: list[str]) -> None:
    """Ends the span of a request. It has nothing of the path, the query, headers and the body."""
    from opentelemetry.trace import StatusCode

    route, variant = route_of(environ)
    method = environ["REQUEST_METHOD"]
    span.update_name(method if route == NONE else f"{method} {route}")
    span.set_attribute("http.request.method", method)
    span.set_attribute("http.route", route)
    span.set_attribute("dice.request_id", environ[ENVIRON])
    if variant:
        span.set_attribute("dice.variant", variant)
    for status in statuses:
        code = int(status[:3])
        span.set_attribute("http.response.status_code", code)
        if code >= 500:
            span.set_status(StatusCode.ERROR)
    span.end()


def _listener(histogram: Histogram, name: str, tracer: Tracer) -> Any:
    """What makes a span of each value of `histogram`, within that of a request."""
    from opentelemetry.trace import get_current_span

    names = [f"dice.{label}" for label in histogram.labels]

    def listen(seconds: float, labels: tuple[str, ...]) -> None:
        if not get_current_span().is_recording():  # such as the lines of a batch
            return
        now = time.time_ns()
        attributes = dict(zip(names, labels, strict=True))
        begun = now - int(seconds * 1e9)
        tracer.start_span(f"{name} {labels[0]}", start_time=begun, attributes=attributes).end(now)

    return listen
