"""Tests of the commands that advise and review."""
