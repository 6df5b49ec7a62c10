"""Card dice: the order of all rolls, and their names at every boundary."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.csv
import pytest
from dice_games.card_dice import TEXTS, VARIANT, CardDiceRules

from service.app import create_app
from service.cli.score_file import score_file
from service.settings import Settings

FACES = "9TJQKA"


def sort_key(dice: str, *, straight_high: bool) -> tuple[int, list[tuple[int, int]]]:
    """What rolls are sorted by according to the clauses, without the service (C2, C3, C5)."""
    counts = Counter(map(FACES.index, dice))
    groups = sorted(((count, face) for face, count in counts.items()), reverse=True)
    shape = tuple(count for count, _ in groups)
    straight = shape == (1,) * 5 and max(counts) - min(counts) == 4
    order = [(1,) * 5, (2, 1, 1, 1), (2, 2, 1), (3, 1, 1), "straight", (3, 2), (4, 1), (5,)]
    if straight_high:
        order[4], order[5] = order[5], order[4]
    return order.index("straight" if straight else shape), groups


@pytest.mark.parametrize("straight_high", [False, True])
def test_the_order_of_all_rolls(straight_high: bool) -> None:
    """All 7,776 rolls sort by strength as they do by the clauses (C2, C3, C5)."""
    rules = CardDiceRules(straight_beats_full_house=straight_high)
    found: dict[int, Any] = {}
    for dice in product(FACES, repeat=5):
        hand = VARIANT.evaluate(VARIANT.dice.numbers(dice), rules)
        key = sort_key("".join(dice), straight_high=straight_high)
        assert found.setdefault(hand.strength, key) == key
    assert [found[strength] for strength in sorted(found)] == sorted(found.values())


def test_names_over_http() -> None:
    """Requests and responses have the names of the faces, never numbers (C1)."""
    client = create_app(Settings()).test_client()
    path = "/v1/variants/card-dice"
    answer = client.post(f"{path}/evaluate", json={"dice": ["9", "A", "9", "A", "A"]}).get_json()
    assert answer == {
        "variant": "card-dice",
        "rank": "full_house",
        "clause": "C2",
        "strength": 212,
        "best": ["A", "A", "A", "9", "9"],
        "tie_break": {"numbers": ["A", "9"]},
    }
    players = [{"id": "ann", "dice": [*"KK9TJ"]}, {"id": "ben", "dice": [*"AA9TJ"]}]
    ranked = client.post(f"{path}/rank", json={"players": players}).get_json()
    reasons = [place["reason"] for place in ranked["places"]]
    assert reasons[0] == "Same rank, one pair: the pair decides, A over K (C3)."
    refused = client.post(f"{path}/evaluate", json={"dice": ["9", "A", "9", "1", 6]}).get_json()
    no_face = {
        "code": "not_one_of",
        "allowed": ["9", "T", "J", "Q", "K", "A"],
        "detail": "must be one of 9, T, J, Q, K, A",
    }
    assert refused["errors"] == [
        {"pointer": "/dice/3", **no_face},
        {"pointer": "/dice/4", **no_face},
    ]
    entry = client.get(path).get_json()["dice"]
    assert (entry["names"], entry["notation"]) == ([*FACES], "one of 9 T J Q K A")


def test_german_texts() -> None:
    """The catalogue has the texts of the game in German, too; names of ranks are the service's."""
    client = create_app(Settings()).test_client()
    entry = client.get("/v1/variants/card-dice", headers={"Accept-Language": "de"}).get_json()
    assert (entry["name"], entry["summary"]) == (TEXTS[VARIANT.name], TEXTS[VARIANT.summary])
    assert [rule["text"] for rule in entry["rules"]] == [
        TEXTS[clause] for clause in VARIANT.clauses.values()
    ]
    assert [rank["name"] for rank in entry["ranks"]] == [
        "Fünfling", "Vierling", "Full House", "Straße", "Drilling", "Zwei Paare", "Ein Paar",
        "Höchster Würfel",
    ]  # fmt: skip


def test_names_in_batches(tmp_path: Path) -> None:
    """Batches in each format and scored files give every roll the rank of `evaluate`."""
    client = create_app(Settings()).test_client()
    path = "/v1/variants/card-dice/batch"
    rolls = list(product(FACES, repeat=5))
    hands = [VARIANT.evaluate(VARIANT.dice.numbers(dice), CardDiceRules()) for dice in rolls]
    expected = [hand.rank.id for hand in hands], [hand.strength for hand in hands]

    for given in ([*map(list, rolls)], ["".join(dice) for dice in rolls]):
        answer = client.post(path, json={"hands": given}).get_json()
        assert (answer["rank"], answer["strength"]) == expected

    lines = b"\n".join(orjson.dumps({"dice": dice}) for dice in rolls)
    reply = client.post(path, data=lines, content_type="application/x-ndjson").data
    answers = [orjson.loads(line) for line in reply.splitlines()]
    assert ([each["rank"] for each in answers], [each["strength"] for each in answers]) == expected

    faces = pa.array([face for dice in rolls for face in dice])
    table = pa.table({"dice": pa.FixedSizeListArray.from_arrays(faces, 5)})
    arrow = "application/vnd.apache.arrow.stream"
    body = BytesIO()
    with pa.ipc.new_stream(body, table.schema) as stream:
        stream.write_table(table)
    reply = client.post(path, data=body.getvalue(), content_type=arrow).data
    found = pa.ipc.open_stream(reply).read_all()
    assert (found["rank"].to_pylist(), found["strength"].to_pylist()) == expected

    source, target = tmp_path / "rolls.csv", tmp_path / "ranks.csv"
    source.write_text("dice\n" + "\n".join(map("".join, rolls)))
    rules = CardDiceRules()
    scored_rows = score_file(source, target, VARIANT, rules, rows=1_000, report=lambda *_: None)
    assert scored_rows == (len(rolls), 0)
    scored = pyarrow.csv.read_csv(target)
    assert (scored["rank"].to_pylist(), scored["strength"].to_pylist()) == expected


@pytest.mark.parametrize(
    ("hands", "pointer"),
    [
        (["99AAA", "9TJQ2"], "/hands/1"),
        ([[*"99AAA"], [*"9TJQ2"]], "/hands/1/4"),
        ([[*"99AAA"], [9, *"9TJQ"]], "/hands/1/0"),
        ([[*"99AAA"], [*"9TJQ"]], "/hands/1"),
    ],
)
def test_names_that_no_face_has(hands: list[Any], pointer: str) -> None:
    """A batch with an unknown face is refused; the error points at the first wrong die."""
    client = create_app(Settings()).test_client()
    reply = client.post("/v1/variants/card-dice/batch", json={"hands": hands})
    assert reply.status_code == 422
    assert [error["pointer"] for error in reply.get_json()["errors"]] == [pointer]
