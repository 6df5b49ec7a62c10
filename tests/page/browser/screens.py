"""Takes screenshots of every view into build/: light and dark, on a phone and on a wide screen."""

from __future__ import annotations

import sys

from tests.live import ROOT, running
from tests.page.browser.test_views import VIEWS
from tests.page.browser.visitor import Visitor, started

SCREENS = ROOT / "build" / "screens"
WIDTHS = (360, 1600)


def main() -> None:
    """Takes the screenshots of the views whose names are given, or of all."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    with running() as service, started() as browser:
        for name in sys.argv[1:] or VIEWS:
            visitor = Visitor(browser, service.port)
            VIEWS[name](visitor)
            for width in WIDTHS:
                visitor.page.set_viewport_size({"width": width, "height": 800})
                for scheme in ("light", "dark"):
                    visitor.page.emulate_media(color_scheme=scheme)
                    file = SCREENS / f"{name.replace(': ', ' ')} {width} {scheme}.png"
                    visitor.page.screenshot(path=file, full_page=True)
            visitor.context.close()
    print(f"{SCREENS.relative_to(ROOT)}: {len(list(SCREENS.iterdir()))} pictures")


if __name__ == "__main__":
    main()
