"""How much faster a list of actions is than the same actions one by one, over HTTP.

python -m benchmarks.several_actions
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import closing
from http.client import HTTPConnection
from statistics import median
from typing import Any

from service.variants.dice_poker import VARIANT as DICE_POKER
from tests.api.sessions.playing import Session, make
from tests.live import running

Body = dict[str, Any]

PLAYERS = ("ann", "ben", "cas", "dan")
BOXES = [box.id for box in DICE_POKER.boxes]
COUNT, TIMES = 100, 15


def actions() -> list[Body]:
    """The first actions of a game of dice-poker for four, with typed dice."""
    turns = [(box, player) for box in BOXES for player in PLAYERS]
    return [
        action
        for box, player in turns
        for action in (
            {"action": "roll", "player": player, "dice": [1, 2, 3, 4, 6]},
            {"action": "cross_out", "player": player, "box": box},
        )
    ][:COUNT]


def seconds(session: Session, bodies: Sequence[Body]) -> float:
    """How long the requests with these bodies take, one after the other on one connection."""
    sent = [json.dumps(body).encode() for body in bodies]
    with closing(HTTPConnection("127.0.0.1", session.service.port)) as connection:
        connection.connect()
        began, version = time.perf_counter(), 1
        for number, body in enumerate(sent):
            headers = session.headers(version=version, key=str(number))
            connection.request("POST", f"{session.path}/actions", body, headers)
            reply = connection.getresponse()
            data = reply.read()
            assert reply.status == 200, data
            version = json.loads(data)["version"]
        assert version == 1 + COUNT
        return time.perf_counter() - began


def main() -> None:
    """Prints the median of both, and how many times as fast the list is."""
    bodies = actions()
    found: dict[str, list[float]] = {"one by one": [], "in one request": []}
    with running() as service:
        for _ in range(TIMES):
            for name, sent in (("one by one", bodies), ("in one request", [{"actions": bodies}])):
                rules = {"turn_seconds": None}
                made = make(service, "dice-poker", *PLAYERS, dice="client", house_rules=rules)
                found[name].append(seconds(made, sent))
    slow, fast = (1000 * median(each) for each in found.values())
    print(f"{COUNT} actions one by one: {slow:.1f} ms; in one request: {fast:.1f} ms")
    print(f"{slow / fast:.1f} times as fast")


if __name__ == "__main__":
    main()
