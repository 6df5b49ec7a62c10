"""`dice-scoring score`: files of hands in, files of answers out, in every format."""

from __future__ import annotations

import io
from itertools import product
from pathlib import Path

import pyarrow as pa
import pytest

from service.cli.files.formats import ParquetSink
from service.variants import variants
from tests.cli.score.scoring import FORMATS, OUTPUT, ROLLS, SUITED, TEXT, notation, score
from tests.cli.score.tables import answers, read, write
from tests.sampled import first


@pytest.mark.parametrize("wanted", FORMATS)
@pytest.mark.parametrize("given", FORMATS)
def test_every_format_into_every_other(tmp_path: Path, given: str, wanted: str) -> None:
    """The output has the input's columns unchanged, then the answers, from any format to any."""
    players = ["ann", "bén", "", 'a "c", d', "2024-01-01"]
    if given == ".csv":
        players[3] = "d"  # the file is written by hand
    source = write(tmp_path / f"in{given}", {"player": players, "dice": TEXT})
    target = tmp_path / f"out{wanted}"
    assert score(source, target) == 0
    found = read(target)
    assert found.schema.names == ["player", "dice", "rank", "strength"]
    rows = zip(players, TEXT, answers("poker-dice", ROLLS), strict=True)
    assert [{**row, "dice": str(row["dice"])} for row in found.to_pylist()] == [
        {"player": player, "dice": dice, **answer} for player, dice, answer in rows
    ]
    if wanted not in (".csv", ".ndjson", ".jsonl"):
        assert pa.types.is_dictionary(found.schema.field("rank").type)
        assert found.schema.field("strength").type == pa.int32()


@pytest.mark.parametrize(
    "dice",
    [
        pa.array(ROLLS, pa.list_(pa.uint8(), 5)),
        pa.array(ROLLS, pa.list_(pa.int64())),
        pa.array(ROLLS, pa.large_list(pa.int8())),
        pa.array([list(text) for text in TEXT], pa.list_(pa.utf8())),
        pa.array(TEXT, pa.large_utf8()),
        pa.array(TEXT).dictionary_encode(),
        pa.array([", ".join(text) for text in TEXT]),
        pa.array([TEXT[0], *[" ".join(text) for text in TEXT[1:]]]),
        pa.array([str(roll) for roll in ROLLS]),
        pa.concat_arrays([pa.array(["1"]), pa.array(TEXT)])[1:],
        pa.concat_arrays([pa.array([None, ROLLS[0]]), pa.array(ROLLS)])[2:],
    ],
    ids=lambda dice: str(dice.type).split("<")[0],
)
def test_plain_dice_however_written(tmp_path: Path, dice: pa.Array) -> None:
    """Plain dice are read from lists of numbers or texts, and from text with or without spaces."""
    source = write(tmp_path / "in.arrow", {"dice": dice})
    assert score(source, tmp_path / OUTPUT, "dice-poker") == 0
    found = read(tmp_path / OUTPUT)
    assert found["dice"].to_pylist() == dice.to_pylist()
    found = found.drop_columns("dice")
    assert found.to_pylist() == answers("dice-poker", ROLLS)
    assert set(found.schema.types) == {pa.int16()}


@pytest.mark.parametrize(
    "dice",
    [
        pa.array(SUITED, pa.list_(pa.uint8(), 7)),
        pa.array(SUITED, pa.list_(pa.int32())),
        pa.array([notation(hand) for hand in SUITED]),
        pa.array(["".join(notation(hand)) for hand in SUITED]),
        pa.array([" , ".join(notation(hand)) for hand in SUITED]),
    ],
    ids=lambda dice: str(dice.type).split("<")[0],
)
@pytest.mark.parametrize("size", [5, 6, 7])
def test_suited_dice_however_written(tmp_path: Path, dice: pa.Array, size: int) -> None:
    """Suited dice, five to seven of them, are read from codes and from notation."""
    hands = [hand[:size] for hand in SUITED]
    if pa.types.is_string(dice.type):
        width = 5 if "," in dice[0].as_py() else 2
        dice = pa.array([text[: width * size] for text in dice.to_pylist()])
    elif pa.types.is_fixed_size_list(dice.type):
        dice = pa.array(hands, pa.list_(pa.uint8(), size))
    else:
        dice = pa.array([hand[:size] for hand in dice.to_pylist()], dice.type)
    source = write(tmp_path / "in.parquet", {"dice": dice})
    assert score(source, tmp_path / "out.ndjson", "texas-holdem-dice") == 0
    found = read(tmp_path / "out.ndjson")
    assert found["dice"].to_pylist() == dice.to_pylist()
    assert found.drop_columns("dice").to_pylist() == answers("texas-holdem-dice", hands)


