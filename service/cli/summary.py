"""The command line of `dice-scoring summary`: how the numbers of a column are distributed."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from itertools import count as counting
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from service.cli.command import Command, CommandError, need, path
from service.cli.text import aligned, counted, percent, say

Values = NDArray[np.int64]

QUANTILES = (0, 1, 5, 25, 50, 75, 95, 99, 100)
"""In percent. The quantile at p percent is the smallest value that p percent don't exceed."""

MAX_VALUES = 10_000_000
"""The most different values that are counted."""

_ROWS = 1 << 17
"""How many rows to read at a time."""

MOST_BARS = 20
WIDEST_BAR = 50

_SUMMARIZING = """\
Prints mean, deviation, quantiles and a histogram of a column of whole numbers, in a file or in a
folder of files: the totals that `simulate` writes, or any column of a folder that `score` writes.
"""

_EXAMPLES = """\
examples:
  %(prog)s games/
  %(prog)s games/ --column sixes
"""


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "source", type=path, metavar="INPUT", help="file, folder, quoted glob or URI"
    )
    parser.add_argument("--column", default="total", metavar="NAME", help="(default: total)")


def _summarize(options: Namespace) -> None:
    """Prints the summary. Raises `CommandError` if there is none."""
    need("pyarrow", "arrow", "Reading files needs")
    from service.cli.files.locations import without_secret

    counts, empty = values_of(options.source, options.column)
    if not counts:
        shown = without_secret(options.source)
        raise CommandError(f"{shown} has no values in the column {options.column}")
    for line in lines(counts, options.column):
        say(line, sys.stdout)
    if empty:
        have = counted(empty, "row has", "rows have")
        say(f"{have} no value, and none is counted.", sys.stderr)


def values_of(source: str, column: str) -> tuple[Counter[int], int]:
    """How often each value occurs in `column`, in files of any format, and how many rows have none.

    Raises `CommandError` if that can't be found out. Says so if a run of these commands hasn't made
    all parts of the folder yet.
    """
    import pyarrow as pa

    from service.cli.files.formats import open_table
    from service.cli.files.locations import command_errors
    from service.cli.files.sources import files_of, source_of
    from service.cli.folders.output import incomplete

    counts: Counter[int] = Counter()
    empty = 0
    folder, pattern = source_of(source)
    with command_errors(f"{folder.shown} can't be read"):
        if incomplete(folder):
            say(f"{folder.shown} isn't complete: parts of it are missing.", sys.stderr)
    for name in files_of(folder, pattern):
        file = folder / name
        table = open_table(file, _ROWS)
        if column not in table.schema.names:
            has = ", ".join(table.schema.names)
            raise CommandError(f"{file.shown} has no column {column}; it has {has}")
        for batch in table.batches:
            with command_errors(f"the column {column} of {file.shown} must hold whole numbers"):
                values = batch.column(column).cast(pa.int64())
            empty += values.null_count
            numbers, often = np.unique(values.drop_null().to_numpy(), return_counts=True)
            counts.update(dict(zip(numbers.tolist(), often.tolist(), strict=True)))
            if len(counts) > MAX_VALUES:
                most = f"more than {MAX_VALUES:,} different values"
                raise CommandError(f"{file.shown} has {most} in {column}")
    return counts, empty


def lines(counts: Counter[int], column: str) -> Iterator[str]:
    """The lines of a summary of values that were counted."""
    values = np.array(sorted(counts), np.int64)
    often = np.array([counts[value] for value in values.tolist()], np.int64)
    size, mean = int(often.sum()), float(np.average(values, weights=often))
    deviation = sqrt(float(np.average((values - mean) ** 2, weights=often)))  # not of a sample
    rows = [
        ("rows", f"{size:,}", ""),
        ("mean", f"{mean:,.2f}", f"standard error {deviation / sqrt(size):,.2f}"),
        ("deviation", f"{deviation:,.2f}", ""),
    ]
    yield from aligned(rows, right=[1])
    yield ""
    places = np.searchsorted(np.cumsum(often), np.array(QUANTILES) / 100 * size)
    named = {0: "least", 50: "median", 100: "most"}
    heads = [named.get(percent, f"{percent} %") for percent in QUANTILES]
    found = [f"{value:,}" for value in values[np.minimum(places, len(values) - 1)].tolist()]
    yield from aligned([heads, found], right=range(len(QUANTILES)))
    yield ""
    bars = [*_bars(values, often)]
    most = max(count for _, count in bars)
    table = [
        (name, f"{count:,}", percent(count / size), "#" * -(-count * WIDEST_BAR // most))
        for name, count in bars
    ]
    yield from aligned([(column, "rows", "share", ""), *table], right=[0, 1, 2])


def _bars(values: Values, often: Values) -> Iterator[tuple[str, int]]:
    """What each bar is called, and how long it is: a bar for each value, or for each range, whose
    width is 1, 2 or 5 times a power of ten.
    """
    if len(values) <= MOST_BARS:
        for value, count in zip(values.tolist(), often.tolist(), strict=True):
            yield f"{value:,}", count
        return
    widths = (each * 10**power for power in counting() for each in (1, 2, 5))
    least, most = int(values[0]), int(values[-1])
    width = next(each for each in widths if most // each - least // each < MOST_BARS)
    bars = values // width
    for bar in range(least // width, most // width + 1):
        first = bar * width
        yield f"{first:,} to {first + width - 1:,}", int(often[bars == bar].sum())


main = Command("summary", _SUMMARIZING, _EXAMPLES, _add_arguments, _summarize)
