"""A page in a real Chromium, with a fresh profile, driven over the DevTools protocol."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

PIPE_DESCRIPTORS = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Starts Chromium with its ends of the two pipes as the descriptors 3 and 4, which it expects."""


class Page:
    """A tab of a running Chromium. Each message in the pipes ends with a zero byte."""

    def __init__(self, to_browser: IO[bytes], from_browser: IO[bytes]) -> None:
        self._to, self._from = to_browser, from_browser
        self._sent = 0
        self._received = b""
        self._events: set[str] = set()
        self._session: dict[str, str] = {}
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = {"sessionId": attached["sessionId"]}

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Calls a method of the DevTools protocol, and returns its result."""
        self._sent += 1
        message = {"id": self._sent, "method": method, "params": params, **self._session}
        self._to.write(json.dumps(message).encode() + b"\0")
        self._to.flush()
        while True:
            answer = self._next()
            if answer.get("id") == self._sent:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def run(self, script: str) -> Any:
        """Runs `script`, the body of an async function, in the page; returns its JSON value.

        Fails if the script throws.
        """
        answer = self.call(
            "Runtime.evaluate",
            expression=f"(async () => {{{script}}})()",
            awaitPromise=True,
            returnByValue=True,
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def open(self, url: str) -> None:
        """Loads the page at `url`, with all that it names."""
        self.call("Page.enable")
        self._events.clear()
        self.call("Page.navigate", url=url)
        while "Page.loadEventFired" not in self._events:
            self._next()

    def wait_for(self, condition: str, seconds: float = 30) -> None:
        """Waits until the JavaScript expression `condition` is true; fails after `seconds`."""
        self.run(f"""
            const end = performance.now() + {seconds * 1000};
            while (performance.now() < end) {{
              if ({condition}) return;
              await new Promise((resolve) => setTimeout(resolve, 20));
            }}
            throw new Error({json.dumps(condition)} + " is still false in "
              + document.body.innerText.slice(0, 2000));
        """)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._received:
            data = os.read(self._from.fileno(), 1 << 20)
            assert data, "Chromium has ended"
            self._received += data
        message, _, self._received = self._received.partition(b"\0")
        answer: dict[str, Any] = json.loads(message)
        self._events.add(answer.get("method", ""))
        return answer


@contextmanager
def opened() -> Iterator[Page]:
    """An empty page in a Chromium of its own, with a fresh profile; closed afterwards."""
    assert CHROMIUM is not None
    to_read, to_write = os.pipe()
    from_read, from_write = os.pipe()
    passed = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_read, from_write)]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            [
                sys.executable, "-c", PIPE_DESCRIPTORS, *map(str, passed),
                CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu",
                f"--user-data-dir={profile}", "--remote-debugging-pipe",
            ],
            pass_fds=passed,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        for end in (*passed, to_read, from_write):
            os.close(end)
        with os.fdopen(to_write, "wb") as to_browser, os.fdopen(from_read, "rb") as from_browser:
            try:
                page = Page(to_browser, from_browser)
                yield page
            finally:
                browser.terminate()
                browser.wait(30)
