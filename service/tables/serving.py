"""The tables of a folder: mapped if they are there, and made by another process if not.

gunicorn's master chooses the folder of a service, and its workers share it.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from service import parent_death
from service.rules.breaches import Breach
from service.rules.violations import InvalidInput, Violation
from service.settings import Settings
from service.tables import NotMade, NotReady, NotYet
from service.tables.lock import (
    FAILED_SECONDS,
    PREPARED,
    STARTING_SECONDS,
    Folder,
    find_folder,
    last_record,
    locked,
)

if TYPE_CHECKING:
    from service.advice.scorecard.table import Table
    from service.kinds.scorecard.card import Card
    from service.kinds.scorecard.variant import ScoreCard
    from service.rules.house_rules import HouseRules

MAX_TABLES = 16
"""The most tables in the memory of a process, and in a folder, besides those of default rules."""

FEW_BOXES = 5
"""The most open boxes of a card that is solved at once, without asking for a table. With a few
more, it is solved at once, too, while there is no table."""

SOLVED_STEPS = 250
"""The steps of solving a full card, about 10 microseconds each; each open box doubles them."""

MOST_STEPS = SOLVED_STEPS << 8
"""The most steps of the cards that a request solves at once although they need a table: those of
one with eight open boxes.
"""

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
            raise NotReady(NotYet.NOT_BEGUN(), STARTING_SECONDS)
        from service.tables.files import scoring_of

        scoring = scoring_of(variant, rules)
        with locked(self.folder, scoring.key) as lock:
            made = self.made(variant, rules)
            if made is not None:  # another process has made it since
                return made
            task = pickle.dumps((self.folder, self.further, lock, scoring))
            try:
                process = _start_process("--one", file=lock)
            except OSError as error:
                reason = f"no process can be started ({error.strerror or error})"
                raise NotMade(reason, FAILED_SECONDS) from None
        # The request doesn't wait until the process has started and read its task; the thread also
        # waits for its end, or it would stay a zombie.
        threading.Thread(target=process.communicate, args=(task,), daemon=True).start()
        raise NotReady(NotYet.BEGUN(), STARTING_SECONDS)

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

        if (variant, rules) not in self._mapped:
            scoring = scoring_of(variant, rules)
            path = self.path_of(scoring.key)
            prepared = path.parent / PREPARED / path.name
            table = read_table(path, scoring) or read_table(prepared, scoring)
            if table is not None:
                self._mapped[variant, rules] = _Mapped(table, path)
                others = [game for game in self._mapped if game[1] != game[0].default_rules]
                if len(others) > MAX_TABLES:
                    del self._mapped[others[0]]
        return self._mapped.get((variant, rules))

    def mapped(self, variant: ScoreCard, rules: HouseRules) -> bool:
        """Whether `made` returns a table from memory, in a few microseconds."""
        return (variant, rules) in self._mapped

    def path_of(self, key: str) -> Path:
        """The file of the table with this key."""
        return self.folder / f"{key}.table"


_served: dict[tuple[str, str], tuple[Folder, Tables]] = {}
"""The folders and tables of this process, by the settings DATA_DIR and VARIANTS."""

_preparing: subprocess.Popen[bytes] | None = None


def start(settings: Settings, *, starts_makers: bool = True) -> None:
    """Chooses the folder in gunicorn's master, before there are workers. A reload keeps it."""
    if _key(settings) not in _served:
        parent_death.hold()
        folder = find_folder(settings.data_dir)
        tables = Tables(folder.path, settings.variants, starts_makers=starts_makers)
        _served[_key(settings)] = folder, tables


def prepare(settings: Settings) -> None:
    """Starts the process that makes those of the default tables that are missing.

    gunicorn's master waits for its processes, so there is no thread for that.
    """
    global _preparing
    if settings.prepare_tables:
        folder, _ = _served[_key(settings)]
        _preparing = _start_process(DATA_DIR=str(folder.path.parent))


def stop() -> None:
    """Ends the makers, and removes temporary folders; call this after the last worker."""
    parent_death.cut()
    for folder, _ in _served.values():
        folder.remove()
    _served.clear()


def running(settings: Settings) -> Tables | None:
    """The tables of the service with these settings; None if this process has needed none yet."""
    served = _served.get(_key(settings))
    return served[1] if served else None


