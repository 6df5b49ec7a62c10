"""The same hands through each door: files of every format, a part of a folder, `score_batches`, and
batches over HTTP in every media type. All read a value in one way.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet
import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.batch import score_batches
from service.batch.arrow.messages import AFTER_END
from service.batch.record_batches.scorer import BadRows
from service.cli.command import CommandError
from service.cli.folders.output import Note
from service.settings import Settings
from tests.batch.test_layout_tables import TURNS
from tests.cli.score.scoring import notation, score
from tests.cli.score.tables import answers, read, write
from tests.cluster.one_process import job, made

Found = list[int | None]
"""The strength of each hand, or the points of each turn; None where there is no valid one."""

HTTP = {
    "JSON": "application/json",
    "NDJSON": "application/x-ndjson",
    "Arrow": "application/vnd.apache.arrow.stream",
}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    """The service."""
    return create_app(Settings()).test_client()


def in_file(source: Path, variant: str) -> Found:
    """What the command finds in a file."""
    target = source.with_name("answers.parquet")
    assert score(source, target, variant, "--bad-rows", "null") == 0
    return found_in(read(target))


def found_in(table: pa.Table | pa.RecordBatch) -> Found:
    """The strengths or points in a table."""
    name = "points" if "points" in table.schema.names else "strength"
    found: Found = table.column(name).to_pylist()
    return found


def in_part(source: Path, variant: str) -> Found:
    """What a worker finds in a part of a folder."""
    asked = job(
        source.parent, source.parent / "scores", variant, bad_rows="null", part_rows=1 << 20
    )
    (note,) = made(asked, source.name)
    assert isinstance(note, Note), note
    return found_in(read(source.parent / "scores" / source.name))


def in_batches(array: pa.Array, variant: str, column: str = "dice") -> Found:
    """What `score_batches` finds, row by row: it refuses a batch with an invalid hand."""
    found: Found = []
    for row in range(len(array)):
        batch = pa.RecordBatch.from_arrays([array[row : row + 1]], names=[column])
        try:
            (scored,) = score_batches(variant, [batch])
        except BadRows:
            found.append(None)
        else:
            found += found_in(scored)
    return found


def over_http(client: FlaskClient, variant: str, media: str, hand: Any) -> int | None:
    """The strength of a hand that is sent on its own."""
    body = {
        "JSON": lambda: json.dumps({"hands": [hand]}).encode(),
        "NDJSON": lambda: json.dumps({"dice": hand}).encode(),
        "Arrow": lambda: stream(pa.array([hand], pa.list_(pa.uint8(), len(hand or [0] * 5)))),
    }[media]()
    reply = client.post(
        f"/v1/variants/{variant}/batch",
        data=body,
        content_type=HTTP[media],
        headers={"Accept": HTTP["NDJSON" if media == "NDJSON" else "JSON"]},
    )
    answer = json.loads(reply.data)
    if answer.get("status", 200) == 200:
        strength = answer["strength"]
        return int(strength if media == "NDJSON" else strength[0])
    assert answer["status"] == 422, answer
    return None


def stream(*columns: pa.Array) -> bytes:
    """Arrow streams, one after the other, each with a column `dice`."""
    sink = pa.BufferOutputStream()
    for column in columns:
        batch = pa.RecordBatch.from_arrays([column], names=["dice"])
        with pa.ipc.new_stream(sink, batch.schema) as writer:
            writer.write_batch(batch)
    body: bytes = sink.getvalue().to_pybytes()
    return body


def strengths(variant: str, hands: list[Any]) -> Found:
    """What `evaluate` says."""
    return [hand and answers(variant, [hand])[0]["strength"] for hand in hands]


HANDS: list[Any] = [[1, 3, 3, 5, 6], None, [5, 5, 5, 2, 2], [6, 6, 6, 6, 6]]
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
    small = [row for row, hand in enumerate(given) if is_bytes(hand)]
    sent = [over_http(client, "poker-dice", "Arrow", given[row]) for row in small]
    assert sent == [expected[row] for row in small]
    rows = [row for row, hand in enumerate(given) if hand and len(hand) == 5]
    dice = {f"die_{at + 1}": [float_or_none(given[row][at]) for row in rows] for at in range(5)}
    for suffix in (".csv", ".parquet"):
        source = tmp_path / f"each{suffix}"
        if suffix == ".csv":  # as pandas writes it
            lines = [",".join(map(float_text, row)) for row in zip(*dice.values(), strict=True)]
            source.write_text("\n".join([",".join(dice), *lines]) + "\n")
        else:  # as pandas hands it out
            nan = {name: [float("nan") if x is None else x for x in dice[name]] for name in dice}
            write(source, nan)
        assert in_file(source, "poker-dice") == [expected[row] for row in rows]


def float_or_none(die: float | None) -> float | None:
    """A die in a column of floats."""
    return None if die is None else float(die)


def float_text(die: float | None) -> str:
    """A die in such a column of CSV."""
    return "" if die is None else str(die)


def is_bytes(hand: Any) -> bool:
    """Whether a hand can be in a stream to the service, whose dice are bytes."""
    return bool(hand) and len(hand) == 5 and all(die in range(256) for die in hand)


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


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_empty_lines(tmp_path: Path, end: str) -> None:
    """In CSV with one column, an empty line is a row with null; else, it is none."""
    source = tmp_path / "in.csv"
    source.write_bytes(end.join(["dice", "13356", "", "55522", "", ""]).encode())
    hands = [HANDS[0], None, HANDS[2], None]
    assert in_file(source, "poker-dice") == strengths("poker-dice", hands)
    assert in_part(source, "poker-dice") == strengths("poker-dice", hands)
    source.write_bytes(end.join(["id,dice", "1,13356", "", "2,55522", ""]).encode())
    assert in_file(source, "poker-dice") == strengths("poker-dice", [HANDS[0], HANDS[2]])


def test_no_text_is_null(tmp_path: Path) -> None:
    """An empty value of CSV is null, one in quotes is a text without characters; so they stay."""
    source = tmp_path / "in.csv"
    source.write_text('id,dice\n,13356\n"",13356\nNA,13356\n')
    assert score(source, tmp_path / "out.csv") == 0
    assert [line.split(",")[0] for line in (tmp_path / "out.csv").read_text().splitlines()] == [
        '"id"', "", '""', '"NA"',
    ]  # fmt: skip


@pytest.mark.parametrize("behind", ["another stream", "rubbish"])
def test_behind_the_end_of_a_stream(tmp_path: Path, client: FlaskClient, behind: str) -> None:
    """What follows the end of an Arrow stream isn't dropped: the stream is refused everywhere."""
    dice = pa.array([[1, 3, 3, 5, 6]], pa.list_(pa.uint8(), 5))
    body = stream(dice, dice) if behind == "another stream" else stream(dice) + b"rubbish"
    source = tmp_path / "in.arrows"
    source.write_bytes(body)
    assert refusals(source) == [f"{source} can't be read as an Arrow stream: {AFTER_END}"] * 2
    for accepted in (HTTP["Arrow"], HTTP["JSON"]):
        reply = client.post(
            "/v1/variants/poker-dice/batch",
            data=body,
            content_type=HTTP["Arrow"],
            headers={"Accept": accepted},
        )
        said = f"The body is not an Arrow stream of hands: {AFTER_END}."
        assert (reply.status_code, reply.get_json()["detail"]) == (400, said)


