"""/docs in a real browser, and what it loads."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.live import Service

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


def test_every_asset_is_our_own(service: Service) -> None:
    """The page and its style sheet name no other host, and all they name is there."""
    page = service.get("/docs")
    assert (page.status, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert page.headers["Content-Security-Policy"] == (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    assets = re.findall(r'(?:src|href)="([^"]+)"', page.body.decode())
    assert len(assets) == 5
    for asset in assets:
        assert service.get(f"/{asset}").status == 200
    style = service.get("/docs/assets/swagger-ui.css").body.decode()
    assert all(url.startswith("data:") for url in re.findall(r'url\("?([^")]+)', style))


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium")
def test_page_draws_the_contract(service: Service, tmp_path: Path) -> None:
    """A browser draws every operation of the contract on the page."""
    assert CHROMIUM is not None
    drawn = subprocess.run(
        [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu",
            f"--user-data-dir={tmp_path}", "--virtual-time-budget=20000", "--dump-dom",
            f"http://127.0.0.1:{service.port}/docs",
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout  # fmt: skip
    drawn_paths = set(re.findall(r'data-path="([^"]+)"', drawn))
    assert drawn_paths == set(service.get("/openapi.json").json["paths"])
