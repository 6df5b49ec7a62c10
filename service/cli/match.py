"""The command line of `dice-scoring match`: computers that play against each other."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from math import sqrt
from multiprocessing import get_context

import numpy as np
import numpy.typing as npt

from service.advice.choosing import Strength
from service.api.operations import registry
from service.api.sessions.requests import most_players
from service.cli.command import Command, CommandError, add_game, chosen_game, number
from service.cli.own_settings import own_settings
from service.cli.text import aligned, say
from service.kinds.scorecard.variant import ScoreCard
from service.rules.breaches import Breach
from service.rules.house_rules import HouseRules
from service.rules.violations import InvalidInput
from service.sessions.session import Terms, catch_up, start
from service.tables import NotReady
from service.tables.prepare import wait_for_table
from service.variants import variants

MAX_GAMES = 10**6
MOST_MOVES = 100_000
"""After so many moves a game counts as it is: without a limit, chips may go round for ever."""

_MATCHING = """\
Lets computers play against each other, on all cores, and prints how often each wins or shares the
win, and its total or its chips at the end: the mean, and the standard deviation. After each mean is
its standard error. Games with the same dice are played until each player has been in each seat. The
dice and the choices follow from the seed: the same command prints the same table.
"""

_EXAMPLES = """\
examples:
  %(prog)s --variant dice-poker --players hard,best --games 1000
  %(prog)s --variant poker-dice --players easy,medium,hard,best --games 400
  %(prog)s --variant texas-holdem-dice --house-rules '{"hands": 1}' --players hard,best
"""

Outcome = tuple[Sequence[bool], Sequence[int]]
"""Whether each player wins a game, and their totals or chips at the end."""


def _strengths(given: str) -> Sequence[str]:
    """The strengths in a list with commas."""
    found = given.split(",")
    known = [each.value for each in Strength]
    if not {*found} <= {*known}:
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
        "--games",
        type=number(1, MAX_GAMES),
        default=100,
        metavar="N",
        help="how many to play, rounded up to a multiple of the players (default: 100)",
    )
    parser.add_argument(
        "--seed", type=number(0, 2**53 - 1), default=1, metavar="S", help="(default: 1)"
    )


def _match(options: Namespace) -> None:
    """Plays the games, and prints the table. Raises `CommandError` if they can't be played."""
    (variant, rules), players = chosen_game(options, variants()), options.players
    least, most = variant.players[0], most_players(variant)
    if not least <= len(players) <= most:
        wrong = Breach.NOT_A_LIST_BETWEEN(minimum=least, maximum=most, of="players")
        raise CommandError(f"--players {wrong}")
    try:
        if isinstance(variant, ScoreCard):
            wait_for_table(variant, rules, own_settings())
        table = _terms(variant.id, rules, players, 0, "").table
        registry.check_computers(own_settings(), variant, table)
    except NotReady as why:
        raise CommandError(f"The table of {variant.id} can't be made: {why}.") from None
    except InvalidInput as refused:
        raise CommandError(str(refused)) from None
    deals = range(-(-options.games // len(players)))
    jobs = [(variant.id, rules, players, f"{options.seed}:{deal}") for deal in deals]
    with get_context("spawn").Pool() as pool:
        outcomes = pool.starmap(play, jobs, chunksize=max(1, len(jobs) // 64))
    for line in lines_of(players, np.array(outcomes, float)):
        say(line, sys.stdout)


def play(
    variant_id: str, rules: HouseRules, strengths: Sequence[str], seed: str
) -> Sequence[Outcome]:
    """How games with the same dice come out, one for each way in which the seats move on."""
    outcomes = []
    for turn in range(len(strengths)):
        terms = _terms(variant_id, rules, strengths, turn, seed)
        snapshot, _ = catch_up(terms, start(terms)[0], 0, MOST_MOVES)
        scores = dict(zip(terms.players, terms.game.scores(snapshot.state), strict=True))
        winners = [name in snapshot.state.winners for name in terms.computers]
        outcomes.append((winners, [scores[name] for name in terms.computers]))
    return outcomes


def _terms(
    variant_id: str, rules: HouseRules, strengths: Sequence[str], turn: int, seed: str
) -> Terms:
    """A game in which the seats have moved on by `turn`; `computers` has the players in order."""
    names = [f"{place} {strength}" for place, strength in enumerate(strengths, start=1)]
    return Terms(
        id="",
        variant=variants()[variant_id],
        players=(*names[turn:], *names[:turn]),
        rules=rules,
        seed=sha256(seed.encode()).digest(),
        client_seed="",
        tokens=(),
        created_at=0,
        seconds=0,
        computers=dict(zip(names, strengths, strict=True)),
        choose=partial(registry.play, own_settings()),
    )


def lines_of(strengths: Sequence[str], outcomes: npt.NDArray[np.float64]) -> list[str]:
    """The lines of the table, one for each player.

    `outcomes` has the axes deal, seating, win or score, player. Games of the same deal depend on
    each other, so the errors are those of the means over deals; a single deal has none.
    """
    means = outcomes.mean((0, 1))
    deals = outcomes.mean(1)
    deviations = outcomes[:, :, 1].std((0, 1))
    rows = [["player", "won", "+-", "mean", "+-", "deviation"]]
    for place, strength in enumerate(strengths):
        won, mean = means[:, place]
        cells = [f"{100 * won:.1f}%", "", f"{mean:.1f}", ""]
        if len(deals) > 1:
            missed, off = deals.std(0, ddof=1)[:, place] / sqrt(len(deals))
            cells[1::2] = f"{100 * missed:.1f}%", f"{off:.1f}"
        rows.append([f"{place + 1} {strength}", *cells, f"{deviations[place]:.1f}"])
    return aligned(rows, right=range(1, 6))


main = Command("match", _MATCHING, _EXAMPLES, _add_arguments, _match)
