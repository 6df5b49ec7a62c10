"""Where the figures of docs/benchmarks.md come from; each module prints its own."""
