"""Tables for commands and for Python: whoever needs one makes it, and waits until it is made."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, TextIO

from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules
from service.settings import Settings
from service.tables.serving import shared_tables

if TYPE_CHECKING:
    from service.advice.scorecard.table import Table

LINE_SECONDS = 10.0
"""Seconds between two lines about a table, where there is no terminal."""


def wait_for_table(variant: ScoreCard, rules: HouseRules, settings: Settings) -> Table:
    """The table of `variant` under `rules`, in the folder that a service with these settings uses.

    If it has to be made, that takes seconds; standard error says so, and how far it has come.
    Raises `NotMade` if it can't be made, and `TooLarge` if it would be too large.
    """
    from service.tables.maker import Maker  # NumPy takes long to import

    with Progress(sys.stderr, variant.id) as progress:
        return Maker(shared_tables(settings), progress.show).wait_for(variant, rules)


class Progress:
    """A line of a terminal about the table of a game, which changes and is cleared in the end.

    Other streams get a line now and then, and None nothing. `shown` is whether there was anything
    to show.
    """

    def __init__(self, stream: TextIO | None, variant_id: str) -> None:
        self._stream, self._variant_id = stream, variant_id
        self._changes = stream is not None and stream.isatty()
        self._shown_at = -LINE_SECONDS
        self.shown = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._changes and self.shown:
            print("\r\033[K", end="", file=self._stream, flush=True)

    def show(self, why: str) -> None:
        """Shows `why` the table isn't there yet, instead of the last reason."""
        self.shown = True
        sentence = f"The table of {self._variant_id} is being made: {why}."
        if self._changes:
            print(f"\r\033[K{sentence}", end="", file=self._stream, flush=True)
        elif self._stream and time.monotonic() - self._shown_at >= LINE_SECONDS:
            self._shown_at = time.monotonic()
            print(sentence, file=self._stream, flush=True)
