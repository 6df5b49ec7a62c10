"""Chances in Hold'em: how long exact ones take at each stage, beside simulated ones.

The first answer before the flop lists all communities, which is done once in each process. It is
timed in fresh processes, without the import of NumPy and the game. All other times are medians over
random tables, processor time, on one core.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

from service.advice.choosing import Strength
from service.advice.community.chances import chances, simulated_chances
from service.advice.community.playing import Spot, play
from service.advice.community.position import SAMPLES, CommunityPosition
from service.engine.actions import Move
from service.kinds.community.betting import CHECK, FOLD
from service.variants.texas_holdem_dice import VARIANT

ROOT = Path(__file__).parents[1]
RUNS = 9
TABLES = 30
STAGES = {"before the flop": 0, "flop": 3, "turn": 4, "river": 5}

FIRST = """
import time
from service.advice.community.chances import chances
from service.advice.community.position import CommunityPosition
from service.variants.texas_holdem_dice import VARIANT
started = time.process_time()
chances(VARIANT, VARIANT.default_rules, CommunityPosition((0, 8)))
print(time.process_time() - started)
"""


def table(source: random.Random, community: int, known: int, unknown: int) -> CommunityPosition:
    """A table with dice drawn at random."""
    suits = source.sample([suit for suit in range(4) for _ in range(5)], 2 + community + 2 * known)
    dice = [6 * suit + source.randrange(6) for suit in suits]
    pockets = [dice[start : start + 2] for start in range(0, 2 + 2 * known, 2)]
    return CommunityPosition(pockets[0], dice[2 + 2 * known :], pockets[1:], unknown)


def milliseconds(positions: list[CommunityPosition]) -> float:
    """The median time of the chances in `positions`."""
    times = []
    for position in positions:
        started = time.process_time()
        chances(VARIANT, VARIANT.default_rules, position)
        times.append(time.process_time() - started)
    return statistics.median(times) * 1e3


def playing(community: int) -> float:
    """The median time of the strategy's choice at a stage, in milliseconds."""
    source, times = random.Random(8), []
    stage, moves = VARIANT.stages.index(community), [Move(CHECK, "ann"), Move(FOLD, "ann")]
    spot = Spot(stage, 20, 0, 10, 0, 1, 2, acts_first=True)
    for _ in range(TABLES):
        seen = table(source, community, 0, 1)
        started = time.process_time()
        play(
            VARIANT, VARIANT.default_rules, spot, seen.pocket, seen.community, moves,
            Strength.BEST, source,
        )  # fmt: skip
        times.append(time.process_time() - started)
    return statistics.median(times) * 1e3


def first() -> float:
    """The median time of the first answer before the flop, in milliseconds."""
    command = [sys.executable, "-c", FIRST]
    printed = [subprocess.check_output(command, cwd=ROOT) for _ in range(RUNS)]
    return statistics.median(map(float, printed)) * 1e3


def main() -> None:
    """Prints all figures."""
    print(f"the first answer before the flop in a process  {first():6.0f} ms")
    source = random.Random(7)
    milliseconds([table(source, 0, 0, 1)])  # lists what is listed once
    for name, community in STAGES.items():
        for known, unknown in ((0, 1), (0, 2), (0, 5), (1, 0), (5, 0), (1, 4)):
            tables = 5 if unknown > 2 and not community else TABLES
            found = milliseconds([table(source, community, known, unknown) for _ in range(tables)])
            print(f"{name:16} {known} known, {unknown} unknown opponents   {found:8.2f} ms")
        print(f"{name:16} what the strategy does   {playing(community):18.2f} ms")
    position = table(source, 0, 0, 1)
    started = time.process_time()
    simulated_chances(VARIANT, VARIANT.default_rules, position)
    took = (time.process_time() - started) * 1e3
    print(f"{SAMPLES} simulated showdowns against one opponent {took:10.0f} ms, 0.1 % error")


if __name__ == "__main__":
    main()
