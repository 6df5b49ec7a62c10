"""Tests of advice: the best play and its value."""
