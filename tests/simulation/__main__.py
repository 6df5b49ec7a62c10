"""Runs simulations: `python -m tests.simulation --seeds 10000`, or one with its trace: `17`."""

from __future__ import annotations

import argparse
import sys
import traceback

from tests.simulation import seeds
from tests.simulation.simulation import Simulation


def main() -> int:
    """Runs what the arguments ask for; the exit status is 1 if an invariant doesn't hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("seed", type=int, nargs="?", help="run this seed, and print its trace")
    parser.add_argument("--seeds", type=int, default=10_000, help="how many seeds to run")
    parser.add_argument("--first", type=int, default=0, help="the first of these seeds")
    options = parser.parse_args()
    if options.seed is not None:
        return int(not replay(options.seed))
    return int(not seeds.run(range(options.first, options.first + options.seeds)))


def replay(seed: int) -> bool:
    """Prints the trace of a seed and its hash; whether all invariants hold."""
    simulation, error = Simulation(seed, traced=True), ""
    try:
        simulation.run()
    except Exception:
        error = traceback.format_exc()
    sys.stdout.writelines(simulation.world.trace)
    print(f"seed {seed}, trace {simulation.world.digest}\n{error or 'All invariants hold.'}")
    return not error


if __name__ == "__main__":
    sys.exit(main())