def refusals(source: Path, variant: str = "poker-dice", part_rows: int = 1 << 20) -> list[str]:
    """What the command, and a worker for the last part of a folder, say of a file with errors."""
    said = []
    with pytest.MonkeyPatch.context() as patch:
        lines: list[str] = []
        patch.setattr("service.cli.command.say", lambda line, _: lines.append(line))
        assert score(source, source.with_name("out.arrows"), variant) == 2
        said.append("\n".join(lines))
    assert not source.with_name("out.arrows").exists()
    asked = job(source.parent, source.parent / "scores", variant, part_rows=part_rows)
    *_, refused = made(asked, source.name)
    assert isinstance(refused, CommandError)
    return [*said, "\n".join(refused.lines)]


@pytest.mark.parametrize("rows", [(2, 2), (2, 5_000), (5_000, 2), (2, 0), (0, 2), (2, 2, 2)])
@pytest.mark.parametrize("suffix", [".arrow", ".parquet", ".parquet with an index"])
def test_joined_files(tmp_path: Path, suffix: str, rows: tuple[int, ...]) -> None:
    """Arrow and Parquet files that were joined, as by `cat`, are refused: readers begin at the last
    footer, whose places are then those of the first file.
    """
    source = tmp_path / f"in{suffix.partition(' ')[0]}"
    joined = b""
    for count in rows:
        table = pa.table({"at": pa.array(range(count)), "dice": pa.array(["13356"] * count)})
        if source.suffix == ".arrow":
            write(source, {name: table[name] for name in table.column_names})
        else:
            pa.parquet.write_table(table, source, write_page_index=suffix != ".parquet")
        assert in_file(source, "poker-dice") == strengths("poker-dice", [HANDS[0]]) * count
        joined += source.read_bytes()
    source.write_bytes(joined)
    (tmp_path / "answers.parquet").unlink()
    form = "an Arrow file" if source.suffix == ".arrow" else "Parquet"
    why = (
        "it holds several files, one after the other, of which only one would be read; score a "
        "folder with all of them instead"
    )
    assert refusals(source) == [f"{source} can't be read as {form}: {why}"] * 2


