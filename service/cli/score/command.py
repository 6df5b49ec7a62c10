"""The command line: `python -m service score rolls.parquet -o scores.parquet`, without HTTP."""

from __future__ import annotations

import signal
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import FrameType

from service.batch.outcomes import outcomes_of
from service.cli.score.given_rules import given_rules
from service.cli.score.not_done import NotDone
from service.cli.score.progress import Progress
from service.cli.terminal import say
from service.kinds.columnar import Columnar, columnar
from service.variants import variants

ROWS = 1 << 17
"""Rows that are held at a time, unless told otherwise."""

_SCORING = """\
Hands stand in a column `dice`: text such as 13356 or 6r6b6w6y2r, with spaces or commas between
dice if you like, or lists of numbers or of such text; or in a column for each die, die_1 and so on.
Suited dice can also be the numbers 6 * suit + face - 1, suits in the order r, b, w, y.
All columns are carried along, then come the answers: `rank` and `strength`, or a column for
each box of the score card. If anything is wrong, nothing is written.

Formats go by the extension: .csv, .ndjson or .jsonl, .parquet, .arrow or .feather, .arrows (an
Arrow stream). Columns of CSV are text, as they are there; those of NDJSON, and their types, are
taken from its first lines.
"""

_EXAMPLES = """\
examples:
  python -m service score --variant dice-poker rolls.parquet -o scores.parquet
  python -m service score --variant poker-dice --house-rules '{"pairs_rank": true}' a.csv -o b.csv
"""


def main(arguments: Sequence[str]) -> int:
    """Does what `arguments` say; returns the exit status: 2, with why on stderr, if it can't.

    It is that of shells for Ctrl-C and SIGTERM.

    Raises `SystemExit`, as argparse does, for `--help` and arguments that are none.
    """
    given = _parser().parse_args(arguments)
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        return _score(given)
    except NotDone as error:
        for line in error.lines:
            say(line, sys.stderr)
        return 2
    except KeyboardInterrupt as stopped:
        print("Stopped; nothing was written.", file=sys.stderr)
        return 128 + (stopped.args[0] if stopped.args else signal.SIGINT)
    finally:
        signal.signal(signal.SIGTERM, before)


def _stop(number: int, _: FrameType | None) -> None:
    """Takes a signal that would end the process as Ctrl-C, which leaves no file behind."""
    raise KeyboardInterrupt(number)


def _parser() -> ArgumentParser:
    score = ArgumentParser(
        "python -m service score",
        description=_SCORING,
        epilog=_EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    score.add_argument("source", type=Path, metavar="INPUT", help="file of hands")
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
        help="rows held in memory at a time, about; more for text with very long lines "
        "(default: %(default)s)",
    )
    return score


def _whole(text: str) -> int:
    """The number that `text` is. Raises `ArgumentTypeError` for no whole number above 0."""
    if not (text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= 1 << 24):
        raise ArgumentTypeError(f"must be a whole number from 1 to {1 << 24}: {text!r}")
    return int(text)


def _score(given: Namespace) -> int:
    """Scores a file. Raises `NotDone` if that can't be."""
    variant = _variant(given.variant)
    outcomes = outcomes_of(variant, given_rules(variant, given.house_rules))
    try:
        import_module("pyarrow")
    except ModuleNotFoundError:
        raise NotDone(
            "Files of hands take pyarrow: pip install 'dice-scoring-service[arrow]', "
            "or make arrow in a checkout"
        ) from None
    from service.cli.score.score_file import score_file

    with Progress(sys.stderr) as progress:
        count = score_file(
            given.source, given.output, outcomes, rows=given.rows, tell=progress.tell
        )
    hands = "hand" if count == 1 else "hands"
    say(f"{count:,} {hands} scored, in {given.output}", sys.stderr)
    return 0


def _offered() -> list[str]:
    return [name for name, variant in variants().items() if columnar(variant)]


def _variant(name: str) -> Columnar:
    """The variant of that name. Raises `NotDone` for none, or one without columns."""
    variant = variants().get(name)
    if variant is None:
        raise NotDone(f"--variant must be one of {', '.join(_offered())}, not {name!r}")
    if not columnar(variant):
        raise NotDone(
            f"{name} has no answers in columns: use POST /v1/variants/{name}/batch with NDJSON"
        )
    return variant
