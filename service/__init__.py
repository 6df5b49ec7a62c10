"""Scores dice-poker games: a library of rules, and a REST service in front of it.

The rules live in `service.variants` (one module a variant) and `service.dice` (what they share);
both can be used as a plain library. `service.app.create_app` wires the HTTP service together.
"""

__version__ = "0.1.0"
