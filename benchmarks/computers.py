"""Players of the service, over HTTP: the time of `choose`, and of a computer's whole turn after an
action of a session, beside that of an action which no computer follows.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from http.client import HTTPConnection
from statistics import median, quantiles
from typing import Any

from benchmarks.advise_over_http import position
from service.kinds.scorecard.variant import ScoreCard
from service.variants import variants
from tests.api.operations.test_choose import POSITIONS
from tests.live import JSON, running
from tests.whole_games.legal_player import choose, moves

CHOICES = 400
TURNS = 150
"""How many turns of a computer are timed in each game."""

source = random.Random(11)

Send = Callable[..., tuple[int, Any, float]]
"""Sends a request: method, path, perhaps a body and headers. Returns the status, the decoded
answer, and milliseconds.
"""


def sent(
    connection: HTTPConnection,
    method: str,
    path: str,
    body: object = None,
    headers: Mapping[str, str] | None = None,
) -> tuple[int, Any, float]:
    """A `Send` over `connection`."""
    data = None if body is None else json.dumps(body).encode()
    began = time.perf_counter()
    connection.request(method, path, data, {"Content-Type": JSON, **(headers or {})})
    with connection.getresponse() as response:
        answer = response.read()
    return response.status, json.loads(answer), (time.perf_counter() - began) * 1000


def time_of_choices(send: Send, name: str) -> None:
    """Prints the time of `choose`, whose table is there."""
    variant = variants()[name]
    asked = partial(position, variant) if isinstance(variant, ScoreCard) else None
    path, taken = f"/v1/variants/{name}/choose", list[float]()
    while len(taken) < CHOICES:
        body = asked() if asked else POSITIONS[name](source)
        status, answer, took = send("POST", path, {**body, "strength": "best"})
        if status != 200:
            raise ValueError(answer)
        taken.append(took)
    rare = quantiles(taken, n=100)[98]
    print(f"{name:20} choose: {median(taken):.1f} ms, 99th percentile {rare:.1f} ms")


def time_of_turns(send: Send, name: str) -> None:
    """Prints the time of an action with and without a turn of the computer after it, once the table
    that the computer needs is made.
    """
    alone, followed = list[float](), list[float]()
    while len(followed) < TURNS:
        asked = {"variant": name, "players": ["ann", "robo"], "computers": {"robo": "best"}}
        status, made, _ = send("POST", "/v1/sessions", asked)
        if status == 503:
            time.sleep(0.5)
            continue
        path, headers = (
            f"/v1/sessions/{made['id']}",
            {"Authorization": f"Bearer {made['tokens']['table']}", "If-Match": "*"},
        )
        _, session, _ = send("GET", path, None, headers)
        while not session["state"]["over"]:
            mine = [each for each in moves(session["actions"]) if each["player"] == "ann"]
            if not mine:  # the computer needs more time than a request may take
                _, session, _ = send("GET", path, None, headers)
                continue
            body, before = choose(source, mine, {None: session}), session["version"]
            body["player"] = "ann"
            status, session, took = send("POST", f"{path}/actions", body, headers)
            if status != 200:
                raise ValueError(session)
            (followed if session["version"] > before + 1 else alone).append(took)
    more, rare = median(followed) - median(alone), quantiles(followed, n=20)[18]
    print(
        f"{name:20} action: {median(alone):.1f} ms, with a computer's turn {more:.1f} ms more, "
        f"95th percentile {rare:.1f} ms"
    )


def main() -> None:
    """Prints two lines for each variant."""
    with running() as service, closing(HTTPConnection("127.0.0.1", service.port)) as connection:
        send = partial(sent, connection)
        for name in variants():
            time_of_turns(send, name)
            time_of_choices(send, name)


if __name__ == "__main__":
    main()
