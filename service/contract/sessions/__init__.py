"""What the contract says of sessions."""
