"""A mixed day of requests at rising rates, and a soak: `make load`."""
