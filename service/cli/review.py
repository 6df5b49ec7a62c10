"""The command line of `dice-scoring review`: what each choice of a game cost."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from service.api.operations.operation import Answer
from service.api.operations.scorecard_review import review_requests
from service.cli.command import Command, CommandError, need
from service.cli.request import find_operation, read_object, run
from service.cli.text import aligned, counted, option, say

PLOTS = (".png", ".svg")
"""The formats of plots, by the extension of the file."""

_REVIEWING = """\
Prints what each choice in a game with a score card lost against the best one, and how lucky the
rolls were. The file is the response of GET /v1/sessions/{id}/events, or a request to
POST /v1/variants/GAME/review with --variant GAME.
"""

_EXAMPLES = """\
examples:
  %(prog)s session.json --plot session.svg
  %(prog)s --variant dice-poker turns.json
"""

_HEADING = ("turn", "roll", "dice", "luck", "played", "best", "loss", "")

Asked = Mapping[str, Mapping[str, object]]
"""The requests to `review` of a game, by player."""


def _add_arguments(parser: ArgumentParser) -> None:
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


def _review(options: Namespace) -> None:
    """Prints and draws the reviews. Raises `CommandError` if that can't be done."""
    if options.plot:
        if options.plot.suffix.lower() not in PLOTS:
            known = " ".join(PLOTS)
            raise CommandError(f"the extension of {options.plot} must be one of {known}")
        need("matplotlib", "plot", "Plots need")
    body = read_object(options.file)
    if "events" in body:  # a saved session, and not a request
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
        for place, (player, review) in enumerate(reviews.items()):
            heading = [""] * (place > 0) + [f"{player}:"] * bool(player)
            for line in (*heading, *review_lines(review)):
                say(line, sys.stdout)
    if options.plot:
        from service.cli.plot import draw  # matplotlib takes long to import

        try:
            draw(variant, reviews, options.plot)
        except OSError as error:
            raise CommandError(f"{options.plot} can't be written: {error.strerror}") from None
        say(f"The plot is in {options.plot}", sys.stderr)


def game_of(body: Mapping[str, Any]) -> str:
    """The id of the game of a saved session. Raises `CommandError` if there is none."""
    variant = body.get("variant")
    if not isinstance(variant, str):
        raise CommandError("the file has events, but no variant")
    return variant


def requests_of(body: Mapping[str, Any], player: str | None) -> Asked:
    """The requests that review the turns of each player of a game with score cards.

    With `player`, only that one's. Raises `CommandError` if the file isn't what it should be.
    """
    try:
        players = [str(each) for each in body["players"]]
        asked = review_requests(body)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise CommandError(
            "the file is not what GET /v1/sessions/{id}/events returns for a game with score cards"
        ) from None
    if player is not None and player not in players:
        raise CommandError(f"the players are {', '.join(players)}, not {player}")
    if player is not None:
        asked = {each: request for each, request in asked.items() if each == player}
    if not asked:
        raise CommandError("the file has no turns to review whose rolls are known")
    return asked


def review_lines(review: Mapping[str, Any]) -> list[str]:
    """The lines for a review of one player."""
    decisions: Sequence[Mapping[str, Any]] = review["decisions"]
    start, luck, loss, total = (review[name] for name in ("start", "luck", "loss", "total"))
    rows = [
        (
            f"{decision['turn']}",
            f"{decision['roll']}",
            " ".join(map(str, decision["dice"])),
            f"{decision['luck']:+.2f}",
            option(decision["played"]),
            "" if decision["word"] == "good" else option(decision["best"]),
            f"{decision['loss']:.2f}",
            "" if decision["word"] == "good" else decision["word"],
        )
        for decision in decisions
    ]
    counts = Counter(decision["word"] for decision in decisions)
    known = ("inaccuracy", "inaccuracies"), ("mistake", ""), ("blunder", "")
    found = [counted(counts.total(), "decision")]
    found += [counted(counts[word], word, several) for word, several in known if counts[word]]
    return [
        f"{total:.2f} = {start:.2f} at the start {luck:+.2f} luck {-loss:+.2f} lost by choices",
        f"accuracy {review['accuracy']:.1f}, {', '.join(found)}",
        "",
        *aligned([_HEADING, *rows], right=(0, 1, 3, 6)),
    ]


main = Command("review", _REVIEWING, _EXAMPLES, _add_arguments, _review)
