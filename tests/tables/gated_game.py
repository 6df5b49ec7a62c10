"""A game that takes no time to solve. But who makes a table for a service where this is a further
game waits for the file that the variable `GATE` names.
"""

from __future__ import annotations

import os
import sys
import time

from tests.advice.scorecard.small_cards import small_card

GATE = "TABLES_GATE"

VARIANT = small_card(2, {8: 4})

_started = sys.modules["__main__"].__spec__
if _started and _started.name == "service.tables.prepare":
    while GATE in os.environ and not os.path.exists(os.environ[GATE]):
        time.sleep(0.01)
