"""The service without pyarrow, which only scores files."""

from __future__ import annotations

import subprocess
import sys

from tests.api.batch.batching import ARROW, BODIES, POKER_DICE, SMALL_COLUMNS, columns_of
from tests.live import ROOT

PROGRAM = f"""
import sys
sys.modules["pyarrow"] = None
from service.app import create_app
client = create_app().test_client()
reply = client.post({POKER_DICE!r}, data=sys.stdin.buffer.read(), content_type={ARROW!r})
assert reply.status_code == 200, reply.text
sys.stdout.buffer.write(reply.data)
"""


def test_arrow_needs_no_pyarrow() -> None:
    """An Arrow stream gets its response where pyarrow isn't installed."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        input=BODIES[ARROW],
        capture_output=True,
        check=True,
    )
    assert columns_of(done.stdout) == SMALL_COLUMNS