def made_and_failed(settings: Settings) -> tuple[int, int]:
    """How many tables were made in the folder of the service, and how many failed."""
    tables = running(settings)
    if tables is None:
        return 0, 0
    record = last_record(tables.folder)
    return record.all_made, record.all_failed


def shared_tables(settings: Settings, *, starts_makers: bool = True) -> Tables:
    """The tables of the service; outside of gunicorn, those of this process (see `Tables`)."""
    if _key(settings) not in _served:
        start(settings, starts_makers=starts_makers)
        atexit.register(stop)
    return _served[_key(settings)][1]


def maps(settings: Settings, variant: ScoreCard, rules: HouseRules) -> bool:
    """Whether `table_for` returns the table of the whole game from memory."""
    tables = running(settings)
    return tables is not None and tables.mapped(variant, rules)


def tables_for(
    settings: Settings,
    variant: ScoreCard,
    rules: HouseRules,
    cards: Iterable[tuple[tuple[str | int, ...], Card]],
) -> tuple[list[Table], int]:
    """A table that covers each of `cards`, and the number of steps to get them (see `table_for`).

    Each card comes with the path to it. While there is no table of the game, they are solved at
    once if that takes up to `MOST_STEPS`. Raises what `table_for` raises.
    """
    found, steps = [], 0
    for path, card in cards:
        table, own = table_for(settings, variant, rules, card, MOST_STEPS - steps, path)
        found.append(table)
        steps += own
    return found, steps


def table_for(
    settings: Settings,
    variant: ScoreCard,
    rules: HouseRules,
    card: Card,
    most: int = MOST_STEPS,
    path: tuple[str | int, ...] = ("card",),
) -> tuple[Table, int]:
    """A table that covers `card`, to which `path` leads, and the number of steps to get it.

    It is that of the game, or one of the few states that follow the card. Raises `NotReady` while
    there is none, also if solving the card would take more than `most` steps, and `InvalidInput` if
    there can't be one.
    """
    from service.advice.scorecard.scoring import TooLarge, scoring  # NumPy takes long to import
    from service.advice.scorecard.table import small_table

    tables, opened = running(settings), len(card.open_boxes)
    missing: NotReady | TooLarge | None = None
    if tables is not None:
        with suppress(TooLarge):  # the whole game may be, and this card not
            made = tables.made(variant, rules)
            if made is not None:
                return made, 0
    try:
        known = scoring(variant, rules)
        if opened > FEW_BOXES:
            try:
                return shared_tables(settings).get(variant, rules), 0
            except (NotReady, TooLarge) as why:
                missing = why
                if SOLVED_STEPS << opened > most:
                    raise
        return small_table(known, known.position(card)), SOLVED_STEPS << opened
    except TooLarge as why:
        if isinstance(missing, NotReady):
            raise missing from None
        detail = Breach.TOO_MANY_OPEN(why=(missing or why).sentence)
        raise InvalidInput(Violation(path, detail)) from None


def _key(settings: Settings) -> tuple[str, str]:
    return settings.data_dir, settings.variants


def _start_process(
    *options: str, file: int | None = None, **environment: str
) -> subprocess.Popen[bytes]:
    """Runs `service.tables.prepare` in a process of low priority; it inherits the open `file`.

    The option `--lifeline` has it end with the service. It has a process group of its own, because
    a terminal's Ctrl-C is for the service. In a session of its own, Linux may share out the
    processor by session, and its low priority would not count. It prints nothing but errors. Raises
    `OSError` if it can't be started.
    """
    read = parent_death.read_end()
    path = os.pathsep.join(filter(None, sys.path))
    process = subprocess.Popen(
        [sys.executable, "-m", "service.tables.prepare", f"--lifeline={read}", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        pass_fds=[read] if file is None else [read, file],
        process_group=0,
        env={**os.environ, **ONE_THREAD, "PYTHONPATH": path, **environment},
    )
    with suppress(OSError):  # it may have ended
        niceness = os.getpriority(os.PRIO_PROCESS, process.pid)
        os.setpriority(os.PRIO_PROCESS, process.pid, max(niceness, NICENESS))
        # On Linux: if memory runs out, it is killed before a worker.
        Path(f"/proc/{process.pid}/oom_score_adj").write_text("500")
    return process
