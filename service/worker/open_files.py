"""How many connections the limit of open files allows."""

from __future__ import annotations

import resource

WANTED_FILES = 1 << 16
"""How many open files and sockets a worker asks for."""

OTHER_FILES = 256
"""How many of them are for other uses than connections."""

_LEAST = 16


def max_connections(wanted: int) -> int:
    """How many connections a worker can have: `wanted`, or fewer if files are limited.

    Raises the soft limit of this process as far as needed and allowed.
    """
    return min(wanted, max(_file_limit() - OTHER_FILES, _LEAST))


def _file_limit() -> int:
    """The limit of open files, after raising it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return WANTED_FILES if soft == resource.RLIM_INFINITY else soft
