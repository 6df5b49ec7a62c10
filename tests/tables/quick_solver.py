"""A solver that takes no time, but waits for the file that the variable `GATE` names."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules, in_force

GATE = "TABLES_GATE"
BYTES = 100_000


@dataclass(frozen=True)
class QuickScoring:
    """What decides a table: here, a text with the game and all its house rules."""

    text: str

    @property
    def key(self) -> str:
        """A hash of the text."""
        return sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True)
class QuickTable:
    """A table that holds the text of its scoring, and the id of the process that made it."""

    text: str
    maker: int


def scoring_of(variant: ScoreCard[Any], rules: HouseRules) -> QuickScoring:
    """The scoring of `variant` under `rules`; here, every house rule counts."""
    return QuickScoring(json.dumps([variant.id, in_force(rules)]))


def bytes_of(scoring: QuickScoring) -> int:
    """The size of a file, the same for all tables."""
    del scoring
    return BYTES


def make(scoring: QuickScoring, path: Path, report: Callable[[float], None]) -> None:
    """Writes a table to `path`. Until the file of `GATE` exists, it reports that half is done."""
    gate = os.environ.get(GATE)
    while gate and not os.path.exists(gate):
        time.sleep(0.01)
        report(0.5)
    content = json.dumps([scoring.text, os.getpid()]).encode()
    path.write_bytes(content.ljust(BYTES))


def read(path: Path, scoring: QuickScoring) -> QuickTable:
    """The table in the file at `path`."""
    del scoring
    return QuickTable(*json.loads(path.read_bytes()[:BYTES]))
