"""Games for the dice-scoring service: one module each, with its description as `VARIANT`."""
