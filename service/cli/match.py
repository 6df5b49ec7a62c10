"""The command line of `dice-scoring match`: computers that play against each other."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from hashlib import sha256
from math import sqrt
from multiprocessing import get_context
from os import cpu_count
from statistics import fmean, pstdev
from typing import Any

from service.advice.choosing import Strength
from service.api.sessions.computers import Chooser
from service.cli.command import Command, CommandError, add_game, chosen_game, number
from service.cli.own_settings import own_settings
from service.cli.text import aligned, say
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules
from service.rules.variant import Variant
from service.rules.violations import InvalidInput
from service.sessions.session import Terms, catch_up, start
from service.tables import NotReady
from service.tables.prepare import wait_for_table
from service.variants import variants

MAX_GAMES = 10**6
MOST_MOVES = 100_000
"""After so many moves a game counts as it stands: without a limit, chips may go round for ever."""

_MATCHING = """\
Lets computers play against each other, on all cores, and prints how often each wins, and what it
has at the end: the mean with its standard error. Each player sits in each seat equally often. The
dice and the choices follow from the seed: the same command prints the same table.
"""

_EXAMPLES = """\
examples:
  %(prog)s --variant dice-poker --players hard,best --games 1000
  %(prog)s --variant poker-dice --players easy,medium,hard,best --games 400
"""

Outcome = tuple[Sequence[bool], Sequence[int]]
"""Who has won, and the totals or chips at the end, by player."""


def _strengths(given: str) -> Sequence[str]:
    """The strengths in a list with commas."""
    found = given.split(",")
    known = [each.value for each in Strength]
    if not set(found) <= {*known}:
        raise ArgumentTypeError(f"must be some of {', '.join(known)}, with commas between them")
    return found


def _add_arguments(parser: ArgumentParser) -> None:
    add_game(parser, variants())
    parser.add_argument(
        "--players",
        required=True,
        type=_strengths,
        metavar="LIST",
        help="the strength of each player, such as hard,best",
    )
    parser.add_argument(
        "--games", type=number(1, MAX_GAMES), default=100, metavar="N", help="(default: 100)"
    )
    parser.add_argument(
        "--seed", type=number(0, 2**53 - 1), default=1, metavar="S", help="(default: 1)"
    )


def _match(options: Namespace) -> None:
    """Plays the games, and prints the table. Raises `CommandError` if they can't be played."""
    variant, rules = chosen_game(options, variants())
    if isinstance(variant, ScoreCard):
        try:
            wait_for_table(variant, rules, own_settings())
        except NotReady as why:
            raise CommandError(f"The table of {variant.id} can't be made: {why}.") from None
    jobs = [
        (variant.id, rules, tuple(options.players), options.seed, game)
        for game in range(options.games)
    ]
    try:
        with get_context("spawn").Pool(cpu_count()) as pool:
            outcomes = pool.starmap(play, jobs, chunksize=max(1, len(jobs) // 64))
    except InvalidInput as refused:
        raise CommandError(str(refused)) from None
    for line in table(options.players, outcomes):
        say(line, sys.stdout)


def play(
    variant_id: str, rules: HouseRules, strengths: Sequence[str], seed: int, game: int
) -> Outcome:
    """How one game comes out for each player. The seats move on by one from game to game.

    Raises `InvalidInput` if so many can't play, or house rules exclude each other.
    """
    variant: Variant = variants()[variant_id]
    names = [f"{place} {strength}" for place, strength in enumerate(strengths, start=1)]
    turn = game % len(names)
    terms = Terms(
        id="",
        variant=variant,
        players=(*names[turn:], *names[:turn]),
        rules=rules,
        seed=sha256(f"{seed}:{game}".encode()).digest(),
        client_seed="",
        tokens=(),
        created_at=0,
        seconds=0,
        computers=dict(zip(names, strengths, strict=True)),
        chooser=Chooser(own_settings()),
    )
    snapshot, _ = catch_up(terms, start(terms)[0], 0, MOST_MOVES)
    scores = dict(zip(terms.players, terms.game.scores(snapshot.state), strict=True))
    return [name in snapshot.state.winners for name in names], [scores[name] for name in names]


def table(strengths: Sequence[str], outcomes: Sequence[Outcome]) -> list[str]:
    """The lines of the table: a player each, the games won (with others, too), and the scores."""
    rows = [["player", "won", "+-", "mean", "+-", "deviation"]]
    for place, strength in enumerate(strengths):
        won: list[Any] = [winners[place] for winners, _ in outcomes]
        scores = [each[place] for _, each in outcomes]
        cells = [f"{100 * fmean(won):.1f}%", f"{100 * _error(won):.1f}%"]
        cells += [f"{fmean(scores):.1f}", f"{_error(scores):.1f}", f"{pstdev(scores):.1f}"]
        rows.append([f"{place + 1} {strength}", *cells])
    return aligned(rows, right=range(1, 6))


def _error(values: Sequence[float]) -> float:
    """The standard error of the mean."""
    return pstdev(values) / sqrt(len(values))


main = Command("match", _MATCHING, _EXAMPLES, _add_arguments, _match)
