"""The service where its optional part `arrow` isn't installed."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.api.batching import ARROW, POKER_DICE, SMALL, SMALL_ANSWER
from tests.live import JSON, ROOT

PROGRAM = f"""
import json, sys
sys.modules["pyarrow"] = None
from service.app import create_app
client = create_app().test_client()
replies = [
    client.post({POKER_DICE!r}, data=b"", content_type={ARROW!r}),
    client.post({POKER_DICE!r}, json=json.load(sys.stdin)),
    client.post({POKER_DICE!r}, json={{"hands": []}}, headers={{"Accept": {ARROW!r}}}),
]
json.dump([[r.status_code, r.json, r.headers.get("Accept")] for r in replies], sys.stdout)
"""


def test_arrow_is_refused_and_all_else_works() -> None:
    """An Arrow stream is a 415 that says what is missing and names what is taken instead."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        input=json.dumps({"hands": SMALL}),
        capture_output=True,
        text=True,
        check=True,
    )
    refused, answered, unacceptable = json.loads(done.stdout)
    assert (refused[0], refused[1]["detail"], refused[2]) == (
        415,
        "This server reads no Arrow streams: that takes its optional part arrow (pyarrow).",
        f"{JSON}, application/x-ndjson",
    )
    assert (answered[0], answered[1]) == (200, SMALL_ANSWER)
    assert (unacceptable[0], unacceptable[1]["detail"]) == (
        406,
        f"The answer is {JSON}; Accept allows: {ARROW}.",
    )
