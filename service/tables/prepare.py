"""Makes the tables of all score cards under default rules: `python -m service.tables.prepare`.

The service runs it after its start; anyone can run it before that. It only asks for the tables, as
other clients do, so one process at a time makes them.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path

from service import parent_death
from service.tables.starting import step_back


def main() -> None:
    """Prepares the tables; the exit status is 1 if one couldn't be made."""
    parser = ArgumentParser("python -m service.tables.prepare", description=__doc__)
    parser.add_argument("--folder", type=Path, help="the folder; by default, the one in DATA_DIR")
    parser.add_argument("--prepared", type=Path, help="a folder with tables, only to be read")
    parser.add_argument("--after", type=float, default=0.0, help="seconds to wait before each")
    parser.add_argument("--further", default="", help="with --folder: the games of VARIANTS")
    parser.add_argument("--log-format", default="plain", help="with --folder: that of the service")
    parser.add_argument("--lifeline", type=int, help="a pipe that closes when this is to end")
    given = parser.parse_args()
    if given.lifeline is not None:
        step_back()
        parent_death.end_with(given.lifeline)
        parent_death.adopt(given.lifeline)
    time.sleep(given.after)
    sys.exit(0 if prepare(given) else 1)


def prepare(given: Namespace) -> bool:
    """Asks for each table until it is there, and prints a line for it; returns whether all are.

    After one is made, it waits for `after` seconds: others may need another one more urgently. The
    service queues, so that clients that keep asking for other tables can't hold it up for longer.
    The imports are work, too, so they also wait.
    """
    from service.advice.scorecard.scoring import TooLarge
    from service.kinds.scorecard.variant import ScoreCard
    from service.notices import notice
    from service.settings import Settings
    from service.tables import NotMade
    from service.tables.at_hand import Line, wait_for
    from service.tables.serving import shared_tables
    from service.tables.tables import Tables
    from service.variants import variants

    if given.folder:
        settings = Settings(variants=given.further, log_format=given.log_format)
        tables = Tables(given.folder, prepared=given.prepared, further=given.further)
    else:
        settings = Settings.from_environment()
        tables = shared_tables(settings, foreground=True)
    complete, queue = True, given.lifeline is not None
    for variant in variants(settings.variants).values():
        if not isinstance(variant, ScoreCard):
            continue
        try:
            with Line(None if queue else sys.stderr) as line:
                wait_for(tables, variant, variant.default_rules, line.show, queue)
        except NotMade as why:
            complete = False
            notice(f"The table of {variant.id} can't be made: {why}.", settings.log_format)
        except TooLarge as why:
            print(f"There is no table of {variant.id}: {why}.", flush=True)
        else:
            print(f"The table of {variant.id} is ready.", flush=True)
            if line.shown:
                time.sleep(given.after)
    return complete


if __name__ == "__main__":
    main()
