"""What commands take: options that several of them have, files that were saved, and modules."""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _ArgumentGroup
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from service.cli.command import CommandError
from service.rules.house_rules import options as options_of
from service.rules.house_rules import read_rules
from service.rules.variant import Variant
from service.rules.violations import InvalidInput
from service.strict_json import InvalidJson, decode

_ADDRESS = re.compile(r"(tcp|tls)://([^\s/:]+|\[[0-9a-fA-F:]+\]):[0-9]{1,5}")

KEPT = "whole parts are kept, and the same command goes on"
"""What a command that makes a folder says when it is stopped."""


def number(least: int, most: int) -> Callable[[str], int]:
    """A parser of whole numbers from `least` to `most`, for argparse."""

    def parse(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most:
            return int(text)
        raise ArgumentTypeError(f"must be a whole number from {least} to {most}: {text!r}")

    return parse


whole = number(1, 1 << 24)


def path(text: str) -> str:
    """A path or URI. Raises `ArgumentTypeError` for standard input or output."""
    if text == "-":
        raise ArgumentTypeError(
            "standard input and output have no extension that says their format: name a file, such "
            "as rolls.csv"
        )
    return text


def add_game(parser: ArgumentParser, offered: str, output: str) -> None:
    """Adds `--variant` with the games that are `offered`, `--house-rules` and `--output`."""
    parser.add_argument("--variant", required=True, metavar="NAME", help=f"the game: {offered}")
    parser.add_argument("-o", "--output", required=True, type=path, metavar="OUTPUT", help=output)
    parser.add_argument(
        "--house-rules",
        default="{}",
        metavar="JSON",
        help="""an object of house rules, such as '{"joker": true}'""",
    )


def parse_house_rules(variant: Variant, text: str) -> Any:
    """Parses `text`, a JSON object, as house rules of `variant`; the rest have their defaults.

    Raises `CommandError` listing everything that is wrong.
    """
    try:
        settings = decode(text.encode(errors="surrogateescape"))
    except InvalidJson as error:
        raise CommandError(f"--house-rules is not valid JSON: {error}") from None
    if not isinstance(settings, dict):
        raise CommandError('--house-rules must be a JSON object, such as {"name": true}')
    try:
        return read_rules(variant.house_rules, settings)
    except InvalidInput as refused:
        known = {option.name for option in options_of(variant.house_rules)}
        details = [
            f"{name if name in known else repr(name)} {violation.detail}"
            for violation in refused.violations
            for name in violation.path
        ]
        raise CommandError(f"--house-rules: {'; '.join(details)}") from None


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


def _address(text: str) -> str:
    """The address of a scheduler. Raises `ArgumentTypeError` for any other text."""
    if not _ADDRESS.fullmatch(text):
        raise ArgumentTypeError(f"must be an address such as tcp://host:8786: {text!r}")
    return text


def workers_of(options: Namespace, what: str) -> int:
    """How many workers to start for `what`, such as "Scoring folders".

    Raises `CommandError` if they were given with a scheduler, or a module is missing that the
    cluster needs: one of this machine is encrypted.
    """
    if options.workers and options.scheduler:
        raise CommandError("--workers are those of this machine: leave them out with --scheduler")
    for module in ("pyarrow", "distributed", "cryptography"):
        if module != "cryptography" or not options.scheduler:
            need(module, "cluster", what)
    if hasattr(os, "sched_getaffinity"):  # else the system doesn't say which cores are allowed
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    found: int = options.workers or cores
    return found


def need(module: str, part: str, what: str) -> None:
    """Raises `CommandError` if `module`, which an optional part brings, is missing."""
    try:
        import_module(module)
    except ModuleNotFoundError:
        raise CommandError(
            f"{what} needs {module}: in a checkout, make {part} or pip install '.[{part}]'"
        ) from None


def read_saved(file: Path) -> bytes:
    """The text in `file` as UTF-8; `-` is standard input.

    PowerShell redirects into UTF-16, and saves with a byte order mark. Raises `CommandError` if it
    can't be read.
    """
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise CommandError(f"{file} can't be read: {error.strerror}") from None
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        try:
            return data.decode("utf-16").encode()
        except UnicodeError:
            raise CommandError(f"{file} begins as UTF-16, but is not valid UTF-16") from None
    return data.removeprefix(BOM_UTF8)
