"""`python -m service score`: files of hands in, files of answers out."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from service.batch.command import main
from service.variants import variants
from tests.batch.tables import answers, read, write
from tests.live import ROOT, plain_environment

ROLLS = [[1, 3, 3, 5, 6], [5, 5, 5, 2, 2], [6, 6, 6, 6, 6], [2, 3, 4, 5, 6], [1, 1, 2, 2, 4]]
SUITED = [[5, 11, 17, 23, 13, 2, 9], [0, 1, 2, 3, 4, 6, 6], [23, 23, 23, 23, 23, 0, 0]]
FORMATS = [".csv", ".ndjson", ".jsonl", ".parquet", ".arrow", ".feather", ".arrows"]
TEXT = ["".join(map(str, roll)) for roll in ROLLS]
OUTPUT = "answers.parquet"


def notation(hand: list[int]) -> list[str]:
    """Suited dice by their codes, as text."""
    return [f"{code % 6 + 1}{'rbwy'[code // 6]}" for code in hand]


def command(source: Path, target: Path, variant: str) -> list[str]:
    """The arguments that score `source`."""
    return ["score", "--variant", variant, str(source), "-o", str(target)]


def score(source: Path, target: Path, variant: str = "poker-dice", *more: str) -> int:
    """Runs the command in this process and returns its exit status."""
    return main([*command(source, target, variant), *more])


def refused(source: Path, target: Path, said: str, *more: str, variant: str = "poker-dice") -> None:
    """Runs the command in a process of its own, which must fail with what it `said` alone."""
    files = set(source.parent.iterdir())
    ran = subprocess.run(
        [sys.executable, "-m", "service", *command(source, target, variant), *more],
        cwd=ROOT,
        env=plain_environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", said + "\n")
    assert set(source.parent.iterdir()) == files


@pytest.mark.parametrize("wanted", FORMATS)
@pytest.mark.parametrize("given", FORMATS)
def test_every_format_into_every_other(tmp_path: Path, given: str, wanted: str) -> None:
    """Answers follow the other columns, which stay as they are, in any format from any format."""
    players = ["ann", "bén", "", 'a "c", d', "2024-01-01"]
    if given == ".csv":
        players[3] = "d"  # the file is written by hand
    source = write(tmp_path / f"in{given}", {"player": players, "dice": TEXT})
    target = tmp_path / f"out{wanted}"
    assert score(source, target) == 0
    found = read(target)
    assert found.schema.names == ["player", "rank", "strength"]
    expected = answers("poker-dice", ROLLS)
    assert found.to_pylist() == [
        {"player": player, **answer} for player, answer in zip(players, expected, strict=True)
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
    assert read(tmp_path / "out.ndjson").to_pylist() == answers("texas-holdem-dice", hands)


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_column_for_each_die(tmp_path: Path, suffix: str) -> None:
    """Columns die_1 to die_5 are a hand, in any order among the others."""
    dice = {f"die_{place + 1}": [roll[place] for roll in ROLLS] for place in (4, 0, 1, 2, 3)}
    source = write(tmp_path / f"in{suffix}", {"at": list("abcde"), **dice})
    assert score(source, tmp_path / OUTPUT) == 0
    found = read(tmp_path / OUTPUT).to_pylist()
    assert [row.pop("at") for row in found] == list("abcde")
    assert found == answers("poker-dice", ROLLS)


@pytest.mark.parametrize("suffix", FORMATS)
def test_pieces_make_the_whole(tmp_path: Path, suffix: str) -> None:
    """A file is read in pieces, and the answers are those of all its rows in their order."""
    rolls = [list(roll) for roll in product(range(1, 7), repeat=5)]
    text = ["".join(map(str, roll)) for roll in rolls]
    source = write(tmp_path / f"in{suffix}", {"at": list(range(len(rolls))), "dice": text})
    target = tmp_path / "out.parquet"
    more = ["--house-rules", '{"five_alike_is_full_house": true}', "--rows", "100"]
    assert score(source, target, "dice-poker", *more) == 0
    found = read(target).to_pylist()
    assert [int(row.pop("at")) for row in found] == list(range(len(rolls)))
    assert found == answers("dice-poker", rolls, five_alike_is_full_house=True)
    assert pa.parquet.ParquetFile(target).num_row_groups > 10


def test_yahtzee_deluxe(tmp_path: Path) -> None:
    """A score card has a column for each of its boxes, in card order."""
    count = variants()["yahtzee-deluxe"].dice.count
    rolls = [list(roll) for roll in product((1, 2, 4, 6), repeat=count)]
    source = write(tmp_path / "in.arrows", {"dice": rolls})
    assert score(source, tmp_path / OUTPUT, "yahtzee-deluxe") == 0
    assert read(tmp_path / OUTPUT).to_pylist() == answers("yahtzee-deluxe", rolls)


def test_csv_stays_as_written(tmp_path: Path) -> None:
    """Columns of CSV keep leading zeros, empty values and quoted line ends; they aren't guessed."""
    source = tmp_path / "in.csv"
    source.write_text('id,dice,note\n007,"1 3,3,5 6",\n1e3,55522,"two\nlines"\n')
    assert score(source, tmp_path / "out.csv") == 0
    assert (tmp_path / "out.csv").read_text() == (
        '"id","note","rank","strength"\n"007","","no_combination",66\n'
        '"1e3","two\nlines","full_house",208\n'
    )


