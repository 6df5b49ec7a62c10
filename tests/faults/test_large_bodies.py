"""Large bodies that fill the space for temporary files: one is refused, the others go on."""

from __future__ import annotations

import json
import re
import select
from contextlib import ExitStack

from tests.api.batch.batching import NDJSON, POKER_DICE, head, post
from tests.live import Reply, running
from tests.worker.raw import connected

MEBIBYTE = 1 << 20
PATIENT = "--worker-class=tests.worker.waits.Patient"
"""A busy machine may take longer to send all bodies than the first one may stall."""

LINE = b'{"dice":[1,2,3,4,6]}'.ljust(MEBIBYTE - 1) + b"\n"


def ranks(reply: Reply) -> list[str]:
    """The ranks of a batch of lines that was answered."""
    assert reply.status == 200
    return [json.loads(line)["rank"] for line in reply.body.splitlines()]


def test_the_largest_incomplete_body_is_refused() -> None:
    """Four bodies lack a byte and have more than 192 MiB: one gets 408.

    A small batch is answered meanwhile, and so are the three others once they are complete.
    """
    with running(GUNICORN_CMD_ARGS=PATIENT) as service, ExitStack() as stack:
        raws = {}
        for mebibytes in (63, 62, 61, 10):
            body = LINE * mebibytes
            raw = stack.enter_context(connected(service))
            raw.send(head(NDJSON, f"Content-Length: {len(body)}"))
            raw.send(body[:-1])
            raws[raw.socket] = raw, mebibytes
        (refused,), _, _ = select.select(list(raws), [], [], 30)
        assert ranks(post(service, LINE, NDJSON)) == ["small_straight"]
        reply = raws.pop(refused)[0].reply()
        assert (reply.status, reply.json["instance"]) == (408, POKER_DICE)
        assert re.fullmatch(
            r"Large bodies took up more than 192 MiB in all, and this one the most: \d{8} bytes "
            r"had arrived\. Send it again later, or in smaller parts\.",
            reply.json["detail"],
        )
        for raw, _ in raws.values():
            raw.send(b"\n")
        for raw, lines in raws.values():
            assert ranks(raw.reply()) == ["small_straight"] * lines
