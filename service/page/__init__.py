"""The page at `/play`, where people play, score and verify games in a browser."""
