"""How long the page shows moves that this device didn't make: scripts that change it."""

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
