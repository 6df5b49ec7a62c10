"""The commands `advise` and `review`, which need no server."""
