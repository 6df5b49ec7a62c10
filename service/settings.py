"""Every setting of the service: its environment variable, default and meaning."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from service.metrics.endpoint import PATH, parse_endpoint
from service.origins import ANY, parse_origins
from service.redis_address import parse_address
from service.trusted_proxies import parse_proxies

PLAIN, IN_JSON = "plain", "json"
"""The values of LOG_FORMAT."""

ON, OFF = "on", "off"
"""The values of PLAY."""


@dataclass(frozen=True)
class Settings:
    """The settings; each field is an environment variable, written in upper case there."""

    bind_address: str = field(default="127.0.0.1", metadata={"meaning": "Address to listen on."})
    port: int = field(
        default=8000,
        metadata={"meaning": "Port to listen on.", "minimum": 1, "maximum": 65535},
    )
    web_concurrency: int = field(
        default=2,
        metadata={"meaning": "Worker processes.", "minimum": 1, "maximum": 1024},
    )
    threads: int = field(
        default=4,
        metadata={
            "meaning": "Threads per worker for ordinary requests, and as many each for advice "
            "and for sessions.",
            "minimum": 1,
            "maximum": 1024,
        },
    )
    max_body_bytes: int = field(
        default=1_048_576,
        metadata={
            "meaning": "The largest request body, and the longest line of a batch, in bytes.",
            "minimum": 1024,
            "maximum": 2**31,
        },
    )
    max_batch_bytes: int = field(
        default=64 * 1_048_576,
        metadata={
            "meaning": "The largest batch body in bytes, before and after decompression.",
            "minimum": 1024,
            "maximum": 2**40,
        },
    )
    max_batch_hands: int = field(
        default=1_000_000,
        metadata={
            "meaning": "The most hands in a JSON batch.",
            "minimum": 1,
            "maximum": 2**31,
        },
    )
    redis_url: str = field(
        default="",
        metadata={
            "meaning": "URL of the Redis that stores sessions; if empty, the service starts its "
            "own store."
        },
    )
    wait_replicas: int = field(
        default=0,
        metadata={
            "meaning": "Replicas of the Redis that must have an action before it is acknowledged.",
            "minimum": 0,
            "maximum": 16,
        },
    )
    data_dir: str = field(
        default=".data",
        metadata={"meaning": "Folder of the service's own store, and of the tables for advice."},
    )
    prepare_tables: int = field(
        default=1,
        metadata={
            "meaning": "1 makes the tables for advice after the start, 0 only when one is needed.",
            "minimum": 0,
            "maximum": 1,
        },
    )
    variants: str = field(
        default="",
        metadata={
            "meaning": "Modules with further games, as dotted names separated by commas; games of "
            "installed packages are found without it."
        },
    )
    max_store_bytes: int = field(
        default=512 * 1_048_576,
        metadata={
            "meaning": "The most memory of the service's own store in bytes. No new sessions are "
            "created if the existing ones will need three quarters of it.",
            "minimum": 4 * 1_048_576,
            "maximum": 2**50,
        },
    )
    max_events: int = field(
        default=10_000,
        metadata={
            "meaning": "The most events of a session. Nobody can act in it after that.",
            "minimum": 100,
            "maximum": 1_000_000,
        },
    )
    session_seconds: int = field(
        default=86_400,
        metadata={
            "meaning": "Seconds to keep a session after its last action.",
            "minimum": 1,
            "maximum": 2**31,
        },
    )
    rate_limit: int = field(
        default=0,
        metadata={
            "meaning": "Units that each client can use in a minute, 0 for no limit; a request "
            "costs one, and one more for each millisecond that it computes. 6000 is a tenth of a "
            "core.",
            "minimum": 0,
            "maximum": 2**31,
        },
    )
    session_limit: int = field(
        default=600,
        metadata={
            "meaning": "Sessions that each client can create in an hour, if there is a "
            "`RATE_LIMIT`.",
            "minimum": 1,
            "maximum": 2**31,
        },
    )
    trusted_proxies: str = field(
        default="",
        metadata={
            "meaning": "Proxies whose `X-Forwarded-For` says which client a request comes from: "
            "addresses and networks such as `10.0.0.0/8`, separated by commas; `unix` is a Unix "
            "socket."
        },
    )
    allow_origins: str = field(
        default="",
        metadata={
            "meaning": "Origins whose pages may call the service (CORS), separated by commas, such "
            "as `https://example.com`; `*` allows all."
        },
    )
    play: str = field(
        default=ON,
        metadata={"meaning": "`off` leaves out the page `/play`, where people play in a browser."},
    )
    log_format: str = field(
        default=PLAIN,
        metadata={"meaning": "`plain` logs for terminals, `json` for programs: one object a line."},
    )
    metrics: str = field(
        default=PATH,
        metadata={
            "meaning": "Path of the metrics; or a port, which then serves nothing but `/metrics`, "
            "`/livez` and `/readyz`; or `off`."
        },
    )
    commit: str = field(
        default="",
        metadata={"meaning": "Commit that the service was built from; an image sets it."},
    )
    access_log: str = field(
        default="",
        metadata={
            "meaning": "File for the access log, one line per request; `-` is standard output."
        },
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
            text = environment.get(name, "")
            if not text:
                continue
            if isinstance(setting.default, str):
                values[setting.name] = text
                continue
            least, most = setting.metadata["minimum"], setting.metadata["maximum"]
            if text.isascii() and text.isdigit() and least <= int(text) <= most:
                values[setting.name] = int(text)
            else:
                violations.append(f"{name} must be a whole number from {least} to {most}: {text!r}")
        try:
            parse_address(values.get("redis_url") or "redis://localhost")
        except ValueError as error:
            violations.append(f"REDIS_URL {error}")
        if values.get("wait_replicas") and "redis_url" not in values:
            violations.append("WAIT_REPLICAS needs a REDIS_URL: the own store has no replicas")
        try:
            parse_origins(values.get("allow_origins") or ANY)
        except ValueError as error:
            violations.append(f"ALLOW_ORIGINS {error}")
        play = values.get("play", ON)
        if play not in (ON, OFF):
            violations.append(f"PLAY must be {ON} or {OFF}: {play!r}")
        log_format = values.get("log_format", PLAIN)
        if log_format not in (PLAIN, IN_JSON):
            violations.append(f"LOG_FORMAT must be {PLAIN} or {IN_JSON}: {log_format!r}")
        try:
            endpoint = parse_endpoint(values.get("metrics") or PATH)
            if endpoint.port == values.get("port", cls.port):
                raise ValueError("must be another port than PORT")
        except ValueError as error:
            violations.append(f"METRICS {error}")
        try:
            parse_proxies(values.get("trusted_proxies") or "")
        except ValueError as error:
            violations.append(f"TRUSTED_PROXIES {error}")
        if violations:
            raise ValueError("; ".join(violations))
        return replace(cls(), **values)
