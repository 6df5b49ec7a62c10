"""/play in a Chromium with a fresh profile: how long a visitor waits, and how the page loads."""

from __future__ import annotations

import json
import statistics
import time
from typing import Any

from benchmarks.chromium import CHROMIUM, Page, opened
from tests.live import running

RUNS = 7

SCORE_VIEWS = (
    ("dice-poker", "33355"),
    ("yahtzee-deluxe", "333555"),
    ("poker-dice", "1111266543"),
    ("roll-a-royal", "AsKsQsJsTsAhKhQhJhTh9d8c2c"),
    ("texas-holdem-dice", "3b4b4w2y6y5r6r3r3w"),
)
"""The games whose dice are scored, and what is typed into each view."""

LOADED = """
const seen = {"layout-shift": 0, longtask: 0};
for (const type of Object.keys(seen)) {
  new PerformanceObserver((list) => {
    for (const {value, duration} of list.getEntries()) {
      if (type === "longtask") seen[type] = Math.max(seen[type], duration);
      else seen[type] += value;
    }
  }).observe({type, buffered: true});
}
await new Promise((resolve) => setTimeout(resolve, 500));
return [seen["layout-shift"], seen.longtask];
"""
"""The sum of all layout shifts, and the longest task in ms; tasks below 50 ms count as 0."""

STARTED = """
location.hash = "#/new/dice-poker";
while (!document.querySelector(".setup")) await new Promise((resolve) => setTimeout(resolve, 20));
document.querySelector(".setup [type=submit]").click();
"""

CLICKED = """
return await new Promise((resolve) => {
  const began = performance.now();
  const painted = new Promise((done) => {
    new MutationObserver(() => requestAnimationFrame(() => setTimeout(() => {
      done(performance.now());
    }))).observe(document.querySelector(".view.session"), {attributeFilter: ["data-version"]});
  });
  // The entry of a request may come only after the page has its answer.
  const answered = new Promise((done) => {
    new PerformanceObserver((list) => {
      const sent = list.getEntries().find(({name}) => name.endsWith("/actions"));
      if (sent) done(sent.duration);
    }).observe({type: "resource"});
  });
  Promise.all([painted, answered]).then(([at, duration]) => resolve(at - began - duration));
  document.querySelector("[data-action]").click();
});
"""
"""The ms from a click until the new state is painted, without those until the service answered."""


def visit(url: str) -> tuple[float, Any, float]:
    """The seconds until games can be chosen, the shifts and longest task, and the ms of a click."""
    with opened() as page:
        began = time.perf_counter()
        page.open(url)
        page.wait_for("document.querySelector('.stage .primary')")
        usable = time.perf_counter() - began
        loaded = page.run(LOADED)
        return usable, loaded, _click(page)


def score(url: str, variant: str, keys: str) -> float:
    """The ms of the longest task while a view that scores dice is loaded, and dice are entered."""
    with opened() as page:
        page.open(f"{url}#/score/{variant}")
        page.wait_for("document.querySelector('dice-entry .slot')")
        page.run(f"""
            for (const key of {json.dumps(keys)}) {{
              document.querySelector("dice-entry [aria-current]")
                .dispatchEvent(new KeyboardEvent("keydown", {{key, bubbles: true}}));
              await new Promise((resolve) => setTimeout(resolve)); // each key is a task of its own
            }}
        """)
        page.wait_for("document.querySelector('.result :is(h2, .best, .ranking)')")
        task: float = page.run(LOADED)[1]
        return task


def _click(page: Page) -> float:
    """Begins a game, and clicks on its first action."""
    page.run(STARTED)
    page.wait_for("document.querySelector('.view.session [data-action]')")
    took: float = page.run(CLICKED)
    return took


def main() -> None:
    """Prints medians with the worst; nothing without Chromium."""
    if CHROMIUM is None:
        print("/play: nothing is measured, since there is no Chromium")
        return
    with running() as service:
        url = f"http://127.0.0.1:{service.port}/play"
        visits = [visit(url) for _ in range(RUNS)]
        scoring = [score(url, variant, keys) for _ in range(RUNS) for variant, keys in SCORE_VIEWS]
    usable, loaded, clicks = zip(*visits, strict=True)
    shifts, tasks = zip(*loaded, strict=True)
    for what, values, unit, limit in (
        ("can be used after", usable, "s", "1"),
        ("shows a click, beyond the answer of the service, after", clicks, "ms", "50"),
        ("shifts its layout by", shifts, "", "0.1"),
        ("has tasks on load of at most", tasks, "ms", "100"),
        ("has tasks while dice are scored of at most", scoring, "ms", "100"),
    ):
        middle, worst = statistics.median(values), max(values)
        print(f"/play {what} {middle:.3g} {unit} (at worst {worst:.3g}; limit {limit})")


if __name__ == "__main__":
    main()