@pytest.mark.parametrize("wanted", FORMATS)
@pytest.mark.parametrize("given", FORMATS)
def test_no_rows(tmp_path: Path, given: str, wanted: str) -> None:
    """A file without rows gives one with the right columns and no rows."""
    empty = {"player": pa.array([], pa.utf8()), "dice": pa.array([], pa.utf8())}
    source = write(tmp_path / f"in{given}", empty)
    target = tmp_path / f"out{wanted}"
    assert score(source, target) == 0
    found = read(target)
    assert found.num_rows == 0
    if "json" not in wanted:
        carried = [] if "json" in given else ["player"]
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
    """What JSON has no type for is written as text in NDJSON."""
    when = pa.array([1, 2, 3, 4, 5], pa.timestamp("ns"))
    source = write(tmp_path / "in.parquet", {"when": when, "dice": TEXT})
    assert score(source, tmp_path / "out.ndjson") == 0
    first, *_ = read(tmp_path / "out.ndjson").to_pylist()
    assert first == {"when": "1970-01-01 00:00:00.000000001", **answers("poker-dice", ROLLS)[0]}


BAD_ROWS: list[tuple[str, Any, str, list[str]]] = [
    (
        "poker-dice",
        pa.array([[1, 2, 3, 4, 7], None, [1, 2, 3], [1, 2, None, 4, 5], [-1, 256, 1, 1, 1]]),
        "5 of the first 5",
        [
            "row 0: dice[4] must be between 1 and 6",
            "row 1: dice must not be null",
            "row 2: dice must hold 5 dice, not 3",
            "row 3: dice[2] must be a whole number between 1 and 6",
            "row 4: dice[0] must be between 1 and 6",
        ],
    ),
    (
        "dice-poker",
        pa.array(["12345", "1234", None, "1, 2, 3, 4, x", "1234\u00e9", "", "66666"]),
        "5 of the first 7",
        [
            "row 1: dice must hold 5 dice, not 4",
            "row 2: dice must not be null",
            "row 3: dice[4] must be a whole number between 1 and 6",
            "row 4: dice[4] must be a whole number between 1 and 6",
            "row 5: dice must hold 5 dice, not 0",
        ],
    ),
    (
        "texas-holdem-dice",
        pa.array(["1r2r3r4r5r6b", "1r2r3r4r5r", "1r1r1r1r1r1r", "1r2r3r4r5r6g", "1r2"]),
        "4 of the first 5",
        [
            "row 1: dice must hold 6 dice, as the hands before, not 5",
            "row 2: dice[5] is red die number 6 on this table; there are 5 (H24)",
            "row 3: dice[5] must be a number from 1 to 6 and a suit letter (r, b, w, y), "
            "such as 6r",
            "row 4: dice must hold 5, 6 or 7 dice, not 2",
        ],
    ),
    (
        "texas-holdem-dice",
        pa.array([[0, 1, 2, 3, 24], [0, 0, 0, 0, 0], [1, 2, 3]]),
        "2 of the first 3",
        [
            "row 0: dice[4] must be the code of a die, from 0 to 23",
            "row 2: dice must hold 5, 6 or 7 dice, not 3",
        ],
    ),
]


