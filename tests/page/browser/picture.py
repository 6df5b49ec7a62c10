"""Writes the picture of the page in README.md: a game of dice poker in its middle."""

from __future__ import annotations

from collections import Counter

from tests.live import ROOT, running
from tests.page.browser.game import Game
from tests.page.browser.visitor import Visitor, expect, started

PICTURE = ROOT / "docs" / "play.png"
TURNS = 13


def main() -> None:
    """Plays half a game with the best box of each turn, holds dice alike, and takes the picture."""
    with running() as service, started() as browser:
        visitor = Visitor(browser, service.port, width=960)
        page = visitor.page
        game = Game(visitor)
        game.set_up("dice-poker", ("Ann", "Ben"), {"turn_seconds": 600})
        for _ in range(TURNS):
            game.do("roll")
            game.offered()
            points = [int(text) for text in page.locator(".write").all_inner_texts()]
            game.act(page.locator(".write").nth(points.index(max(points))))
        dice = page.locator(".dice.turn button.die")
        for _ in range(2):
            game.do("roll")
            faces = [die.get_attribute("aria-label") for die in dice.all()]
            [(alike, count)] = Counter(faces).most_common(1)
            for die in dice.all():
                if (die.get_attribute("aria-label") == alike) != (
                    die.get_attribute("aria-pressed") == "true"
                ):
                    die.click()
            expect(page.locator(".dice.turn [aria-pressed=true]")).to_have_count(count)
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement.blur()")
        page.screenshot(path=PICTURE, clip={"x": 0, "y": 0, "width": 960, "height": 720})
        visitor.leaves()
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
