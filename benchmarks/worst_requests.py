"""The most processor time of single requests: the hardest questions, and the longest bodies.

Each is sent to a service with one worker, whose processor time the kernel counts in hundredths of a
second. The first of two requests may also prepare something for later ones.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.live import JSON, Service, running

VARIANTS = "/v1/variants"
BODY_BYTES = 1_048_576

SUIT = [*(f"{rank}s" for rank in "2346789JQKA"), "5h", "Th"]
"""A hard crossword."""

EQUAL = ["8h", "8h", "8h", "8h", "8d", "8d", "8s", "9h", "9h", "9d", "Th", "Th", "Td"]
MANY = {"repeated_cards": True, "max_uses": 4, "layout": "either", "opening": "none"}
"""Dice and house rules for which the search stops at its limit."""

BEGUN = ["As", "Ks", "Qs", "Js", "Ts", "9s", "8s", "7s", "6s", "--", "--", "--", "--"]
POCKETS = [["1r", "1b"], ["2r", "2b"], ["3r", "3b"], ["4r", "4b"], ["5r", "5b"]]
TURN = {"rolls": [[1, 2, 3, 4, 6], [1, 2, 3, 4, 6]], "keeps": [[0, 1]]}
BOXES = ("ones", "twos", "threes", "fours", "fives", "sixes", "three_of_a_kind", "four_of_a_kind",
         "full_house", "small_straight", "large_straight", "five_of_a_kind", "chance")  # fmt: skip


def crosswords(count: int, **fields: Any) -> list[dict[str, Any]]:
    """Players with hard turns, each with another die first."""
    return [
        {"id": str(n), "rolls": [SUIT[n % 13 :] + SUIT[: n % 13]], **fields} for n in range(count)
    ]


def hardest() -> Iterator[tuple[str, str, Any]]:
    """The name, the operation and the body of questions that take long."""
    royal = "roll-a-royal"
    equal = {"rolls": [EQUAL], "house_rules": MANY}
    yield "crossword", f"{royal}/evaluate", {"rolls": [SUIT]}
    yield "crossword with repeated cards", f"{royal}/evaluate", equal
    lines = [{"dice": [0, 1], "direction": "across", "row": 0, "column": 0}]
    yield "own layout with repeated cards", f"{royal}/score", {**equal, "layout": lines}
    yield "rank nine hard crosswords", f"{royal}/rank", {"players": crosswords(9)}
    yield "rank a hundred hard crosswords", f"{royal}/rank", {"players": crosswords(100)}
    limited = [{"id": str(n), "rolls": [EQUAL]} for n in range(6)]
    yield "rank six with repeated cards", f"{royal}/rank", {
        "players": limited, "house_rules": MANY,
    }  # fmt: skip
    yield "advice before a roll", f"{royal}/advise", {"rolls": []}
    yield "advice with four blanks", f"{royal}/advise", {"rolls": [BEGUN]}
    yield "the same with repeated cards", f"{royal}/advise", {
        "rolls": [EQUAL[:9] + ["--"] * 4], "house_rules": MANY,
    }  # fmt: skip
    for game, dice in (("dice-poker", [1, 2, 3, 4, 6]), ("yahtzee-deluxe", [1, 2, 3, 4, 6, 6])):
        asked = {"card": {}, "dice": dice, "limit": 500}
        yield f"advice of {game}", f"{game}/advise", asked
        for target in (150, 250, 350):
            body = {**asked, "target": target}
            yield f"chance of {target} in {game}", f"{game}/advise", body
    turns = [{**TURN, "box": box} for box in BOXES]
    crossed = [{**turn, "crossed_out": True} for turn in turns]
    yield "review of 13 turns", "dice-poker/review", {"turns": crossed}
    asked = {"dice": [1, 2, 3, 4, 6], "to_beat": [1, 1, 2, 3, 4], "limit": 500}
    for after in (0, 9, 19):
        body = {**asked, "players_after": after}
        yield f"poker dice, {after} players after", "poker-dice/advise", body
    holdem = "texas-holdem-dice/advise"
    for opponents in (1, 5):
        body = {"pocket": ["6r", "6b"], "opponents": opponents}
        yield f"Hold'em, {opponents} unknown opponents", holdem, body
    body = {"pocket": ["6r", "6b"], "known": POCKETS[:2], "opponents": 5}
    yield "Hold'em, two of five opponents known", holdem, body
    yield "Hold'em, flop, five opponents", holdem, {
        "pocket": ["6r", "6b"], "community": ["5r", "4w", "3y"], "opponents": 5,
    }  # fmt: skip


def longest() -> Iterator[tuple[str, str, Any]]:
    """The same for bodies of a MiB, most of them invalid."""
    fields = {f"{number:x}": 0 for number in range(100_000)}
    yield "unknown fields", "poker-dice/evaluate", {"dice": [1, 2, 3, 4, 6], **fields}
    yield "unknown house rules", "poker-dice/evaluate", {
        "dice": [1, 2, 3, 4, 6], "house_rules": fields,
    }  # fmt: skip
    yield "dice", "poker-dice/evaluate", {"dice": [7] * 300_000}
    yield "rolls", "roll-a-royal/evaluate", {"rolls": [["As"]] * 100_000}
    own = [{"id": str(n), "dice": [1, 2, 3, 4, 6]} for n in range(1000)]
    yield "a thousand players", "poker-dice/rank", {"players": own}
    wrong = [{"id": n, **{str(key): 0 for key in range(130)}} for n in range(1000)]
    yield "a thousand invalid players", "poker-dice/rank", {"players": wrong}
    cards = [{"id": str(n), "card": dict.fromkeys(BOXES, 5)} for n in range(1000)]
    yield "a thousand cards", "dice-poker/rank", {"players": cards}
    turns = [{"rolls": [[7] * 5] * 3, "keeps": [[9] * 5] * 2, "box": "none"}] * 8000
    yield "turns to review", "dice-poker/review", {"turns": turns}
    lines = [{"dice": [99] * 13, "direction": "up", "row": -1, "column": "x"}] * 9000
    yield "lines of a layout", "roll-a-royal/score", {"rolls": [SUIT], "layout": lines}
    yield "known pockets", "texas-holdem-dice/advise", {
        "pocket": ["6r", "6b"], "known": [["6r", "7x"]] * 60_000,
    }  # fmt: skip
    yield "nested lists", "poker-dice/evaluate", {"dice": json.loads("[" * 900 + "]" * 900)}


def processor_seconds(service: Service) -> float:
    """The processor time that the worker of `service` has used."""
    (worker,) = service.workers()
    fields = Path(f"/proc/{worker}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(service: Service, path: str, body: bytes) -> int:
    """Sends a request, and returns its status; a table that it needs is made first."""
    while True:
        connection = HTTPConnection("127.0.0.1", service.port)
        connection.request("POST", path, body, {"Content-Type": JSON})
        status = connection.getresponse().status
        connection.close()
        if status != 503:
            return status
        time.sleep(1)


def main() -> None:
    """Prints a line for each request, and the most of all."""
    most = 0.0
    with running(WEB_CONCURRENCY="1") as service:
        for name, operation, body in (*hardest(), *longest()):
            path, data = f"{VARIANTS}/{operation}", json.dumps(body, separators=(",", ":")).encode()
            taken = []
            for _ in range(2):
                before = processor_seconds(service)
                status = ask(service, path, data[:BODY_BYTES])
                taken.append(processor_seconds(service) - before)
            most = max(most, *taken)
            first, second = taken
            print(f"{name:40} {status}   {first:.2f} s, then {second:.2f} s")
    print(f"most of a processor that a single request took: {most:.2f} s")


if __name__ == "__main__":
    main()
