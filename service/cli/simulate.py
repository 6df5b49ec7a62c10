"""The command line of `dice-scoring simulate`: seeded games of score cards."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from service.cli.command import (
    KEPT,
    MAY_PASS,
    Command,
    add_cluster,
    add_game,
    chosen_game,
    number,
    workers_of,
)
from service.cli.text import counted, say
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

The games are played on all cores, or on a Dask cluster. An interrupted run continues where it was
when the command is repeated; with more --games, it plays those that are missing. The command
`summary` shows how their totals are distributed.
"""

_EXAMPLES = """\
examples:
  %(prog)s --variant dice-poker --games 1000000 -o games/
"""


def _score_cards() -> dict[str, ScoreCard]:
    """The variants with score cards, by their names."""
    return {each.id: each for each in variants().values() if isinstance(each, ScoreCard)}


def _add_arguments(parser: ArgumentParser) -> None:
    add_game(parser, _score_cards(), "folder for the games")
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


def _simulate(options: Namespace) -> None:
    """Plays the games. Raises `CommandError` if it can't."""
    variant, house_rules = chosen_game(options, _score_cards())
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
    say(found.sentence(counted(found.rows, "game"), "played"), sys.stderr)


main = Command(
    "simulate", _SIMULATING, _EXAMPLES, _add_arguments, _simulate, lambda _: KEPT, MAY_PASS
)
