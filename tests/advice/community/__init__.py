"""Tests of advice for games with pocket and community dice."""
