"""Tries the whole contract against a live service: schemathesis with all its checks on.

What the rules refuse though a schema can't say it is declared in schemathesis.toml. Fails unless
at least 5,000 cases were tried, links were followed from one operation of sessions to the next, and
at least 20 actions were done in the games that were made. Arguments are passed on to schemathesis.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from tests.contract.played import played
from tests.contract.playing_hooks import DEEP_DONE, DONE
from tests.live import ROOT, running

LEAST_CASES = 5_000
LEAST_LINKS = 12
"""From making, reading and acting to reading, acting, the history and deleting."""

LEAST_ACTIONS = 300
LEAST_DEEP = 20


def main() -> int:
    """Runs schemathesis; its exit status, or 1 if it tried too few cases or did too few actions."""
    with tempfile.TemporaryDirectory() as folder, running(WEB_CONCURRENCY="2") as service:
        contract = Path(folder, "openapi.json")
        made = yaml.safe_load((ROOT / "openapi.yaml").read_text())
        contract.write_text(json.dumps(played(made)))
        command = [
            str(Path(sys.executable).with_name("st")),
            *("--config-file", "schemathesis.toml"),
            *("run", str(contract), "--url", f"http://127.0.0.1:{service.port}"),
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
    told = "".join(lines)
    enough = [
        _counted(told, r"([\d,]+) generated", "cases tried", LEAST_CASES),
        _counted(told, r"API Links: +(\d+) covered", "links followed", LEAST_LINKS),
        _counted(told, rf"(\d+) {DONE}", "actions done", LEAST_ACTIONS),
        _counted(told, rf"(\d+) {DEEP_DONE}", "sessions deep", LEAST_DEEP),
    ]
    return process.returncode or int(not all(enough))


def _counted(told: str, pattern: str, what: str, least: int) -> bool:
    """Whether the number that `pattern` finds is at least `least`; prints both."""
    found = re.search(pattern, told)
    count = int(found[1].replace(",", "")) if found else 0
    print(f"{count} {what}, at least {least} wanted")
    return count >= least


if __name__ == "__main__":
    sys.exit(main())
