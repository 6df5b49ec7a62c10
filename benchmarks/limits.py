"""What rate limits cost an `evaluate` over HTTP: its rate with them, as a fraction of that without.

Two services with one worker each alternate in short blocks, as in `evaluate_over_http`.
"""

from __future__ import annotations

import statistics
import tempfile

from benchmarks.evaluate_over_http import BLOCK, BLOCKS, BODIES, connected, rate, request, service

NAME = "dice-poker"
PLENTY = "1000000000"


def main() -> None:
    """Prints the ratio."""
    asked = [request(f"/v1/variants/{NAME}/evaluate", BODIES[NAME]()) for _ in range(BLOCK)]
    with (
        tempfile.TemporaryDirectory() as folder,
        service(DATA_DIR=f"{folder}/off") as off,
        service(DATA_DIR=f"{folder}/on", RATE_LIMIT=PLENTY) as on,
        connected(off) as without,
        connected(on) as limited,
    ):
        for connections in (without, limited):
            rate(connections, asked)
        pairs = [(rate(limited, asked), rate(without, asked)) for _ in range(3 * BLOCKS)]
    ratio = statistics.median(own / other for own, other in pairs)
    print(f"evaluate of {NAME} with rate limits: {ratio:.3f} of the rate without them")


if __name__ == "__main__":
    main()