GOOD = '{"dice": "13356", "x": 1}\n'
FRACTION = '{"dice": "13356", "x": 0.5}\n'
LONG = '{"dice": "13356", "x": 1, "pad": "%s"}\n' % ("." * 500_000)
MANY = LONG * 20
"""Lines of several blocks, as they are read."""

KEPT = ["9223372036854775807", "-9223372036854775808", "9007199254740993", "null"]
FRACTIONS = ["9007199254740992", "0.12345678901234567", "1.5e300", "2.50000000000000000000", "3"]


@pytest.mark.parametrize("numbers", [KEPT, FRACTIONS], ids=["whole", "fractions"])
def test_numbers_stay(tmp_path: Path, numbers: list[str]) -> None:
    """Numbers beside the dice come out of NDJSON with the value that they came in with."""
    source = tmp_path / "in.ndjson"
    lines = [f'{{"dice": "13356", "x": {x}, "y": {{"z": [{x}]}}}}\n' for x in numbers]
    source.write_text("".join(lines))
    assert score(source, tmp_path / "out.ndjson") == 0
    found = [json.loads(line) for line in (tmp_path / "out.ndjson").read_text().splitlines()]
    assert [row["x"] for row in found] == [json.loads(x) for x in numbers]
    assert [row["y"] for row in found] == [{"z": [json.loads(x)]} for x in numbers]


TYPE = "isn't int64, as the first lines have it"
FLOAT = "doesn't fit a float; write it as text"
NO_NUMBER = "is not a JSON number"
WRONG: list[tuple[str, str, str]] = [
    ('"x": 9223372036854775808', MANY, f", column x: 9223372036854775808 {TYPE}"),
    ('"x": 1.5', MANY, f", column x: 1.5 {TYPE}"),
    ('"x": NaN', MANY, f", column x: NaN {NO_NUMBER}"),
    ('"x": true', MANY, f", column x: true {TYPE}"),
    ('"y": {"z": 1}', MANY, ", column y: it is new; the first lines decide the columns"),
    ('"x": 01', MANY, ": Expecting ',' delimiter, at line 1, column 25"),
    ('"x": 1, "x": 1', MANY, ': the key "x" appears twice in one object'),
    ("]", MANY, ": Expecting property name enclosed in double quotes, at line 1, column 19"),
    ('"x": 9007199254740993', GOOD + FRACTION, f", column x: 9007199254740993 {FLOAT}"),
    ('"x": -9223372036854775809', GOOD, f", column x: -9223372036854775809 {FLOAT}"),
    ('"x": NaN', GOOD, f", column x: NaN {NO_NUMBER}"),
    ('"x": -Infinity', GOOD, f", column x: -Infinity {NO_NUMBER}"),
    ('"y": [{"z": [0.5, NaN]}]', GOOD, f", column y[0].z[1]: NaN {NO_NUMBER}"),
]


@pytest.mark.parametrize(("fields", "before", "why"), WRONG)
def test_what_ndjson_cannot_keep(tmp_path: Path, fields: str, before: str, why: str) -> None:
    """A line that would come out otherwise, or can't be read, is refused with its row in the file
    and the column. Blank lines are no rows.
    """
    source = tmp_path / "in.ndjson"
    source.write_text(f'{before}\n \n{{"dice": "13356", {fields}}}\n{GOOD}')
    said = f"{source} can't be read as NDJSON: row {before.count(chr(10))}{why}"
    assert refusals(source) == [said, said]


@pytest.mark.parametrize(("line", "is_no"), [("[1]", '["1"]'), ('"a"', '"a"')])
def test_lines_that_are_no_object(tmp_path: Path, line: str, is_no: str) -> None:
    """A line that isn't an object is refused with its row in the file."""
    source = tmp_path / "in.ndjson"
    source.write_text(f"{MANY}{line}\n")
    said = f"{source} can't be read as NDJSON: row 20: it must be an object, not {is_no}"
    assert refusals(source) == [said, said]


