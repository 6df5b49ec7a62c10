"""Commands: their help, what they take, the errors that end them, and how signals stop them."""

from __future__ import annotations

import re
import signal
import sys
from argparse import (
    ArgumentParser,
    ArgumentTypeError,
    Namespace,
    RawDescriptionHelpFormatter,
    _ArgumentGroup,
)
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from service.cli.text import say
from service.rules.house_rules import options as options_of
from service.rules.house_rules import read_rules
from service.rules.variant import Variant
from service.rules.violations import InvalidInput
from service.strict_json import InvalidJson, decode

OUTPUT_FAILED, GAMES_FAILED = 74, 78
"""Exit statuses, as BSD's `sysexits.h` has them."""

STATUSES = {
    0: "done",
    2: "a mistake in the options, in a file or in a setting",
    OUTPUT_FAILED: "the standard output can't be written",
    GAMES_FAILED: "a game from outside can't be used",
    130: "stopped by Ctrl-C",
    143: "stopped by SIGTERM",
}
"""The exit statuses of every command but `serve`."""

_ADDRESS = re.compile(r"(tcp|tls)://([^\s/:]+|\[[0-9a-fA-F:]+\]):[0-9]{1,5}")

KEPT = "Stopped; whole parts are kept, and the same command goes on."
"""What a command that makes a folder says when it is stopped."""

VariantT = TypeVar("VariantT", bound=Variant)


class CommandError(Exception):
    """An error that the user can fix, such as an invalid file.

    Each argument is one line of the message; line breaks within an argument, which may come from a
    file, are escaped when it is printed. `status` is the exit status of the command.
    """

    status = 2

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the message."""
        return self.args


class TryAgain(CommandError):
    """An error that may pass, such as a store that is away: the same command may work later.

    The status is that of BSD's `sysexits.h` for such failures.
    """

    status = 75


MAY_PASS = {TryAgain.status: "the same command may work later: a store or a scheduler is away"}
"""The exit status of `TryAgain`."""


def program() -> str:
    """What the user typed to start this: the command, or the module where it isn't installed."""
    return "python -m service" if Path(sys.argv[0]).name == "__main__.py" else "dice-scoring"


def parser_of(
    command: str, description: str, examples: str, statuses: Mapping[int, str]
) -> ArgumentParser:
    """A parser without arguments, whose help ends with `examples`, in which `%(prog)s` is the
    command itself, and with the exit `statuses`.
    """
    listed = "".join(f"  {status:<5}{statuses[status]}\n" for status in sorted(statuses))
    return ArgumentParser(
        f"{program()} {command}",
        description=description,
        epilog=f"{examples}\nexit status:\n{listed}".lstrip("\n"),
        formatter_class=RawDescriptionHelpFormatter,
    )


@dataclass(frozen=True)
class Command:
    """A command: its help, the arguments that it adds to a parser, what it runs, what it says when
    it is stopped, and the exit statuses that not all commands have.
    """

    name: str
    description: str
    examples: str
    add_arguments: Callable[[ArgumentParser], object]
    run: Callable[[Namespace], object]
    stopped: Callable[[Namespace], str] = lambda _: "Stopped."
    statuses: Mapping[int, str] = field(default_factory=dict)

    def __call__(self, arguments: Sequence[str]) -> int:
        """Runs the command and returns its exit status.

        A `CommandError` is printed to stderr and has its own status; Ctrl-C and SIGTERM have those
        that shells give them. Raises `SystemExit`, as argparse does, for `--help` and invalid
        arguments.
        """
        said = "Stopped."
        before = signal.signal(signal.SIGTERM, _stop)
        try:
            statuses = {**STATUSES, **self.statuses}
            parser = parser_of(self.name, self.description, self.examples, statuses)
            self.add_arguments(parser)
            options = parser.parse_args(arguments)
            said = self.stopped(options)
            self.run(options)
        except CommandError as error:
            for line in error.lines:
                say(line, sys.stderr)
            return error.status
        except KeyboardInterrupt as stopped:
            print(said, file=sys.stderr)
            number: int = stopped.args[0] if stopped.args else signal.SIGINT
            return 128 + number
        finally:
            signal.signal(signal.SIGTERM, before)
        return 0


def _stop(number: int, _: FrameType | None) -> None:
    """Handles a signal like Ctrl-C, so that no half-written file is left behind."""
    raise KeyboardInterrupt(number)


@contextmanager
def postponed() -> Iterator[None]:
    """Ctrl-C and SIGTERM take effect at the end: for what can't be ended in the middle."""
    came: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _: came.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    except Exception:
        if not came:  # else that may be why
            raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if came:
        raise KeyboardInterrupt(came[0])


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


def add_game(parser: ArgumentParser, offered: Mapping[str, Variant], output: str = "") -> None:
    """Adds `--variant` with the games that are `offered`, `--house-rules`, and `--output` if it is
    for something.
    """
    names = ", ".join(offered)
    parser.add_argument("--variant", required=True, metavar="NAME", help=f"the game: {names}")
    if output:
        parser.add_argument(
            "-o", "--output", required=True, type=path, metavar="OUTPUT", help=output
        )
    parser.add_argument(
        "--house-rules",
        default="{}",
        metavar="JSON",
        help="""an object of house rules, such as '{"joker": true}'""",
    )


def chosen_game(options: Namespace, offered: Mapping[str, VariantT]) -> tuple[VariantT, Any]:
    """The game that `--variant` names and its house rules; the rest have their defaults.

    Raises `CommandError` listing everything that is wrong.
    """
    variant = offered.get(options.variant)
    if variant is None:
        known = ", ".join(offered)
        raise CommandError(f"--variant must be one of {known}, not {options.variant!r}")
    try:
        settings = decode(options.house_rules.encode(errors="surrogateescape"))
    except InvalidJson as error:
        raise CommandError(f"--house-rules is not valid JSON: {error}") from None
    if not isinstance(settings, dict):
        raise CommandError('--house-rules must be a JSON object, such as {"name": true}')
    try:
        return variant, read_rules(variant.house_rules, settings)
    except InvalidInput as refused:
        names = {option.name for option in options_of(variant.house_rules)}
        details = [
            f"{name if name in names else repr(name)} {violation.detail}"
            for violation in refused.violations
            for name in violation.path
        ]
        raise CommandError(f"--house-rules: {'; '.join(details)}") from None


def add_cluster(parser: ArgumentParser, title: str) -> _ArgumentGroup:
    """Adds `--workers` and `--scheduler` in a group with this title, and returns the group."""
    need_extra = "These need the extra `cluster`: make cluster, or pip install '.[cluster]'."
    group = parser.add_argument_group(title, need_extra)
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
            need(module, "cluster", f"{what} needs")
    from dask.system import CPU_COUNT  # of the cores that this process may use

    found: int = options.workers or CPU_COUNT
    return found


def need(module: str, part: str, what: str) -> None:
    """Raises `CommandError` if a `module` is missing that an optional `part` of the service brings;
    `what` is such as "Plots need".
    """
    try:
        import_module(module)
    except ModuleNotFoundError:
        raise CommandError(
            f"{what} {module}: in a checkout, make {part} or pip install '.[{part}]'"
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
