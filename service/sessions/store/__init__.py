"""The store of sessions: Redis, its encoding, and the server that the service starts itself."""
