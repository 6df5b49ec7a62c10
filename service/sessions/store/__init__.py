"""Where sessions are kept: Redis, and the server that comes with the service."""
