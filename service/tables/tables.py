"""The tables of a folder: mapped if they are there, and made by another process if not."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from service import parent_death
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules
from service.tables import NotMade, NotReady
from service.tables.folder import PREPARED
from service.tables.lock import BEGUN, FAILED_SECONDS, STARTING_SECONDS, locked

if TYPE_CHECKING:
    from service.advice.scorecard.table import Table

MAX_TABLES = 16
"""The most tables in the memory of a process, and in a folder, besides those of default rules."""

NICENESS = 10
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_USED_SECONDS = 60.0


@dataclass
class _Mapped:
    """A table in memory, its file, and when that was last marked as used."""

    table: Table
    path: Path
    marked_at: float = -_USED_SECONDS


class Tables:
    """The tables in `folder`. Threads can share it, and so can processes forked from this one.

    `further` are the games of the setting VARIANTS. Unless it `starts_makers`, whoever needs a
    table makes it.
    """

    def __init__(self, folder: Path, further: str = "", *, starts_makers: bool = True) -> None:
        self.folder, self.further = folder, further
        self._starts_makers = starts_makers
        self._mapped: dict[tuple[ScoreCard, HouseRules], _Mapped] = {}
        self._lock = threading.Lock()

    def get(self, variant: ScoreCard, rules: HouseRules) -> Table:
        """The table of `variant` under `rules`. It takes no longer than reading the file once.

        If there is none, a process is started that makes it, unless one is being made. Raises
        `NotReady` then, `NotMade` if it can't be made now, and `TooLarge` if it never can.
        """
        made = self.made(variant, rules)
        if made is not None:
            return made
        if not self._starts_makers:
            raise NotReady("it hasn't been begun", STARTING_SECONDS)
        from service.tables.files import scoring_of

        scoring = scoring_of(variant, rules)
        with locked(self.folder, scoring.key) as lock:
            made = self.made(variant, rules)
            if made is not None:  # another process has made it since
                return made
            task = pickle.dumps((self.folder, self.further, lock, scoring))
            try:
                process = start_process("service.tables.maker", lock)
            except OSError as error:
                reason = f"no process can be started ({error.strerror or error})"
                raise NotMade(reason, FAILED_SECONDS) from None
        # The request doesn't wait until the process has started and read its task; the thread also
        # waits for its end, or it would stay a zombie.
        threading.Thread(target=process.communicate, args=(task,), daemon=True).start()
        raise NotReady(BEGUN, STARTING_SECONDS)

    def made(self, variant: ScoreCard, rules: HouseRules) -> Table | None:
        """The table of `variant` under `rules` if there is one; starts nothing.

        Raises `TooLarge` if there can't be one.
        """
        mapped = self._mapped.get((variant, rules))
        if mapped is None:
            with self._lock:  # or threads would read a file at the same time
                mapped = self._map(variant, rules)
        if mapped is None:
            return None
        now = time.monotonic()
        if now - mapped.marked_at >= _USED_SECONDS:  # the least used files are removed first
            mapped.marked_at = now
            with suppress(OSError):  # it may be gone from the disk
                os.utime(mapped.path)
        return mapped.table

    def _map(self, variant: ScoreCard, rules: HouseRules) -> _Mapped | None:
        from service.tables.files import read_table, scoring_of  # NumPy takes long to import

        asked = variant, rules
        if asked not in self._mapped:
            scoring = scoring_of(variant, rules)
            path = self.path_of(scoring.key)
            table = read_table(path, scoring) or read_table(
                path.parent / PREPARED / path.name, scoring
            )
            if table is not None:
                if len(self._mapped) >= MAX_TABLES:
                    del self._mapped[next(iter(self._mapped))]
                self._mapped[asked] = _Mapped(table, path)
        return self._mapped.get(asked)

    def mapped(self, variant: ScoreCard, rules: HouseRules) -> bool:
        """Whether `made` returns a table from memory, in a few microseconds."""
        return (variant, rules) in self._mapped

    def path_of(self, key: str) -> Path:
        """The file of the table with this key."""
        return self.folder / f"{key}.table"


def start_process(module: str, *files: int, **environment: str) -> subprocess.Popen[bytes]:
    """Runs `module` in a process of low priority; it inherits the open `files`.

    Its first argument is the lifeline: it is to end with the service. It has a process group of its
    own, because a terminal's Ctrl-C is for the service. In a session of its own, Linux may share
    out the processor by session, and its low priority would not count. It prints nothing but
    errors. Raises `OSError` if it can't be started.
    """
    read = parent_death.read_end()
    path = os.pathsep.join(filter(None, sys.path))
    process = subprocess.Popen(
        [sys.executable, "-m", module, str(read)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        pass_fds=[read, *files],
        process_group=0,
        env={**os.environ, **ONE_THREAD, "PYTHONPATH": path, **environment},
    )
    with suppress(OSError):  # it may have ended
        niceness = os.getpriority(os.PRIO_PROCESS, process.pid)
        os.setpriority(os.PRIO_PROCESS, process.pid, max(niceness, NICENESS))
        # On Linux: if memory runs out, it is killed before a worker.
        Path(f"/proc/{process.pid}/oom_score_adj").write_text("500")
    return process
