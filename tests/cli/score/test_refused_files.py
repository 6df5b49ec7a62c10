"""Files and arguments that `dice-scoring score` refuses, and what it says."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from service.cli.files.formats import FORMATS as KNOWN
from service.variants import variants
from tests.cli.commands import ran
from tests.cli.score.scoring import FORMATS, OUTPUT, TEXT, Printed, command, refused, score
from tests.cli.score.tables import write
from tests.sampled import first

RULES = [
    (
        "texas-holdem-dice",
        '{"ante": 15}',
        "--house-rules: ante must be a whole number between 0 and 10000 and a multiple of 10",
    ),
    ("dice-poker", "[]", '--house-rules must be a JSON object, such as {"name": true}'),
    (
        "dice-poker",
        "{joker: true}",
        "--house-rules is not valid JSON: Expecting property name enclosed in double quotes, "
        "at line 1, column 2",
    ),
    (
        "dice-poker",
        '{"jokr": 1, "joker": 1, "extra_five_bonus": 1001, "turn_seconds": 0.5}',
        "--house-rules: 'jokr' is not a house rule of this game; it has extra_five_bonus, joker, "
        "five_alike_is_full_house, turn_seconds, throw_to_begin, zero_only_if_nothing_fits; joker "
        "must be true or false; extra_five_bonus must be a whole number between 0 and 1000; "
        "turn_seconds must be a whole number between 1 and 86400, or null",
    ),
]


@pytest.mark.parametrize(("variant", "rules", "why"), RULES)
def test_bad_house_rules(
    capfd: Printed, tmp_path: Path, variant: str, rules: str, why: str
) -> None:
    """House rules that the variant doesn't have, or with invalid values, are refused; the error
    says what is valid.
    """
    source = write(tmp_path / "in.csv", {"dice": TEXT})
    refused(capfd, source, tmp_path / OUTPUT, why, "--house-rules", rules, variant=variant)


def test_house_rules_that_are_whole(tmp_path: Path) -> None:
    """A whole number may be written as 3.0, and be null where that is allowed."""
    source = write(tmp_path / "in.csv", {"dice": TEXT})
    whole = '{"extra_five_bonus": 100.0, "turn_seconds": null}'
    assert score(source, tmp_path / OUTPUT, "dice-poker", "--house-rules", whole) == 0


UNFIT: list[tuple[str, dict[str, Any], str]] = [
    ("in.txt", {}, "the extension of {source} must be one of {formats}"),
    ("missing.csv", {}, "{source} is missing"),
    (
        "in.csv.gz",
        {},
        "{source} is compressed, which is neither read nor written: unpack it, or use Parquet, "
        "which compresses by itself",
    ),
    (
        "in.parquet",
        {"rolls": TEXT},
        "{unfit} it must have a column dice, or die_1 to die_5; it has rolls",
    ),
    (
        "in.parquet",
        {"dice": [1.5]},
        "{unfit} the column dice must be text, or lists of whole numbers or of text, not double",
    ),
    (
        "in.parquet",
        {"dice": TEXT, "die_1": TEXT},
        "{unfit} it has two sets of hands: the column dice, and die_1",
    ),
    (
        "in.parquet",
        {f"die_{n}": [True] for n in range(1, 6)},
        "{unfit} the column die_1 must be whole numbers or text, not bool",
    ),
]


@pytest.mark.parametrize(("name", "columns", "said"), UNFIT)
def test_input_that_is_no_use(
    capfd: Printed, tmp_path: Path, name: str, columns: dict[str, Any], said: str
) -> None:
    """A file that is missing, of unknown format or without hands is refused in one line."""
    source = tmp_path / name
    if columns:
        write(source, columns)
    unfit = f"{source} can't be scored:"
    message = said.format(source=source, unfit=unfit, formats=" ".join(KNOWN))
    refused(capfd, source, tmp_path / OUTPUT, message)


@pytest.mark.parametrize("suffix", FORMATS)
def test_not_that_format(tmp_path: Path, suffix: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of another format than its name says is refused in one line, whatever it holds."""
    source = tmp_path / f"in{suffix}"
    for content in (bytes(range(256)) * 20, b"dice\n12345\nfoo,bar\n", b'{"dice": 1'):
        source.write_bytes(content)
        assert score(source, tmp_path / OUTPUT) == 2
        said = capsys.readouterr().err
        form = "CSV|NDJSON|Parquet|an Arrow (file|stream)"
        assert re.fullmatch(rf"{source} can't be (read as ({form})|scored): .+\n", said)
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".arrows", ".csv", ".ndjson"])
def test_broken_off(tmp_path: Path, suffix: str, capsys: pytest.CaptureFixture[str]) -> None:
    """If a file turns out to be invalid halfway, no output is left."""
    source = write(tmp_path / f"in{suffix}", {"dice": TEXT * 1000})
    whole = source.read_bytes()
    source.write_bytes(whole[: len(whole) - 2] + b'"\n{' * ("n" in suffix or "c" in suffix))
    assert score(source, tmp_path / OUTPUT, "poker-dice", "--rows", "100") == 2
    assert list(tmp_path.iterdir()) == [source]
    assert capsys.readouterr().err.startswith(f"{source} can't be ")


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("in.csv", b'dice,note\n13356,"twas\n12345,"tis\n', "row 0: ',' expected after '\"'"),
        ("in.csv", b'dice,note\n13356,a\n13356,"twas\n1,tis\n', "row 1: unexpected end of data"),
        ("in.csv", b'dice,"note\n13356,a\n', "the header: unexpected end of data"),
        ("in.ndjson", b'{"dice": "12345", "n": "b\xe9"}', "row 0: it is not UTF-8, at byte 25"),
        ("in.ndjson", b'{"dice": "12345", "b\xe9n": 1}', "row 0: it is not UTF-8, at byte 20"),
        ("in.ndjson", b"null\n", "row 0: it must be an object, not null"),
        ("in.ndjson", b" \tnull", "row 0: it must be an object, not null"),
        ("in.ndjson", b"\xef\xbb\xbf null\n", "row 0: it must be an object, not null"),
        ("in.ndjson", b"\xbb\xbfnull", "row 0: it is not UTF-8, at byte 0"),
        (
            "in.ndjson",
            b'{"dice": [1, 3, 3, 5, 6], "note": null}\n{"dice": "13356", "note":null}\nnull\n',
            "row 2: it must be an object, not null",
        ),
        (
            "in.ndjson",
            b'{"dice": "13356"}\r\n\r\n  null {"dice": "13356"}\n',
            "row 1: Extra data, at line 1, column 6",
        ),
    ],
)
def test_rows_that_cannot_be_read(
    capfd: Printed, tmp_path: Path, name: str, text: bytes, why: str
) -> None:
    """A quote that would take the following rows for its value is refused, and so is text that
    isn't UTF-8, or a line that is null: pyarrow could crash with it.
    """
    source = tmp_path / name
    source.write_bytes(text)
    form = "CSV" if name == "in.csv" else "NDJSON"
    refused(capfd, source, tmp_path / OUTPUT, f"{source} can't be read as {form}: {why}")


