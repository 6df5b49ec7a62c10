"""Arrow record batches in and out, as engines for many machines call the service."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from service.batch import BadRows, WrongColumns, score_batches
from service.batch.record_batches import scorer_of
from service.rules.violations import InvalidInput
from service.variants import variants
from tests.cli.commands import ran, said
from tests.cli.score.scoring import ROLLS, SUITED, notation
from tests.cli.score.tables import answers


def batch(**columns: Any) -> pa.RecordBatch:
    """A record batch with `columns`."""
    return pa.RecordBatch.from_pydict(columns)


@pytest.mark.parametrize(
    ("variant", "house_rules"),
    [("poker-dice", {"pairs_rank": True}), ("dice-poker", {"joker": True}), ("yahtzee-deluxe", {})],
)
def test_as_evaluate(variant: str, house_rules: dict[str, Any]) -> None:
    """Every batch comes back with its own columns, in their order, and then the answers."""
    rolls = [[*roll, 1] for roll in ROLLS] if variant == "yahtzee-deluxe" else ROLLS
    batches = [batch(game=[7, 8, 9], dice=rolls[:3]), batch(game=[1, 2], dice=rolls[3:])]
    scored = list(score_batches(variant, batches, **house_rules))
    expected = answers(variant, rolls, **house_rules)
    assert [each.to_pylist() for each in scored] == [
        [
            {"game": game, "dice": roll, **answer}
            for game, roll, answer in zip(games, rolls, answered, strict=True)
        ]
        for games, rolls, answered in (
            ([7, 8, 9], rolls[:3], expected[:3]),
            ([1, 2], rolls[3:], expected[3:]),
        )
    ]


def test_suited_dice() -> None:
    """Seven suited dice can be numbers, or text in a column or in one for each die."""
    expected = answers("texas-holdem-dice", SUITED)
    written = [notation(hand) for hand in SUITED]
    for columns in (
        {"dice": SUITED},
        {"dice": written},
        {"dice": ["".join(hand) for hand in written]},
        {f"die_{die + 1}": [hand[die] for hand in written] for die in range(7)},
    ):
        (scored,) = score_batches("texas-holdem-dice", [batch(**columns)])
        assert scored.select(["rank", "strength"]).to_pylist() == expected


def test_one_batch_at_a_time() -> None:
    """A batch is read only once the one before has been scored and taken."""
    read: list[int] = []

    def batches() -> Iterator[pa.RecordBatch]:
        for number, roll in enumerate(ROLLS):
            read.append(number)
            yield batch(dice=[roll])

    scored = score_batches("dice-poker", batches())
    assert read == []
    for number in range(len(ROLLS)):
        next(scored)
        assert read == [*range(number + 1)]


def test_nothing() -> None:
    """No batches give none; an empty batch gives an empty one with all columns."""
    assert list(score_batches("dice-poker", [])) == []
    empty = batch(dice=ROLLS).slice(0, 0)
    rolls = batch(dice=ROLLS)
    first, second, third = score_batches("dice-poker", [empty, rolls, empty])
    assert (first.num_rows, third.num_rows) == (0, 0)
    assert first.schema == second.schema == third.schema
    assert second.select(first.schema.names[1:]).to_pylist() == answers("dice-poker", ROLLS)


def test_two_columns_of_one_name() -> None:
    """They are refused as other columns that can't be scored are, since answers go by name."""
    twice = pa.RecordBatch.from_arrays([pa.array(["13356"])] * 2, names=["dice", "dice"])
    with pytest.raises(WrongColumns) as wrong:
        next(score_batches("poker-dice", [twice]))
    assert str(wrong.value) == "it has two columns 'dice'"


def test_bad_rows() -> None:
    """Rows without a valid hand are numbered over all batches, and named for one batch."""
    batches = [batch(dice=["13356", "55522"]), batch(dice=["66666", "13357", "1335"])]
    scored = score_batches("poker-dice", batches)
    assert next(scored).num_rows == 2
    with pytest.raises(BadRows) as bad:
        next(scored)
    assert (bad.value.count, bad.value.seen) == (2, 5)
    assert bad.value.reasons == [
        (3, "dice[4] must be a whole number between 1 and 6"),
        (4, "dice must hold 5 dice, not 4"),
    ]
    first, second = bad.value.violations
    assert (first.path, first.code) == ((3, "dice", 4), "out_of_range")
    assert first.values == {"minimum": 1, "maximum": 6, "whole": True}
    assert (second.path, second.code) == ((4, "dice"), "wrong_number_of_dice")
    assert bad.value.omitted == 0
    assert str(bad.value) == (
        "2 of the first 5 rows (row 0 is the first) have no valid hand; "
        "row 3: dice[4] must be a whole number between 1 and 6"
    )


