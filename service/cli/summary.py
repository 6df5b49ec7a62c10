"""The command line of `python -m service summary`: how the numbers of a column are distributed."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from service.cli.command import CommandError, exit_status, say
from service.cli.options import need, path
from service.cli.text import aligned, percent

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
  python -m service summary games/
  python -m service summary games/ --column sixes
"""


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit status.

    An error is printed to stderr and has status 2, or 75 if it may pass. Raises `SystemExit`, as
    argparse does, for `--help` and invalid arguments.
    """
    parser = ArgumentParser(
        "python -m service summary",
        description=_SUMMARIZING,
        epilog=_EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "source", type=path, metavar="INPUT", help="file, folder, quoted glob or URI"
    )
    parser.add_argument("--column", default="total", metavar="NAME", help="(default: total)")
    options = parser.parse_args(arguments)
    return exit_status(lambda: _summarize(options))


def _summarize(options: Namespace) -> None:
    """Prints the summary. Raises `CommandError` if there is none."""
    need("pyarrow", "arrow", "Reading files")
    from service.cli.files.places import without_secret

    counts, empty = counted(options.source, options.column)
    if not counts:
        shown = without_secret(options.source)
        raise CommandError(f"{shown} has no values in the column {options.column}")
    for line in lines(Distribution.of(counts), options.column):
        say(line, sys.stdout)
    if empty:
        rows = "1 row has" if empty == 1 else f"{empty:,} rows have"
        say(f"{rows} no value, and none is counted.", sys.stderr)


def counted(source: str, column: str) -> tuple[Counter[int], int]:
    """How often each value occurs in `column`, in files of any format, and how many rows have none.

    Raises `CommandError` if that can't be found out. Says so if a run of these commands hasn't made
    all parts of the folder yet.
    """
    import pyarrow as pa

    from service.cli.files.formats import open_table
    from service.cli.files.places import command_errors
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


@dataclass(frozen=True)
class Distribution:
    """Different `values` in ascending order, and how often each occurs."""

    values: np.ndarray[tuple[int], np.dtype[np.int64]]
    counts: np.ndarray[tuple[int], np.dtype[np.int64]]

    @classmethod
    def of(cls, counts: Counter[int]) -> Distribution:
        """The distribution of what was counted."""
        values = np.array(sorted(counts), np.int64)
        return cls(values, np.array([counts[int(value)] for value in values], np.int64))

    @property
    def size(self) -> int:
        """How many values there are, equal ones included."""
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        """The mean."""
        return float(np.average(self.values, weights=self.counts))

    @property
    def deviation(self) -> float:
        """The standard deviation of these values: divided by their number, not by one less."""
        return sqrt(float(np.average((self.values - self.mean) ** 2, weights=self.counts)))

    def quantile(self, percent: float) -> int:
        """The smallest value that `percent` of all don't exceed; of 0 percent, the smallest."""
        wanted = np.searchsorted(np.cumsum(self.counts), percent / 100 * self.size)
        return int(self.values[min(int(wanted), len(self.values) - 1)])


def lines(found: Distribution, column: str) -> Iterator[str]:
    """The lines of a summary."""
    error = found.deviation / sqrt(found.size)
    rows = [
        ("rows", f"{found.size:,}", ""),
        ("mean", f"{found.mean:,.2f}", f"standard error {error:,.2f}"),
        ("deviation", f"{found.deviation:,.2f}", ""),
    ]
    yield from aligned(rows, right=[1])
    yield ""
    quantiles = [f"{found.quantile(percent):,}" for percent in QUANTILES]
    named = {0: "least", 50: "median", 100: "most"}
    heads = [named.get(percent, f"{percent} %") for percent in QUANTILES]
    yield from aligned([heads, quantiles], right=range(len(QUANTILES)))
    yield ""
    bars = [*_bars(found)]
    most = max(count for _, count in bars)
    table = [
        (name, f"{count:,}", percent(count / found.size), "#" * -(-count * WIDEST_BAR // most))
        for name, count in bars
    ]
    yield from aligned([(column, "rows", "share", ""), *table], right=[0, 1, 2])


def _bars(found: Distribution) -> Iterator[tuple[str, int]]:
    """What each bar is called, and how long it is: a bar for each value, or for each range."""
    if len(found.values) <= MOST_BARS:
        for value, count in zip(found.values.tolist(), found.counts.tolist(), strict=True):
            yield f"{value:,}", count
        return
    width = _width(found)
    bars = found.values // width
    for bar in range(int(bars[0]), int(bars[-1]) + 1):
        first = bar * width
        yield f"{first:,} to {first + width - 1:,}", int(found.counts[bars == bar].sum())


def _width(found: Distribution) -> int:
    """The width of the ranges: 1, 2 or 5 times a power of ten; at most `MOST_BARS` ranges."""
    power = 1
    while True:
        for width in (power, 2 * power, 5 * power):
            if int(found.values[-1]) // width - int(found.values[0]) // width < MOST_BARS:
                return width
        power *= 10
