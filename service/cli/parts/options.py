"""The options of commands that make folders in parts."""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _ArgumentGroup
from importlib import import_module

from service.cli.command_error import CommandError

_ADDRESS = re.compile(r"(tcp|tls)://([^\s/:]+|\[[0-9a-fA-F:]+\]):[0-9]{1,5}")

KEPT = "whole parts are kept, and the same command goes on"
"""What such a command says when it is stopped."""


def add_cluster(parser: ArgumentParser, title: str) -> _ArgumentGroup:
    """Adds `--workers` and `--scheduler` in a group with this title, and returns the group."""
    group = parser.add_argument_group(title)
    group.add_argument(
        "--workers", type=whole, metavar="N", help="processes (default: the cores of this machine)"
    )
    group.add_argument(
        "--scheduler",
        type=_address,
        metavar="URL",
        help="a Dask scheduler, such as tcp://host:8786; its workers read and write the same paths",
    )
    return group


def path(text: str) -> str:
    """A path or URI. Raises `ArgumentTypeError` for standard input or output."""
    if text == "-":
        raise ArgumentTypeError(
            "standard input and output have no extension that says their format: name a file, such "
            "as rolls.csv"
        )
    return text


def _address(text: str) -> str:
    """The address of a scheduler. Raises `ArgumentTypeError` for any other text."""
    if not _ADDRESS.fullmatch(text):
        raise ArgumentTypeError(f"must be an address such as tcp://host:8786: {text!r}")
    return text


def workers_of(options: Namespace) -> int:
    """How many workers to start. Raises `CommandError` if they were given with a scheduler."""
    if options.workers and options.scheduler:
        raise CommandError("--workers are those of this machine: leave them out with --scheduler")
    found: int = options.workers or _cores()
    return found


def _cores() -> int:
    """How many cores this process may use; all of them where the system doesn't say."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def need(module: str, part: str, what: str) -> None:
    """Raises `CommandError` if `module`, which an optional part brings, is missing."""
    try:
        import_module(module)
    except ModuleNotFoundError:
        raise CommandError(
            f"{what} needs {module}: in a checkout, make {part} or pip install '.[{part}]'"
        ) from None


def need_cluster(options: Namespace, what: str) -> None:
    """Raises `CommandError` if a module is missing that the cluster in `options` needs: one of this
    machine is encrypted.
    """
    for module in ("pyarrow", "distributed", "cryptography"):
        if module != "cryptography" or not options.scheduler:
            need(module, "cluster", what)


def whole(text: str) -> int:
    """Parses a whole number from 1. Raises `ArgumentTypeError` for any other text."""
    if not (text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= 1 << 24):
        raise ArgumentTypeError(f"must be a whole number from 1 to {1 << 24}: {text!r}")
    return int(text)
