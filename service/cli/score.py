"""The command line of `dice-scoring score`, which scores a file without a server."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from service.batch.outcomes import in_tables
from service.cli.command import (
    KEPT,
    MAY_PASS,
    Command,
    CommandError,
    add_cluster,
    add_game,
    chosen_game,
    need,
    path,
    whole,
    workers_of,
)
from service.cli.text import counted, say
from service.kinds.layout.variant import Layout

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
brackets and quotes around dice are ignored; numbers above 9 need one of these between dice) or as
lists of dice; or it has one column for each die: die_1, die_2 and so on. Suited dice can also be
numbers: 6 * suit + face - 1, with the suits in the order r, b, w, y. The output has all columns of
the input, then the answers: `rank` and `strength`, or one column for each box of the score card. If
any hand is invalid, nothing is written, unless --bad-rows says so.

roll-a-royal has its turns in a column `rolls`, as lists of lists of faces or as JSON text such as
[["As", "--"], ["Kh"]]. The answers are `points`, `hands` and `layout` as JSON text, and `proven`:
whether no layout has more points.

The extension decides the format: .csv, .tsv, .ndjson or .jsonl, .parquet, .arrow or .feather,
.arrows (an Arrow stream). All columns of a CSV file are text, and semicolons between them are read,
too; the first lines of an NDJSON file decide its columns and their types.

INPUT may also be a folder, a quoted glob, or a URI such as s3://bucket/rolls. OUTPUT is then a
folder of the same names, as it is for a single file with --workers or --scheduler. Its parts are
scored on all cores, or on a Dask cluster; an interrupted run continues where it was when the
command is repeated. Each file of a folder is one part, and a large Parquet file several.
"""

_EXAMPLES = """\
examples:
  %(prog)s --variant dice-poker rolls.parquet -o scores.parquet
  %(prog)s --variant poker-dice --house-rules '{"pairs_rank": true}' a.csv -o b.csv
  %(prog)s --variant dice-poker rolls/ -o scores/ --workers 4
"""


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("source", type=path, metavar="INPUT", help="file with the hands, or folder")
    add_game(parser, in_tables(), "file for the answers, overwritten if it exists, or folder")
    parser.add_argument(
        "--rows",
        type=whole,
        metavar="N",
        help="about how many rows to hold in memory at a time; increase it for text with very long "
        f"lines (default: {ROWS:,}, of roll-a-royal {TURNS})",
    )
    parser.add_argument(
        "--bad-rows",
        choices=["fail", "drop", "null"],
        default="fail",
        help="what becomes of a row without a valid hand: an error (the default), nothing, or "
        "answers that are null",
    )
    add_cluster(parser, "folders").add_argument(
        "--part-rows",
        type=whole,
        metavar="N",
        help="a Parquet file with more rows is split, at its row groups (default: "
        f"{PART_ROWS:,}, of roll-a-royal {PART_TURNS:,})",
    )


def _is_folder(options: Namespace) -> bool:
    """Whether the input is a folder, or anything else but one file on this machine."""
    source = options.source
    if options.workers or options.scheduler or "://" in source or Path(source).is_dir():
        return True
    return bool(set(source) & set("*?[")) and not Path(source).exists()


def _score(options: Namespace) -> None:
    """Scores a file or a folder. Raises `CommandError` if it can't."""
    variant, rules = chosen_game(options, in_tables())
    one, rows, part_rows = "hand", ROWS, PART_ROWS
    if isinstance(variant, Layout):
        one, rows, part_rows = "turn", TURNS, PART_TURNS
    need("pyarrow", "arrow", "Scoring files needs")
    common = {"rows": options.rows or rows, "bad_rows": options.bad_rows}

    def scored(rows: int, bad: int) -> tuple[str, str]:
        """What is said of so many rows, and of those of them that are bad."""
        became = "dropped" if options.bad_rows == "drop" else "answered with null"
        were = "was" if bad == 1 else "were"
        refused = f"; {counted(bad, 'row')} without a valid {one} {were} {became}" if bad else ""
        return counted(rows - bad, one), refused

    if _is_folder(options):
        workers = workers_of(options, "Scoring folders")
        from service.cli.folders.score import score_folder

        found = score_folder(
            options.source,
            options.output,
            variant,
            rules,
            **common,
            part_rows=options.part_rows or part_rows,
            workers=workers,
            scheduler=options.scheduler,
        )
        hands, bad = scored(found.rows, found.bad)
        say(found.sentence(hands, "scored", bad), sys.stderr)
        return

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
        hands, bad = scored(
            *score_file(
                options.source,
                options.output,
                variant,
                rules,
                **common,
                report=lambda rows, part: bar.update(int(part * 100) - bar.pos, rows),
            )
        )
    say(f"{hands} scored, in {options.output}{bad}", sys.stderr)


main = Command(
    "score",
    _SCORING,
    _EXAMPLES,
    _add_arguments,
    _score,
    lambda options: KEPT if _is_folder(options) else "Stopped; nothing was written.",
    MAY_PASS,
)
