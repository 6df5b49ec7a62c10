"""The command line of `python -m service review`: what each choice of a game cost."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import orjson

from service.api.operations.operation import Answer
from service.cli.advice.request import find_operation, read_object, run
from service.cli.advice.review_lines import review_lines
from service.cli.advice.saved_session import game_of, is_session, requests_of
from service.cli.command_error import CommandError, exit_status
from service.cli.terminal import say

PLOTS = (".png", ".svg")
"""The formats of plots, by the extension of the file."""

_REVIEWING = """\
Prints what each choice in a game with a score card lost against the best one, and how lucky the
rolls were. The file is the response of GET /v1/sessions/{id}/events, or a request to
POST /v1/variants/GAME/review with --variant GAME.
"""

_EXAMPLES = """\
examples:
  python -m service review session.json --plot session.svg
  python -m service review --variant dice-poker turns.json
"""


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit status.

    An error is printed to stderr and has status 2. Raises `SystemExit`, as argparse does, for
    `--help` and invalid arguments.
    """
    options = _parser().parse_args(arguments)
    return exit_status(lambda: _review(options))


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        "python -m service review",
        description=_REVIEWING,
        epilog=_EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="see above; - is standard input")
    parser.add_argument("--variant", metavar="GAME", help="the game of a request")
    parser.add_argument("--player", metavar="NAME", help="review only this player of a session")
    parser.add_argument("--json", action="store_true", help="print the response as JSON")
    parser.add_argument(
        "--plot",
        type=Path,
        metavar="FILE",
        help="draw the expected total over the game into a .png or .svg file",
    )
    return parser


def _review(options: Namespace) -> None:
    """Prints and draws the reviews. Raises `CommandError` if that can't be done."""
    if options.plot:
        _check_plot(options.plot)
    body = read_object(options.file)
    if is_session(body):
        variant = game_of(body)
        operation = find_operation(variant, "review")
        asked = requests_of(body, options.player)
        reviews = {player: run(operation, request) for player, request in asked.items()}
        answer: Answer = {"players": reviews}
    elif options.variant is None:
        raise CommandError(
            f"{options.file} has no events, so it is not a saved session; for a request, name the "
            "game with --variant"
        )
    else:
        variant = options.variant
        answer = run(find_operation(variant, "review"), body)
        reviews = {"": answer}
    if options.json:
        print(orjson.dumps(answer).decode())
    else:
        _print(reviews)
    if options.plot:
        _draw(variant, reviews, options.plot)


def _print(reviews: Mapping[str, Answer]) -> None:
    for place, (player, review) in enumerate(reviews.items()):
        if place:
            print()
        if player:
            say(f"{player}:", sys.stdout)
        for line in review_lines(review):
            say(line, sys.stdout)


def _check_plot(file: Path) -> None:
    """Raises `CommandError` if nothing can be drawn into `file`."""
    if file.suffix.lower() not in PLOTS:
        raise CommandError(f"the extension of {file} must be one of {' '.join(PLOTS)}")
    try:
        import_module("matplotlib")
    except ModuleNotFoundError:
        raise CommandError(
            "Plots need matplotlib: in a checkout, make plot or pip install '.[plot]'"
        ) from None


def _draw(variant: str, reviews: Mapping[str, Mapping[str, Any]], file: Path) -> None:
    from service.cli.advice.plot import draw  # matplotlib takes long to import

    try:
        draw(variant, reviews, file)
    except OSError as error:
        raise CommandError(f"{file} can't be written: {error.strerror}") from None
    say(f"The plot is in {file}", sys.stderr)
