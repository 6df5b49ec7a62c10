"""The contract of sessions."""
