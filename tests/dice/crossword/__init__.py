"""Tests of the crossword of cards."""
