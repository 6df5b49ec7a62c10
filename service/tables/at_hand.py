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


def table_at_hand(variant: ScoreCard[Any], rules: HouseRules, settings: Settings) -> Table:
    """The table of `variant` under `rules`, from the folder that the service uses, too.

    If it has to be made, that takes seconds; a terminal shows how far it has come. Raises `NotMade`
    if it can't be made, and `TooLarge` if it would be too large.
    """
    with Line(sys.stderr) as line:
        return wait_for(shared_tables(settings), variant, rules, line.show)


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
    """A line of a terminal that changes; other streams don't get it.

    `shown` is whether there was anything to show.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream if stream.isatty() else None
        self.shown = False

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        """Clears the line."""
        if self._stream and self.shown:
            self._write("")

    def show(self, sentence: str) -> None:
        """Shows `sentence` instead of the last one."""
        self.shown = True
        if self._stream:
            self._write(sentence)

    def _write(self, text: str) -> None:
        assert self._stream is not None
        self._stream.write(f"\r\033[K{text}")
        self._stream.flush()
