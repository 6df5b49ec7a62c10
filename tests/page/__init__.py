"""The page `/play`: what is served, and whole games in a real browser."""
