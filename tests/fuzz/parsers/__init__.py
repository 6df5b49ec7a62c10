"""The parsers that are fuzzed."""
