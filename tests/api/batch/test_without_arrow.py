"""The service without its extra `arrow`."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.api.batch.batching import ARROW, POKER_DICE, SMALL, SMALL_ANSWER
from tests.contract.checker import contract_checker
from tests.live import JSON, ROOT, Reply

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
json.dump([[r.status_code, dict(r.headers), r.text] for r in replies], sys.stdout)
"""


def test_arrow_is_refused_and_all_else_works() -> None:
    """An Arrow stream gets a 415 that names the missing extra and the supported types."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        input=json.dumps({"hands": SMALL}),
        capture_output=True,
        text=True,
        check=True,
    )
    replies = [
        Reply(status, headers, body.encode()) for status, headers, body in json.loads(done.stdout)
    ]
    for reply in replies:
        contract_checker().check("POST", POKER_DICE, reply.status, reply.headers, reply.body)
    refused, answered, unacceptable = replies
    assert (refused.status, refused.json["detail"], refused.headers["Accept"]) == (
        415,
        "This server can't read Arrow streams: install the extra `arrow` (pyarrow).",
        f"{JSON}, application/x-ndjson",
    )
    assert (answered.status, answered.json) == (200, SMALL_ANSWER)
    assert (unacceptable.status, unacceptable.json["detail"]) == (
        406,
        f"The response is {JSON}; Accept allows: {ARROW}.",
    )
