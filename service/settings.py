"""Every setting of the service: its environment variable, default and meaning."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from service.redis_address import parse_address
from service.trusted_proxies import parse_proxies

PLAIN, IN_JSON = "plain", "json"
"""The values of LOG_FORMAT."""

ON, OFF = "on", "off"
"""The values of PLAY; METRICS can be off, too."""

METRICS_PATH = "/metrics"

ANY_ORIGIN = "*"

SHORTEST_KEY = 16
"""The fewest characters of a RESULT_KEY."""

_METRICS_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)+").fullmatch

_TAKEN = re.compile(
    r"/(v1|docs|play|problems)(/.*)?|/(livez|readyz|openapi\.json|openapi\.yaml)"
).fullmatch
"""The other paths of the service, and what is below them."""

_STREAM = re.compile(r"(?!dice:)[A-Za-z0-9.:_-]{1,100}").fullmatch

_ORIGIN = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?P<host>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:(?P<port>[0-9]{1,5}))?"
).fullmatch

_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Endpoint:
    """Where the metrics are: a `path`, "" for none, and a `port` for that alone, 0 for the port of
    the service.
    """

    path: str
    port: int = 0


def parse_endpoint(text: str) -> Endpoint:
    """Reads the setting METRICS. Raises `ValueError` with what it must be."""
    if text == OFF:
        return Endpoint("")
    if text.isascii() and text.isdigit() and 1 <= int(text) <= 65535:
        return Endpoint(METRICS_PATH, int(text))
    if _TAKEN(text):
        raise ValueError(f"must be a path that the service doesn't use itself: {text!r}")
    if _METRICS_PATH(text):
        return Endpoint(text)
    raise ValueError(
        f"must be a path such as {METRICS_PATH}, a port from 1 to 65535, or {OFF}: {text!r}"
    )


def parse_origins(text: str) -> frozenset[str]:
    """The origins in the setting ALLOW_ORIGINS, separated by commas, as browsers send them;
    `ANY_ORIGIN` is any of them.

    Browsers write scheme and host in lower case, and leave out the scheme's default port. Raises
    `ValueError` that says what `text` must be, and names the first value that is wrong.
    """
    values = [value.strip() for value in text.split(",")]
    if ANY_ORIGIN in values and len(values) > 1:
        raise ValueError(f"must be {ANY_ORIGIN} alone, or origins without it: {text!r}")
    return frozenset([value if value == ANY_ORIGIN else _origin(value) for value in values])


def _origin(text: str) -> str:
    parts = _ORIGIN(text.lower())
    port = int(parts["port"] or 0) if parts else 0
    if not parts or port > 65535 or (parts["port"] and not port):
        raise ValueError(
            f"must be {ANY_ORIGIN} or origins separated by commas, each scheme://host or "
            f"scheme://host:port without a path or a slash at the end: {text!r}"
        )
    origin = f"{parts['scheme']}://{parts['host']}"
    return origin if port in (0, _DEFAULT_PORTS.get(parts["scheme"])) else f"{origin}:{port}"


def _number(default: int, least: int, most: int, meaning: str) -> int:
    """A setting that is a whole number from `least` to `most`."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
            raise ValueError(f"must be a whole number from {least} to {most}: {text!r}")
        return int(text)

    limits = {"minimum": least, "maximum": most}
    return field(default=default, metadata={"meaning": meaning, "read": read, **limits})


def _text(
    default: str, meaning: str, check: Callable[[str], object] = str, *, secret: bool = False
) -> str:
    """A setting that is a text; `check` raises `ValueError` with what it must be, and of a secret
    no more than that.
    """

    def read(text: str) -> str:
        check(text)
        return text

    metadata = {"meaning": meaning, "read": read}
    return field(default=default, metadata=metadata, repr=not secret)


def _check_key(text: str) -> None:
    """Raises `ValueError` for a key that could be guessed."""
    if len(text) < SHORTEST_KEY:
        raise ValueError(f"must have at least {SHORTEST_KEY} characters")


def _check_stream(text: str) -> None:
    """Raises `ValueError` for what is no name of a key, or maybe that of another key."""
    if not _STREAM(text):
        raise ValueError(
            "must be a name of at most 100 letters, digits and . : _ -, which doesn't begin with "
            f"dice: {text!r}"
        )


def _one_of(*words: str) -> Callable[[str], None]:
    """The check of a setting that has only these values."""

    def check(text: str) -> None:
        if text not in words:
            raise ValueError(f"must be {' or '.join(words)}: {text!r}")

    return check


