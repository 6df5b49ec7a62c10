"""Lines that are processed many at a time."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from service.api.operations.registry import operations
from service.variants import variants
from tests.api.batch.batching import NDJSON, batch, lines, post
from tests.live import Service

pytestmark = pytest.mark.smoke


def table(source: random.Random, community: int) -> dict[str, Any]:
    """Pocket and community dice, sometimes more of a suit than the set has."""
    suits = source.choice(["rbwy", "rbwy", "rb"])
    dice = [f"{source.randint(1, 6)}{source.choice(suits)}" for _ in range(2 + community)]
    return {"pocket": dice[:2], "community": dice[2:]}


def test_tables_of_all_stages(service: Service) -> None:
    """Thousands of tables, from before the flop to the river, get the responses of `evaluate`."""
    source = random.Random(9)
    requests = [table(source, source.choice([0, 3, 4, 5])) for _ in range(4_000)]
    reply = post(service, lines(requests), NDJSON, batch("texas-holdem-dice"))
    found = [json.loads(line) for line in reply.body.splitlines()]
    (evaluate,) = [
        operation
        for operation in operations([variants()["texas-holdem-dice"]])
        if operation.name == "evaluate"
    ]
    refused = 0
    for request, answer in zip(requests, found, strict=True):
        if "status" in answer:
            assert "the set has 5 (H24)" in answer["detail"]
            refused += 1
        else:
            assert answer == json.loads(json.dumps(evaluate.run(request)))
    assert 0 < refused < 1_000


LINE = '{"pocket":["6r","6b"],"community":["6w","6y","2r"]}'


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ('"pocket":["1r","1b"]', "pocket"),
        ('"community":["1r","1b","2w"]', "community"),
        ('"p\\u006fcket":["1r","1b"]', "pocket"),
        ('"house_rules":{"ante":20}', None),
    ],
)
def test_a_line_out_of_the_ordinary(service: Service, field: str, name: str | None) -> None:
    """Unknown and repeated fields are refused in lines that are parsed in bulk, too."""
    body = f"{LINE}\n{LINE[:-1]},{field}}}\n".encode()
    reply = post(service, body, NDJSON, batch("texas-holdem-dice"))
    first, second = map(json.loads, reply.body.splitlines())
    if name is None:
        assert second.pop("house_rules")["ante"] == 20
        assert first == second
    else:
        why = f'the key "{name}" appears twice in one object'
        assert second["status"] == 400
        assert second["detail"] == f"The line is not valid JSON: {why}."
