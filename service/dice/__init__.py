"""What the variants share: notation, patterns, hand tables, score cards, house rules and pots.

Nothing here knows of HTTP, JSON or a store.
"""
