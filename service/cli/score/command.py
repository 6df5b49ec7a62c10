"""The command line of `python -m service score`, which scores a file without a server."""

from __future__ import annotations

import os
import signal
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

from service import __version__
from service.batch.kinds.registry import in_tables
from service.cli.command_error import CommandError, exit_status
from service.cli.score.house_rules_option import parse_house_rules
from service.cli.terminal import say
from service.kinds.layout.variant import Layout
from service.rules.house_rules import HouseRules, in_force
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
The input has its hands in a column `dice`, as text such as 13356 or 6r6b6w6y2r (spaces and commas
between dice are ignored) or as lists of dice; or it has one column for each die: die_1, die_2 and
so on. Suited dice can also be numbers: 6 * suit + face - 1, with the suits in the order r, b, w, y.
The output has all columns of the input, then the answers: `rank` and `strength`, or one column for
each box of the score card. If any hand is invalid, nothing is written, unless --bad-rows says so.

roll-a-royal has its turns in a column `rolls`, as lists of lists of faces or as JSON text such as
[["As", "--"], ["Kh"]]. The answers are `points`, `hands` and `layout` as JSON text, and `proven`:
whether no layout has more points.

The extension decides the format: .csv, .ndjson or .jsonl, .parquet, .arrow or .feather, .arrows (an
Arrow stream). All columns of a CSV file are text; the first lines of an NDJSON file decide its
columns and their types.

INPUT may also be a folder, a quoted glob, or a URI such as s3://bucket/rolls. OUTPUT is then a
folder of the same names. Its parts are scored on all cores, or on a Dask cluster; a run that was
broken off goes on where it was when the command is repeated. Each file of a folder is one part, and
a large Parquet file several.
"""

_EXAMPLES = """\
examples:
  python -m service score --variant dice-poker rolls.parquet -o scores.parquet
  python -m service score --variant poker-dice --house-rules '{"pairs_rank": true}' a.csv -o b.csv
  python -m service score --variant dice-poker rolls/ -o scores/ --workers 4
"""


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit status.

    An error is printed to stderr and has status 2. Ctrl-C and SIGTERM have the status that shells
    give them. Raises `SystemExit`, as argparse does, for `--help` and invalid arguments.
    """
    options = _parser().parse_args(arguments)
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        return exit_status(lambda: _score(options))
    except KeyboardInterrupt as stopped:
        print("Stopped; nothing was written.", file=sys.stderr)
        return 128 + (stopped.args[0] if stopped.args else signal.SIGINT)
    finally:
        signal.signal(signal.SIGTERM, before)


def _stop(number: int, _: FrameType | None) -> None:
    """Handles a signal like Ctrl-C, so that no half-written file is left behind."""
    raise KeyboardInterrupt(number)


