"""Tries the whole contract against a live service: schemathesis with all its checks on.

What the rules refuse though a schema can't say it is declared in schemathesis.toml. Fails unless
at least 5,000 cases were tried. Arguments are passed on to schemathesis.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.live import ROOT, running

LEAST_CASES = 5_000


def main() -> int:
    """Runs schemathesis; its exit status, or 1 if it tried too few cases."""
    with running(WEB_CONCURRENCY="2") as service:
        command = [
            str(Path(sys.executable).with_name("st")),
            *("--config-file", "schemathesis.toml"),
            *("run", "openapi.yaml", "--url", f"http://127.0.0.1:{service.port}"),
            *sys.argv[1:],
        ]
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "NO_PROXY": "127.0.0.1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            assert process.stdout is not None
            lines = []
            for line in process.stdout:
                print(line, end="", flush=True)
                lines.append(line)
    cases = re.search(r"([\d,]+) generated", "".join(lines))
    tried = int(cases[1].replace(",", "")) if cases else 0
    print(f"{tried} cases tried, at least {LEAST_CASES} wanted")
    return process.returncode or int(tried < LEAST_CASES)


if __name__ == "__main__":
    sys.exit(main())
