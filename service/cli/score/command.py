"""The command line of `python -m service score`, which scores a file without a server."""

from __future__ import annotations

import signal
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

from service.batch.kinds.registry import BATCH_KINDS, outcomes_of
from service.cli.command_error import CommandError, exit_status
from service.cli.score.house_rules_option import parse_house_rules
from service.cli.terminal import say
from service.rules.variant import Variant
from service.variants import variants

ROWS = 1 << 17
"""How many rows to hold in memory at a time, by default."""

_SCORING = """\
The input has its hands in a column `dice`, as text such as 13356 or 6r6b6w6y2r (spaces and commas
between dice are ignored) or as lists of dice; or it has one column for each die: die_1, die_2 and
so on. Suited dice can also be numbers: 6 * suit + face - 1, with the suits in the order r, b, w, y.
The output has all columns of the input, then the answers: `rank` and `strength`, or one column for
each box of the score card. If any hand is invalid, nothing is written, unless --bad-rows says so.

The extension decides the format: .csv, .ndjson or .jsonl, .parquet, .arrow or .feather, .arrows (an
Arrow stream). All columns of a CSV file are text; the first lines of an NDJSON file decide its
columns and their types.
"""

_EXAMPLES = """\
examples:
  python -m service score --variant dice-poker rolls.parquet -o scores.parquet
  python -m service score --variant poker-dice --house-rules '{"pairs_rank": true}' a.csv -o b.csv
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
    score.add_argument("source", type=Path, metavar="INPUT", help="file with the hands")
    score.add_argument(
        "-o", "--output", type=Path, required=True, metavar="OUTPUT", help="file for the answers"
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
        default=ROWS,
        metavar="N",
        help="about how many rows to hold in memory at a time; increase it for text with very long "
        "lines (default: %(default)s)",
    )
    score.add_argument(
        "--bad-rows",
        choices=["fail", "drop", "null"],
        default="fail",
        help="what becomes of a row without a valid hand: an error (the default), nothing, or "
        "answers that are null",
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
    outcomes = outcomes_of(variant, parse_house_rules(variant, options.house_rules))
    try:
        import_module("pyarrow")
    except ModuleNotFoundError:
        raise CommandError(
            "Scoring files needs pyarrow: pip install 'dice-scoring-service[arrow]', "
            "or make arrow in a checkout"
        ) from None
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
            options.source,
            options.output,
            outcomes,
            rows=options.rows,
            bad_rows=options.bad_rows,
            report=lambda rows, part: bar.update(int(part * 100) - bar.pos, rows),
        )
    hands = "hand" if count - bad == 1 else "hands"
    said = f"{count - bad:,} {hands} scored, in {options.output}"
    say(f"{said}{bad_said(bad, options.bad_rows)}", sys.stderr)
    return 0


def bad_said(bad: int, policy: str) -> str:
    """What a summary says of so many `bad` rows."""
    if not bad:
        return ""
    was = "row without a valid hand was" if bad == 1 else "rows without a valid hand were"
    return f"; {bad:,} {was} {'dropped' if policy == 'drop' else 'answered with null'}"


def _offered() -> list[str]:
    return [name for name, variant in variants().items() if BATCH_KINDS.of(variant)]


def _variant(name: str) -> Variant[Any]:
    """The variant called `name`. Raises `CommandError` if there is none, or it has no columns."""
    variant = variants().get(name)
    if variant is None:
        raise CommandError(f"--variant must be one of {', '.join(_offered())}, not {name!r}")
    if not BATCH_KINDS.of(variant):
        raise CommandError(
            f"{name} has no answers in columns: use POST /v1/variants/{name}/batch with NDJSON"
        )
    return variant