@dataclass(frozen=True)
class Settings:
    """The settings; each field is an environment variable, written in upper case there."""

    bind_address: str = _text("127.0.0.1", "Address to listen on.")
    port: int = _number(8000, 1, 65535, "Port to listen on.")
    web_concurrency: int = _number(2, 1, 1024, "Worker processes.")
    threads: int = _number(
        4,
        1,
        1024,
        "Threads per worker for ordinary requests, and as many each for advice and for sessions.",
    )
    max_body_bytes: int = _number(
        1_048_576,
        1024,
        2**31,
        "The largest request body, and the longest line of a batch, in bytes.",
    )
    max_batch_bytes: int = _number(
        64 * 1_048_576,
        1024,
        2**40,
        "The largest batch body in bytes, before and after decompression.",
    )
    max_batch_hands: int = _number(1_000_000, 1, 2**31, "The most hands in a JSON batch.")
    redis_url: str = _text(
        "",
        "URL of the Redis that stores sessions; if empty, the service starts its own store.",
        parse_address,
    )
    wait_replicas: int = _number(
        0, 0, 16, "Replicas of the Redis that must have an action before it is acknowledged."
    )
    data_dir: str = _text(
        ".data", "Folder of the service's own store, and of the tables for advice."
    )
    prepare_tables: int = _number(
        1, 0, 1, "1 makes the tables for advice after the start, 0 only when one is needed."
    )
    variants: str = _text(
        "",
        "Modules with further games, as dotted names separated by commas. Games of installed "
        "packages need no entry.",
    )
    max_store_bytes: int = _number(
        512 * 1_048_576,
        4 * 1_048_576,
        2**50,
        "The most memory of the service's own store in bytes.",
    )
    max_events: int = _number(
        10_000, 100, 1_000_000, "The most events of a session. Nobody can act in it after that."
    )
    session_seconds: int = _number(
        86_400, 1, 2**31, "Seconds to keep a session after its last action."
    )
    max_session_seconds: int = _number(
        30 * 86_400,
        60,
        2**31,
        "The most seconds that a client can have a session kept after its last action "
        "(`keep_seconds`); at least `SESSION_SECONDS`.",
    )
    result_key: str = _text(
        "",
        "Secret of at least 16 characters that signs the results of sessions (HMAC-SHA256); if "
        "empty, they aren't signed.",
        _check_key,
        secret=True,
    )
    feed: str = _text(
        "",
        "Name of the stream in the store that gets an entry when it is another's turn in a session "
        "or its game is over; if empty, there is none.",
        _check_stream,
    )
    rate_limit: int = _number(
        0,
        0,
        2**31,
        "Units that each client can use in a minute, 0 for no limit. A request costs one, and one "
        "more for each millisecond that it computes: 6000 is a tenth of a core.",
    )
    session_limit: int = _number(
        600,
        1,
        2**31,
        "Sessions that each client can create in an hour, if there is a `RATE_LIMIT`. One that is "
        "kept longer than `SESSION_SECONDS` counts as often as that fits.",
    )
    trusted_proxies: str = _text(
        "",
        "Proxies whose `X-Forwarded-For` says which client a request comes from: addresses and "
        "networks such as `10.0.0.0/8`, separated by commas; `unix` is a Unix socket.",
        parse_proxies,
    )
    allow_origins: str = _text(
        "",
        "Origins whose pages may call the service (CORS), separated by commas, such as "
        "`https://example.com`; `*` allows all.",
        parse_origins,
    )
    play: str = _text(
        ON, "`off` leaves out the page `/play`, where people play in a browser.", _one_of(ON, OFF)
    )
    log_format: str = _text(
        PLAIN,
        "`plain` logs for terminals, `json` for programs: one object a line.",
        _one_of(PLAIN, IN_JSON),
    )
    metrics: str = _text(
        METRICS_PATH,
        "Path of the metrics; or a port, which then serves nothing but `/metrics`, `/livez` and "
        "`/readyz`; or `off`.",
        parse_endpoint,
    )
    commit: str = _text("", "Commit that the service was built from; an image sets it.")
    access_log: str = _text(
        "", "File for the access log, one line per request; `-` is standard output."
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Reads the settings from `environment`; variables that are missing or empty have defaults.

        Raises `ValueError` naming every invalid variable and what it must be.
        """
        values: dict[str, Any] = {}
        violations: list[str] = []
        for setting in fields(cls):
            name = setting.name.upper()
            if text := environment.get(name, ""):
                try:
                    values[setting.name] = setting.metadata["read"](text)
                except ValueError as error:
                    violations.append(f"{name} {error}")
        if values.get("wait_replicas") and not environment.get("REDIS_URL"):
            violations.append("WAIT_REPLICAS needs a REDIS_URL: the own store has no replicas")
        settings = replace(cls(), **values)
        if (
            settings.feed
            and settings.redis_url
            and parse_address(settings.redis_url).kind == "cluster"
        ):
            violations.append("FEED needs a single Redis: a cluster has no one place for a stream")
        if parse_endpoint(settings.metrics).port == settings.port:
            violations.append("METRICS must be another port than PORT")
        if settings.max_session_seconds < settings.session_seconds:
            violations.append("MAX_SESSION_SECONDS must be at least SESSION_SECONDS")
        if violations:
            raise ValueError("; ".join(violations))
        return settings
