"""Rate limits of clients."""
