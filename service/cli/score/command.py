"""The command line of `python -m service score`, which scores a file without a server."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from service import __version__
from service.batch.kinds import in_tables
from service.cli.command_error import CommandError
from service.cli.house_rules_option import parse_house_rules
from service.cli.parts.options import KEPT, add_cluster, need, need_cluster, path, whole, workers_of
from service.cli.parts.same_game import digest_of
from service.cli.stopping import stoppable
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
    score.add_argument(
        *("-o", "--output"),
        required=True,
        type=path,
        metavar="OUTPUT",
        help="file for the answers, or folder",
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
    cluster = add_cluster(score, "folders")
    cluster.add_argument(
        "--part-rows",
        type=whole,
        metavar="N",
        help="a Parquet file with more rows is split, at its row groups (default: "
        f"{PART_ROWS:,}, of roll-a-royal {PART_TURNS:,})",
    )
    return score


def _score(options: Namespace) -> None:
    """Scores a file. Raises `CommandError` if it can't."""
    variant = _variant(options.variant)
    rules = parse_house_rules(variant, options.house_rules)
    searched = isinstance(variant, Layout)
    options.rows = options.rows or (TURNS if searched else ROWS)
    options.part_rows = options.part_rows or (PART_TURNS if searched else PART_ROWS)
    need("pyarrow", "arrow", "Scoring files")
    if _is_folder(options):
        _score_folder(options, variant, rules)
        return
    from click import progressbar

    from service.cli.files.places import without_secret
    from service.cli.score.score_file import score_file

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
        count, bad = score_file(
            Path(options.source),
            Path(options.output),
            variant,
            rules,
            rows=options.rows,
            bad_rows=options.bad_rows,
            report=lambda rows, part: bar.update(int(part * 100) - bar.pos, rows),
        )
    said = f"{_counted(count - bad, variant)} scored, in {options.output}"
    say(f"{said}{_bad_said(bad, variant, options.bad_rows)}", sys.stderr)


def _is_folder(options: Namespace) -> bool:
    """Whether the input is a folder, or anything else but one file on this machine."""
    source = options.source
    if options.workers or options.scheduler or "://" in source or Path(source).is_dir():
        return True
    return bool(set(source) & set("*?[")) and not Path(source).exists()


def _score_folder(options: Namespace, variant: Variant[Any], house_rules: HouseRules) -> None:
    """Scores a folder. Raises `CommandError` if it can't."""
    workers = workers_of(options)
    need_cluster(options, "Scoring folders")
    from service.cli.files.sources import named, place_of, source_of
    from service.cli.parts.output import Output
    from service.cli.score.folder.plan import Rules
    from service.cli.score.folder.run import score_folder
    from service.cli.score.folder.task import Job

    source, pattern = source_of(options.source)
    settings = dict(in_force(house_rules))
    rules = Rules(
        named(source, pattern),
        variant.id,
        digest_of(variant),
        settings,
        options.bad_rows,
        options.part_rows,
        __version__,
    )
    target = place_of(options.output)
    job = Job(source, Output(target, asdict(rules)), rules, options.rows)
    found = score_folder(job, pattern, workers=workers, scheduler=options.scheduler)
    bad = _bad_said(found.bad, variant, options.bad_rows)
    what = _counted(found.rows - found.bad, variant)
    say(found.sentence(what, "scored", target, bad), sys.stderr)


def _one(variant: Variant[Any]) -> str:
    """What a row holds."""
    return "turn" if isinstance(variant, Layout) else "hand"


def _counted(count: int, variant: Variant[Any]) -> str:
    """So many hands or turns."""
    return f"{count:,} {_one(variant)}{'' if count == 1 else 's'}"


def _bad_said(bad: int, variant: Variant[Any], policy: str) -> str:
    """What a summary says of so many `bad` rows."""
    if not bad:
        return ""
    rows, were = ("row", "was") if bad == 1 else ("rows", "were")
    became = "dropped" if policy == "drop" else "answered with null"
    return f"; {bad:,} {rows} without a valid {_one(variant)} {were} {became}"


def _offered() -> list[str]:
    return [*in_tables()]


def _variant(name: str) -> Variant[Any]:
    """The variant called `name`. Raises `CommandError` if there is none."""
    variant = in_tables().get(name)
    if variant is None:
        raise CommandError(f"--variant must be one of {', '.join(_offered())}, not {name!r}")
    return variant
