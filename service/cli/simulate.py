"""The command line of `python -m service simulate`: seeded games of score cards."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence

from service.cli.command import CommandError, say, stoppable
from service.cli.options import (
    KEPT,
    add_cluster,
    add_game,
    number,
    parse_house_rules,
    workers_of,
)
from service.kinds.scorecard.variant import ScoreCard
from service.variants import variants

MAX_GAMES = 10**10
MAX_SEED = 2**63 - 1

_SIMULATING = """\
Plays games of a score card to their end, one player each, and writes what each box of the final
cards holds, with bonuses and total, to Parquet files. The dice follow from the seed and the number
of the game: the same command plays the same games, however many workers there are.

policies:
  best    the play with the highest expected total
  greedy  the play with the most points in each turn, expected over its rolls; what comes after the
          turn doesn't count, nor does the upper bonus

The games are played on all cores, or on a Dask cluster. A run that was broken off goes on where it
was when the command is repeated; with more --games, it plays those that are missing.
"""

_EXAMPLES = """\
examples:
  python -m service simulate --variant dice-poker --games 1000000 -o games/
  python -m service summary games/
"""


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit status.

    An error is printed to stderr and has status 2, or 75 if the same command may work later.
    Ctrl-C and SIGTERM have the status that shells give them. Raises `SystemExit`, as argparse does,
    for `--help` and invalid arguments.
    """
    options = _parser().parse_args(arguments)
    return stoppable(lambda: _simulate(options), KEPT)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        "python -m service simulate",
        description=_SIMULATING,
        epilog=_EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add_game(parser, ", ".join(_score_cards()), "folder for the games")
    parser.add_argument(
        "--games", required=True, type=number(1, MAX_GAMES), metavar="N", help="how many to play"
    )
    parser.add_argument(
        "--policy", choices=["best", "greedy"], default="best", help="see above (default: best)"
    )
    parser.add_argument(
        "--seed",
        type=number(0, MAX_SEED),
        default=1,
        metavar="S",
        help="another seed has other dice (default: 1)",
    )
    add_cluster(parser, "where")
    return parser


def _simulate(options: Namespace) -> None:
    """Plays the games. Raises `CommandError` if it can't."""
    variant = _score_cards().get(options.variant)
    if variant is None:
        offered = ", ".join(_score_cards())
        raise CommandError(f"--variant must be one of {offered}, not {options.variant!r}")
    house_rules = parse_house_rules(variant, options.house_rules)
    workers = workers_of(options, "Simulating games")
    from service.cli.folders.games import play_games

    found = play_games(
        options.output,
        variant,
        house_rules,
        options.policy,
        options.seed,
        options.games,
        workers=workers,
        scheduler=options.scheduler,
    )
    games = "game" if found.rows == 1 else "games"
    say(found.sentence(f"{found.rows:,} {games}", "played"), sys.stderr)


def _score_cards() -> dict[str, ScoreCard]:
    """The variants with score cards, by their names."""
    return {each.id: each for each in variants().values() if isinstance(each, ScoreCard)}