@pytest.mark.parametrize(("variant", "dice", "count", "lines"), BAD_ROWS)
def test_bad_rows(
    tmp_path: Path, variant: str, dice: pa.Array, count: str, lines: list[str]
) -> None:
    """Rows that can't be hands are named with what is wrong, and nothing is written."""
    source = write(tmp_path / "in.arrow", {"dice": dice})
    head = (
        f"{source} can't be scored: {count} rows, counted from 0, can't be hands; nothing was "
        "written and nothing after them was looked at"
    )
    said = "\n".join([head, *(f"  {line}" for line in lines)])
    refused(source, tmp_path / OUTPUT, said, variant=variant)


def test_bad_rows_by_die(tmp_path: Path) -> None:
    """In columns of a die each the column is named."""
    columns = {f"die_{place}": ["1", "2"] for place in range(1, 5)} | {"die_5": ["6", "seven"]}
    source = write(tmp_path / "in.csv", columns)
    head = (
        f"{source} can't be scored: 1 of the first 2 rows, counted from 0, can't be hands; nothing "
        "was written and nothing after them was looked at"
    )
    wrong = "\n  row 1: die_5 must be a whole number between 1 and 6"
    refused(source, tmp_path / OUTPUT, head + wrong)


def test_many_bad_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of very many bad rows a hundred are named; rows count on over pieces; a file stays."""
    rolls = np.ones((1000, 5), np.uint8)
    rolls[250:, 2] = 0
    source = write(tmp_path / "in.arrow", {"dice": list(rolls)})
    target = tmp_path / OUTPUT
    target.write_text("before")
    assert score(source, target, "poker-dice", "--rows", "200") == 2
    head, *rows, last = capsys.readouterr().err.splitlines()
    assert head.startswith(f"{source} can't be scored: 150 of the first 400 rows, counted from 0,")
    assert rows == [f"  row {row}: dice[2] must be between 1 and 6" for row in range(250, 350)]
    assert last == "  and 50 more"
    assert target.read_text() == "before"
    assert set(tmp_path.iterdir()) == {source, target}


RULES = [
    (
        "[]",
        '--house-rules must be a JSON object, such as {"name": true}',
    ),
    (
        "{joker: true}",
        "--house-rules is no JSON: Expecting property name enclosed in double quotes, "
        "at line 1, column 2",
    ),
    (
        '{"jokr": 1, "joker": 1, "extra_five_bonus": 1001, "turn_seconds": 0.5}',
        "--house-rules: 'jokr' is none of dice-poker, which has extra_five_bonus, joker, "
        "five_alike_is_full_house, turn_seconds; extra_five_bonus must be a whole number between "
        "0 and 1000; joker must be true or false; turn_seconds must be a whole number between "
        "1 and 86400, or null",
    ),
]


@pytest.mark.parametrize(("rules", "said"), RULES)
def test_bad_house_rules(tmp_path: Path, rules: str, said: str) -> None:
    """House rules that the variant hasn't, or can't have so, are refused with what would be."""
    source = write(tmp_path / "in.csv", {"dice": TEXT})
    refused(source, tmp_path / OUTPUT, said, "--house-rules", rules, variant="dice-poker")


def test_house_rules_in_steps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A whole number may be written as 3.0, be null where that is allowed, and has its steps."""
    source = write(tmp_path / "in.csv", {"dice": TEXT})
    whole = '{"extra_five_bonus": 100.0, "turn_seconds": null}'
    assert score(source, tmp_path / OUTPUT, "dice-poker", "--house-rules", whole) == 0
    capsys.readouterr()
    odd = ("--house-rules", '{"ante": 15}')
    assert score(source, tmp_path / OUTPUT, "texas-holdem-dice", *odd) == 2
    said = "--house-rules: ante must be a whole number between 0 and 10000 and a multiple of 10\n"
    assert capsys.readouterr().err == said


