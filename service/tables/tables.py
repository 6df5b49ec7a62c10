"""The tables of a folder: mapped if they are there, and made if not."""

from __future__ import annotations

import json
import os
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules, in_force
from service.tables import NotMade, NotReady
from service.tables.making import FAILED_SECONDS, STARTING_SECONDS, Making
from service.tables.sealed import is_whole
from service.tables.solver import solver_named
from service.tables.starting import start

if TYPE_CHECKING:
    from service.advice.scorecard.scoring import Scoring
    from service.advice.scorecard.table import Table

MAX_TABLES = 16
"""The most tables in the memory of a process, and in a folder, besides those of default rules."""

SUFFIX = ".table"
SOLVER = "service.tables.score_cards"

_USED_SECONDS = 60.0
_MAX_SCORINGS = 64


@dataclass
class _Mapped:
    """A table in memory, and when its file was last marked as used."""

    table: Table
    marked_at: float


class Tables:
    """The tables in `folder`. Threads can share it, and so can processes forked from this one.

    `solver` names the module that solves score cards. Tables in the folder `prepared` are read, but
    none are written or removed there. `further` are the games of the setting VARIANTS. Tables are
    made at low priority, but in the `foreground` at that of this process: somebody waits for them.
    """

    def __init__(
        self,
        folder: Path,
        solver: str = SOLVER,
        prepared: Path | None = None,
        further: str = "",
        *,
        foreground: bool = False,
    ) -> None:
        self.folder, self.further = folder, further
        self._prepared = prepared
        self._foreground = foreground
        self._solver = solver
        self._making = Making(folder)
        self._scorings: dict[tuple[ScoreCard[Any], HouseRules], Scoring] = {}
        self._mapped: OrderedDict[str, _Mapped] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, variant: ScoreCard[Any], rules: HouseRules, queue: bool = False) -> Table:
        """The table of `variant` under `rules`. It takes no longer than reading the file once.

        If there is none, a process is started that makes it, unless one is being made. Raises
        `NotReady` then, `NotMade` if it can't be made now, and `TooLarge` if it never can. With
        `queue`, it first waits until none is being made.
        """
        made = self.made(variant, rules)
        if made is not None:
            return made
        with self._lock:
            return self._make(self.scoring_of(variant, rules), variant, rules, queue)

    def made(self, variant: ScoreCard[Any], rules: HouseRules) -> Table | None:
        """The table of `variant` under `rules` if there is one; starts nothing.

        Raises `TooLarge` if there can't be one.
        """
        scoring = self.scoring_of(variant, rules)
        mapped = self._mapped.get(scoring.key)
        if mapped is not None:
            if self._lock.acquire(blocking=False):  # else another thread reads a file: don't wait
                try:
                    self._mark_used(scoring.key, mapped)
                finally:
                    self._lock.release()
            return mapped.table
        with self._lock:
            mapped = self._mapped.get(scoring.key) or self._map(scoring)
            if mapped is None:
                return None
            self._mark_used(scoring.key, mapped)
            return mapped.table

    def mapped(self, variant: ScoreCard[Any], rules: HouseRules) -> bool:
        """Whether `made` returns a table from memory, in a few microseconds."""
        scoring = self._scorings.get((variant, rules))
        return scoring is not None and scoring.key in self._mapped

    def scoring_of(self, variant: ScoreCard[Any], rules: HouseRules) -> Scoring:
        """What decides the figures of the table. Raises `TooLarge` if there can't be one."""
        asked = variant, rules
        scoring = self._scorings.get(asked)
        if scoring is None:
            if len(self._scorings) >= _MAX_SCORINGS:
                self._scorings.clear()
            scoring = solver_named(self._solver).scoring_of(variant, rules)
            self._scorings[asked] = scoring
        return scoring

    def path_of(self, key: str) -> Path:
        """The file of the table with this key."""
        return self.folder / f"{key}{SUFFIX}"

    def _map(self, scoring: Scoring) -> _Mapped | None:
        """Maps the file of a table, if it is whole. A mapped file can be removed or replaced."""
        key = scoring.key
        path = self.path_of(key)
        if self._prepared is not None and not is_whole(path, key):
            path = self._prepared / path.name
        if not is_whole(path, key):
            return None
        try:
            table = solver_named(self._solver).read(path, scoring)
        except (OSError, ValueError):  # it was removed just now, or is of another release
            return None
        mapped = self._mapped[key] = _Mapped(table, -_USED_SECONDS)
        if len(self._mapped) > MAX_TABLES:
            self._mapped.popitem(last=False)
        return mapped

    def _mark_used(self, key: str, mapped: _Mapped) -> None:
        """Marks a table as the last one used, in memory always, and on the disk now and then."""
        if key in self._mapped:  # else it has just made room for another
            self._mapped.move_to_end(key)
        now = time.monotonic()
        if now - mapped.marked_at >= _USED_SECONDS:
            mapped.marked_at = now
            with suppress(OSError):  # it may be gone from the disk
                os.utime(self.path_of(key))

    def _make(
        self, scoring: Scoring, variant: ScoreCard[Any], rules: HouseRules, queue: bool
    ) -> Table:
        """Starts a process that makes the table, and raises `NotReady`.

        Returns the table if it has been made since the caller looked.
        """
        lock = self._making.begin(scoring.key, queue)
        made = self._map(scoring)
        if made is not None:
            os.close(lock)
            return made.table
        arguments = {
            "--lock": str(lock),
            "--folder": str(self.folder),
            "--solver": self._solver,
            "--key": scoring.key,
            "--further": self.further,
            "--variant": variant.id,
            "--house-rules": json.dumps(in_force(rules)),
        }
        words = [word for name, value in arguments.items() for word in (name, value)]
        words += ["--foreground"] * self._foreground
        try:
            process = start("service.tables.make", words, lock)
        except OSError as error:
            reason = f"no process can be started ({error.strerror or error})"
            raise NotMade(reason, FAILED_SECONDS) from None
        finally:
            os.close(lock)
        threading.Thread(target=process.wait, daemon=True).start()  # or it would stay a zombie
        raise NotReady("it has just been begun", STARTING_SECONDS, 0.0)