@pytest.mark.parametrize("hands", [ROLLS, SUITED], ids=["plain", "suited"])
def test_lists_in_csv(tmp_path: Path, hands: list[list[int]]) -> None:
    """CSV can't hold lists, so lists of dice are written as text, which can be read again, and so
    can lists as Python prints them.
    """
    variant = "poker-dice" if hands is ROLLS else "texas-holdem-dice"
    text = TEXT if hands is ROLLS else ["".join(notation(hand)) for hand in hands]
    source = write(tmp_path / "in.parquet", {"dice": hands})
    assert score(source, tmp_path / "out.csv", variant) == 0
    assert [str(dice) for dice in read(tmp_path / "out.csv")["dice"].to_pylist()] == text
    again = write(tmp_path / "again.csv", {"dice": text})
    assert score(again, tmp_path / "more.csv", variant) == 0
    assert (tmp_path / "more.csv").read_text() == (tmp_path / "out.csv").read_text()
    python = [str(hand if hands is ROLLS else notation(hand)) for hand in hands]
    source = write(tmp_path / "python.csv", {"at": ["a"] * len(hands), "dice": python})
    assert score(source, tmp_path / "python.parquet", variant) == 0
    found = read(tmp_path / "python.parquet").drop_columns(["at", "dice"]).to_pylist()
    assert found == answers(variant, hands)


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_column_for_each_die(tmp_path: Path, suffix: str) -> None:
    """Columns die_1 to die_5 are a hand, in any order among the others."""
    dice = {f"die_{place + 1}": [roll[place] for roll in ROLLS] for place in (4, 0, 1, 2, 3)}
    source = write(tmp_path / f"in{suffix}", {"at": list("abcde"), **dice})
    assert score(source, tmp_path / OUTPUT) == 0
    found = read(tmp_path / OUTPUT)
    assert found.schema.names == ["at", *dice, "rank", "strength"]
    assert found["at"].to_pylist() == list("abcde")
    assert found.select(["rank", "strength"]).to_pylist() == answers("poker-dice", ROLLS)


@pytest.mark.parametrize("step", first([7, 1]))
@pytest.mark.parametrize("suffix", FORMATS)
def test_pieces_make_the_whole(tmp_path: Path, suffix: str, step: int) -> None:
    """A file is read in pieces, and the answers are those of all its rows in their order."""
    rolls = [list(roll) for roll in product(range(1, 7), repeat=5)][::step]
    text = ["".join(map(str, roll)) for roll in rolls]
    source = write(tmp_path / f"in{suffix}", {"at": list(range(len(rolls))), "dice": text})
    target = tmp_path / "out.arrow"
    more = ["--house-rules", '{"five_alike_is_full_house": true}', "--rows", "50"]
    assert score(source, target, "dice-poker", *more) == 0
    found = read(target).to_pylist()
    assert [int(row.pop("at")) for row in found] == list(range(len(rolls)))
    assert [row.pop("dice") for row in found] == text
    assert found == answers("dice-poker", rolls, five_alike_is_full_house=True)
    assert pa.ipc.open_file(target).num_record_batches > 10


def test_yahtzee_deluxe(tmp_path: Path) -> None:
    """A score card has a column for each of its boxes, in card order."""
    count = variants()["yahtzee-deluxe"].dice.count
    rolls = [list(roll) for roll in product((1, 2, 4, 6), repeat=count)]
    source = write(tmp_path / "in.arrows", {"dice": rolls})
    assert score(source, tmp_path / OUTPUT, "yahtzee-deluxe") == 0
    found = read(tmp_path / OUTPUT)
    assert found["dice"].to_pylist() == rolls
    assert found.drop_columns("dice").to_pylist() == answers("yahtzee-deluxe", rolls)


def test_csv_stays_as_written(tmp_path: Path) -> None:
    """Columns of CSV keep leading zeros, empty values and quoted line ends; they aren't guessed."""
    source = tmp_path / "in.csv"
    source.write_text('id,dice,note\n007,"1 3,3,5 6",\n1e3,55522,"two\nlines"\n')
    assert score(source, tmp_path / "out.csv") == 0
    assert (tmp_path / "out.csv").read_text() == (
        '"id","dice","note","rank","strength"\n'
        '"007","1 3,3,5 6",,"no_combination",66\n'
        '"1e3","55522","two\nlines","full_house",208\n'
    )


@pytest.mark.parametrize("wanted", FORMATS)
@pytest.mark.parametrize("given", FORMATS)
def test_no_rows(tmp_path: Path, given: str, wanted: str) -> None:
    """The output for a file without rows has the right columns and no rows."""
    empty = {"player": pa.array([], pa.utf8()), "dice": pa.array([], pa.utf8())}
    source = write(tmp_path / f"in{given}", empty)
    target = tmp_path / f"out{wanted}"
    assert score(source, target) == 0
    found = read(target)
    assert found.num_rows == 0
    if "json" not in wanted:
        carried = ["dice"] if "json" in given else ["player", "dice"]
        assert found.schema.names == [*carried, "rank", "strength"]


