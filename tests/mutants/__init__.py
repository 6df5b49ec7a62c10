"""Mutation tests: small changes to the rules and sessions, each of which a test should notice."""