def test_many_bad_rows() -> None:
    """A hundred bad rows are named, by columns for each die, and the others are counted."""
    dice = {f"die_{place}": [1] * 150 for place in range(1, 5)} | {"die_5": [7] * 150}
    with pytest.raises(BadRows) as bad:
        next(score_batches("poker-dice", [batch(**dice)]))
    paths = [violation.path for violation in bad.value.violations]
    assert paths == [(row, "die_5") for row in range(100)]
    assert (bad.value.count, bad.value.omitted) == (150, 50)


def test_a_table() -> None:
    """A batch by itself, or a table of any library that exports Arrow streams, is scored, too."""

    class Frame:
        """A frame of another library."""

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return table.__arrow_c_stream__(requested_schema)

    rolls = batch(dice=ROLLS)
    table = pa.Table.from_batches([rolls, rolls])
    expected = pa.Table.from_batches(score_batches("dice-poker", [rolls]))
    assert pa.Table.from_batches(score_batches("dice-poker", rolls)) == expected
    for given in (table, table.to_reader(), Frame()):
        scored = pa.Table.from_batches(score_batches("dice-poker", given))
        assert scored == pa.concat_tables([expected] * 2)


def test_no_batches() -> None:
    """Anything but record batches is refused with its type."""
    with pytest.raises(TypeError) as wrong:
        next(score_batches("dice-poker", [[1, 3, 3, 5, 6]]))
    said = "batches must be record batches of pyarrow, or a table, not builtins.list"
    assert str(wrong.value) == said


def test_wrong_columns() -> None:
    """A table without hands, with a column named like an answer, or whose columns change."""
    rolls = batch(dice=ROLLS)
    for batches, message in (
        ([batch(roll=ROLLS)], "it must have a column dice, or die_1 to die_5; it has roll"),
        (
            [batch(dice=ROLLS, rank=[0] * len(ROLLS))],
            "its column rank has the name of an answer; rename it",
        ),
        (
            [rolls, batch(dice=ROLLS, game=[0] * len(ROLLS))],
            "its columns change, from ['dice'] to ['dice', 'game']",
        ),
    ):
        with pytest.raises(WrongColumns) as wrong:
            list(score_batches("poker-dice", batches))
        assert str(wrong.value) == message


@pytest.mark.parametrize(
    ("variant", "wanted"),
    [
        ("poker-dice", "it must have a column dice, or die_1 to die_5"),
        ("roll-a-royal", "it must have a column rolls"),
    ],
)
@pytest.mark.parametrize(
    ("names", "listed"),
    [
        ([], "none"),
        (["a", " dice", "rolls\t", ""], r"a, ' dice', 'rolls\t', ''"),
        (["ab"] * 2_000, "ab, " * 75 + "…"),
    ],
)
def test_names_of_columns(variant: str, wanted: str, names: list[str], listed: str) -> None:
    """A message shows what is wrong with a name, and stays short."""
    schema, game = pa.schema([(name, pa.utf8()) for name in names]), variants()[variant]
    with pytest.raises(WrongColumns, match=rf"^{re.escape(f'{wanted}; it has {listed}')}$"):
        scorer_of(game, game.house_rules(), schema)


def test_wrong_arguments() -> None:
    """Unknown variants and wrong house rules are errors before anything is read."""
    with pytest.raises(ValueError, match=r"^'whist' is not one of .*roll-a-royal"):
        score_batches("whist", iter(()))
    with pytest.raises(InvalidInput) as wrong:
        score_batches("dice-poker", iter(()), joker=1, jokers=True)
    assert {"".join(map(str, each.path)) for each in wrong.value.violations} == {"joker", "jokers"}


def test_without_pyarrow() -> None:
    """NumPy arrays are scored where pyarrow isn't installed; it is imported only for batches."""
    program = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from service.batch import score_batches, score_rolls\n"
        "print(score_rolls('dice-poker', [[5, 5, 5, 2, 2]])['full_house'].tolist())\n"
        "score_batches('dice-poker', [])\n"
    )
    assert said(ran(program=program)) == (0, "[25]\n", "")
