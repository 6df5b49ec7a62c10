"""Makes the tables of all score cards under default rules: `python -m service.tables.prepare`.

The service runs it after its start; anyone can run it before that.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from contextlib import ExitStack

from service import parent_death

AFTER_SECONDS = 5
"""How long after the start of the service, and after each table, the next one is begun: others may
need another one more urgently.
"""


def main() -> None:
    """Prepares the tables; the exit status is 1 if one couldn't be made."""
    parser = ArgumentParser("python -m service.tables.prepare", description=__doc__)
    parser.add_argument("lifeline", type=int, nargs="?", help="only the service gives this")
    given = parser.parse_args()
    with ExitStack() as stopping:
        if given.lifeline is not None:
            parent_death.end_with(given.lifeline, stopping.close)
            time.sleep(AFTER_SECONDS)
        sys.exit(0 if prepare(stopping, beside_service=given.lifeline is not None) else 1)


def prepare(stopping: ExitStack, *, beside_service: bool) -> bool:
    """Makes each table that is missing, and prints a line for each; returns whether all are there.

    Beside a service it queues, so that clients that keep asking for other tables can't hold it up
    for longer. The imports are work, too, so they wait until the service has started. If this
    process has to end, `stopping` is closed.
    """
    from service.advice.scorecard.scoring import TooLarge
    from service.kinds.scorecard.variant import ScoreCard
    from service.operator_log import notice
    from service.settings import Settings
    from service.tables import NotMade
    from service.tables.blocking import Progress
    from service.tables.maker import Maker
    from service.tables.serving import shared_tables
    from service.variants import variants

    settings = Settings.from_environment()
    tables, complete = shared_tables(settings), True
    for variant in variants(settings.variants).values():
        if not isinstance(variant, ScoreCard):
            continue
        try:
            with Progress(None if beside_service else sys.stderr, variant.id) as progress:
                maker = Maker(tables, progress.show)
                stopping.callback(maker.stop)
                maker.wait_for(variant, variant.default_rules, queue=beside_service)
        except NotMade as why:
            complete = False
            notice(f"The table of {variant.id} can't be made: {why}.", settings.log_format)
        except TooLarge as why:
            print(f"There is no table of {variant.id}: {why}.", flush=True)
        else:
            print(f"The table of {variant.id} is ready.", flush=True)
            if beside_service and progress.shown:
                time.sleep(AFTER_SECONDS)
    return complete


if __name__ == "__main__":
    main()
