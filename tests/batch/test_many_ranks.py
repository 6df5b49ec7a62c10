"""Batches of games with more ranks than a byte can number, and with more faces than digits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import orjson
import pyarrow as pa
import pytest

from service.batch import BadRows
from service.batch.arrow.answers import write_batches
from service.batch.outcomes import outcomes_of, write_columns
from service.batch.record_batches import scorer_of
from service.kinds.ranking.hand_table import Rank
from service.rules.dice import Dice
from service.rules.patterns import Run
from tests.trial_games.three_dice import VARIANT


@pytest.mark.parametrize(("count", "index"), [(128, pa.int8()), (129, pa.int16())])
def test_every_rank_is_found(count: int, index: pa.DataType) -> None:
    """JSON and Arrow have the rank of each hand; Arrow's index has 16 bits from 129 ranks on."""
    faces = 70
    sequences = [
        Rank(f"from_{n}", Run(2, start=n), "two in sequence", "T1")
        for n in range(1, count - faces + 1)
    ]
    highest = [Rank(f"high_{n}", Run(1, start=n), "this die", "T1") for n in range(faces, 0, -1)]
    variant = replace(
        VARIANT,
        dice=Dice(count=2, faces=faces),
        hand_size=2,
        ranks=(*sequences, *highest),
        examples=(),
    )
    assert len(variant.ranks) == count
    outcomes = outcomes_of(variant, variant.default_rules)
    hands = [[1, 2], [70, 1], [1, 1], [7, 6]]
    numbers = outcomes.of(np.array(hands, np.uint8))
    expected = [variant.evaluate(hand, variant.default_rules) for hand in hands]
    assert [hand.rank.id for hand in expected[:3]] == ["from_1", "high_70", "high_1"]
    columns = {
        "rank": [hand.rank.id for hand in expected],
        "strength": [hand.strength for hand in expected],
    }
    table = pa.ipc.open_stream(b"".join(write_batches(outcomes, [numbers]))).read_all()
    assert table.schema.field("rank").type == pa.dictionary(index, pa.utf8())
    assert table.to_pydict() == columns
    assert orjson.loads(b"{" + b"".join(write_columns(outcomes, numbers)) + b"}") == columns


def test_numbers_of_two_digits() -> None:
    """Dice of more than nine faces have something between them in text that is read or written."""
    variant = replace(VARIANT, dice=Dice(count=3, faces=12))
    hands = [[1, 1, 1], [1, 2, 3], [12, 1, 12]]
    expected = [variant.evaluate(hand, variant.default_rules).strength for hand in hands]
    for written in (["1 1 1", "1,2,3", "[12, 1, 12]"], hands):
        batch = pa.record_batch({"dice": written})
        scorer = scorer_of(variant, variant.default_rules, batch.schema, lists=False)
        scored = scorer.score(batch).to_pydict()
        assert scored["strength"] == expected
    assert scored["dice"] == ["1 1 1", "1 2 3", "12 1 12"]
    batch = pa.record_batch({"dice": ["1 2 3", "123", None, "1 13 2"]})
    scorer = scorer_of(variant, variant.default_rules, batch.schema)
    with pytest.raises(BadRows) as bad:
        scorer.score(batch)
    assert bad.value.reasons == [
        (1, "dice must hold 3 dice, not 1"),
        (2, "dice must not be null"),
        (3, "dice[1] must be a whole number between 1 and 12"),
    ]