UNFIT: list[tuple[str, dict[str, Any], str]] = [
    ("in.txt", {}, "{source} must end in one of {formats}, which tells its format"),
    ("missing.csv", {}, "{source} is missing"),
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
        "{unfit} it has hands twice: in the column dice, and in die_1",
    ),
    (
        "in.parquet",
        {"dice": TEXT, "rank": TEXT},
        "{unfit} its column rank has the name of an answer; call it something else",
    ),
    (
        "in.parquet",
        {f"die_{n}": [1.0] for n in range(1, 6)},
        "{unfit} the column die_1 must be whole numbers or text, not double",
    ),
]


@pytest.mark.parametrize(("name", "columns", "said"), UNFIT)
def test_input_that_is_no_use(
    tmp_path: Path, name: str, columns: dict[str, Any], said: str
) -> None:
    """A file that is missing, of unknown format or without hands is refused in one line."""
    source = tmp_path / name
    if columns:
        write(source, columns)
    unfit = f"{source} can't be scored:"
    told = said.format(source=source, unfit=unfit, formats=" ".join(FORMATS))
    refused(source, tmp_path / OUTPUT, told)


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
    """A file that goes wrong on the way leaves nothing, whatever was written by then."""
    source = write(tmp_path / f"in{suffix}", {"dice": TEXT * 1000})
    whole = source.read_bytes()
    source.write_bytes(whole[: len(whole) - 2] + b'"\n{' * ("n" in suffix or "c" in suffix))
    assert score(source, tmp_path / OUTPUT, "poker-dice", "--rows", "100") == 2
    assert list(tmp_path.iterdir()) == [source]
    assert capsys.readouterr().err.startswith(f"{source} can't be ")


def test_lines_that_are_not_utf_8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """NDJSON with a text or a name that isn't UTF-8 is refused."""
    source = tmp_path / "in.ndjson"
    for line in (b'{"dice": "12345", "who": "b\xe9n"}\n', b'{"dice": "12345", "b\xe9n": 1}\n'):
        source.write_bytes(line)
        assert score(source, tmp_path / "out.csv") == 2
        assert capsys.readouterr().err.startswith(f"{source} can't be read as NDJSON: ")
    assert list(tmp_path.iterdir()) == [source]


def test_output_that_cannot_be(tmp_path: Path) -> None:
    """Output that is the input, a directory, in a missing one or of no format is refused."""
    source = write(tmp_path / "in.csv", {"dice": TEXT})
    link = tmp_path / "link.csv"
    link.symlink_to(source)
    (tmp_path / "dir.csv").mkdir()
    formats = " ".join(FORMATS)
    refused(source, source, f"{source} can't be both read and written")
    refused(source, link, f"{link} can't be both read and written")
    refused(source, tmp_path / "dir.csv", f"{tmp_path / 'dir.csv'} is a directory")
    refused(
        source,
        tmp_path / "no" / "x.csv",
        "x.csv can't be written as CSV: No such file or directory",
    )
    refused(
        source,
        tmp_path / "x.xls",
        f"{tmp_path / 'x.xls'} must end in one of {formats}, which tells its format",
    )


def test_lists_beside_in_csv(tmp_path: Path) -> None:
    """A column that the format of the output has no place for is refused."""
    source = write(tmp_path / "in.parquet", {"dice": TEXT, "tags": [["a"]] * 5})
    said = "out.csv can't be written as CSV: Unsupported Type:list<element: string>"
    refused(source, tmp_path / "out.csv", said)


