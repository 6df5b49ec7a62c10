"""The command line of `dice-scoring advise`: the best play in a position."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import orjson

from service.cli.command import Command
from service.cli.request import (
    add_fields,
    find_operation,
    given_fields,
    option_at,
    read_object,
    run,
)
from service.cli.text import aligned, figure, option, percent, say, words

_ADVISING = """\
Prints the best play in a position with its value, and what each other option loses against it.
The options are the fields of a request to POST /v1/variants/GAME/advise. Write a list as 1,3,3,5,6,
separate lists within it by semicolons, and write an object as ones=3,twos=6. JSON works, too.
`advise GAME --help` lists the fields of a game.
"""

_EXAMPLES = """\
examples:
  %(prog)s poker-dice --dice 1,3,3,5,6 --to-beat 6,6,6,2,1 --rolls-left 1
  %(prog)s poker-dice --file position.json --json
"""

_VALUES = ("expected_total", "expected", "chance")
"""The fields of an option with its value; each option has one of them."""

_APART = (
    "variant",
    "options",
    "house_rules",
    "lacks",
    "exact",
    "standard_error",
    "simulated",
    "proven",
)
"""The fields of a response that are not printed as they are."""


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit status; see `Command`."""
    add = partial(_add_arguments, arguments)
    return Command("advise", _ADVISING, _EXAMPLES, add, _advise)(arguments)


def _add_arguments(given: Sequence[str], parser: ArgumentParser) -> None:
    """Adds the game, which comes first among those that are `given`, and the options that it has.

    Raises `CommandError` if it has no advice.
    """
    parser.add_argument("variant", metavar="GAME", help="the game, such as dice-poker")
    if given[:1] in (["-h"], ["--help"]):
        return
    if not given or given[0].startswith("-"):
        parser.error("the game comes first, such as dice-poker")
    operation = find_operation(given[0], "advise")
    parser.set_defaults(operation=operation)
    parser.add_argument(
        "--file",
        type=Path,
        metavar="FILE",
        help="a request as JSON, to which the other options are added; - is standard input",
    )
    parser.add_argument("--json", action="store_true", help="print the response as JSON")
    add_fields(parser, operation)


def _advise(options: Namespace) -> None:
    """Prints the advice. Raises `CommandError` if there is none."""
    operation = options.operation
    body = read_object(options.file) if options.file else {}
    body |= given_fields(options, operation)
    answer = run(operation, body, lambda pointer: option_at(pointer, operation))
    if options.json:
        print(orjson.dumps(answer).decode())
        return
    for line in advice_lines(answer):
        say(line, sys.stdout)


def advice_lines(answer: Mapping[str, Any]) -> list[str]:
    """The lines for the response to an `advise` request."""
    lines = [*_figures(answer)]
    if answer.get("options"):
        lines += ["", *_options(answer["options"])]
    return lines


def _figures(answer: Mapping[str, Any]) -> Iterator[str]:
    for name, value in answer.items():
        if name in _APART or value is None:
            continue
        if name == "reach" and isinstance(value, Mapping):
            yield _estimated(f"chance to reach {value['target']}", value)
        elif name == "reach":
            yield f"chance to reach the points needed: {percent(value)}"
        elif name == "win" and isinstance(value, Mapping):
            yield _estimated("chance to win", value)
        elif name == "layout":
            yield "layout:"
            hands = [
                (words(hand["hand"]), " ".join(hand["cards"]), figure("points", hand["points"]))
                for hand in value
            ]
            yield from (f"  {line}" for line in (aligned(hands, right=(2,)) if hands else []))
        elif isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield f"{words(name)}:"
            likely = sorted(filter(itemgetter(1), value.items()), key=lambda each: -each[1])
            chances = [(words(each), percent(chance)) for each, chance in likely]
            yield from (f"  {line}" for line in aligned(chances, right=(1,)))
        else:
            yield f"{words(name)}: {figure(name, value)}"
    if answer.get("standard_error"):
        yield f"simulated, with a standard error of {answer['standard_error']:.4f}"
    if answer.get("proven") is False:
        yield "not all layouts are proven to be the best"


def _estimated(name: str, found: Mapping[str, Any]) -> str:
    line = f"{name}: {percent(found['chance'])}"
    if found["exact"]:
        return line
    return f"{line}, estimated with a standard error of {percent(found['standard_error'])}"


def _options(options: Sequence[Mapping[str, Any]]) -> list[str]:
    value = next(name for name in _VALUES if name in options[0])
    names = [value, *(name for name in ("win", "reach", "loss") if name in options[0])]
    heading = ["", "option", *map(words, names)]
    rows = [
        [
            f"{number}",
            option(each),
            *(figure(value if name == "loss" else name, each[name]) for name in names),
        ]
        for number, each in enumerate(options, start=1)
    ]
    return aligned([heading, *rows], right=(0, *range(2, len(heading))))
