"""Every setting of the service: its environment variable, default and meaning."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from service.redis_address import parse_address


@dataclass(frozen=True)
class Settings:
    """The settings in force; a field in lower case is the environment variable in upper case."""

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
            "meaning": "Threads in each worker for single requests, and as many for sessions.",
            "minimum": 1,
            "maximum": 1024,
        },
    )
    max_body_bytes: int = field(
        default=1_048_576,
        metadata={
            "meaning": "The largest request body, and line of a batch, in bytes.",
            "minimum": 1024,
            "maximum": 2**31,
        },
    )
    max_batch_bytes: int = field(
        default=64 * 1_048_576,
        metadata={
            "meaning": "The largest body of a batch, in bytes, before and after inflating it.",
            "minimum": 1024,
            "maximum": 2**40,
        },
    )
    redis_url: str = field(
        default="",
        metadata={
            "meaning": "Redis that keeps the sessions, as a URL; without one, the service starts "
            "a server of its own, for itself."
        },
    )
    data_dir: str = field(
        default=".data",
        metadata={"meaning": "Folder where that server of its own keeps the sessions."},
    )
    session_seconds: int = field(
        default=86_400,
        metadata={
            "meaning": "Seconds a session is kept after its last action.",
            "minimum": 1,
            "maximum": 2**31,
        },
    )
    max_waits: int = field(
        default=16,
        metadata={
            "meaning": "Requests in each worker that may wait for a session to change, beyond "
            "`THREADS`.",
            "minimum": 0,
            "maximum": 1024,
        },
    )
    access_log: str = field(
        default="",
        metadata={
            "meaning": "File for the access log, a line per request; `-` is standard output."
        },
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """The settings that `environment` gives, defaults for the rest.

        Raises `ValueError` naming every variable that can't be used, with what it may be.
        """
        values: dict[str, Any] = {}
        violations: list[str] = []
        for setting in fields(cls):
            name = setting.name.upper()
            given = environment.get(name, "")
            if not given:
                continue
            if isinstance(setting.default, str):
                values[setting.name] = given
                continue
            least, most = setting.metadata["minimum"], setting.metadata["maximum"]
            if given.isascii() and given.isdigit() and least <= int(given) <= most:
                values[setting.name] = int(given)
            else:
                violations.append(
                    f"{name} must be a whole number from {least} to {most}: {given!r}"
                )
        try:
            parse_address(values.get("redis_url") or "redis://localhost")
        except ValueError as error:
            violations.append(f"REDIS_URL {error}")
        if violations:
            raise ValueError("; ".join(violations))
        return replace(cls(), **values)
