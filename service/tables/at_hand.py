"""Tables for commands and for Python: whoever needs one waits until it is made."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules
from service.settings import Settings
from service.tables import NotMade, NotReady
from service.tables.serving import shared_tables
from service.tables.tables import Tables

if TYPE_CHECKING:
    from service.advice.scorecard.table import Table

POLL_SECONDS = 0.2

LINE_SECONDS = 10.0
"""Seconds between two lines about a table, where there is no terminal."""


def table_at_hand(variant: ScoreCard[Any], rules: HouseRules, settings: Settings) -> Table:
    """The table of `variant` under `rules`, in the folder that a service with these settings uses.

    If it has to be made, that takes seconds; standard error says so, and how far it has come.
    Raises `NotMade` if it can't be made, and `TooLarge` if it would be too large.
    """
    with Line(sys.stderr) as line:
        return wait_for(shared_tables(settings, foreground=True), variant, rules, line.show)


def wait_for(
    tables: Tables,
    variant: ScoreCard[Any],
    rules: HouseRules,
    tell: Callable[[str], None],
    queue: bool = False,
) -> Table:
    """The table of `variant` under `rules`, once it is made; `tell` gets a sentence meanwhile.

    With `queue`, that is only one sentence, but its turn comes before those who only ask now and
    then. Raises `NotMade` if it can't be made, and `TooLarge` if it would be too large.
    """
    while True:
        try:
            return tables.get(variant, rules, queue)
        except NotMade:
            raise
        except NotReady as why:
            tell(f"The table of {variant.id} is being made: {why}.")
        if not queue:
            time.sleep(POLL_SECONDS)


class Line:
    """A line of a terminal that changes. Other streams get a line now and then, and None nothing.

    `shown` is whether there was anything to show.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._changes = stream is not None and stream.isatty()
        self._said = -LINE_SECONDS
        self.shown = False

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        """Clears the line."""
        if self._changes and self.shown:
            print("\r\033[K", end="", file=self._stream, flush=True)

    def show(self, sentence: str) -> None:
        """Shows `sentence` instead of the last one."""
        self.shown = True
        if self._changes:
            print(f"\r\033[K{sentence}", end="", file=self._stream, flush=True)
        elif self._stream and time.monotonic() - self._said >= LINE_SECONDS:
            self._said = time.monotonic()
            print(sentence, file=self._stream, flush=True)
