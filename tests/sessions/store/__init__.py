"""Stores of sessions."""
