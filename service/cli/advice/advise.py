"""The command line of `python -m service advise`: the best play in a position."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from pathlib import Path

import orjson

from service.cli.advice.advice_lines import advice_lines
from service.cli.advice.request import add_fields, find_operation, given_fields, read_object, run
from service.cli.command_error import exit_status
from service.cli.terminal import say

_ADVISING = """\
Prints the best play in a position with its value, and what each other option loses against it.
The options are the fields of a request to POST /v1/variants/GAME/advise. Write a list as 1,3,3,5,6,
separate lists within it by semicolons, and write an object as ones=3,twos=6. JSON works, too.
`advise GAME --help` lists the fields of a game.
"""

_EXAMPLES = """\
examples:
  python -m service advise poker-dice --dice 1,3,3,5,6 --to-beat 6,6,6,2,1 --rolls-left 1
  python -m service advise poker-dice --file position.json --json
"""


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit status.

    An error is printed to stderr and has status 2. Raises `SystemExit`, as argparse does, for
    `--help` and invalid arguments.
    """
    return exit_status(lambda: _advise(arguments))


def _advise(arguments: Sequence[str]) -> None:
    """Prints the advice. Raises `CommandError` if there is none."""
    parser = ArgumentParser(
        "python -m service advise",
        description=_ADVISING,
        epilog=_EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("variant", metavar="GAME", help="the game, such as dice-poker")
    if arguments[:1] in (["-h"], ["--help"]):
        parser.parse_args(arguments)
    if not arguments or arguments[0].startswith("-"):
        parser.error("the game comes first, such as dice-poker")
    operation = find_operation(arguments[0], "advise")
    parser.add_argument(
        "--file",
        type=Path,
        metavar="FILE",
        help="a request as JSON, to which the other options are added; - is standard input",
    )
    parser.add_argument("--json", action="store_true", help="print the response as JSON")
    add_fields(parser, operation)
    options = parser.parse_args(arguments)
    body = read_object(options.file) if options.file else {}
    answer = run(operation, {**body, **given_fields(options, operation)})
    if options.json:
        print(orjson.dumps(answer).decode())
        return
    for line in advice_lines(answer):
        say(line, sys.stdout)
