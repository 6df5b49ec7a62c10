"""The commands: `score` scores files, `verify` verifies dice, and the health check."""
