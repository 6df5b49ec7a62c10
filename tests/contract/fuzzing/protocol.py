"""Names and lines shared by the hooks of schemathesis and the program that starts them."""

from __future__ import annotations

STORE = "TRIED_STORE"
"""The environment variable with the URL of the store of the tested service."""

DEEP = 5
"""From this many actions on, a session was played deep."""

DONE = "actions were done by following links"
DEEP_DONE = f"sessions had {DEEP} of them or more"
TRIED = "operations that delete were asked again with bad tokens"
"""The hooks print these lines at the end, each after a number."""