def test_dictionaries_that_change(tmp_path: Path) -> None:
    """A carried dictionary may be another in each batch, whatever is written."""
    batches = [
        pa.record_batch({"who": pa.array([name]).dictionary_encode(), "dice": [text]})
        for name, text in zip("abc", TEXT, strict=False)
    ]
    source = tmp_path / "in.arrows"
    with pa.ipc.new_stream(source, batches[0].schema) as stream:
        for batch in batches:
            stream.write_batch(batch)
    for suffix in FORMATS:
        target = tmp_path / f"out{suffix}"
        assert score(source, target) == 0
        assert read(target)["who"].to_pylist() == ["a", "b", "c"]


def test_times_in_lines(tmp_path: Path) -> None:
    """Values that JSON has no type for are written as text in NDJSON."""
    when = pa.array([1, 2, 3, 4, 5], pa.timestamp("ns"))
    source = write(tmp_path / "in.parquet", {"when": when, "dice": TEXT})
    assert score(source, tmp_path / "out.ndjson") == 0
    first, *_ = read(tmp_path / "out.ndjson").to_pylist()
    assert first == {
        "when": "1970-01-01 00:00:00.000000001",
        "dice": TEXT[0],
        **answers("poker-dice", ROLLS)[0],
    }


def test_quotes_in_csv(tmp_path: Path) -> None:
    """Correct quotes, and quotes within a value, are kept."""
    source = tmp_path / "in.csv"
    source.write_text('\ufeffdice,note\r\n13356,"a ""b"", c"\r\n55522,5" disk\r\n')
    assert score(source, tmp_path / "out.ndjson") == 0
    notes = [row["note"] for row in read(tmp_path / "out.ndjson").to_pylist()]
    assert notes == ['a "b", c', '5" disk']


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("in.csv", 'who,dice,"a;b\nc"\r\nbén,13356,"a,b"\r\n'),
        ("in.csv", '"who";dice;"a,b"\r\n"bén";13356;"a,b"\r\n'),
        ("in.csv", "who\tdice\ta,b\r\nbén\t13356\ta,b\r\n"),
        ("in.tsv", "who\tdice\ta,b\r\nbén\t13356\ta,b\r\n"),
        ("in.ndjson", '{"who": "bén", "dice": "13356", "a": "a,b"}\r\n'),
    ],
)
def test_text_as_other_programs_write_it(
    tmp_path: Path, name: str, text: str, encoding: str
) -> None:
    """A file may have a byte order mark or be UTF-16, as PowerShell writes it. Columns of CSV may
    be between tabs or semicolons, as spreadsheets write them.
    """
    source = tmp_path / name
    source.write_bytes(("\ufeff" * (encoding == "utf-16-be") + text).encode(encoding))
    assert score(source, tmp_path / OUTPUT) == 0
    (row,) = read(tmp_path / OUTPUT).to_pylist()
    assert [*row.values()] == ["bén", "13356", "a,b", *answers("poker-dice", ROLLS)[0].values()]
    assert score(source, tmp_path / "out.tsv") == 0
    written = [line.split("\t") for line in (tmp_path / "out.tsv").read_text().splitlines()]
    assert written[-1][:3] == ['"bén"', '"13356"', '"a,b"']


def test_the_mode_of_a_file_stays(tmp_path: Path) -> None:
    """A file that is replaced keeps its permissions."""
    source = write(tmp_path / "in.csv", {"dice": TEXT})
    target = tmp_path / "out.csv"
    target.touch(0o600)
    assert score(source, target) == 0
    assert target.stat().st_mode & 0o777 == 0o600


def test_views_of_text(tmp_path: Path) -> None:
    """Columns of text views, as other programs write them, are read as text."""
    views = pa.array(TEXT, pa.string_view())
    source = write(tmp_path / "in.arrow", {"who": views, "dice": views})
    assert score(source, tmp_path / "out.csv") == 0
    assert score(source, tmp_path / OUTPUT) == 0
    found = read(tmp_path / OUTPUT)
    assert (found["who"].to_pylist(), found["dice"].to_pylist()) == (TEXT, TEXT)


def test_each_piece_is_measured_once() -> None:
    """Small pieces are collected in a row group without adding all of them up again each time."""
    measured = []

    class Piece:
        @property
        def nbytes(self) -> int:
            measured.append(self)
            return 1

    writer = ParquetSink(io.BytesIO(), pa.schema([("a", pa.int8())]))
    for _ in range(100):
        writer.write_batch(Piece())
    assert len(measured) == 100
