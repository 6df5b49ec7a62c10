"""The view that scores, as people use it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page


def click_faces(page: Page, faces: list[str]) -> None:
    """Enters dice by clicks on the palette."""
    palette = page.get_by_role("group", name="Faces")
    for face in faces:
        palette.get_by_role("button", name=face, exact=True).click()


def type_faces(page: Page, signs: str) -> None:
    """Enters dice by keys, from the first place on."""
    page.locator("dice-entry .slot").first.focus()
    page.keyboard.type(signs)


def result(page: Page) -> Locator:
    """Where the page shows what the dice are worth."""
    return page.get_by_role("region", name="Result")


def written(page: Page, box: str) -> str:
    """What is written in a box of the first player's card."""
    written: str = page.get_by_label(f"{box} of Player 1").input_value()
    return written


def uncited(reason: str) -> str:
    """A reason as the page says it: without the clause, which the log of requests has."""
    return re.sub(r" \([A-Z]\d+\)", "", reason)
