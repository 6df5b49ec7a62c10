"""Scripts that change how long the page shows moves that this device didn't make, and others that
watch what moves.
"""

from __future__ import annotations

AT_ONCE = """() => {
  const later = setTimeout;
  globalThis.setTimeout = (then, ms, ...rest) => later(then, ms % 800 ? ms : 0, ...rest);
}"""
"""Nobody waits until a move has been shown long enough."""

NEVER = """() => {
  const later = setTimeout;
  globalThis.setTimeout = (then, ms, ...rest) =>
    (ms % 800 ? later(then, ms, ...rest) : (globalThis.goes = then, 0));
}"""
"""A move that is shown is never followed by the next, unless somebody goes on, or by `goes()`."""

SHIFTS = """() => {
  globalThis.moved = 0;
  const added = (list) => { for (const each of list.getEntries()) moved += each.value; };
  new PerformanceObserver(added).observe({type: "layout-shift", buffered: true});
}"""
"""Adds up in `moved` by how much the layout shifts."""

STILL = """(selector) => {
  globalThis.moving = [];
  const {animate} = Element.prototype;
  Element.prototype.animate = function (...all) {
    const one = animate.apply(this, all);
    if (this.matches(selector)) {
      one.pause();
      moving.push([this, one]);
    }
    return one;
  };
}"""
"""What matches `selector` and moves stays as it begins, and is in `moving` with its animation."""