@pytest.mark.parametrize("suffix", first(FORMATS, pytest.mark.fault))
def test_no_space_left(tmp_path: Path, suffix: str) -> None:
    """If the disk is full, the command prints one line and leaves no output file."""
    source = write(tmp_path / "in.arrows", {"at": list(range(40_000)), "dice": TEXT * 8_000})
    target = tmp_path / f"out{suffix}"
    program = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))\n"
        "from service.cli.score import main; sys.exit(main(sys.argv[1:]))"
    )
    done = ran(*command(source, target, "dice-poker"), program=program)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(rf"{target} can't be written as [^\n]*File too large[^\n]*\n", done.stderr)
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize("depth", [300, 3_000])
def test_nested_beyond_measure(
    tmp_path: Path, depth: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Values nested so deeply that they can't be handled are refused in one line."""
    source = tmp_path / "in.ndjson"
    source.write_text(f'{{"dice": "12345", "x": {"[" * depth}{"]" * depth}}}\n')
    assert score(source, tmp_path / "out.ndjson") == 2
    assert re.fullmatch(r"[^\n]* can't be [^\n]*\n", capsys.readouterr().err)
    assert list(tmp_path.iterdir()) == [source]


def test_output_that_cannot_be(capfd: Printed, tmp_path: Path) -> None:
    """Output that is the input, no file, in a missing directory or of no format is refused."""
    source = write(tmp_path / "in.csv", {"dice": TEXT})
    link = tmp_path / "link.csv"
    link.symlink_to(source)
    (tmp_path / "dir.csv").mkdir()
    formats = " ".join(KNOWN)
    os.mkfifo(tmp_path / "pipe.csv")
    for target, said in (
        (source, "{} can't be both read and written"),
        (link, "{} can't be both read and written"),
        (tmp_path / "dir.csv", "{} is not a file"),
        (tmp_path / "pipe.csv", "{} is not a file"),
        (tmp_path / "no/x.csv", "{} can't be written as CSV: No such file or directory"),
        (tmp_path / "x.xls", f"the extension of {{}} must be one of {formats}"),
    ):
        refused(capfd, source, target, said.format(target))


TWICE = pa.StructArray.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"])
UUIDS = pa.array([b"0123456789abcdef"], pa.uuid())


@pytest.mark.parametrize(
    ("suffix", "column", "kind"),
    [
        (".csv", pa.array([["a"]]), "list<item: string>"),
        (".tsv", UUIDS, "extension<arrow.uuid>"),
        (".ndjson", pa.array([b"a"]), "binary"),
        (".ndjson", pa.array([[b"a"]]), "binary"),
        (".ndjson", pa.StructArray.from_arrays([UUIDS], ["a"]), "extension<arrow.uuid>"),
        (".ndjson", TWICE, "struct<a: int64, a: int64>"),
    ],
)
def test_columns_beside(
    capfd: Printed, tmp_path: Path, suffix: str, column: pa.Array, kind: str
) -> None:
    """A column that the output format can't hold is refused by its name."""
    source = write(tmp_path / "in.arrow", {"dice": TEXT[:1], "tags": column})
    target = tmp_path / f"out{suffix}"
    form = "NDJSON" if suffix == ".ndjson" else suffix[1:].upper()
    why = f"it has no type for {kind}, which the column tags holds; write Parquet"
    refused(capfd, source, target, f"{target} can't be written as {form}: {why}")


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
@pytest.mark.parametrize(
    ("kind", "held"),
    [
        (pa.float64(), lambda x: x),
        (pa.dictionary(pa.int8(), pa.float64()), lambda x: x),
        (pa.float32(), lambda x: x),
        (pa.list_(pa.float64()), lambda x: [0.5, x]),
        (pa.struct([("a", pa.list_(pa.float32()))]), lambda x: {"a": [x]}),
        (pa.map_(pa.utf8(), pa.float64()), lambda x: [("a", x)]),
    ],
)
def test_numbers_that_json_lacks(
    capfd: Printed, tmp_path: Path, number: str, kind: pa.DataType, held: Callable[[float], Any]
) -> None:
    """NaN and infinity don't become null in NDJSON: the row and the column are named."""
    found = pa.array([held(0.5), None, held(1e30), held(float(number)), held(float(number))], kind)
    source = write(tmp_path / "in.arrow", {"dice": TEXT, "x": found})
    target = tmp_path / "out.ndjson"
    why = "NaN and infinity are no JSON numbers; make them null, or write Parquet"
    said = f"{target} can't be written as NDJSON: row 3, column x: {why}"
    refused(capfd, source, target, said, "--rows", "2")
    assert score(source, tmp_path / OUTPUT) == 0


def test_numbers_that_no_row_has(tmp_path: Path) -> None:
    """A column with a dictionary is checked by its rows: values that no row has are no mistake."""
    values, rows = pa.array([0.5, float("nan")]), pa.array([0, 0, None, 0, 0], pa.int8())
    unused = pa.DictionaryArray.from_arrays(rows, values)
    source = write(tmp_path / "in.arrow", {"dice": TEXT, "x": unused})
    assert score(source, tmp_path / "out.ndjson") == 0


@pytest.mark.parametrize(("suffix", "form"), [(".csv", "CSV"), (".ndjson", "NDJSON")])
@pytest.mark.parametrize("in_dictionary", [False, True])
@pytest.mark.parametrize(("kind", "far"), [(pa.date32(), 2 * 10**7), (pa.timestamp("s"), -(2**62))])
def test_dates_that_have_no_text(
    capfd: Printed,
    tmp_path: Path,
    kind: pa.DataType,
    far: int,
    in_dictionary: bool,
    suffix: str,
    form: str,
) -> None:
    """Dates that Arrow has no text for aren't written as `<value out of range>`."""
    found = pa.array([0, None, 1, far, far], kind)
    if in_dictionary:
        found = found.dictionary_encode()
    source = write(tmp_path / "in.arrow", {"dice": TEXT, "x": found})
    target = tmp_path / f"out{suffix}"
    why = "a date or time out of range can't be written as text; write Parquet"
    said = f"{target} can't be written as {form}: row 3, column x: {why}"
    refused(capfd, source, target, said, "--rows", "2")


def test_unknown_variant(capfd: Printed, tmp_path: Path) -> None:
    """The error lists the known variants."""
    source = write(tmp_path / "in.csv", {"dice": TEXT})
    said = f"--variant must be one of {', '.join(variants())}, not 'whist'"
    refused(capfd, source, tmp_path / OUTPUT, said, variant="whist")


def test_one_file_into_a_store(tmp_path: Path, capfd: Printed) -> None:
    """The output of one file is a file of this machine; the error says how it can be in a store."""
    source = write(tmp_path / "in.csv", {"dice": ["13356"]})
    said = (
        "s3://bucket/b.parquet can't be the output of one file, which is a file on this machine; "
        "with --workers 1, it is a folder, also in a store"
    )
    assert score(source, "s3://KEY:SECRET@bucket/b.parquet") == 2
    assert capfd.readouterr() == ("", said + "\n")
