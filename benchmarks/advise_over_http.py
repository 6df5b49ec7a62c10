"""One `advise` over HTTP, in requests per second, beside a bare Flask view.

Score cards with random open boxes, dice and rolls left; the tables are made first. Otherwise as in
`evaluate_over_http.py`.
"""

from __future__ import annotations

import random
import socket
import time
from functools import partial

from benchmarks.evaluate_over_http import BLOCKS, compare, request, serving
from service.kinds.scorecard.variant import ScoreCard
from service.variants import variants

source = random.Random(5)


def position(variant: ScoreCard) -> dict[str, object]:
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
    with serving() as served:
        for name in ("dice-poker", "yahtzee-deluxe"):
            variant = variants()[name]
            assert isinstance(variant, ScoreCard)
            path = f"/v1/variants/{name}/advise"
            wait_for_table(served.service[0], request(path, {"card": {}}))
            compare(served, name, path, partial(position, variant))


if __name__ == "__main__":
    main()