def _parser() -> ArgumentParser:
    score = ArgumentParser(
        "python -m service score",
        description=_SCORING,
        epilog=_EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    score.add_argument("source", metavar="INPUT", help="file with the hands, or folder")
    score.add_argument(
        "-o", "--output", required=True, metavar="OUTPUT", help="file for the answers, or folder"
    )
    score.add_argument(
        "--variant", required=True, help=f"the game: {', '.join(_offered())}", metavar="NAME"
    )
    score.add_argument(
        "--house-rules",
        default="{}",
        metavar="JSON",
        help="""an object of house rules, such as '{"joker": true}'""",
    )
    score.add_argument(
        "--rows",
        type=_whole,
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
    cluster = score.add_argument_group("folders")
    cluster.add_argument(
        "--workers", type=_whole, metavar="N", help="processes (default: the cores of this machine)"
    )
    cluster.add_argument(
        "--scheduler",
        metavar="URL",
        help="a Dask scheduler, such as tcp://host:8786; its workers read and write the same paths",
    )
    cluster.add_argument(
        "--part-rows",
        type=_whole,
        metavar="N",
        help="a Parquet file with more rows is split, at its row groups (default: "
        f"{PART_ROWS:,}, of roll-a-royal {PART_TURNS:,})",
    )
    return score


def _whole(text: str) -> int:
    """Parses a whole number from 1. Raises `ArgumentTypeError` for any other text."""
    if not (text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= 1 << 24):
        raise ArgumentTypeError(f"must be a whole number from 1 to {1 << 24}: {text!r}")
    return int(text)


def _score(options: Namespace) -> int:
    """Scores a file. Raises `CommandError` if it can't."""
    variant = _variant(options.variant)
    rules = parse_house_rules(variant, options.house_rules)
    searched = isinstance(variant, Layout)
    options.rows = options.rows or (TURNS if searched else ROWS)
    options.part_rows = options.part_rows or (PART_TURNS if searched else PART_ROWS)
    _need("pyarrow", "arrow", "Scoring files")
    if _is_folder(options):
        return _score_folder(options, variant, rules)
    from click import progressbar

    from service.cli.score.score_file import score_file

    with progressbar(
        range(100),  # percent
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
        item_show_func=lambda rows: f"{rows:,} rows" if rows else None,
        update_min_steps=0,  # the rows change more often than the percentage
    ) as bar:
        count, bad = score_file(
            Path(options.source),
            Path(options.output),
            variant,
            rules,
            rows=options.rows,
            bad_rows=options.bad_rows,
            report=lambda rows, part: bar.update(int(part * 100) - bar.pos, rows),
        )
    hands = "hand" if count - bad == 1 else "hands"
    said = f"{count - bad:,} {hands} scored, in {options.output}"
    say(f"{said}{_bad_said(bad, options.bad_rows)}", sys.stderr)
    return 0


def _need(module: str, part: str, what: str) -> None:
    """Raises `CommandError` if `module`, which an optional part brings, is missing."""
    try:
        import_module(module)
    except ModuleNotFoundError:
        raise CommandError(
            f"{what} needs {module}: pip install 'dice-scoring-service[{part}]', "
            f"or make {part} in a checkout"
        ) from None


def _is_folder(options: Namespace) -> bool:
    """Whether the input is a folder, or anything else but one file on this machine."""
    source = options.source
    if options.workers or options.scheduler or "://" in source or Path(source).is_dir():
        return True
    return bool(set(source) & set("*?[")) and not Path(source).exists()


def _score_folder(options: Namespace, variant: Variant[Any], house_rules: HouseRules) -> int:
    """Scores a folder. Raises `CommandError` if it can't."""
    if options.workers and options.scheduler:
        raise CommandError("--workers are those of this machine: leave them out with --scheduler")
    _need("distributed", "cluster", "Scoring folders")
    from service.cli.score.folder.plan import Rules, place_of, source_of
    from service.cli.score.folder.run import score_folder
    from service.cli.score.folder.task import Job

    source, pattern = source_of(options.source)
    settings = dict(in_force(house_rules))
    rules = Rules(variant.id, settings, options.bad_rows, options.part_rows, __version__)
    try:
        found = score_folder(
            Job(source, place_of(options.output), rules, options.rows),
            pattern,
            workers=options.workers or len(os.sched_getaffinity(0)),
            scheduler=options.scheduler,
        )
    except KeyboardInterrupt as stopped:
        print("Stopped; whole parts are kept, and the same command goes on.", file=sys.stderr)
        return 128 + (stopped.args[0] if stopped.args else signal.SIGINT)
    count = found.rows - found.bad
    hands = "hand" if count == 1 else "hands"
    parts = "part" if found.parts == 1 else "parts"
    said = f"{count:,} {hands} in {found.parts:,} {parts} scored, in {options.output}"
    kept = f"; {found.kept:,} of the parts were there before" if found.kept else ""
    spent = f"; {found.seconds:,.1f} s" if found.kept < found.parts else ""
    say(f"{said}{kept}{_bad_said(found.bad, options.bad_rows)}{spent}", sys.stderr)
    return 0


def _bad_said(bad: int, policy: str) -> str:
    """What a summary says of so many `bad` rows."""
    if not bad:
        return ""
    was = "row without a valid hand was" if bad == 1 else "rows without a valid hand were"
    return f"; {bad:,} {was} {'dropped' if policy == 'drop' else 'answered with null'}"


def _offered() -> list[str]:
    return [*in_tables()]


def _variant(name: str) -> Variant[Any]:
    """The variant called `name`. Raises `CommandError` if there is none."""
    variant = in_tables().get(name)
    if variant is None:
        raise CommandError(f"--variant must be one of {', '.join(_offered())}, not {name!r}")
    return variant
