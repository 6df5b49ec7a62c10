"""Tests of the games in steps."""