def test_variants_that_have_no_columns(tmp_path: Path) -> None:
    """Unknown variants are refused with those there are, roll-a-royal with where it is scored."""
    source = write(tmp_path / "in.csv", {"dice": TEXT})
    names = "dice-poker, poker-dice, texas-holdem-dice, yahtzee-deluxe"
    said = f"--variant must be one of {names}, not 'whist'"
    refused(source, tmp_path / OUTPUT, said, variant="whist")
    said = (
        "roll-a-royal has no answers in columns: "
        "use POST /v1/variants/roll-a-royal/batch with NDJSON"
    )
    refused(source, tmp_path / OUTPUT, said, variant="roll-a-royal")


def test_without_pyarrow(tmp_path: Path) -> None:
    """Without pyarrow it says how to install it."""
    program = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from service.batch.command import main; sys.exit(main(sys.argv[1:]))"
    )
    source, target = write(tmp_path / "in.csv", {"dice": TEXT}), tmp_path / OUTPUT
    ran = subprocess.run(
        [sys.executable, "-c", program, *command(source, target, "poker-dice")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (
        2,
        "",
        "Files of hands take pyarrow: pip install 'dice-scoring-service[arrow]', "
        "or make arrow in a checkout\n",
    )
    assert not target.exists()


def on_a_terminal(arguments: list[str], stop_at: str | None = None) -> tuple[int, str]:
    """The exit status of the command, and all that a terminal showed of it.

    Once it shows `stop_at`, it gets what Ctrl-C sends.
    """
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "service", *arguments], cwd=ROOT, stderr=theirs
    ) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                shown += os.read(ours, 1 << 16)
            except OSError:  # so it is told on Linux that nobody has the terminal any more
                break
            if stop_at is not None and stop_at.encode() in shown:
                process.send_signal(signal.SIGINT)
                stop_at = None
    os.close(ours)
    return process.returncode, shown.decode()


def test_progress_on_a_terminal(tmp_path: Path) -> None:
    """On a terminal a bar shows how far it is and how fast, and is gone at the end."""
    source = write(tmp_path / "in.parquet", {"dice": TEXT})
    target = tmp_path / OUTPUT
    status, shown = on_a_terminal(command(source, target, "poker-dice"))
    assert status == 0
    bar = r"100% \[#{24}\] 5 rows, \d+\.\d million a second"
    end = rf"\r\x1b\[K5 hands scored, in {target}\r\n"
    assert re.fullmatch(rf"\r\x1b\[K{bar}{end}", shown)


@pytest.mark.parametrize("suffix", [".csv", ".ndjson", ".parquet", ".arrow"])
def test_stopped_on_the_way(tmp_path: Path, suffix: str) -> None:
    """Ctrl-C ends it with the status that shells give, and leaves nothing."""
    source = write(tmp_path / f"in{suffix}", {"dice": TEXT * 40_000})
    arguments = command(source, tmp_path / "out.arrows", "poker-dice")
    status, shown = on_a_terminal([*arguments, "--rows", "16"], "rows,")
    assert status == 130
    assert shown.endswith("\r\x1b[KStopped; nothing was written.\r\n")
    assert list(tmp_path.iterdir()) == [source]


def test_help() -> None:
    """Help says what there is, for the module and for the command."""
    for arguments, told in (["--help"], "score"), (["score", "--help"], "--house-rules"):
        ran = subprocess.run(
            [sys.executable, "-m", "service", *arguments],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert told in ran.stdout
        assert ran.stderr == ""


def test_the_server_starts_without_numpy() -> None:
    """What a server imports at its start has neither NumPy nor pyarrow."""
    program = (
        "import json, sys, service.__main__, service.app; service.app.create_app()\n"
        "print(json.dumps([name in sys.modules for name in ('numpy', 'pyarrow')]))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, timeout=60, check=True
    )
    assert json.loads(ran.stdout) == [False, False]
