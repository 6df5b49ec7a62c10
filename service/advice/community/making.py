"""Makes the strategy for two players in Hold'em: `python -m service.advice.community.making`.

It takes minutes, and prints how many chips a hand the best response wins against the strategy;
the README beside this module explains that. The same seed makes the same table, up to the last bit
of sums.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from service.advice.community.classes import Hands, count, cut
from service.advice.community.outlooks import BYTE
from service.advice.community.rounds import FOLD, RAISE
from service.advice.community.solving import Floats, Solver
from service.advice.community.strategy import FILE, outlooks_of
from service.batch.outcomes import suited_kernel
from service.variants.texas_holdem_dice import CHIP, VARIANT

SEED, DEALS, CUTTING_DEALS, ITERATIONS = 1, 8_000_000, 1_000_000, 100


def main() -> None:
    """Makes the table, and writes it over the one of the service."""
    parser = ArgumentParser("python -m service.advice.community.making", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--output", type=Path, default=FILE)
    given = parser.parse_args()
    source = np.random.default_rng(given.seed)
    hands = Hands(outlooks_of(suited_kernel(VARIANT, VARIANT.default_rules)))
    cuts = cut(hands.held(hands.deal(CUTTING_DEALS, source), 0).outlooks)
    solver = Solver(count(hands, cuts, DEALS, source))
    for _ in range(ITERATIONS):
        solver.iterate()
    fields = {"open": hands.open.astype(np.float32), "flop": hands.flop}
    fields |= {f"cuts{stage}": each for stage, each in enumerate(cuts)}
    fields |= {f"plan{stage}": in_bytes(plan) for stage, plan in enumerate(solver.plans())}
    np.save(given.output, as_table(fields))
    lost = CHIP * solver.exploitability()
    print(f"{given.output.stat().st_size} bytes; exploitability in chips a hand: {lost:.2f}")


def in_bytes(plan: Floats) -> NDArray[np.uint8]:
    """The chances to fold and to raise in bytes; what is left is the chance to check or call.

    A half is rounded down, or two of them would be more than the whole.
    """
    return (plan[:, :, (FOLD, RAISE)] * BYTE + np.float32(0.499)).astype(np.uint8)


def as_table(fields: dict[str, NDArray[np.generic]]) -> NDArray[np.void]:
    """An array of one structure with the `fields`, so that the file says where each of them is."""
    table = np.zeros(1, [(name, each.dtype, each.shape) for name, each in fields.items()])
    for name, each in fields.items():
        table[name][0] = each
    return table


if __name__ == "__main__":
    main()
