"""Problems of bodies: all that they say, in English and German."""

from __future__ import annotations

import gzip
import json

import pytest

from tests.api.batch.batching import ARROW, NDJSON, POKER_DICE, batch
from tests.api.causes import Causes, Said, request
from tests.live import JSON, Service
from tests.worker.raw import BODY, EVALUATE

CROSSWORDS = batch("roll-a-royal")
HARD = [[*(f"{rank}s" for rank in "2346789JQKA"), "5h", "Th"]]
"""A turn whose search takes thousands of steps."""


def batched(body: bytes, media_type: str = JSON, path: str = POKER_DICE, **headers: str) -> Causes:
    """A batch."""
    return request("POST", path, body, Content_Type=media_type, **headers)


CASES: list[tuple[Said, Causes]] = [
    (Said("invalid", 422,
          "/dice/4 must be between 1 and 6.", errors=[("/dice/4", "must be between 1 and 6")]),
     request("POST", EVALUATE, b'{"dice":[1,2,3,4,7]}', Content_Type=JSON)),
    (Said("invalid", 422,
          "2 violations; the first: /dice is missing.",
          errors=[("/dice", "is missing"),
                  ("/dices", "is not a known field; the fields are dice, house_rules")]),
     request("POST", EVALUATE, b'{"dices":[1]}', Content_Type=JSON)),
    (Said("invalid", 422, "The body must be an object.", errors=[("", "must be an object")]),
     request("POST", EVALUATE, b"[]", Content_Type=JSON)),
    (Said("not-json", 400,
          "The body is not valid JSON: Expecting property name enclosed in double quotes, at "
          "line 1, column 2."),
     request("POST", EVALUATE, b"{", Content_Type=JSON)),
    (Said("too-large", 413, "The body may hold at most 1048576 bytes."),
     request("POST", EVALUATE, b" " * (2**20 + 1), Content_Type=JSON)),
    (Said("unknown-encoding", 415,
          "The body must be uncompressed or a gzip; Content-Encoding is br."),
     batched(BODY, Content_Encoding="br")),
    (Said("line-not-json", 400,
          "The line is not valid JSON: Expecting property name enclosed in double quotes, at "
          "line 1, column 2.", more={"line": 1}),
     batched(b"{\n", NDJSON)),
    (Said("not-a-gzip", 400, "The body is not a valid gzip, although Content-Encoding says so."),
     batched(b"{}" * 40, Content_Encoding="gzip")),
    (Said("gzip-ended", 400, "The body ended within its gzip."),
     batched(gzip.compress(b"{}")[:-4], Content_Encoding="gzip")),
    (Said("behind-gzip", 400, "The body must be one gzip member, with nothing after it."),
     batched(gzip.compress(b"{}") * 2, Content_Encoding="gzip")),
    (Said("not-arrow", 400, "The body is not an Arrow stream of hands: it ends within a message."),
     batched(b"{}", ARROW)),
    (Said("rest-too-large", 413, "Apart from the hands, the body may have at most 65536 bytes."),
     batched(b'{"hands":[],"house_rules":"%s"}' % (b"x" * 70_000))),
    (Said("line-too-large", 413, "A line may hold at most 1048576 bytes.", more={"line": 1}),
     batched(b" " * (2**20 + 1), NDJSON)),
    (Said("too-many-hands", 413, "One request may hold at most 1000000 hands."),
     batched(b'{"hands":[' + b"[1,1,1,1,1]," * 1_000_000 + b"[1,1,1,1,1]]}")),
    (Said("too-much-work", 413,
          "The searches of one request may take 100000 steps, and those of the first 9 hands "
          "used them up. Send these hands in one request, and those from /hands/9 on in another."),
     batched(json.dumps({"hands": [HARD] * 40}).encode(), path=CROSSWORDS)),
    (Said("lines-too-much-work", 413,
          "The batch ends here, after 9 lines: all lines of a request may take 100000 steps, and "
          "those lines used them up. Send this line and those after it in another request.",
          more={"line": 10}),
     batched((json.dumps({"rolls": HARD}).encode() + b"\n") * 40, NDJSON, CROSSWORDS)),
    (Said("too-many-failed", 422,
          "The batch ends here: 1001 of the first 1001 lines failed, and a request may have at "
          "most 1000 such lines. Correct them, and send this line and those after it in another "
          "request.", more={"line": 1001}),
     batched(b"\n" * 1001, NDJSON)),
]  # fmt: skip


@pytest.mark.parametrize(("said", "causes"), CASES, ids=[said.code for said, _ in CASES])
def test_cause(service: Service, said: Said, causes: Causes) -> None:
    """A body that the service can't take gets a problem that says why."""
    said.check(*causes(service))
