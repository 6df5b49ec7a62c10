"""The command line of `python -m service score`, which scores a file without a server."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from service.batch.outcomes import in_tables
from service.cli.command import CommandError, say, stoppable
from service.cli.options import (
    KEPT,
    add_cluster,
    add_game,
    need,
    parse_house_rules,
    path,
    whole,
    workers_of,
)
from service.kinds.layout.variant import Layout
from service.rules.variant import Variant

ROWS = 1 << 17
"""How many rows to hold in memory at a time, by default."""

PART_ROWS = 1 << 23
"""How many rows of a Parquet file one task scores, by default."""

TURNS = 1 << 9
"""`ROWS` for layouts, each of which is searched for."""

PART_TURNS = 1 << 15
"""`PART_ROWS` for layouts."""

_SCORING = """\
The input has its hands in a column `dice`, as text such as 13356 or 6r6b6w6y2r (spaces, commas,
brackets and quotes around dice are ignored) or as lists of dice; or it has one column for each die:
die_1, die_2 and so on. Suited dice can also be numbers: 6 * suit + face - 1, with the suits in the
order r, b, w, y. The output has all columns of the input, then the answers: `rank` and `strength`,
or one column for each box of the score card. If any hand is invalid, nothing is written, unless
--bad-rows says so.

roll-a-royal has its turns in a column `rolls`, as lists of lists of faces or as JSON text such as
[["As", "--"], ["Kh"]]. The answers are `points`, `hands` and `layout` as JSON text, and `proven`:
whether no layout has more points.

The extension decides the format: .csv, .tsv, .ndjson or .jsonl, .parquet, .arrow or .feather,
.arrows (an Arrow stream). All columns of a CSV file are text, and semicolons between them are read,
too; the first lines of an NDJSON file decide its columns and their types.

INPUT may also be a folder, a quoted glob, or a URI such as s3://bucket/rolls. OUTPUT is then a
folder of the same names, as it is for a single file with --workers or --scheduler. Its parts are
scored on all cores, or on a Dask cluster; a run that was broken off goes on where it was when the
command is repeated. Each file of a folder is one part, and a large Parquet file several.
"""

_EXAMPLES = """\
examples:
  python -m service score --variant dice-poker rolls.parquet -o scores.parquet
  python -m service score --variant poker-dice --house-rules '{"pairs_rank": true}' a.csv -o b.csv
  python -m service score --variant dice-poker rolls/ -o scores/ --workers 4
"""


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit status.

    An error is printed to stderr and has status 2, or 75 if the same command may work later.
    Ctrl-C and SIGTERM have the status that shells give them. Raises `SystemExit`, as argparse does,
    for `--help` and invalid arguments.
    """
    options = _parser().parse_args(arguments)
    kept = KEPT if _is_folder(options) else "nothing was written"
    return stoppable(lambda: _score(options), kept)


def _parser() -> ArgumentParser:
    score = ArgumentParser(
        "python -m service score",
        description=_SCORING,
        epilog=_EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    score.add_argument("source", type=path, metavar="INPUT", help="file with the hands, or folder")
    add_game(score, ", ".join(in_tables()), "file for the answers, or folder")
    score.add_argument(
        "--rows",
        type=whole,
        metavar="N",
        help="about how many rows to hold in memory at a time; increase it for text with very long "
        f"lines (default: {ROWS:,}, of roll-a-royal {TURNS})",
    )
    score.add_argument(
        "--bad-rows",
        choices=["fail", "drop", "null"],
        default="fail",
        help="what becomes of a row without a valid hand: an error (the default), nothing, or "
        "answers that are null",
    )
    add_cluster(score, "folders").add_argument(
        "--part-rows",
        type=whole,
        metavar="N",
        help="a Parquet file with more rows is split, at its row groups (default: "
        f"{PART_ROWS:,}, of roll-a-royal {PART_TURNS:,})",
    )
    return score


def _is_folder(options: Namespace) -> bool:
    """Whether the input is a folder, or anything else but one file on this machine."""
    source = options.source
    if options.workers or options.scheduler or "://" in source or Path(source).is_dir():
        return True
    return bool(set(source) & set("*?[")) and not Path(source).exists()


def _score(options: Namespace) -> None:
    """Scores a file or a folder. Raises `CommandError` if it can't."""
    variant = in_tables().get(options.variant)
    if variant is None:
        offered = ", ".join(in_tables())
        raise CommandError(f"--variant must be one of {offered}, not {options.variant!r}")
    rules = parse_house_rules(variant, options.house_rules)
    one, rows, part_rows = "hand", ROWS, PART_ROWS
    if isinstance(variant, Layout):
        one, rows, part_rows = "turn", TURNS, PART_TURNS
    rows = options.rows or rows
    need("pyarrow", "arrow", "Scoring files")
    if _is_folder(options):
        workers = workers_of(options, "Scoring folders")
        from service.cli.folders.score import score_folder

        found = score_folder(
            options.source,
            options.output,
            variant,
            rules,
            rows=rows,
            bad_rows=options.bad_rows,
            part_rows=options.part_rows or part_rows,
            workers=workers,
            scheduler=options.scheduler,
        )
        scored = _counted(found.rows - found.bad, one)
        bad = _bad_said(found.bad, one, options.bad_rows)
        say(found.sentence(scored, "scored", bad), sys.stderr)
    else:
        count, bad_count = _score_file(options, variant, rules, rows)
        bad = _bad_said(bad_count, one, options.bad_rows)
        scored = _counted(count - bad_count, one)
        say(f"{scored} scored, in {options.output}{bad}", sys.stderr)


def _score_file(options: Namespace, variant: Variant, rules: Any, rows: int) -> tuple[int, int]:
    """Scores one file, and returns what `score_file` does. A terminal shows the progress."""
    from click import progressbar

    from service.cli.files.locations import without_secret
    from service.cli.score_file import score_file

    if "://" in options.output:
        raise CommandError(
            f"{without_secret(options.output)} can't be the output of one file, which is a file on "
            "this machine; with --workers 1, it is a folder, also in a store"
        )
    with progressbar(
        range(100),  # percent
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
        item_show_func=lambda rows: f"{rows:,} rows" if rows else None,
        update_min_steps=0,  # the rows change more often than the percentage
    ) as bar:
        return score_file(
            options.source,
            options.output,
            variant,
            rules,
            rows=rows,
            bad_rows=options.bad_rows,
            report=lambda rows, part: bar.update(int(part * 100) - bar.pos, rows),
        )


def _counted(count: int, one: str) -> str:
    """So many hands or turns."""
    return f"{count:,} {one}{'' if count == 1 else 's'}"


def _bad_said(bad: int, one: str, policy: str) -> str:
    """What a summary says of so many `bad` rows."""
    if not bad:
        return ""
    rows, were = ("row", "was") if bad == 1 else ("rows", "were")
    became = "dropped" if policy == "drop" else "answered with null"
    return f"; {bad:,} {rows} without a valid {one} {were} {became}"
