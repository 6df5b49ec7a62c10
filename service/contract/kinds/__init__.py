"""What the contract says of each kind of game, a module each."""
