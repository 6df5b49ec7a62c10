"""One `advise` over HTTP, in requests per second, beside a bare Flask view in the same gunicorn.

Score cards with random open boxes, dice and rolls left; the tables are made first. Otherwise as in
`evaluate_over_http.py`.
"""

from __future__ import annotations

import random
import socket
import statistics
import time
from typing import Any

from benchmarks.app import BARE
from benchmarks.evaluate_over_http import BLOCK, BLOCKS, rate, request, serving
from service.kinds.scorecard.variant import ScoreCard
from service.variants import variants

source = random.Random(5)


def position(variant: ScoreCard[Any]) -> dict[str, object]:
    """A random position in the middle of a turn."""
    open_boxes = source.sample([*variant.possible], source.randint(1, len(variant.possible)))
    card = {
        box: source.choice(possible)
        for box, possible in variant.possible.items()
        if box not in open_boxes
    }
    dice = source.choices(range(1, variant.dice.faces + 1), k=variant.dice.count)
    return {"card": card, "dice": dice, "rolls_left": source.randrange(variant.rolls)}


def wait_for_table(connection: socket.socket, asked: bytes) -> None:
    """Returns once there is advice."""
    answer = b""
    while not answer.startswith(b"HTTP/1.1 200 "):
        time.sleep(0.5)
        connection.sendall(asked)
        answer = connection.recv(65536)
        while not answer.endswith(b"}"):
            answer += connection.recv(65536)


def main() -> None:
    """Prints a line for each variant."""
    print("advise over HTTP, beside a bare Flask view (median of", BLOCKS, "blocks)")
    with serving() as connections:
        for name in ("dice-poker", "yahtzee-deluxe"):
            variant = variants()[name]
            assert isinstance(variant, ScoreCard)
            path = f"/v1/variants/{name}/advise"
            wait_for_table(connections[0], request(path, {"card": {}}))
            asked = [request(path, position(variant)) for _ in range(BLOCK)]
            bare = [data.replace(path.encode(), BARE.encode()) for data in asked]
            rate(connections, asked)
            rate(connections, bare)
            pairs = [(rate(connections, asked), rate(connections, bare)) for _ in range(BLOCKS)]
            ratio = statistics.median(own / other for own, other in pairs)
            own = statistics.median(own for own, _ in pairs)
            other = statistics.median(other for _, other in pairs)
            print(f"{name:20} {own:6.0f}/s   bare {other:6.0f}/s   ratio {ratio:.3f}")


if __name__ == "__main__":
    main()
