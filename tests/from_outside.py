"""Sends requests to a service that runs elsewhere, as its clients do; needs only Python.

    python3 -m tests.from_outside PORT pages        the requests of the pages, with their answers
    python3 -m tests.from_outside PORT play FILE    starts a game, and keeps in FILE what it saw
    python3 -m tests.from_outside PORT find FILE    finds that game again, as it was left

It waits until the service answers, for five minutes at most: `make run` may install things first.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

HERE = "http://127.0.0.1:8000"
CONSOLE = re.compile(r"```console\n\$ (.*?)\n```", re.DOTALL)
ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    *(ROOT / "docs" / f"{name}.md" for name in ("requests", "batches", "errors", "scorekeeping")),
]
"""The pages with requests that need no table for advice."""

JSON = {"Content-Type": "application/json"}
START_SECONDS = 300


@dataclass(frozen=True)
class Printed:
    """A request on a page, and the answer that is printed below it."""

    path: str
    body: bytes
    headers: Mapping[str, str]
    answer: str


def printed_requests(*pages: Path) -> list[Printed]:
    """The requests of the pages, in order: their console blocks with a curl command."""
    blocks = (block for page in pages for block in CONSOLE.findall(page.read_text()))
    return [_printed(block) for block in blocks if "curl " in block]


def _printed(block: str) -> Printed:
    command, answer = re.split(r"\n(?=\{)", block, maxsplit=1)
    lines, _, curl = command.rpartition("|\n")
    words = shlex.split(curl)
    url = next(word for word in words if word.startswith(HERE))
    if lines:
        body = "".join(f"{line}\n" for line in shlex.split(lines)[2:])
    else:
        body = words[words.index("-d") + 1]
    headers = dict(words[at + 1].split(": ") for at, word in enumerate(words) if word == "-H")
    return Printed(url.removeprefix(HERE), body.encode(), headers, answer)


class Outside:
    """A client of the service at a port of this machine."""

    def __init__(self, port: int) -> None:
        self._port = port
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                self.ask("GET", "/livez")
                return
            except ConnectionError:
                if time.monotonic() > end:
                    raise
            time.sleep(0.1)

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] = JSON
    ) -> str:
        """The body of the answer, whatever its status."""
        connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            connection.request(method, path, body, dict(headers))
            return connection.getresponse().read().decode()
        finally:
            connection.close()

    def pages(self) -> str:
        """Fails unless each request of the pages gets its answer."""
        asked = printed_requests(*PAGES)
        for each in asked:
            answer = self.ask("POST", each.path, each.body, each.headers).rstrip("\n")
            if answer != each.answer:
                sys.exit(f"{each.path} answers\n{answer}\nand its page prints\n{each.answer}")
        return f"{len(asked)} requests are answered as their pages print them."

    def play(self, file: Path) -> str:
        """Starts a game and rolls once; what is seen then is kept in `file`."""
        start = {
            "variant": "dice-poker",
            "players": ["ann", "ben"],
            "house_rules": {"turn_seconds": None},
        }
        made = json.loads(self.ask("POST", "/v1/sessions", json.dumps(start).encode()))
        if "id" not in made:
            sys.exit(f"No game could be started: {made}")
        path = f"/v1/sessions/{made['id']}"
        token = {"Authorization": f"Bearer {made['tokens']['players']['ann']}"}
        act = {**JSON, **token, "If-Match": '"1"'}
        self.ask("POST", f"{path}/actions", b'{"action": "roll"}', act)
        seen = json.loads(self.ask("GET", path, headers=token))
        if seen.get("version") != 2:
            sys.exit(f"A roll went wrong: {seen}")
        file.write_text(json.dumps({"path": path, "token": token, "state": seen["state"]}))
        return f"A game was started; its first roll is {seen['state']['turn']['dice']}."

    def find(self, file: Path) -> str:
        """Fails unless the game of `file` is as it was."""
        kept = json.loads(file.read_text())
        seen = json.loads(self.ask("GET", kept["path"], headers=kept["token"]))
        if seen.get("state") != kept["state"]:
            sys.exit(f"The game is not as it was, {kept['state']}, but {seen}")
        return f"The game was found again; its first roll is {seen['state']['turn']['dice']}."


def main(port: str, what: str, file: str = "") -> None:
    """Does what the command line says."""
    service = Outside(int(port))
    if what == "pages":
        print(service.pages())
    elif what == "play":
        print(service.play(Path(file)))
    elif what == "find":
        print(service.find(Path(file)))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
