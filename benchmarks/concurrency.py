"""One `evaluate` over HTTP with 1, 8 and 32 connections, beside a bare Flask view.

The client is wrk. One worker as it is shipped, alone and while a thousand devices wait for sessions
there (see `waiting`). The bare view runs in gunicorn's own worker, once
with one thread and once with four; the faster one of each round counts. If the package gunicorn_h1c
is installed, that worker parses requests in C. All take turns; a ratio is the median of the ratios
of the rounds.

wrk is a package of Debian and Homebrew, not of Python.
"""

from __future__ import annotations

import json
import re
import shutil
import statistics
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path

from benchmarks.app import BARE
from benchmarks.evaluate_over_http import BODIES, bare
from benchmarks.waiting import waiting
from tests.live import running

CONNECTIONS = (1, 8, 32)
ROUNDS = 9
SECONDS = 1

SCRIPT = """
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local bodies = {%s}
local next = 0
request = function()
  next = next %% #bodies + 1
  return wrk.format(nil, nil, nil, bodies[next])
end
"""


def rate(script: Path, port: int, path: str, connections: int) -> float:
    """Requests per second. All responses must be a success."""
    command = ["wrk", "--threads=1", f"--connections={connections}", f"--duration={SECONDS}s"]
    command += [f"--script={script}", f"http://127.0.0.1:{port}{path}"]
    report = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in report or "Socket errors" in report:
        raise ValueError(report)
    found = re.search(r"Requests/sec: +([0-9.]+)", report)
    if not found or not float(found[1]):
        raise ValueError(report)
    return float(found[1])


def main() -> None:
    """Prints a line for each variant and number of connections."""
    if not shutil.which("wrk"):
        print("evaluate with 1, 8 and 32 connections: skipped, because wrk isn't installed")
        return
    print("evaluate over HTTP, beside a bare Flask view; wrk, median of", ROUNDS, "rounds")
    with ExitStack() as stack:
        own, waited = (stack.enter_context(running(WEB_CONCURRENCY="1")) for _ in range(2))
        stack.enter_context(waiting(waited))
        ports = [stack.enter_context(bare(threads)) for threads in (1, 4)]
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name, body in BODIES.items():
            script = folder / f"{name}.lua"
            bodies = ",".join(f"'{json.dumps(body())}'" for _ in range(200))
            script.write_text(SCRIPT % bodies, encoding="utf-8")
            path = f"/v1/variants/{name}/evaluate"
            for connections in CONNECTIONS:
                rounds = [
                    (
                        rate(script, own.port, path, connections),
                        rate(script, waited.port, path, connections),
                        max(rate(script, port, BARE, connections) for port in ports),
                    )
                    for _ in range(ROUNDS)
                ]
                rates = statistics.median(alone for alone, _, _ in rounds)
                ratio = statistics.median(alone / other for alone, _, other in rounds)
                beside = statistics.median(waits / other for _, waits, other in rounds)
                print(
                    f"{name:20} {connections:3} connections  {rates:6.0f}/s   ratio {ratio:.2f}, "
                    f"beside devices that wait {beside:.2f}"
                )


if __name__ == "__main__":
    main()
