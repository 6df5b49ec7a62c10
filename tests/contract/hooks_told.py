"""What the hooks of schemathesis are told by who starts them, and what they print for it."""

from __future__ import annotations

STORE = "TRIED_STORE"
"""The environment variable with the URL of the store of the service that is tried."""

DEEP = 5
"""Actions in a session from which on it was played deep."""

DONE = "actions were done by following links"
DEEP_DONE = f"sessions had {DEEP} of them or more"
TRIED = "operations that delete were asked again with bad tokens"
"""What is printed in the end after how many."""
