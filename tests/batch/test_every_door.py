"""The same hands through each door: all read a value in one way."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from flask.testing import FlaskClient

from service.batch import BadRows, score_batches
from tests.batch.doors import (
    HANDS,
    Found,
    found_in,
    in_batches,
    in_file,
    in_part,
    over_http,
    strengths,
)
from tests.batch.test_layout_tables import TURNS
from tests.cli.score.scoring import notation, score
from tests.cli.score.tables import read, write

TEXT = [hand and "".join(map(str, hand)) for hand in HANDS]
NUMBERS = [hand and [Decimal(die) for die in hand] for hand in HANDS]
FACES = [hand and [str(die) for die in hand] for hand in HANDS]
TURN = [*TURNS[:2], None]


def runs(values: pa.Array) -> pa.Array:
    """`values` with run ends, cut out of a longer array."""
    count = len(values)
    ends = pa.array(range(2, count + 3), pa.int32())
    spelled = pa.RunEndEncodedArray.from_arrays(ends, pa.concat_arrays([values[:1], values]))
    return spelled.slice(2, count)


def words(values: pa.Array) -> pa.Array:
    """`values` in a dictionary, null where they are."""
    given = values.is_valid().to_pylist()
    places = pa.array([sum(given[:at]) if there else None for at, there in enumerate(given)])
    held = pa.concat_arrays([values[at : at + 1] for at, there in enumerate(given) if there])
    return pa.DictionaryArray.from_arrays(places, held)


def in_lists(flat: Callable[[pa.Array], pa.Array]) -> pa.Array:
    """Lists of faces, which are spelled as `flat` does."""
    faces = pa.array(chain.from_iterable(filter(None, FACES)))
    ends = [0, 5, 5, 10, 15]
    mask = pa.array([False, True, False, False])
    return pa.ListArray.from_arrays(ends, flat(faces), mask=mask)


VIEW = pa.string_view()
LISTS: dict[str, Callable[[pa.DataType], pa.DataType]] = {
    "list": pa.list_,
    "large list": pa.large_list,
    "list view": pa.list_view,
    "large list view": pa.large_list_view,
    "fixed-size list": lambda held: pa.list_(held, 5),
}
HELD = {"view": VIEW, "text": pa.utf8(), "int8": pa.int8(), "uint64": pa.uint64()}
HELD |= {"half": pa.float16(), "double": pa.float64(), "decimal": pa.decimal128(38, 0)}
SPELLINGS: dict[str, pa.Array] = {
    "text": pa.array(TEXT),
    "large text": pa.array(TEXT, pa.large_utf8()),
    "view": pa.array(TEXT, VIEW),
    "dictionary": words(pa.array(TEXT)),
    "dictionary of views": words(pa.array(TEXT, VIEW)),
    "runs": runs(pa.array(TEXT)),
    "runs of views": runs(pa.array(TEXT, VIEW)),
    "JSON": pa.ExtensionArray.from_storage(pa.json_(pa.utf8()), pa.array(TEXT)),
    "tensor": pa.ExtensionArray.from_storage(
        pa.fixed_shape_tensor(pa.uint8(), [5]), pa.array(HANDS, pa.list_(pa.uint8(), 5))
    ),
    "lists of a dictionary": in_lists(pc.dictionary_encode),
    "lists of runs": in_lists(pc.run_end_encode),
    "a dictionary of lists": words(pa.array(FACES)),
    "runs of list views of views": runs(pa.array(FACES, pa.list_view(VIEW))),
    **{
        f"{name} of {held}": pa.array(
            FACES if held in ("view", "text") else NUMBERS if held == "decimal" else HANDS,
            lists(kind),
        )
        for name, lists in LISTS.items()
        for held, kind in HELD.items()
        if held != "half"
    },
    "list of half": pa.array(HANDS, pa.list_(pa.float64())).cast(pa.list_(pa.float16())),
}
TURN_SPELLINGS: dict[str, pa.Array] = {
    "views": pa.array([turn and json.dumps(turn) for turn in TURN], VIEW),
    "runs": runs(pa.array([turn and json.dumps(turn) for turn in TURN])),
    "list views": pa.array(TURN, pa.list_view(pa.large_list_view(VIEW))),
    "a dictionary": words(pa.array(TURN, pa.list_(pa.list_(VIEW)))),
}


def in_arrow(tmp_path: Path, array: pa.Array, variant: str, column: str = "dice") -> list[Found]:
    """What is found in a column by each door that takes every type of Arrow."""
    source = write(tmp_path / "in.arrows", {column: array})
    found = [in_file(source, variant), in_part(source, variant)]
    return [*found, in_batches(array, variant, column)]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_all_types_that_mean_the_same(tmp_path: Path, spelling: str) -> None:
    """Hands are read whatever type Arrow has for them, and stay as they are beside the answers."""
    expected = strengths("poker-dice", HANDS)
    array = SPELLINGS[spelling]
    assert in_arrow(tmp_path, array, "poker-dice") == [expected] * 3
    assert read(tmp_path / "scores/in.arrows")["dice"].to_pylist() == array.to_pylist()
    target = tmp_path / ("out.arrow" if spelling == "JSON" else "out.csv")
    assert score(tmp_path / "in.arrows", target, "poker-dice", "--bad-rows=drop") == 0
    assert found_in(read(target)) == [each for each in expected if each]


@pytest.mark.parametrize("spelling", TURN_SPELLINGS)
def test_all_types_of_turns(tmp_path: Path, spelling: str) -> None:
    """The turns of a game of layouts are read so, too."""
    found = in_arrow(tmp_path, TURN_SPELLINGS[spelling], "roll-a-royal", "rolls")
    assert found == [in_batches(pa.array(TURN), "roll-a-royal", "rolls")] * 3
    assert found[0][-1] is None


VALUES: list[tuple[Any, list[int] | None]] = [
    ([1, 3, 3, 5, 6], [1, 3, 3, 5, 6]),
    ([1.0, 3, 3, 5.0, 6], [1, 3, 3, 5, 6]),
    ([6.0, 6.0, 6.0, 6.0, 6.0], [6, 6, 6, 6, 6]),
    ([1.5, 3, 3, 5, 6], None),
    ([0, 3, 3, 5, 6], None),
    ([-1, 3, 3, 5, 6], None),
    ([7, 3, 3, 5, 6], None),
    ([257, 3, 3, 5, 6], None),
    ([1e300, 3, 3, 5, 6], None),
    ([1, 3, None, 5, 6], None),
    ([1, 3, 3, 5], None),
    ([1, 3, 3, 5, 6, 6], None),
    ([], None),
    (None, None),
]
"""Values of plain dice, and the hand that each is."""


def test_values(tmp_path: Path, client: FlaskClient) -> None:
    """A value is the same hand, or none, through every door that has a way to write it."""
    given, hands = zip(*VALUES, strict=True)
    expected = strengths("poker-dice", [*hands])
    array = pa.array([hand and [*map(float_or_none, hand)] for hand in given])
    found = {"score_batches": in_batches(array, "poker-dice")}
    for suffix in (".ndjson", ".parquet", ".arrow", ".arrows"):
        (tmp_path / suffix).mkdir()
        source = write(tmp_path / suffix / f"in{suffix}", {"dice": array})
        found |= {f"file{suffix}": in_file(source, "poker-dice")}
        found |= {f"part{suffix}": in_part(source, "poker-dice")}
    for media in ("JSON", "NDJSON"):
        found[media] = [over_http(client, "poker-dice", media, hand) for hand in given]
    assert found == dict.fromkeys(found, expected)
    rows = [row for row, hand in enumerate(given) if hand and len(hand) == 5]
    small = [row for row in rows if all(die in range(256) for die in given[row])]  # are bytes
    sent = [over_http(client, "poker-dice", "Arrow", given[row]) for row in small]
    assert sent == [expected[row] for row in small]
    dice = {f"die_{at + 1}": [float_or_none(given[row][at]) for row in rows] for at in range(5)}
    for suffix in (".csv", ".parquet"):
        source = tmp_path / f"each{suffix}"
        if suffix == ".csv":  # as pandas writes it
            texts = [["" if x is None else str(x) for x in column] for column in dice.values()]
            lines = [",".join(row) for row in zip(*texts, strict=True)]
            source.write_text("\n".join([",".join(dice), *lines]) + "\n")
        else:  # as pandas hands it out
            nan = {name: [float("nan") if x is None else x for x in dice[name]] for name in dice}
            write(source, nan)
        assert in_file(source, "poker-dice") == [expected[row] for row in rows]


def float_or_none(die: float | None) -> float | None:
    """A die in a column of floats."""
    return None if die is None else float(die)


SUITED: list[tuple[Any, list[int] | None]] = [
    ([5, 11, 17, 23, 13], [5, 11, 17, 23, 13]),
    ([5, 11, 17, 23, 24], None),
    ([5, 11, 17, 23, 255], None),
    ([5, 11, 17, 23], None),
]


def test_suited_values(tmp_path: Path, client: FlaskClient) -> None:
    """Codes and notation of suited dice are the same hands everywhere, also codes in floats."""
    expected = strengths("texas-holdem-dice", [hand for _, hand in SUITED])
    codes = [given for given, _ in SUITED]
    assert [
        over_http(client, "texas-holdem-dice", "Arrow", given) if len(given) == 5 else None
        for given in codes
    ] == expected
    for number, kind in enumerate((pa.uint8(), pa.float64())):
        (tmp_path / str(number)).mkdir()
        array = pa.array(codes, pa.list_(kind))
        found = in_arrow(tmp_path / str(number), array, "texas-holdem-dice")
        assert found == [expected] * 3
    text = ["".join(notation(codes[0])), "6r6b6w6y", "6r6b6w6y2g", "6r6b6w6y2"]
    source = tmp_path / "in.csv"
    source.write_text("\n".join(["dice", *text]) + "\n")
    for found_there in (
        in_file(source, "texas-holdem-dice"),
        in_batches(pa.array(text), "texas-holdem-dice"),
        [over_http(client, "texas-holdem-dice", "JSON", hand) for hand in text],
    ):
        assert found_there == [expected[0], None, None, None]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1335", "must hold 5 dice, not 4"),
        ("1 3,3,5 6 6", "must hold 5 dice, not 6"),
        ("1.3.3.5.6", "must be dice such as 12345, not '1.3.3.5.6'"),
        ("x" * 200, f"must be dice such as 12345, not '{'x' * 100}…'"),
    ],
)
def test_how_many_dice(text: str, why: str) -> None:
    """The error counts dice, not characters; what isn't dice isn't counted."""
    batch = pa.RecordBatch.from_pydict({"dice": [text]})
    with pytest.raises(BadRows) as bad:
        next(score_batches("poker-dice", [batch]))
    assert bad.value.reasons == [(0, f"dice {why}")]


def test_suited_texts_over_http(client: FlaskClient) -> None:
    """Over HTTP, too, what isn't dice isn't counted."""
    body = {"hands": ["6r6b6w6y", "6r-6b-6w-6y-2r-1r"]}
    reply = client.post("/v1/variants/texas-holdem-dice/batch", json=body)
    assert [error["detail"] for error in reply.get_json()["errors"]] == [
        "must hold 5, 6 or 7 dice, not 4",
        "must be dice such as 1r2r3r4r5r, not '6r-6b-6w-6y-2r-1r'",
    ]
