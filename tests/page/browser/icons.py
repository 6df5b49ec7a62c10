"""Draws the icons of the installed page from `icon.svg`: in its own shape, and as a whole square
for devices that cut out a shape.
"""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from service.page import STATIC
from tests.page.browser.visitor import started

WHOLE = "icon-whole.png"
ICONS = {"icon-192.png": 192, "icon-512.png": 512, WHOLE: 512}
COLOURS = 4


def main() -> None:
    """Writes each icon, in few colours, as it has only two and those between them."""
    drawn = (STATIC / "icon.svg").read_text()
    with started() as browser:
        for name, size in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            svg = drawn.replace('rx="7"', "") if name == WHOLE else drawn
            page.set_content(f"<style>svg {{ position: fixed; inset: 0 }}</style>{svg}")
            picture = Image.open(BytesIO(page.screenshot(omit_background=True)))
            few = picture.quantize(COLOURS, Image.Quantize.FASTOCTREE)
            few.save(STATIC / name, optimize=True)
            print(name, (STATIC / name).stat().st_size, "bytes")


if __name__ == "__main__":
    main()
