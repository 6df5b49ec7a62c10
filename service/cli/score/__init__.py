"""The command `score`: reads hands from a file, and writes their scores to another."""
