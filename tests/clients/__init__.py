"""Clients that generators make from the contract: generated, compiled, and played with."""