HALF = FRACTION.rstrip()
ROUNDED = '{"dice": "13356", "x": 9007199254740993}'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{HALF}{ROUNDED}\n", "row 0: Extra data, at line 1, column 28"),
        (f"{HALF} \n{HALF} {ROUNDED}\n", "row 1: Extra data, at line 1, column 29"),
        (
            '{"y":\n{"z": 1},\n"dice": "13356"}\n' + FRACTION * 9 + ROUNDED,
            "row 0: Expecting value, at line 1, column 6",
        ),
        (f"{GOOD}\ufeff{GOOD}", "row 1: it begins with a byte order mark"),
        (
            f"{GOOD}[{'1, ' * 2_000_000}1]",
            "row 1: it has more than 4,194,304 bytes, which are read at a time; more --rows read "
            "more",
        ),
    ],
)
def test_lines_that_are_not_one_object(tmp_path: Path, text: str, why: str) -> None:
    """Several objects in a line, or one in several, are refused, as over HTTP: numbers in them
    would be rounded, and rows counted otherwise. So are files that were joined with their marks.
    """
    source = tmp_path / "in.ndjson"
    source.write_text(text)
    said, *_ = refusals(source)
    assert said == f"{source} can't be read as NDJSON: {why}"


def test_braces_in_a_text(tmp_path: Path) -> None:
    """Braces in a text don't begin another object."""
    source = tmp_path / "in.ndjson"
    source.write_text('{"dice": "13356", "x": "} {"}\n' * 2)
    assert in_file(source, "poker-dice") == strengths("poker-dice", [HANDS[0]] * 2)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (b"1,2,3", ": it has 3 values, and the header 2"),
        (b"1", ": it has 1 values, and the header 2"),
        (b"12346,b\xe9n", ", column note: it isn't UTF-8"),
        (b'12346,"a"b', ": ',' expected after '\"'"),
        (b'12346,"a\n12346,b', ": unexpected end of data"),
    ],
)
@pytest.mark.parametrize("count", [3, 30])
def test_rows_of_csv(tmp_path: Path, row: bytes, why: str, count: int) -> None:
    """An error of CSV names the row of the file, and the column if it is one."""
    source = tmp_path / "in.csv"
    before = b"12346,%s\n" % (b"a" * 200_000 if count > 3 else b"a")
    source.write_bytes(b"dice,note\n" + before * count + b"\n" + row + b"\n12346,a\n")
    said = f"{source} can't be read as CSV: row {count}{why}"
    assert refusals(source) == [said, said]


def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    """A column's name that isn't UTF-8 is found in the header, or in the line that has it."""
    source = tmp_path / "in.csv"
    source.write_bytes(b"dice,b\xe9n\n12346,a\n")
    assert refusals(source) == [f"{source} can't be read as CSV: the header: it isn't UTF-8"] * 2
    source = tmp_path / "lines/in.ndjson"
    source.parent.mkdir()
    source.write_bytes(GOOD.encode() + b'{"dice": "13356", "b\xe9n": 1}\n')
    said = f"{source} can't be read as NDJSON: row 1: it is not UTF-8, at byte 20"
    assert refusals(source) == [said] * 2


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".arrows"])
def test_rows_of_binary_files(tmp_path: Path, suffix: str) -> None:
    """A text that isn't UTF-8 is named by its row in the file, not in the piece that is read."""
    size = 5
    text = pa.array([b"a", b"b", b"c", b"d", b"b\xe9n"]).cast(pa.binary())
    broken = pa.StringArray.from_buffers(size, *text.buffers()[1:])
    dice = pa.array(["13356"] * size)
    whole = pa.table({"dice": dice, "who": pa.array(["ann"] * size)})
    table = pa.concat_tables([whole, whole, pa.table({"dice": dice, "who": broken})])
    source = tmp_path / f"in{suffix}"
    if suffix == ".parquet":
        pa.parquet.write_table(table, source, row_group_size=size)
    else:
        new = pa.ipc.new_file if suffix == ".arrow" else pa.ipc.new_stream
        with new(source, table.schema) as writer:
            writer.write_table(table, max_chunksize=size)
    form = {".parquet": "Parquet", ".arrow": "an Arrow file", ".arrows": "an Arrow stream"}[suffix]
    why = "row 14, column who: Invalid UTF8 sequence at string index 0"
    assert refusals(source, part_rows=size) == [f"{source} can't be read as {form}: {why}"] * 2
