"""Games on a score card."""
