"""The page in a real browser: games are played with clicks and keys, as people do."""
